/** Finds published resources of any kind by name, and free names. */

import { problem } from '../../lib/problems/problem.ts';
import { MAX_NAME_BYTES } from '../../lib/text/name-rule.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { Workspace } from '../../records/workspace.ts';
import { getResourceKind } from '../kinds/any-resource.ts';
import { layerGroupKind } from '../kinds/layer-group.ts';
import { formatQualifiedKey, type Resource } from '../kinds/resource.ts';
import { resourceKinds } from '../kinds/resource-kinds.ts';

export async function findResource(
  reader: CatalogReader,
  workspaceId: string,
  name: string,
): Promise<Resource | undefined> {
  for (const kind of resourceKinds) {
    const [resource] = await reader.findByKey(kind, 'qualifiedName', formatQualifiedKey(workspaceId, name), 1);
    if (resource !== undefined) {
      return resource;
    }
  }
  return undefined;
}

/**
 * Names are unique in a workspace across stores and kinds: each is also the name of a layer, which shares its names
 * with groups.
 */
export async function checkResourceNameAvailable(
  reader: CatalogReader,
  workspace: Workspace,
  name: string,
): Promise<void> {
  const holder = await findResource(reader, workspace.id, name);
  if (holder !== undefined) {
    throw getResourceKind(holder).createNameTakenProblem({ name, workspace: workspace.name });
  }
  if ((await reader.find(layerGroupKind, workspace.id, name)) !== undefined) {
    throw problem('layer-group-exists', { name, workspace: workspace.name });
  }
}

/** Returns the name, or the first free one with a suffix 1, 2 and so on. */
export async function findFreeResourceName(
  reader: CatalogReader,
  workspaceId: string,
  wanted: string,
): Promise<string> {
  let name = wanted;
  for (let suffix = 1; await isNameTaken(reader, workspaceId, name); suffix += 1) {
    name = `${wanted}${suffix}`;
  }
  return name;
}

async function isNameTaken(reader: CatalogReader, workspaceId: string, name: string): Promise<boolean> {
  return (
    (await findResource(reader, workspaceId, name)) !== undefined ||
    (await reader.find(layerGroupKind, workspaceId, name)) !== undefined
  );
}

/** Space for the suffix of a taken name. */
const SUFFIX_BYTES = 10;

/** Returns a valid name that resembles that of the file, table or variable. */
export function toPublishableName(nativeName: string): string {
  let name = trimDots(nativeName.toWellFormed().replaceAll(/[/\\:*]|\p{Cc}|[\u2028\u2029\ufffe\uffff]/gu, '_'));
  while (Buffer.byteLength(name) > MAX_NAME_BYTES - SUFFIX_BYTES) {
    name = [...name].slice(0, -1).join('');
  }
  // Truncation may leave a dot or a space at the end.
  return trimDots(name) || 'data';
}

function trimDots(name: string): string {
  return name.replace(/^[.\s]+|[.\s]+$/gu, '');
}
