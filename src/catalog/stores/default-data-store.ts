/** Finds the default data store of a workspace: the selected one, or the oldest. */
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';

export async function findDefaultDataStore(
  catalog: CatalogReader,
  workspaceId: string,
): Promise<DataStore | undefined> {
  const chosen = await findChosenDataStore(catalog, workspaceId);
  if (chosen !== undefined) {
    return chosen;
  }
  const [oldest] = await catalog.findByKey(dataStoreKind, 'workspace', workspaceId, 1);
  return oldest;
}

/** Clears the selection, so that another store can be selected. */
export async function clearDefaultDataStore(transaction: CatalogTransaction, workspaceId: string): Promise<void> {
  const current = await findChosenDataStore(transaction, workspaceId);
  if (current !== undefined) {
    await transaction.update(dataStoreKind, { ...current, isDefault: false });
  }
}

async function findChosenDataStore(catalog: CatalogReader, workspaceId: string): Promise<DataStore | undefined> {
  const [store] = await catalog.findByKey(dataStoreKind, 'defaultOf', workspaceId, 1);
  return store;
}
