/** Changes a data store: its metadata, its parameters, its name, and its workspace. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import { resolveNewName } from '../../records/names.ts';
import { JNDI_WARNING, usesJndi } from '../../vector/port/parameters.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import type { StoreFiles } from '../kinds/store.ts';
import { checkStoreNameAvailable } from '../kinds/stores.ts';
import { moveResources } from '../resources/write-resource.ts';
import {
  checkStoreConnection,
  type DataStoreDraft,
  type DataStoreLocator,
  dataStoreNameRule,
  findDataStore,
  type ParameterCheck,
} from './data-stores.ts';
import { clearDefaultDataStore } from './default-data-store.ts';
import { mergeStoreFields, resolveTargetWorkspace } from './store-draft.ts';
import { type AcceptedParameters, keepSecrets } from './store-parameters.ts';
import { reportSavedUnreachable } from './unreachable-stores.ts';

/** For a store that refers to other data after the change. */
const noFiles: StoreFiles = { fileSet: null, filePlace: null };

export interface DataStoreChange extends ParameterCheck {
  readonly draft: DataStoreDraft;
  readonly precondition: Precondition;
  /** Returns whether the caller may move a store into another workspace. */
  readonly mayEnter: (workspace: string) => boolean;
}

export async function changeDataStore(
  catalog: Catalog,
  principal: Principal,
  place: DataStoreLocator,
  options: DataStoreChange,
): Promise<{ readonly warnings: readonly string[] }> {
  const { draft } = options;
  const before = await findDataStore(catalog, place.workspace, place.store);
  checkPrecondition(options.precondition, before.version);
  const { accepted, isForeign, warnings, why } = await acceptParameterChange(before.store, principal, draft, options);
  const what = `change data store ${place.store} in ${place.workspace}`;
  const saved = await catalog.change(principal, what, async (transaction) => {
    const { store, workspace, version } = await findDataStore(transaction, place.workspace, place.store);
    checkPrecondition(options.precondition, version);
    const target = await resolveTargetWorkspace(transaction, workspace, draft, options.mayEnter);
    const name = resolveNewName(store.name, draft.name, dataStoreNameRule);
    if (name !== store.name || target.id !== workspace.id) {
      await checkStoreNameAvailable(transaction, target, name);
    }
    const isMoved = target.id !== workspace.id;
    const changed: DataStore = {
      ...store,
      ...(accepted === undefined ? {} : keepSecrets(store, accepted, principal)),
      ...(accepted === undefined || options.parameters.hasUploadedFiles(store, accepted) ? {} : noFiles),
      parent: target.id,
      name,
      ...mergeStoreFields(store, draft),
      ...(isForeign ? { enabled: false } : {}),
      isDefault: draft.isDefault ?? (store.isDefault && !isMoved),
    };
    if (changed.isDefault && (isMoved || !store.isDefault)) {
      await clearDefaultDataStore(transaction, target.id);
    }
    const written = await transaction.update(dataStoreKind, changed);
    if (isMoved) {
      await moveResources(transaction, store, { from: workspace, to: target });
    }
    return written;
  });
  return {
    warnings: [...warnings, ...(await reportSavedUnreachable(options.parameters.reportUnreachable, saved, why))],
  };
}

interface AcceptedChange {
  readonly accepted?: AcceptedParameters;
  readonly isForeign: boolean;
  readonly warnings: readonly string[];
  /** Why the data is unreachable. */
  readonly why: Problem | undefined;
}

/** Validates parameters outside the transaction, since a driver may access the disk or the network. */
async function acceptParameterChange(
  store: DataStore,
  principal: Principal,
  draft: DataStoreDraft,
  check: ParameterCheck,
): Promise<AcceptedChange> {
  const { connectionParameters } = draft;
  const { isStrict } = check;
  if (connectionParameters === undefined) {
    const why = check.connect ? (await checkStoreConnection(check, store.name, store, true)).problem : undefined;
    const isForeign = usesJndi(store.parameters);
    return { isForeign, warnings: isForeign && draft.enabled === true ? [JNDI_WARNING] : [], why };
  }
  const context = { principal, current: store, isStrict };
  const { warnings, isForeign, ...accepted } = await check.parameters.accept(connectionParameters ?? {}, context);
  const wanted = { ...store, ...keepSecrets(store, accepted, principal) };
  const isEnabled = !isForeign && (draft.enabled ?? store.enabled);
  const { problem: why } = await checkStoreConnection(check, store.name, wanted, isEnabled);
  return { accepted, isForeign, warnings, why };
}
