/** Uploads of vector data: staged, opened, described, and then published with one change, or not at all. */
import { geographicBounds } from '../../data/crs/geographic-bounds.ts';
import { objectionToFileName } from '../../lib/file-name.ts';
import { checkPrecondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../catalog.ts';
import { type DataStore, dataStoreKind } from '../data-store.ts';
import { type DataStoreView, dataStoreNameRule, dataStoreView, insertDataStore } from '../data-stores.ts';
import { defaultDataStore } from '../default-data-store.ts';
import { boundsCrs, type FeatureType, featureTypeKind } from '../feature-type.ts';
import { type FeatureTypeView, featureTypeView } from '../feature-type-view.ts';
import { changeWithFiles } from '../file-changes.ts';
import { checkName } from '../names.ts';
import { insertFeatureType, withFreeName } from '../publish-feature-type.ts';
import type { VectorData } from '../vector-data.ts';
import type { Workspace } from '../workspace.ts';
import { DEFAULT, findWorkspace } from '../workspaces.ts';
import { type DescribedType, describeUpload, parametersOf } from './describe-upload.ts';
import { type StagedData, type StagingServices, stageUpload } from './stage-upload.ts';
import { readUploadRequest, type UploadRequest, type WrittenUpload } from './upload-request.ts';

export interface UploadServices extends StagingServices {
  readonly data: VectorData;
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
  const { existing, workspace } = await findTarget(catalog, request);
  checkPrecondition(request.precondition, versionOf(existing, workspace));
  const staging = await services.files.createStaging('upload');
  try {
    const staged = await stageUpload(services, staging.path, principal, request);
    const described = await describeUpload(catalog, services.data, staged, request, existing);
    if (staged.folder !== undefined) {
      await services.files.sync(staged.folder);
    }
    return await publish(catalog, services, principal, request, staged, described);
  } finally {
    await staging.discard();
  }
}

function publish(
  catalog: Catalog,
  services: UploadServices,
  principal: Principal,
  request: UploadRequest,
  staged: StagedData,
  described: readonly DescribedType[],
): Promise<Uploaded> {
  let replaced = '';
  return changeWithFiles(
    catalog,
    services.files,
    { principal, what: `upload to data store ${request.store} in ${request.workspace}` },
    async (transaction, changes) => {
      const { existing, workspace } = await findTarget(transaction, request);
      checkPrecondition(request.precondition, versionOf(existing, workspace));
      const place = placeOf(workspace, existing?.name ?? request.store, transaction.sequence);
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
      return { view, types: await writeTypes(transaction, view, described) };
    },
    { beforeRemoval: () => services.data.reset(replaced) },
  );
}

/** A folder for each upload: those who read the old one are not disturbed while the new one comes into place. */
function placeOf(workspace: Workspace, storeName: string, sequence: number): string {
  return ['data', folderName(workspace.name), folderName(storeName), String(sequence)].join('/');
}

function folderName(name: string): string {
  return objectionToFileName(name) === undefined ? name : encodeURIComponent(name).replaceAll(/[.*]/g, '_');
}

/** The store as it is now, if it is one that can take the upload. */
async function findTarget(
  catalog: CatalogReader,
  { workspace: workspaceName, store: name, format }: UploadRequest,
): Promise<{ readonly existing: DataStore | undefined; readonly workspace: Workspace }> {
  const workspace = await findWorkspace(catalog, workspaceName);
  if (name !== DEFAULT) {
    checkName(name, dataStoreNameRule);
  }
  const existing =
    name === DEFAULT
      ? await defaultDataStore(catalog, workspace.id)
      : await catalog.find(dataStoreKind, workspace.id, name);
  if (existing === undefined && name === DEFAULT) {
    throw problem('no-default-store', { workspace: workspace.name });
  }
  if (existing !== undefined && formatOf(existing) !== format) {
    throw problem('upload-into-other-store', { name: existing.name, type: existing.type, format });
  }
  return { existing, workspace };
}

function formatOf({ parameters }: DataStore): string | undefined {
  const dbtype = parameters['dbtype']?.trim().toLowerCase() ?? '';
  if (dbtype === 'geopkg') {
    return 'gpkg';
  }
  return dbtype === '' && parameters['url'] !== undefined ? 'shp' : undefined;
}

function versionOf(store: DataStore | undefined, workspace: Workspace): number | undefined {
  return store && dataStoreView(store, workspace).version;
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

async function writeTypes(
  transaction: CatalogTransaction,
  view: DataStoreView,
  described: readonly DescribedType[],
): Promise<readonly FeatureTypeView[]> {
  const known = await transaction.list(featureTypeKind, view.store.id);
  const written: FeatureTypeView[] = [];
  for (const each of described) {
    const published = known.filter(({ nativeName }) => nativeName === each.description.name);
    for (const type of published) {
      const refreshed = await transaction.update(featureTypeKind, await refreshedType(type, each));
      written.push(featureTypeView(refreshed, view));
    }
    if (published.length === 0 && each.isWanted) {
      const free = await withFreeName(transaction, view.workspace.id, each.publication);
      written.push(await insertFeatureType(transaction, view, free));
    }
  }
  return written;
}

/** What is computed from the data is computed anew; what people said of the type stays. */
async function refreshedType(type: FeatureType, { publication }: DescribedType): Promise<FeatureType> {
  const { nativeCrs, nativeBounds } = publication;
  const wasDerived = type.srs === (type.nativeCrs.code ?? null);
  const srs = wasDerived ? publication.srs : type.srs;
  const crs = boundsCrs({ srs, nativeCrs, projectionPolicy: type.projectionPolicy });
  const latLonBounds = nativeBounds === null ? null : ((await geographicBounds(nativeBounds, crs)) ?? null);
  const descriptions = new Map(type.attributes.map(({ name, description }) => [name, description]));
  const attributes = publication.attributes.map((attribute) => {
    const description = descriptions.get(attribute.name);
    return description === undefined ? attribute : { ...attribute, description };
  });
  return { ...type, nativeCrs, srs, nativeBounds, latLonBounds, attributes };
}
