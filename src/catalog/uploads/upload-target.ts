/** Where an upload goes: a new store, the place of the data a store has, or the tables of a database. */
import { isDeepStrictEqual } from 'node:util';
import { checkPrecondition } from '../../lib/precondition.ts';
import { problem } from '../../lib/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { checkName, printableName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { type DataStore, dataStoreKind } from '../stores/data-store.ts';
import { dataStoreNameRule, dataStoreView } from '../stores/data-stores.ts';
import { defaultDataStore } from '../stores/default-data-store.ts';
import { DEFAULT, findWorkspace } from '../workspaces/workspaces.ts';
import { storedName } from './stored-name.ts';
import { type UploadFormat, type UploadRequest, uploadFormats } from './upload-request.ts';

export interface UploadTarget {
  readonly workspace: Workspace;
  readonly existing: DataStore | undefined;
  /** Files of the store's own format become its data; others are imported into it. */
  readonly way: 'replace' | 'import';
}

/** New stores can be made in these from data of another format: nothing but a file is needed for them. */
const importFormats: readonly UploadFormat[] = ['gpkg'];

/** The kinds of store that data of another format can be imported into, by `dbtype`. */
const takers: Readonly<Record<string, string>> = { postgis: 'PostGIS', geopkg: 'GeoPackage' };

/** The store as it is now, if it is one that can take the upload. */
export async function findTarget(catalog: CatalogReader, request: UploadRequest): Promise<UploadTarget> {
  const { store: name, format } = request;
  const workspace = await findWorkspace(catalog, request.workspace);
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
  const isOwnFormat = (existing === undefined ? newFormat(request) : formatOf(existing)) === format;
  if (existing !== undefined && !isOwnFormat && takers[dbtypeOf(existing)] === undefined) {
    const { name: storeName, type } = existing;
    throw problem('upload-into-other-store', { name: storeName, type, format, takers: Object.values(takers) });
  }
  checkPrecondition(request.precondition, existing && dataStoreView(existing, workspace).version);
  return { existing, workspace, way: isOwnFormat ? 'replace' : 'import' };
}

/** Whether what was prepared for the one is still right for the other. */
export function isSameTarget(a: UploadTarget, b: UploadTarget): boolean {
  const essence = ({ workspace, existing, way }: UploadTarget) => [
    workspace.id,
    way,
    existing?.id,
    existing?.parameters,
    existing?.sealedParameters,
    existing?.uploadedFolder,
  ];
  return isDeepStrictEqual(essence(a), essence(b));
}

/** A folder for each upload: those who read the old one are not disturbed while the new one comes into place. */
export function placeOf({ workspace, existing }: UploadTarget, storeName: string, sequence: number): string {
  return ['data', storedName(workspace.name), storedName(existing?.name ?? storeName), String(sequence)].join('/');
}

function newFormat({ format, target }: UploadRequest): UploadFormat {
  const wanted = target === null ? format : uploadFormats.find((each) => each === target.trim().toLowerCase());
  if (wanted !== undefined && (wanted === format || importFormats.includes(wanted))) {
    return wanted;
  }
  const targets = [...new Set([format, ...importFormats])];
  throw problem('upload-target-unsupported', { format, target: printableName(target ?? ''), targets, field: 'target' });
}

function formatOf(store: DataStore): UploadFormat | undefined {
  const dbtype = dbtypeOf(store);
  if (dbtype === 'geopkg') {
    return 'gpkg';
  }
  return dbtype === '' && store.parameters['url'] !== undefined ? 'shp' : undefined;
}

function dbtypeOf({ parameters }: DataStore): string {
  return parameters['dbtype']?.trim().toLowerCase() ?? '';
}
