/** Published resources whatever their kind: how they are found by name, and whether a name is free. */

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

/** Names are unique in a workspace, whatever the store and the kind: each is the name of a layer, beside those of groups. */
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

/** The name, or the next one that is not taken: with a suffix 1, 2 and so on. */
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

/** Room for the number that a taken name gets. */
const SUFFIX_BYTES = 10;

/** A valid name, as near to that of the file, table or variable as possible. */
export function toPublishableName(nativeName: string): string {
  let name = trimDots(nativeName.toWellFormed().replaceAll(/[/\\:*]|\p{Cc}|[\u2028\u2029\ufffe\uffff]/gu, '_'));
  while (Buffer.byteLength(name) > MAX_NAME_BYTES - SUFFIX_BYTES) {
    name = [...name].slice(0, -1).join('');
  }
  // Cutting may have left a dot or a space at the end.
  return trimDots(name) || 'data';
}

function trimDots(name: string): string {
  return name.replace(/^[.\s]+|[.\s]+$/gu, '');
}
