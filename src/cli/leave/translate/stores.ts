/** Writes stores of data, coverages and cascaded servers, with their uploaded files. */
import type { JsonObject } from '../../../lib/json/value.ts';
import { isList, isObject, type Resource, readText } from '../archive/exported-configuration.ts';
import { createId, findWorkspacePath, getName, type Leaving, omitFields, workspaceReference } from './leaving.ts';
import { writeSecrets } from './secrets.ts';
import { findDataStoreType } from './store-types.ts';

const roots = {
  dataStore: 'datastore.xml',
  coverageStore: 'coveragestore.xml',
  wmsStore: 'wmsstore.xml',
  wmtsStore: 'wmtsstore.xml',
} as const;

export type StoreKind = keyof typeof roots;

/** The types of coverage stores that GeoServer reads with an extension only. */
const extensionTypes: ReadonlySet<string> = new Set(['NetCDF', 'MBTiles', 'PMTiles']);

export const storeKinds = Object.keys(roots) as readonly StoreKind[];

export function writeStores(leaving: Leaving): void {
  for (const kind of storeKinds) for (const store of leaving.list(kind)) writeStore(leaving, kind, store);
}

function writeStore(leaving: Leaving, kind: StoreKind, store: Resource): void {
  const workspacePath = findWorkspacePath(store.path) ?? '';
  const workspaceFolder = leaving.folders.get(workspacePath);
  if (workspaceFolder === undefined) {
    leaving.reportMissing(store, 'workspace');
    return;
  }
  const name = getName(store);
  const folder = `${workspaceFolder}/${leaving.chooseName(workspaceFolder, name, store.path)}`;
  leaving.folders.set(store.path, folder);
  const fields =
    kind === 'dataStore' ? writeDataStoreFields(leaving, store, workspacePath) : writeOtherFields(leaving, kind, store);
  leaving.addDocument(store, `${folder}/${roots[kind]}`, kind, {
    id: createId('StoreInfoImpl', store.path),
    name,
    workspace: workspaceReference(workspacePath),
    ...fields,
  });
  addStoredFiles(leaving, store);
}

function writeDataStoreFields(leaving: Leaving, store: Resource, workspacePath: string): JsonObject {
  const { connectionParameters: given = {}, _default: isDefault = false } = store.fields;
  const parameters = isObject(given) ? given : {};
  const { type, secrets, needsExtension } = findDataStoreType(parameters);
  if (needsExtension) reportExtension(leaving, store, type);
  const namespace = leaving.find(workspacePath)?.fields['namespaceUri'] ?? null;
  return {
    ...omitFields(store.fields, 'connectionParameters', 'files', '_default'),
    type,
    connectionParameters: { ...writeSecrets(leaving, store, parameters, secrets), namespace },
    __default: isDefault,
  };
}

function writeOtherFields(leaving: Leaving, kind: StoreKind, store: Resource): JsonObject {
  const type = kind === 'wmsStore' ? { type: 'WMS' } : kind === 'wmtsStore' ? { type: 'WMTS' } : {};
  const storeType = String(store.fields['type']);
  if (extensionTypes.has(storeType)) reportExtension(leaving, store, storeType);
  const fields = omitFields(store.fields, 'files');
  return { ...type, ...writeSecrets(leaving, store, fields, ['password', 'headerValue']), __default: false };
}

export function reportExtension(leaving: Leaving, resource: Resource, name: string): void {
  leaving.report.add('extension-required', resource, `GeoServer needs the extension for ${name}.`, {
    remedy: 'Install the extension.',
  });
}

/** Uploaded files have addresses of this form; the rest of an address is a file or folder among them. */
const uploadPlace = /^file:(data\/[^/]+\/[^/]+\/\d+)(?:\/|$)/;

function addStoredFiles(leaving: Leaving, store: Resource): void {
  const { files, connectionParameters, url } = store.fields;
  const addresses = [...(isObject(connectionParameters) ? Object.values(connectionParameters) : []), url ?? null];
  const texts = addresses.filter((each) => typeof each === 'string');
  const stored = isList(files) ? files.filter(isObject) : [];
  if (stored.length === 0) {
    for (const text of texts) reportOutsideData(leaving, store, text);
    return;
  }
  const place = texts.map((text) => uploadPlace.exec(text)?.[1]).find((found) => found !== undefined);
  if (place === undefined) {
    leaving.report.add('file-missing', store, 'The place of the uploaded files is unknown.', {
      remedy: 'Copy the files from the data directory of the server.',
    });
    return;
  }
  for (const { path, sha256 } of stored) {
    const [name, hash] = [readText(path), readText(sha256)];
    if (name !== undefined && hash !== undefined) leaving.files.set(`${decodePlace(place)}/${name}`, { sha256: hash });
  }
}

/** Addresses are URLs, in which names are percent-encoded. */
function decodePlace(place: string): string {
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}

function reportOutsideData(leaving: Leaving, store: Resource, address: string): void {
  if (!/^file:|^\//.test(address)) return;
  leaving.report.add('data-not-copied', store, `The data at '${address}' is not part of the export.`, {
    remedy: 'Copy it, relative paths to the same place below the GeoServer data directory.',
  });
}
