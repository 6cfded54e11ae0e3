/** Finds a published resource of any kind. */
import type { CatalogReader } from '../../records/catalog.ts';
import { createUnionKind } from '../../records/record.ts';
import type { Resource, ResourceKind } from './resource.ts';
import { resourceKinds } from './resource-kinds.ts';

const anyResource = createUnionKind(resourceKinds);

export function findResourceById(reader: CatalogReader, id: string): Promise<Resource | undefined> {
  return reader.get(anyResource, id);
}

export function getResourceKind(resource: Pick<Resource, 'kind'>): ResourceKind {
  const found = resourceKinds.find(({ kind }) => kind === resource.kind);
  if (found === undefined) {
    throw new Error(`Unknown resource kind '${resource.kind}'`);
  }
  return found;
}
