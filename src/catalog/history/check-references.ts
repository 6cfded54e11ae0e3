/** Checks that restored records are consistent with all others: references and names. */

import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { toCatalogRecord } from '../../records/record.ts';
import { RestoreConflict, type TargetState } from '../../records/restore-records.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import { findUnknownOffers, findUnknownSubsets } from '../grid-sets/offered-names.ts';
import { gridSetKind } from '../kinds/grid-set.ts';
import { layerGroupKind } from '../kinds/layer-group.ts';
import { linkedKinds, references } from '../kinds/references.ts';
import { formatQualifiedKey } from '../kinds/resource.ts';
import { resourceKinds } from '../kinds/resource-kinds.ts';
import { serviceSettingsKind } from '../kinds/settings-records.ts';
import { storeKinds } from '../kinds/store-kinds.ts';
import { tileLayerKind } from '../kinds/tile-layer.ts';

/** The number of blocking records that the error lists. */
const MAX_LISTED = 10;

/** Throws `InTheWay` if a reference or a name conflicts. */
export async function checkReferences(transaction: CatalogTransaction, formers: readonly TargetState[]): Promise<void> {
  for (const { id, kind, state } of formers) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    if (state === null) {
      const holders = await references.findHolders(transaction, { id, kind }, MAX_LISTED);
      if (holders.length > 0) throw new RestoreConflict(holders.map((holder) => holder.id));
      continue;
    }
    const missing: string[] = [];
    for (const target of await listTargets(transaction, kind, id))
      if ((await transaction.stored.get(target)) === undefined) missing.push(target);
    if (missing.length > 0) throw new RestoreConflict(missing);
    const namesakes = await listNameConflicts(transaction, kind, id);
    if (namesakes.length > 0) throw new RestoreConflict(namesakes);
  }
  await checkOfferedGridSets(transaction, formers);
}

/** Settings refer to grid sets by name. */
async function checkOfferedGridSets(transaction: CatalogTransaction, formers: readonly TargetState[]): Promise<void> {
  const kinds: readonly string[] = [gridSetKind.kind, serviceSettingsKind.kind, tileLayerKind.kind];
  if (!formers.some(({ kind }) => kinds.includes(kind))) return;
  const { settings, names } = await findUnknownOffers(transaction);
  if (settings !== undefined && names.length > 0) throw new RestoreConflict([settings.id]);
  const subsets = await findUnknownSubsets(transaction);
  if (subsets.length > 0) throw new RestoreConflict(subsets.slice(0, MAX_LISTED).map(({ tileLayer }) => tileLayer.id));
}

async function listTargets({ stored }: CatalogTransaction, kind: string, id: string): Promise<readonly string[]> {
  const linked = linkedKinds.find((each) => each.kind === kind);
  const record = linked && (await stored.get(id));
  return record === undefined ? [] : references.listTargets(toCatalogRecord(linked as never, record));
}

/** Lists other records with the same name where names are unique across kinds. */
async function listNameConflicts(
  transaction: CatalogTransaction,
  kind: string,
  id: string,
): Promise<readonly string[]> {
  const record = await transaction.stored.get(id);
  if (record === undefined) return [];
  const holders = await listNameHolders(transaction, kind, record);
  return holders.filter((holder) => holder !== id);
}

async function listNameHolders(
  reader: CatalogReader,
  kind: string,
  { id, parent, name }: { readonly id: string; readonly parent: string | null; readonly name: string },
): Promise<readonly string[]> {
  if (kind === workspaceKind.kind) return listUriConflicts(reader, id);
  if (parent === null) return [];
  if (storeKinds.some((each) => each.kind === kind))
    return toIds(await Promise.all(storeKinds.map((each) => reader.find(each, parent, name))));
  const isGroup = kind === layerGroupKind.kind;
  const resource = resourceKinds.find((each) => each.kind === kind);
  if (!isGroup && resource === undefined) return [];
  const workspace = isGroup ? parent : resource && (await reader.get(resource, id))?.workspace;
  if (workspace === undefined) return [];
  const key = formatQualifiedKey(workspace, name);
  const published = await Promise.all(resourceKinds.map((each) => reader.findByKey(each, 'qualifiedName', key, 2)));
  return toIds([...published.flat(), await reader.find(layerGroupKind, workspace, name)]);
}

/** Two workspaces can have the same namespace URI only if one of them is isolated. */
async function listUriConflicts(reader: CatalogReader, id: string): Promise<readonly string[]> {
  const own: Workspace | undefined = await reader.get(workspaceKind, id);
  if (own === undefined || own.isolated) return [];
  return toIds(await reader.findByKey(workspaceKind, 'uri', own.uri, MAX_LISTED));
}

function toIds(records: readonly ({ readonly id: string } | undefined)[]): readonly string[] {
  return records.flatMap((record) => record?.id ?? []);
}
