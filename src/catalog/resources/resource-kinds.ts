/** The kinds of published resources there are, and a resource of any of them. */
import type { CatalogReader } from '../../records/catalog.ts';
import { unionOf } from '../../records/record.ts';
import { cascadedLayerKinds } from '../cascaded/cascaded-layer.ts';
import { coverageKind } from '../coverages/coverage.ts';
import { featureTypeKind } from '../feature-types/feature-type.ts';
import { anyResourceKind, type Resource, type ResourceKind } from './resource.ts';

export const resourceKinds: readonly ResourceKind[] = [
  anyResourceKind(featureTypeKind),
  anyResourceKind(coverageKind),
  ...Object.values(cascadedLayerKinds).map((kind) => anyResourceKind(kind)),
];

const anyResource = unionOf(resourceKinds);

export function resourceWithId(reader: CatalogReader, id: string): Promise<Resource | undefined> {
  return reader.get(anyResource, id);
}

export function resourceKindOf(resource: Resource): ResourceKind {
  const found = resourceKinds.find(({ kind }) => kind === resource.kind);
  if (found === undefined) {
    throw new Error(`There is no kind of resource called '${resource.kind}'`);
  }
  return found;
}
