/** A published resource of whichever kind. */
import type { CatalogReader } from '../../records/catalog.ts';
import { createUnionKind } from '../../records/record.ts';
import type { Resource, ResourceKind } from './resource.ts';
import { resourceKinds } from './resource-kinds.ts';

const anyResource = createUnionKind(resourceKinds);

export function findResourceById(reader: CatalogReader, id: string): Promise<Resource | undefined> {
  return reader.get(anyResource, id);
}

export function getResourceKind(resource: Resource): ResourceKind {
  const found = resourceKinds.find(({ kind }) => kind === resource.kind);
  if (found === undefined) {
    throw new Error(`There is no kind of resource called '${resource.kind}'`);
  }
  return found;
}
