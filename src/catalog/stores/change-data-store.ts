/** Changes of a data store: what is said of it, its parameters, its name, and the workspace it lives in. */
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { type DataStore, dataStoreKind, type StoreFiles } from './data-store.ts';
import {
  type DataStoreDraft,
  type DataStorePlace,
  dataStoreNameRule,
  findDataStore,
  type ParameterCheck,
  refuseTakenStoreName,
} from './data-stores.ts';
import { dropChosenDefault } from './default-data-store.ts';
import { moveStoreContents } from './store-contents.ts';
import { type AcceptedParameters, withKeptSecrets } from './store-parameters.ts';

/** Of a store that points elsewhere now. */
const noFiles: StoreFiles = { fileSet: null, filePlace: null };

export async function changeDataStore(
  catalog: Catalog,
  principal: Principal,
  place: DataStorePlace,
  draft: DataStoreDraft,
  options: ParameterCheck & {
    readonly precondition: Precondition;
    /** Whether whoever asks may put a store into another workspace. */
    readonly mayEnter: (workspace: string) => boolean;
  },
): Promise<void> {
  const before = await findDataStore(catalog, place.workspace, place.store);
  checkPrecondition(options.precondition, before.version);
  const accepted = await acceptedChange(before.store, principal, draft, options);
  return catalog.change(principal, `change data store ${place.store} in ${place.workspace}`, async (transaction) => {
    const { store, workspace, version } = await findDataStore(transaction, place.workspace, place.store);
    checkPrecondition(options.precondition, version);
    const target = await targetWorkspace(transaction, workspace, draft, options.mayEnter);
    const name = newName(store, draft);
    if (name !== store.name || target.id !== workspace.id) {
      await refuseTakenStoreName(transaction, target, name);
    }
    const isMoved = target.id !== workspace.id;
    const changed: DataStore = {
      ...store,
      ...(accepted === undefined ? {} : withKeptSecrets(store, accepted, principal)),
      ...(accepted === undefined || options.parameters.namesFiles(store, accepted) ? {} : noFiles),
      parent: target.id,
      name,
      description: draft.description === undefined ? store.description : draft.description,
      enabled: draft.enabled ?? store.enabled,
      metadata: draft.metadata === undefined ? store.metadata : (draft.metadata ?? {}),
      disableOnConnFailure: draft.disableOnConnFailure ?? store.disableOnConnFailure,
      isDefault: draft.isDefault ?? (store.isDefault && !isMoved),
    };
    if (changed.isDefault && (isMoved || !store.isDefault)) {
      await dropChosenDefault(transaction, target.id);
    }
    await transaction.update(dataStoreKind, changed);
    if (isMoved) {
      await moveStoreContents(transaction, store, { from: workspace, to: target });
    }
  });
}

/** Parameters are checked outside the change, since a driver may have to look at the disk or the network for it. */
async function acceptedChange(
  store: DataStore,
  principal: Principal,
  draft: DataStoreDraft,
  check: ParameterCheck,
): Promise<AcceptedParameters | undefined> {
  const { connectionParameters } = draft;
  const accepted =
    connectionParameters === undefined
      ? undefined
      : await check.parameters.accept(connectionParameters ?? {}, { principal, current: store });
  if (check.connect) {
    await check.parameters.tryOut(store.name, {
      ...store,
      ...(accepted === undefined ? {} : withKeptSecrets(store, accepted, principal)),
    });
  }
  return accepted;
}

/** Whoever may not enter learns no more than that: whether the workspace is there is not for them to know. */
async function targetWorkspace(
  catalog: CatalogReader,
  workspace: Workspace,
  draft: DataStoreDraft,
  mayEnter: (workspace: string) => boolean,
): Promise<Workspace> {
  if (draft.workspace == null || draft.workspace === workspace.name) {
    return workspace;
  }
  if (!mayEnter(draft.workspace)) {
    throw problem('workspace-mismatch', { what: 'workspace', path: workspace.name, document: draft.workspace });
  }
  return findWorkspace(catalog, draft.workspace);
}

function newName(store: DataStore, draft: DataStoreDraft): string {
  if (draft.name === undefined || draft.name === store.name) {
    return store.name;
  }
  if (draft.name === null || draft.name === '') {
    throw problem('name-emptied', { what: dataStoreNameRule.what, field: dataStoreNameRule.field });
  }
  checkName(draft.name, dataStoreNameRule);
  return draft.name;
}
