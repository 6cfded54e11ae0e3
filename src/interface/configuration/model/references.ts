/** References between the resources of a document, as their fields name them. */
import { encodePath } from '../../changes/record-path.ts';
import { isList, isObject, type Json } from './fields.ts';
import type { ResourceAddress } from './kind.ts';

/**
 * The paths that a value can refer to: each name in each of the collections. An unqualified name can be global or in
 * the workspace of the resource.
 */
export function listReferencedPaths(
  value: Json | undefined,
  collections: readonly string[],
  { names: { workspace } }: Pick<ResourceAddress, 'names'>,
): readonly string[] {
  return listNames(value).flatMap((name) => {
    const colon = name.indexOf(':');
    const home = colon > 0 ? name.slice(0, colon) : workspace;
    const own = name.slice(colon + 1);
    return collections.flatMap((collection) => [
      ...(colon > 0 ? [] : [encodePath([collection, own])]),
      ...(home === undefined ? [] : [encodePath(['workspaces', home, collection, own])]),
    ]);
  });
}

/** The texts of a value, and the names of the objects in it; an object can also have a workspace. */
export function listNames(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') {
    return value === '' ? [] : [value];
  }
  if (isList(value)) {
    return value.flatMap(listNames);
  }
  if (!isObject(value)) {
    return [];
  }
  const { name, workspace } = value;
  const inside = Object.values(value).flatMap((each) => (typeof each === 'string' ? [] : listNames(each)));
  if (typeof name !== 'string') {
    return inside;
  }
  return [typeof workspace === 'string' && !name.includes(':') ? `${workspace}:${name}` : name, ...inside];
}
