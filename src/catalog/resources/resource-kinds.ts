/** The kinds of published resources there are. */
import { cascadedLayerKinds } from '../cascaded/cascaded-layer.ts';
import { coverageKind } from '../coverages/coverage.ts';
import { featureTypeKind } from '../feature-types/feature-type.ts';
import { anyResourceKind, type ResourceKind } from './resource.ts';

export const resourceKinds: readonly ResourceKind[] = [
  anyResourceKind(featureTypeKind),
  anyResourceKind(coverageKind),
  ...Object.values(cascadedLayerKinds).map((kind) => anyResourceKind(kind)),
];
