/** Manages coverage stores. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { checkName, formatPrintableName, type NameRule, resolveNewName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { type CoverageStore, coverageStoreKind, getStoreUrl, isSameUrl } from '../kinds/coverage-store.ts';
import { isMosaicType } from '../kinds/mosaic.ts';
import type { StoreFiles } from '../kinds/store.ts';
import { checkStoreNameAvailable } from '../kinds/stores.ts';
import type { Unverified } from '../kinds/unverified.ts';
import { isMosaic } from '../mosaic-indexes/mosaic-indexes.ts';
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
import type { RasterData } from './raster-data.ts';
import type { RasterSourceSettings } from './raster-sources.ts';

/** The store fields that a client can set: an absent field stays unchanged, null clears it. */
export interface CoverageStoreDraft extends StoreDraft {
  readonly type?: string | null;
  readonly url?: string | null;
}

/** A store with its workspace, and their common version. */
export interface CoverageStoreView {
  readonly store: CoverageStore;
  readonly workspace: Workspace;
  readonly version: number;
}

export interface CoverageStoreLocator {
  readonly workspace: string;
  readonly store: string;
}

export interface CoverageStoreCheck {
  readonly data: RasterData;
  /** Whether the data must be reachable. */
  readonly connect: boolean;
}

export const coverageStoreNameRule: NameRule = {
  what: 'coverage store',
  field: 'coverageStore.name',
  // Resources refer to their store as `workspace:store`.
  forbidden: [':'],
  reserved: [DEFAULT],
};

/** For a store that refers to other data after the change. */
const noFiles: StoreFiles = { fileSet: null, filePlace: null };

export async function listCoverageStores(
  catalog: CatalogReader,
  workspaceName: string,
  page: Page = {},
): Promise<readonly CoverageStoreView[]> {
  const workspace = await findWorkspace(catalog, workspaceName);
  const stores = await catalog.list(coverageStoreKind, workspace.id, page);
  return stores.map((store) => toCoverageStoreView(store, workspace));
}

export async function findCoverageStore(
  catalog: CatalogReader,
  workspaceName: string,
  name: string,
): Promise<CoverageStoreView> {
  const workspace = await findWorkspace(catalog, workspaceName);
  const store = await catalog.find(coverageStoreKind, workspace.id, name);
  if (store === undefined) {
    throw problem('store-unknown', { workspace: workspace.name, name: formatPrintableName(name) });
  }
  return toCoverageStoreView(store, workspace);
}

export async function coverageStoreExists(
  catalog: CatalogReader,
  workspaceName: string,
  name: string,
): Promise<boolean> {
  const workspace = await findWorkspace(catalog, workspaceName).catch(() => undefined);
  return workspace !== undefined && (await catalog.find(coverageStoreKind, workspace.id, name)) !== undefined;
}

export interface CoverageStoreCreation extends CoverageStoreCheck {
  readonly draft: CoverageStoreDraft;
}

export async function createCoverageStore(
  catalog: Catalog,
  principal: Principal,
  workspaceName: string,
  check: CoverageStoreCreation,
): Promise<CoverageStoreView & { readonly warnings: readonly string[] }> {
  const { draft } = check;
  const name = draft.name ?? '';
  checkName(name, coverageStoreNameRule);
  const found = await findWorkspace(catalog, workspaceName);
  checkSameWorkspace(found, draft);
  const place = await check.data.accept(readSourceDraft(draft), { principal });
  await checkStoreNameAvailable(catalog, found, name);
  const why = await checkStoreConnection(check, name, place, draft.enabled !== false);
  const what = `create coverage store ${name} in ${workspaceName}`;
  const created = await catalog.change(principal, what, async (transaction) => {
    const workspace = await findWorkspace(transaction, workspaceName);
    const store = await insertCoverageStore(transaction, workspace, { name, draft, place });
    return toCoverageStoreView(store, workspace);
  });
  return { ...created, warnings: await reportSavedUnreachable(check.data.reportUnreachable, created.store, why) };
}

/** Inserts a new store into a workspace within a transaction. */
export async function insertCoverageStore(
  transaction: CatalogTransaction,
  workspace: Workspace,
  wanted: {
    readonly name: string;
    readonly draft: CoverageStoreDraft;
    readonly place: RasterSourceSettings;
    readonly files?: StoreFiles;
    readonly unverified?: Unverified;
  },
): Promise<CoverageStore> {
  const { name, draft, place, files = noFiles, unverified } = wanted;
  checkName(name, coverageStoreNameRule);
  await checkStoreNameAvailable(transaction, workspace, name);
  return transaction.insert(coverageStoreKind, {
    parent: workspace.id,
    name,
    ...createStoreFields(draft),
    type: place.type,
    parameters: { url: place.url },
    sealedParameters: {},
    mosaic: null,
    ...files,
    ...(unverified === undefined ? {} : { unverified }),
  });
}

export interface CoverageStoreChange extends CoverageStoreCheck {
  readonly draft: CoverageStoreDraft;
  readonly precondition: Precondition;
  /** Returns whether the caller may move a store into another workspace. */
  readonly mayEnter: (workspace: string) => boolean;
}

export async function changeCoverageStore(
  catalog: Catalog,
  principal: Principal,
  place: CoverageStoreLocator,
  options: CoverageStoreChange,
): Promise<{ readonly warnings: readonly string[] }> {
  const { draft, data } = options;
  const before = await findCoverageStore(catalog, place.workspace, place.store);
  checkPrecondition(options.precondition, before.version);
  const { accepted, why } = await acceptStoreChange(before.store, principal, draft, options);
  const what = `change coverage store ${place.store} in ${place.workspace}`;
  const saved = await catalog.change(principal, what, async (transaction) => {
    const view = await findCoverageStore(transaction, place.workspace, place.store);
    checkPrecondition(options.precondition, view.version);
    const store = {
      ...view.store,
      ...(accepted === undefined ? {} : { type: accepted.type, parameters: { url: accepted.url } }),
      ...(accepted === undefined || data.hasUploadedFile(view.store, accepted.url) ? {} : noFiles),
    };
    return writeCoverageStoreDraft(transaction, { ...view, store }, draft, options.mayEnter);
  });
  return { warnings: await reportSavedUnreachable(data.reportUnreachable, saved.store, why) };
}

/** Writes the fields of a store that do not concern its data, within a transaction. */
export async function writeCoverageStoreDraft(
  transaction: CatalogTransaction,
  { store, workspace }: CoverageStoreView,
  draft: CoverageStoreDraft,
  mayEnter: (workspace: string) => boolean,
): Promise<CoverageStoreView> {
  const target = await resolveTargetWorkspace(transaction, workspace, draft, mayEnter);
  const name = resolveNewName(store.name, draft.name, coverageStoreNameRule);
  const isMoved = target.id !== workspace.id;
  if (name !== store.name || isMoved) {
    await checkStoreNameAvailable(transaction, target, name);
  }
  const changed = await transaction.update(coverageStoreKind, {
    ...store,
    parent: target.id,
    name,
    ...mergeStoreFields(store, draft),
  });
  if (isMoved) {
    await moveResources(transaction, store, { from: workspace, to: target });
  }
  return toCoverageStoreView(changed, target);
}

/** Returns whether a document moves a mosaic to another folder, which requires more than a record change. */
export async function isMosaicMove(
  catalog: CatalogReader,
  place: CoverageStoreLocator,
  draft: CoverageStoreDraft,
): Promise<boolean> {
  const { store } = await findCoverageStore(catalog, place.workspace, place.store);
  const { url, type } = readSourceDraft(draft);
  const isOther = url !== undefined && !isSameUrl(url, getStoreUrl(store));
  // A mosaic without an index is harvested as soon as a document names its folder again.
  const isHarvested = isMosaic(store) ? isOther : url !== undefined && isMosaicType(store.type);
  return isHarvested && (type === undefined || isMosaicType(type));
}

/** Validates the location outside the transaction, since that accesses the disk. */
async function acceptStoreChange(
  store: CoverageStore,
  principal: Principal,
  draft: CoverageStoreDraft,
  check: CoverageStoreCheck,
): Promise<{ readonly accepted?: RasterSourceSettings; readonly why: Problem | undefined }> {
  const current = { ...store, url: getStoreUrl(store) };
  const sent = readSourceDraft(draft);
  const isSame = isSameUrl(sent.url ?? current.url, current.url) && (sent.type ?? store.type) === store.type;
  if (isSame) {
    return { why: check.connect ? await checkStoreConnection(check, store.name, current, true) : undefined };
  }
  // Mosaics have an index, which is created and moved in `mosaic-documents.ts`.
  if (isMosaic(store) || isMosaicType(sent.type)) {
    throw problem('mosaic-type-fixed', { name: store.name, field: 'coverageStore.type' });
  }
  const accepted = await check.data.accept(sent, { principal, current: store });
  const isEnabled = draft.enabled ?? store.enabled;
  return { accepted, why: await checkStoreConnection(check, store.name, { ...current, ...accepted }, isEnabled) };
}

/** Treats empty fields as absent: a store needs a location. */
function readSourceDraft({ type, url }: CoverageStoreDraft): Partial<RasterSourceSettings> {
  return { ...(type ? { type: type.trim() } : {}), ...(url ? { url: url.trim() } : {}) };
}

/**
 * Checks whether the data of a store is usable before it is saved. Returns the problem, or throws it if the data must
 * be reachable.
 */
async function checkStoreConnection(
  { data, connect }: CoverageStoreCheck,
  name: string,
  place: RasterSourceSettings & Partial<StoreFiles>,
  isEnabled: boolean,
): Promise<Problem | undefined> {
  if (connect) {
    await data.checkConnection(name, place);
    return undefined;
  }
  return isEnabled ? data.findConnectionProblem(name, place) : undefined;
}

export function toCoverageStoreView(store: CoverageStore, workspace: Workspace): CoverageStoreView {
  return { store, workspace, version: Math.max(store.version, workspace.version) };
}
