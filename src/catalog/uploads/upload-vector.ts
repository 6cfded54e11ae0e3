/**
 * Uploads of vector data. Everything is prepared without keeping anybody waiting: staged, opened, described, kept. Then one
 * change writes the records, or none.
 */
import { allSettled } from '../../lib/all-settled.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import { type DataStore, dataStoreKind } from '../stores/data-store.ts';
import { dataStoreView, insertDataStore } from '../stores/data-stores.ts';
import type { StoreFiles } from '../stores/store.ts';
import { describeUpload } from './describe-upload.ts';
import { importUpload } from './import-upload.ts';
import { stageUpload } from './stage-upload.ts';
import type { UploadContext, Uploaded, UploadServices } from './upload.ts';
import { readUploadRequest, type UploadRequest, type WrittenUpload } from './upload-request.ts';
import { findTarget, placeOf, type UploadTarget } from './upload-target.ts';
import { areCurrent, type PreparedTypes, prepareTypes, refreshedType, writeTypes } from './write-types.ts';

export async function uploadVector(
  catalog: Catalog,
  services: UploadServices,
  principal: Principal,
  written: WrittenUpload,
): Promise<Uploaded> {
  const { drivers, files } = services;
  const request = readUploadRequest(drivers, written);
  await findTarget(catalog, drivers, request);
  const folder = await files.createStaging('upload');
  try {
    const staging = folder.path;
    const staged = await stageUpload(services, staging, principal, request);
    return await files.keeping(async (keeper) => {
      const context = { catalog, services, principal, request, staged, staging, keeper };
      // Once, unless somebody makes another store of it in the meantime.
      for (;;) {
        const { existing, workspace, way } = await findTarget(catalog, drivers, request);
        const uploaded =
          way === 'import'
            ? await services.oneAtATime(existing?.id ?? `${workspace.id}/${request.store}`, () => importUpload(context))
            : await replaceData(context, existing);
        if (uploaded !== undefined) {
          return uploaded;
        }
      }
    });
  } finally {
    await folder.discard();
  }
}

/** Undefined when the store or its types became others in the meantime. */
async function replaceData(context: UploadContext, before: DataStore | undefined): Promise<Uploaded | undefined> {
  const { catalog, services, request, staged, keeper } = context;
  const [described, flushed] = await allSettled([
    describeUpload(catalog, services.data, staged, request, before),
    // The disk takes its time; meanwhile the data can be looked at.
    staged.files === undefined ? undefined : keeper.flush(staged.files),
  ]);
  const types = await prepareTypes(catalog, before, described, refreshedType);
  const fileSet = flushed === undefined ? null : await keeper.keepSet(flushed);
  return publish(context, fileSet, types);
}

function publish(
  { catalog, services, principal, request, staged }: UploadContext,
  fileSet: string | null,
  types: PreparedTypes,
): Promise<Uploaded | undefined> {
  const what = `upload to data store ${request.store} in ${request.workspace}`;
  return catalog.change(principal, what, async (transaction) => {
    const target = await findTarget(transaction, services.drivers, request);
    if (target.way !== 'replace' || !(await areCurrent(transaction, target.existing, types))) {
      return undefined;
    }
    const place = placeOf(target, request.store);
    const files = { fileSet, filePlace: fileSet === null ? null : place };
    const store = await writeStore(transaction, target, request, staged.location(place), files);
    const view = dataStoreView(store, target.workspace);
    return { view, types: await writeTypes(transaction, view, types) };
  });
}

async function writeStore(
  transaction: CatalogTransaction,
  { existing, workspace }: UploadTarget,
  { driver, store: name, charset }: UploadRequest,
  location: string,
  files: StoreFiles,
): Promise<DataStore> {
  const { type } = driver;
  const parameters = driver.uploads.parametersFor(location, {
    charset: charset ?? existing?.parameters['charset'],
  });
  return existing === undefined
    ? insertDataStore(transaction, workspace, { name, draft: {}, type, parameters, sealedParameters: {}, files })
    : transaction.update(dataStoreKind, { ...existing, ...files, type, parameters });
}
