/**
 * Uploads vector data. Files are staged, opened, described and stored before the transaction, so that other changes do
 * not wait. Then one change writes the records, or nothing is changed.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allSettled } from '../../lib/async/all-settled.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import type { StagedFile } from '../../records/files/staged-files.ts';
import type { DocumentCopy } from '../../vector/port/port.ts';
import { listTableTypes, refreshType } from '../feature-types/refresh-feature-types.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import { resolveSrs } from '../kinds/resource-draft.ts';
import { insertDataStore, toDataStoreView } from '../stores/data-stores.ts';
import type { VectorData } from '../stores/vector-data.ts';
import { describeUpload } from './describe-upload.ts';
import { importUpload } from './import-upload.ts';
import { joinCompanions } from './join-companions.ts';
import { mergeFiles } from './merge-files.ts';
import { collectUnusedWarnings, stageUpload } from './stage-upload.ts';
import type { UploadContext, UploadResult, UploadServices } from './upload.ts';
import { readUploadRequest, type UploadInput, type UploadRequest } from './upload-request.ts';
import { findTarget, isSameTarget, resolveFilePlace, type UploadTarget } from './upload-target.ts';
import { isUpToDate, type PreparedTypes, prepareTypes, type RefreshType, writeTypes } from './write-types.ts';

export async function uploadVector(
  catalog: Catalog,
  services: UploadServices,
  principal: Principal,
  written: UploadInput,
): Promise<UploadResult> {
  const { drivers, files } = services;
  const srs = written.srs === null ? null : await resolveSrs(written.srs, 'srs');
  const request = readUploadRequest(drivers, { ...written, srs });
  await findTarget(catalog, drivers, request);
  const folder = await files.createStaging('upload');
  try {
    const staging = folder.path;
    const staged = await stageUpload(services, folder, principal, request);
    return await files.runFileOperation(async (keeper) => {
      const context = { catalog, services, principal, request, staged, staging, keeper };
      // Repeated only if another request changes the store in the meantime.
      for (;;) {
        const target = await findTarget(catalog, drivers, request);
        const { existing, workspace, way } = target;
        const uploaded =
          way === 'import'
            ? await services.oneAtATime(existing?.id ?? `${workspace.id}/${request.store}`, (turn) =>
                importUpload(context, turn),
              )
            : await replaceData(context, target);
        if (uploaded !== undefined) {
          return uploaded;
        }
      }
    });
  } finally {
    await folder.discard();
  }
}

/** Returns undefined if the store or its types have changed in the meantime. */
async function replaceData(context: UploadContext, target: UploadTarget): Promise<UploadResult | undefined> {
  const { catalog, services, principal, request, keeper } = context;
  const { existing } = target;
  const joined = await joinCompanions(context, existing);
  const staged = joined?.staged ?? context.staged;
  const merged = await mergeFiles(context, existing);
  const charset = merged?.charset ?? request.charset ?? existing?.parameters['charset'];
  const files = merged?.files ?? staged.files;
  const flush = (more: readonly StagedFile[] = []) =>
    files === undefined ? undefined : keeper.flush([...files, ...more]);
  // Mappings are small and often rejected, and malicious ones have thousands of files: store them only after
  // validation.
  const { isMapping = false } = request.driver.uploads;
  const [upload, flushedMeanwhile] = await allSettled([
    describeUpload(catalog, services.data, staged, { request, existing, charset, principal }),
    // Flush to the disk while the data is described.
    isMapping ? undefined : flush(),
  ]);
  const types = await prepareTypes(catalog, existing, upload, isMappingOnly(request) ? keepUnchanged : refreshType);
  const before = merged === undefined ? await listTypesBefore(services.data, existing) : undefined;
  checkSameTypes(request, existing, before, upload.names);
  const removed = merged?.removed ?? (before ?? []).filter((name) => !upload.names.includes(name));
  const others = joined?.others ?? merged?.others;
  const flushed = isMapping ? await flush(await stageCopies(context, upload.copies)) : flushedMeanwhile;
  const fileSet = flushed === undefined ? null : await keeper.storeSet(flushed, others);
  return publishUpload(context, target, types, {
    fileSet,
    removed,
    formatLocation: merged?.formatLocation ?? staged.formatLocation,
    charset: merged === undefined ? charset : merged.charset,
    // Other files in the archive of a mapping are those that it includes.
    warnings: [...(isMapping ? [] : collectUnusedWarnings(staged)), ...(merged?.warnings ?? [])],
  });
}

async function stageCopies(
  { staging }: UploadContext,
  copies: readonly DocumentCopy[],
): Promise<readonly StagedFile[]> {
  const staged: StagedFile[] = [];
  for (const [index, { path, bytes }] of copies.entries()) {
    const file = join(staging, `copy-${index}`);
    // The file of an earlier attempt may already belong to a file set.
    await rm(file, { force: true });
    await writeFile(file, bytes, { mode: 0o600 });
    staged.push({ path, file, bytes: bytes.byteLength });
  }
  return staged;
}

/** Returns the current types of the store; undefined for a new one. Unreadable data counts as empty. */
async function listTypesBefore(data: VectorData, store: DataStore | undefined): Promise<readonly string[] | undefined> {
  try {
    return store && (await data.listCurrentTypes(store)).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Problem) {
      return undefined;
    }
    throw error;
  }
}

/** Returns whether the upload replaces only a mapping; then no type is configured. */
function isMappingOnly({ driver, configure }: UploadRequest): boolean {
  return driver.uploads.isMapping === true && configure === 'none';
}

const keepUnchanged: RefreshType = async (type) => type;

/** Rejects a replacement of the mapping that changes the types of the store. */
function checkSameTypes(
  request: UploadRequest,
  store: DataStore | undefined,
  before: readonly string[] | undefined,
  names: readonly string[],
): void {
  if (store === undefined || before === undefined || !isMappingOnly(request)) {
    return;
  }
  const added = names.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !names.includes(name));
  if (added.length + removed.length > 0) {
    throw problem('upload-changes-types', { name: store.name, added, removed });
  }
}

/** The data that the change writes into the store. */
interface NewData {
  readonly fileSet: string | null;
  /** The types that are deleted with the replaced data. */
  readonly removed: readonly string[];
  formatLocation(place: string): string;
  readonly charset: string | undefined;
  readonly warnings: readonly string[];
}

function publishUpload(
  { catalog, services, principal, request, staged }: UploadContext,
  before: UploadTarget,
  types: PreparedTypes,
  data: NewData,
): Promise<UploadResult | undefined> {
  const what = `upload to data store ${request.store} in ${request.workspace}`;
  return catalog.change(principal, what, async (transaction) => {
    const target = await findTarget(transaction, services.drivers, request);
    if (!isSameTarget(before, target) || !(await isUpToDate(transaction, target.existing, types))) {
      return undefined;
    }
    await checkNoDataLoss(transaction, target, data.removed);
    const store = await writeStore(transaction, target, request, data);
    const view = toDataStoreView(store, target.workspace);
    const written = await writeTypes(transaction, view, types);
    const mapping = { isNewStore: target.existing === undefined, isArchive: staged.isArchive };
    const { isMapping = false } = request.driver.uploads;
    return { view, ...(isMapping ? { mapping } : {}), ...written, warnings: [...data.warnings, ...written.warnings] };
  });
}

/** Throws if a published type would lose its data. */
async function checkNoDataLoss(
  transaction: CatalogTransaction,
  { existing, workspace }: UploadTarget,
  removed: readonly string[],
): Promise<void> {
  if (existing === undefined || removed.length === 0) {
    return;
  }
  const needed = (await listTableTypes(transaction, existing)).filter(({ nativeName }) => removed.includes(nativeName));
  if (needed.length > 0) {
    const blockers = needed.map(({ name }) => `${workspace.name}:${name}`);
    throw problem('upload-loses-data', { name: existing.name, blockers, total: blockers.length });
  }
}

async function writeStore(
  transaction: CatalogTransaction,
  target: UploadTarget,
  { driver, store: name }: UploadRequest,
  { fileSet, formatLocation: location, charset }: NewData,
): Promise<DataStore> {
  const { type } = driver;
  const { existing, workspace } = target;
  const place = resolveFilePlace(target, name);
  const files = { fileSet, filePlace: fileSet === null ? null : place };
  const parameters = driver.uploads.createParameters(location(place), { charset });
  return existing === undefined
    ? insertDataStore(transaction, workspace, { name, draft: {}, type, parameters, sealedParameters: {}, files })
    : transaction.update(dataStoreKind, {
        ...existing,
        ...files,
        type,
        parameters: { ...existing.parameters, ...parameters },
      });
}
