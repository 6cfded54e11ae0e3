/** All kinds of published resources. */
import { cascadedLayerKinds } from './cascaded-layer.ts';
import { coverageKind } from './coverage.ts';
import { featureTypeKind } from './feature-type.ts';
import { type ResourceKind, toAnyResourceKind } from './resource.ts';

export const resourceKinds: readonly ResourceKind[] = [
  toAnyResourceKind(featureTypeKind),
  toAnyResourceKind(coverageKind),
  ...Object.values(cascadedLayerKinds).map((kind) => toAnyResourceKind(kind)),
];
