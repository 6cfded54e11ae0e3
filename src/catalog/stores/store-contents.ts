/** What follows a store when it goes elsewhere: its types, their layers, and the access rules for these. */
import { problem } from '../../lib/problem.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { Workspace } from '../../records/workspace.ts';
import { moveLayersInRules } from '../../security/access-rules/rename-layer.ts';
import { featureTypeKind, qualifiedKey } from '../feature-types/feature-type.ts';
import { layerKind } from '../layers/layer.ts';
import { leaveStylesBehind } from '../styles/styles-of-layers.ts';
import type { DataStore } from './data-store.ts';

/** Takes the contents of a store that has moved into another workspace along; names taken there stop the move. */
export async function moveStoreContents(
  transaction: CatalogTransaction,
  store: DataStore,
  workspace: { readonly from: Workspace; readonly to: Workspace },
): Promise<void> {
  const target = workspace.to;
  const types = await transaction.list(featureTypeKind, store.id);
  const names = new Set(types.map(({ name }) => name));
  await moveLayersInRules(transaction, names, { from: workspace.from.name, to: target.name });
  for (const type of types) {
    await refuseTakenTypeName(transaction, target, type.name);
    await transaction.update(featureTypeKind, { ...type, workspace: target.id });
    for (const layer of await transaction.list(layerKind, type.id)) {
      const free = await leaveStylesBehind(transaction, layer);
      await transaction.update(layerKind, { ...free, workspace: target.id });
    }
  }
}

/** Names of types are unique in a workspace, whatever their store: each is the name of a layer. */
export async function refuseTakenTypeName(catalog: CatalogReader, workspace: Workspace, name: string): Promise<void> {
  if (await isTypeNameTaken(catalog, workspace.id, name)) {
    throw problem('feature-type-exists', { name, workspace: workspace.name });
  }
}

export async function isTypeNameTaken(catalog: CatalogReader, workspaceId: string, name: string): Promise<boolean> {
  const key = qualifiedKey(workspaceId, name);
  const taken = await catalog.findByKey(featureTypeKind, 'qualifiedName', key, 1);
  return taken.length > 0;
}
