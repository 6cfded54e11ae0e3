/** Lists the files that a store consists of. */
import { basename, join } from 'node:path/posix';
import type { DataPlace } from './data-place.ts';
import {
  getEnding,
  getStem,
  listFilesByEnding,
  listShapefileParts,
  listShapefiles,
  type StoreFiles,
  shapefileEndings,
  toFolder,
} from './folder-files.ts';
import { listMappingFiles } from './mapping-files.ts';

export type DataForm = 'shapefile' | 'geopackage' | 'tiles' | 'properties' | 'mapping' | 'raster' | 'mosaic';

/** Returns no files if the path has none of this form. */
export async function listStoreFiles(place: DataPlace, form: DataForm, path: string): Promise<StoreFiles> {
  switch (form) {
    case 'shapefile':
      return place.hasFile(path)
        ? createFileList(path, listShapefileParts(place, path))
        : createFolderList(path, listShapefiles(place, path));
    case 'properties':
      return place.hasFile(path)
        ? createFileList(path, [path])
        : createFolderList(path, listFilesByEnding(place, path, 'properties'));
    case 'geopackage':
    case 'tiles':
      return createFileList(path, place.hasFile(path) ? [path] : []);
    case 'raster':
      return createFileList(path, place.hasFile(path) ? [path, ...listCompanions(place, path)] : []);
    case 'mosaic':
      return createFolderList(path, listGranuleFiles(place, path));
    case 'mapping':
      return listMappingFiles(place, path);
  }
}

function createFileList(path: string, files: readonly string[]): StoreFiles {
  return { main: basename(path), files: files.map((file) => ({ name: basename(file), path: file })) };
}

function createFolderList(folder: string, files: readonly string[]): StoreFiles {
  const start = folder === '' ? 0 : folder.length + 1;
  return { main: '', files: files.map((file) => ({ name: file.slice(start), path: file })) };
}

/** World file, projection, statistics and overviews of an image. */
function listCompanions(place: DataPlace, path: string): readonly string[] {
  const folder = toFolder(path);
  const name = basename(path).toLowerCase();
  const stem = getStem(name);
  const ending = getEnding(name);
  const world = [`${ending.at(0) ?? ''}${ending.at(-1) ?? ''}w`, `${ending}w`, 'wld', 'prj', 'meta', 'ovr', 'aux'];
  const wanted = new Set([
    ...world.map((each) => `${stem}.${each}`),
    ...['aux.xml', 'ovr', 'msk'].map((each) => `${name}.${each}`),
  ]);
  return place
    .listFiles(folder)
    .filter((each) => wanted.has(each.toLowerCase()) && each.toLowerCase() !== name)
    .map((each) => join(folder, each));
}

/** Everything below the directory of a mosaic but its index, which the server creates again. */
function listGranuleFiles(place: DataPlace, folder: string): readonly string[] {
  const indexes = new Set(
    place.listFiles(folder).flatMap((name) => (getEnding(name) === 'shp' ? [getStem(name).toLowerCase()] : [])),
  );
  const isIndex = (name: string): boolean =>
    /^(?:sample_image|datastore\.properties$)/i.test(name) ||
    (indexes.has(getStem(name).toLowerCase()) && indexEndings.has(getEnding(name)));
  const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));
  return place.listBelow(folder).filter((path) => {
    const inner = path.slice(folder === '' ? 0 : folder.length + 1);
    return !isHidden(inner) && (inner.includes('/') || !isIndex(inner));
  });
}

const indexEndings: ReadonlySet<string> = new Set([
  ...shapefileEndings,
  ...['qix', 'fix', 'sbn', 'sbx', 'properties', 'idx'],
]);
