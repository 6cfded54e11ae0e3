/** Uploads of vector data: staged, opened, described, and then published with one change, or not at all. */
import type { OneAtATime } from '../../lib/one-at-a-time.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import { changeWithFiles } from '../../records/file-changes.ts';
import type { Workspace } from '../../records/workspace.ts';
import type { FeatureTypeView } from '../feature-types/feature-type-view.ts';
import { type DataStore, dataStoreKind } from '../stores/data-store.ts';
import { type DataStoreView, dataStoreView, insertDataStore } from '../stores/data-stores.ts';
import type { VectorData } from '../stores/vector-data.ts';
import { type DescribedType, describeUpload, parametersOf } from './describe-upload.ts';
import { importUpload } from './import-upload.ts';
import { type StagedData, type StagingServices, stageUpload } from './stage-upload.ts';
import { readUploadRequest, type UploadRequest, type WrittenUpload } from './upload-request.ts';
import { findTarget, placeOf } from './upload-target.ts';
import { refreshedType, writeTypes } from './write-types.ts';

export interface UploadServices extends StagingServices {
  readonly data: VectorData;
  /** Of those who write into the tables of one store, one at a time. */
  readonly oneAtATime: OneAtATime;
}

export interface Uploaded {
  readonly view: DataStoreView;
  /** The types that were published, or refreshed since they were published already. */
  readonly types: readonly FeatureTypeView[];
}

export async function uploadVector(
  catalog: Catalog,
  services: UploadServices,
  principal: Principal,
  written: WrittenUpload,
): Promise<Uploaded> {
  const request = readUploadRequest(written);
  await findTarget(catalog, request);
  const folder = await services.files.createStaging('upload');
  try {
    const staging = folder.path;
    const staged = await stageUpload(services, staging, principal, request);
    // Once, unless somebody makes another store of it in the meantime.
    for (;;) {
      const { existing, workspace, way } = await findTarget(catalog, request);
      const uploaded =
        way === 'import'
          ? await services.oneAtATime(existing?.id ?? `${workspace.id}/${request.store}`, () =>
              importUpload({ catalog, services, principal, request, staged, staging }),
            )
          : await replaceData(catalog, services, principal, request, staged, existing);
      if (uploaded !== undefined) {
        return uploaded;
      }
    }
  } finally {
    await folder.discard();
  }
}

/** Undefined when the store became one of another format. */
async function replaceData(
  catalog: Catalog,
  services: UploadServices,
  principal: Principal,
  request: UploadRequest,
  staged: StagedData,
  before: DataStore | undefined,
): Promise<Uploaded | undefined> {
  const [described] = await Promise.all([
    describeUpload(catalog, services.data, staged, request, before),
    // The disk takes its time; meanwhile the data can be looked at.
    staged.folder === undefined ? undefined : services.files.sync(staged.folder),
  ]);
  return publish(catalog, services, principal, request, staged, described);
}

function publish(
  catalog: Catalog,
  services: UploadServices,
  principal: Principal,
  request: UploadRequest,
  staged: StagedData,
  described: readonly DescribedType[],
): Promise<Uploaded | undefined> {
  let replaced = '';
  return changeWithFiles(
    catalog,
    services.files,
    { principal, what: `upload to data store ${request.store} in ${request.workspace}` },
    async (transaction, changes) => {
      const target = await findTarget(transaction, request);
      const { existing, workspace, way } = target;
      if (way !== 'replace') {
        return undefined;
      }
      const place = placeOf(target, request.store, transaction.sequence);
      if (staged.folder !== undefined) {
        await changes.publish(staged.folder, place);
      }
      if (existing !== undefined && existing.uploadedFolder !== null) {
        replaced = existing.id;
        await changes.remove([existing.uploadedFolder]);
      }
      const store = await writeStore(transaction, services.data, workspace, existing, request, {
        location: staged.location(place),
        uploadedFolder: staged.folder === undefined ? null : place,
      });
      const view = dataStoreView(store, workspace);
      return { view, types: await writeTypes(transaction, view, described, refreshedType) };
    },
    { beforeRemoval: () => services.data.reset(replaced) },
  );
}

async function writeStore(
  transaction: CatalogTransaction,
  data: VectorData,
  workspace: Workspace,
  existing: DataStore | undefined,
  request: UploadRequest,
  where: { readonly location: string; readonly uploadedFolder: string | null },
): Promise<DataStore> {
  const { location, uploadedFolder } = where;
  const parameters = parametersOf(request.format, location, request.charset ?? existing?.parameters['charset']);
  const type = data.typeOf(parameters);
  if (existing !== undefined) {
    return transaction.update(dataStoreKind, { ...existing, type, parameters, uploadedFolder });
  }
  return insertDataStore(transaction, workspace, {
    name: request.store,
    draft: {},
    type,
    parameters,
    sealedParameters: {},
    ...(uploadedFolder === null ? {} : { uploadedFolder }),
  });
}
