/** Manages data stores. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import { checkName, formatPrintableName, type NameRule } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import type { DetailedTypeSummary } from '../../vector/port/port.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import { listFormerFileSets, listSetTargets } from '../kinds/purged-sets.ts';
import type { StoreFiles } from '../kinds/store.ts';
import { checkStoreNameAvailable, removeStore } from '../kinds/stores.ts';
import { DEFAULT, findWorkspace } from '../workspaces/workspaces.ts';
import { clearDefaultDataStore, findDefaultDataStore } from './default-data-store.ts';
import { checkSameWorkspace, createStoreFields, type StoreDraft } from './store-draft.ts';
import type { AcceptedParameters, StoreParameters } from './store-parameters.ts';
import { reportSavedUnreachable } from './unreachable-stores.ts';

/** The store fields that a client can set: an absent field stays unchanged, null clears it. */
export interface DataStoreDraft extends StoreDraft {
  readonly connectionParameters?: Readonly<Record<string, string>> | null;
  readonly isDefault?: boolean | null;
}

/** A store with its workspace, and their common version. */
export interface DataStoreView {
  readonly store: DataStore;
  readonly workspace: Workspace;
  readonly version: number;
}

export interface DataStoreLocator {
  readonly workspace: string;
  readonly store: string;
}

/** How parameters are validated, and whether the data must be reachable. */
export interface ParameterCheck {
  readonly parameters: StoreParameters;
  readonly connect: boolean;
  /** Whether unknown parameters are rejected. */
  readonly isStrict: boolean;
}

export const dataStoreNameRule: NameRule = {
  what: 'data store',
  field: 'dataStore.name',
  // Resources refer to their store as `workspace:store`.
  forbidden: [':'],
  reserved: [DEFAULT],
};

export async function listDataStores(
  catalog: CatalogReader,
  workspaceName: string,
  page: Page = {},
): Promise<readonly DataStoreView[]> {
  const workspace = await findWorkspace(catalog, workspaceName);
  const stores = await catalog.list(dataStoreKind, workspace.id, page);
  return stores.map((store) => toDataStoreView(store, workspace));
}

/** Finds a store by name; `default` is the default store of the workspace. */
export async function findDataStore(
  catalog: CatalogReader,
  workspaceName: string,
  name: string,
): Promise<DataStoreView> {
  const workspace = await findWorkspace(catalog, workspaceName);
  const isDefault = name === DEFAULT;
  const store = isDefault
    ? await findDefaultDataStore(catalog, workspace.id)
    : await catalog.find(dataStoreKind, workspace.id, name);
  if (store === undefined) {
    throw isDefault
      ? problem('no-default-store', { workspace: workspace.name })
      : problem('store-unknown', { workspace: workspace.name, name: formatPrintableName(name) });
  }
  return toDataStoreView(store, workspace);
}

export async function dataStoreExists(catalog: CatalogReader, workspaceName: string, name: string): Promise<boolean> {
  const workspace = await findWorkspace(catalog, workspaceName).catch(() => undefined);
  return workspace !== undefined && (await catalog.find(dataStoreKind, workspace.id, name)) !== undefined;
}

export interface DataStoreCreation extends ParameterCheck {
  readonly draft: DataStoreDraft;
}

export interface CreatedDataStore extends DataStoreView {
  readonly warnings: readonly string[];
  /** The types of the data, if it had to be reachable. */
  readonly contents?: readonly DetailedTypeSummary[] | undefined;
}

export async function createDataStore(
  catalog: Catalog,
  principal: Principal,
  workspaceName: string,
  check: DataStoreCreation,
): Promise<CreatedDataStore> {
  const { isStrict } = check;
  const name = check.draft.name ?? '';
  checkName(name, dataStoreNameRule);
  const accepted = await check.parameters.accept(check.draft.connectionParameters ?? {}, { principal, isStrict });
  const draft = accepted.isForeign ? { ...check.draft, enabled: false } : check.draft;
  const found = await findWorkspace(catalog, workspaceName);
  checkSameWorkspace(found, draft);
  await checkStoreNameAvailable(catalog, found, name);
  const { problem: why, contents } = await checkStoreConnection(check, name, accepted, draft.enabled !== false);
  const created = await catalog.change(
    principal,
    `create data store ${name} in ${workspaceName}`,
    async (transaction) => {
      const workspace = await findWorkspace(transaction, workspaceName);
      const store = await insertDataStore(transaction, workspace, { ...accepted, name, draft });
      return toDataStoreView(store, workspace);
    },
  );
  return {
    ...created,
    contents,
    warnings: [
      ...accepted.warnings,
      ...(await reportSavedUnreachable(check.parameters.reportUnreachable, created.store, why)),
    ],
  };
}

interface ConnectionCheck {
  readonly problem?: Problem | undefined;
  readonly contents?: readonly DetailedTypeSummary[];
}

/**
 * Checks whether the data of a store is reachable before it is saved. Returns the problem, or throws it if the data
 * must be reachable; then the contents are returned.
 */
export async function checkStoreConnection(
  { parameters, connect }: ParameterCheck,
  name: string,
  accepted: AcceptedParameters & Partial<StoreFiles>,
  isEnabled: boolean,
): Promise<ConnectionCheck> {
  if (connect) {
    return { contents: await parameters.checkConnection(name, accepted) };
  }
  return isEnabled ? { problem: await parameters.findConnectionProblem(name, accepted) } : {};
}

/** Inserts a new store into a workspace within a transaction. */
export async function insertDataStore(
  transaction: CatalogTransaction,
  workspace: Workspace,
  wanted: AcceptedParameters & {
    readonly name: string;
    readonly draft: DataStoreDraft;
    readonly files?: StoreFiles;
  },
): Promise<DataStore> {
  const { name, draft, type, parameters, sealedParameters } = wanted;
  checkName(name, dataStoreNameRule);
  await checkStoreNameAvailable(transaction, workspace, name);
  const isDefault = draft.isDefault === true;
  if (isDefault) {
    await clearDefaultDataStore(transaction, workspace.id);
  }
  return transaction.insert(dataStoreKind, {
    parent: workspace.id,
    name,
    ...createStoreFields(draft),
    type,
    isDefault,
    parameters,
    sealedParameters,
    fileSet: wanted.files?.fileSet ?? null,
    filePlace: wanted.files?.filePlace ?? null,
  });
}

/**
 * Deletes a store. Uploaded files stay for the history, unless `purge` deletes their bytes and those of earlier uploads
 * at once; external files are never deleted.
 */
export async function deleteDataStore(
  catalog: Catalog,
  principal: Principal,
  place: DataStoreLocator,
  options: {
    readonly recurse: boolean;
    readonly purge: boolean;
    readonly files: Pick<Files, 'changeAndPurge'>;
    readonly precondition: Precondition;
    /** Closes the connections and files of a deleted store. */
    readonly release: (storeId: string) => Promise<void>;
  },
): Promise<void> {
  const { purge, files } = options;
  const { store: before } = await findDataStore(catalog, place.workspace, place.store);
  const what = `${purge ? 'purge' : 'delete'} data store ${place.store} in ${place.workspace}`;
  let id = before.id;
  await files.changeAndPurge(catalog.isFileInUse, purge ? listSetTargets(before) : [], async () => {
    id = await catalog.change(principal, what, async (transaction) => {
      const { store, version } = await findDataStore(transaction, place.workspace, place.store);
      checkPrecondition(options.precondition, version);
      await removeStore(transaction, store, options);
      return store.id;
    });
    return purge ? listFormerFileSets(catalog, id) : [];
  });
  // Release in the background.
  void options.release(id);
}

export function toDataStoreView(store: DataStore, workspace: Workspace): DataStoreView {
  return { store, workspace, version: Math.max(store.version, workspace.version) };
}
