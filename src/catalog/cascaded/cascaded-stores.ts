/** Manages stores of remote map servers. */
import type { CascadedService } from '../../cascade/capabilities.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName, formatPrintableName, type NameRule, resolveNewName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { type CascadedStore, cascadedStoreKinds } from '../kinds/cascaded-store.ts';
import { checkStoreNameAvailable, removeStore } from '../kinds/stores.ts';
import { moveResources } from '../resources/write-resource.ts';
import {
  checkSameWorkspace,
  createStoreFields,
  mergeStoreFields,
  resolveTargetWorkspace,
  type StoreDraft,
} from '../stores/store-draft.ts';
import { reportSavedUnreachable } from '../stores/unreachable-stores.ts';
import { DEFAULT, findWorkspace } from '../workspaces/workspaces.ts';
import type { ConnectionDraft } from './accept-connection.ts';
import type { RemoteServers } from './remote-servers.ts';

/** The store fields that a client can set: an absent field stays unchanged, null clears it. */
export type CascadedStoreDraft = StoreDraft & ConnectionDraft;

/** A store with its workspace, and their common version. */
export interface CascadedStoreView {
  readonly store: CascadedStore;
  readonly workspace: Workspace;
  readonly version: number;
}

export interface CascadedStoreLocator {
  readonly service: CascadedService;
  readonly workspace: string;
  readonly store: string;
}

function createNameRule(service: CascadedService): NameRule {
  return {
    what: `${service} store`,
    field: `${service.toLowerCase()}Store.name`,
    // Resources refer to their store as `workspace:store`.
    forbidden: [':'],
    reserved: [DEFAULT],
  };
}

export async function listCascadedStores(
  catalog: CatalogReader,
  service: CascadedService,
  workspaceName: string,
  page: Page = {},
): Promise<readonly CascadedStoreView[]> {
  const workspace = await findWorkspace(catalog, workspaceName);
  const stores = await catalog.list(cascadedStoreKinds[service], workspace.id, page);
  return stores.map((store) => toCascadedStoreView(store, workspace));
}

export async function findCascadedStore(
  catalog: CatalogReader,
  { service, workspace: workspaceName, store: name }: CascadedStoreLocator,
): Promise<CascadedStoreView> {
  const workspace = await findWorkspace(catalog, workspaceName);
  const store = await catalog.find(cascadedStoreKinds[service], workspace.id, name);
  if (store === undefined) {
    throw problem('store-unknown', { workspace: workspace.name, name: formatPrintableName(name) });
  }
  return toCascadedStoreView(store, workspace);
}

export async function cascadedStoreExists(catalog: CatalogReader, place: CascadedStoreLocator): Promise<boolean> {
  return findCascadedStore(catalog, place).then(
    () => true,
    () => false,
  );
}

interface SaveResult {
  readonly view: CascadedStoreView;
  readonly warnings: readonly string[];
}

export interface CascadedStoreCreation {
  readonly draft: CascadedStoreDraft;
  readonly servers: RemoteServers;
}

export async function createCascadedStore(
  catalog: Catalog,
  principal: Principal,
  place: Omit<CascadedStoreLocator, 'store'>,
  { draft, servers }: CascadedStoreCreation,
): Promise<SaveResult> {
  const { service } = place;
  const name = draft.name ?? '';
  checkName(name, createNameRule(service));
  const connection = await servers.accept(service, draft, { principal });
  const found = await findWorkspace(catalog, place.workspace);
  checkSameWorkspace(found, draft);
  await checkStoreNameAvailable(catalog, found, name);
  // Query the remote server outside the transaction, so that a slow server does not block other changes.
  const why = draft.enabled === false ? undefined : await servers.findConnectionProblem(name, service, connection);
  const what = `create ${service} store ${name} in ${place.workspace}`;
  const view = await catalog.change(principal, what, async (transaction) => {
    const workspace = await findWorkspace(transaction, place.workspace);
    await checkStoreNameAvailable(transaction, workspace, name);
    const store = await transaction.insert(cascadedStoreKinds[service], {
      parent: workspace.id,
      name,
      ...createStoreFields(draft),
      type: service,
      ...connection,
      fileSet: null,
      filePlace: null,
    });
    return toCascadedStoreView(store, workspace);
  });
  return { view, warnings: await reportSavedUnreachable(servers.reportUnreachable, view.store, why) };
}

export interface CascadedStoreChange {
  readonly draft: CascadedStoreDraft;
  readonly servers: RemoteServers;
  readonly precondition: Precondition;
  /** Returns whether the caller may move a store into another workspace. */
  readonly mayEnter: (workspace: string) => boolean;
}

export async function changeCascadedStore(
  catalog: Catalog,
  principal: Principal,
  place: CascadedStoreLocator,
  options: CascadedStoreChange,
): Promise<{ readonly warnings: readonly string[] }> {
  const { draft, servers, precondition, mayEnter } = options;
  const { service } = place;
  const kind = cascadedStoreKinds[service];
  for (;;) {
    const before = await findCascadedStore(catalog, place);
    checkPrecondition(precondition, before.version);
    const connection = await servers.accept(service, draft, { principal, current: before.store });
    const isAsked = (draft.enabled ?? before.store.enabled) && draft.capabilitiesURL != null;
    const why = isAsked ? await servers.findConnectionProblem(before.store.name, service, connection) : undefined;
    const what = `change ${service} store ${place.store} in ${place.workspace}`;
    const saved = await catalog.change(principal, what, async (transaction) => {
      const { store, workspace, version } = await findCascadedStore(transaction, place);
      checkPrecondition(precondition, version);
      // Another request has changed the store: its stored connection may differ, so retry.
      if (store.version !== before.store.version || store.id !== before.store.id) {
        return undefined;
      }
      const target = await resolveTargetWorkspace(transaction, workspace, draft, mayEnter);
      const name = resolveNewName(store.name, draft.name, createNameRule(service));
      const isMoved = target.id !== workspace.id;
      if (name !== store.name || isMoved) {
        await checkStoreNameAvailable(transaction, target, name);
      }
      const remarks = mergeStoreFields(store, draft);
      const changed = await transaction.update(kind, { ...store, ...connection, ...remarks, parent: target.id, name });
      if (isMoved) {
        await moveResources(transaction, store, { from: workspace, to: target });
      }
      return changed;
    });
    if (saved !== undefined) {
      return { warnings: await reportSavedUnreachable(servers.reportUnreachable, saved, why) };
    }
  }
}

export function deleteCascadedStore(
  catalog: Catalog,
  principal: Principal,
  place: CascadedStoreLocator,
  options: { readonly recurse: boolean; readonly precondition: Precondition },
): Promise<void> {
  const what = `delete ${place.service} store ${place.store} in ${place.workspace}`;
  return catalog.change(principal, what, async (transaction) => {
    const { store, version } = await findCascadedStore(transaction, place);
    checkPrecondition(options.precondition, version);
    await removeStore(transaction, store, options);
  });
}

export function toCascadedStoreView(store: CascadedStore, workspace: Workspace): CascadedStoreView {
  return { store, workspace, version: Math.max(store.version, workspace.version) };
}
