/** Functions for stores of any kind. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { createUnionKind } from '../../records/record.ts';
import type { Workspace } from '../../records/workspace.ts';
import { references } from './references.ts';
import type { Store, StoreKind } from './store.ts';
import { storeKinds } from './store-kinds.ts';

const anyStore = createUnionKind(storeKinds);

export function findStoreById(reader: CatalogReader, id: string): Promise<Store | undefined> {
  return reader.get(anyStore, id);
}

export function getStoreKind(store: Store): StoreKind {
  const found = storeKinds.find(({ kind }) => kind === store.kind);
  if (found === undefined) {
    throw new Error(`Unknown store kind '${store.kind}'`);
  }
  return found;
}

export async function listWorkspaceStores(reader: CatalogReader, workspace: Workspace): Promise<readonly Store[]> {
  return (await Promise.all(storeKinds.map((kind) => reader.list(kind, workspace.id)))).flat();
}

/** Store names are unique in a workspace across kinds, because resources refer to their store by name. */
export async function checkStoreNameAvailable(
  reader: CatalogReader,
  workspace: Workspace,
  name: string,
): Promise<void> {
  for (const kind of storeKinds) {
    if ((await reader.find(kind, workspace.id, name)) !== undefined) {
      throw problem('store-exists', { workspace: workspace.name, name });
    }
  }
}

/** Deletes a store; its resources only with `recurse`. */
export async function removeStore(
  transaction: CatalogTransaction,
  store: Store,
  options: { readonly recurse: boolean },
): Promise<void> {
  if (!options.recurse) {
    const { first: blockers, total } = await references.findBlockers(transaction, store);
    if (total > 0) {
      throw getStoreKind(store).createNotEmptyProblem({ name: store.name, blockers, total });
    }
  }
  await references.remove(transaction, store);
}
