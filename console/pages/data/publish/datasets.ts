/** Sorts dropped files into datasets that are uploaded together. */
import { getFilePath } from '../../../parts/drop-zone/dropped-files.ts';
import { readMbtilesKind, readPmtilesKind } from './tile-archive.ts';
import { createZip, listZipNames } from './zip.ts';

export interface Dataset {
  /** The suggested name of the store. */
  readonly name: string;
  readonly kind: 'vector' | 'raster';
  /** The last part of the upload address. */
  readonly format: string;
  /** The names of its files, for the user. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Shapefiles without a `.prj` file, by path without extension. The user can add one. */
  readonly withoutPrj: readonly string[];
  readonly contentType: string;
  /** Query parameters that its format needs. */
  readonly query: Readonly<Record<string, string>>;
  /** Builds the body with additional small files, such as `.prj` files. */
  readonly createBody: (more: Readonly<Record<string, string>>) => Promise<Blob>;
}

export interface SortedFiles {
  readonly datasets: readonly Dataset[];
  /** The names of files that belong to no dataset. */
  readonly ignored: readonly string[];
}

interface Format {
  readonly kind: Dataset['kind'];
  readonly format: string;
  readonly contentType: string;
  readonly query?: Dataset['query'];
}

/** Exchange files are imported into a GeoPackage. */
const imported = { target: 'gpkg' };

/** Files that are complete on their own. */
const formats: Readonly<Record<string, Format>> = {
  gpkg: { kind: 'vector', format: 'gpkg', contentType: 'application/geopackage+sqlite3' },
  parquet: { kind: 'vector', format: 'parquet', contentType: 'application/vnd.apache.parquet' },
  fgb: { kind: 'vector', format: 'fgb', contentType: 'application/flatgeobuf' },
  geojson: { kind: 'vector', format: 'geojson', contentType: 'application/geo+json', query: imported },
  json: { kind: 'vector', format: 'geojson', contentType: 'application/geo+json', query: imported },
  csv: { kind: 'vector', format: 'csv', contentType: 'text/csv', query: imported },
  kml: { kind: 'vector', format: 'kml', contentType: 'application/vnd.google-earth.kml+xml', query: imported },
  tif: { kind: 'raster', format: 'geotiff', contentType: 'image/tiff' },
  tiff: { kind: 'raster', format: 'geotiff', contentType: 'image/tiff' },
  nc: { kind: 'raster', format: 'netcdf', contentType: 'application/octet-stream' },
};

/** Archives of tiles: a data store if they are vector tiles, otherwise a coverage store. */
const tileArchives: Readonly<Record<string, (file: File) => Promise<Format>>> = {
  pmtiles: async (file) => ({
    kind: await readPmtilesKind(file),
    format: 'pmtiles',
    contentType: 'application/vnd.pmtiles',
  }),
  mbtiles: async (file) => ({
    kind: await readMbtilesKind(file),
    format: 'mbtiles',
    contentType: 'application/vnd.sqlite3',
  }),
};

/** The extensions that a file dialog offers. */
export const acceptedExtensions: readonly string[] = [
  ...Object.keys(formats),
  ...Object.keys(tileArchives),
  ...['shp', 'shx', 'dbf', 'prj', 'cpg', 'qix', 'sbn', 'sbx', 'zip'],
].map((extension) => `.${extension}`);

const shapefileParts = /\.(?:shp|shx|dbf|prj|cpg|qix|fix|sbn|sbx|qpj|cst|shp\.xml)$/i;

export async function sortFiles(files: readonly File[]): Promise<SortedFiles> {
  const used = new Set<File>();
  const datasets: Dataset[] = [];
  const stems = new Set(files.filter(({ name }) => /\.shp$/i.test(name)).map((file) => readStem(file)));
  const parts = files.filter((file) => shapefileParts.test(file.name) && stems.has(readStem(file)));
  // Files of the same name in different folders belong to different shapefiles.
  for (const [place, members] of Map.groupBy(parts, readFolder)) datasets.push(createShapefiles(members, place));
  for (const file of parts) used.add(file);
  for (const file of files) {
    const dataset = used.has(file) ? undefined : await createSingle(file);
    if (dataset !== undefined) {
      datasets.push(dataset);
      used.add(file);
    }
  }
  return {
    datasets: withFreeNames(datasets),
    ignored: files.filter((each) => !used.has(each)).map(({ name }) => name),
  };
}

function createShapefiles(parts: readonly File[], place: string): Dataset {
  const main = parts.filter(({ name }) => /\.shp$/i.test(name));
  const withPrj = new Set(parts.filter(({ name }) => /\.prj$/i.test(name)).map(readStem));
  return {
    name: toStoreName(main.length > 1 && place !== '' ? `${place.split('/').at(-1)}.shp` : (main[0]?.name ?? '')),
    kind: 'vector',
    format: 'shp',
    files: parts.map(({ name }) => name),
    bytes: parts.reduce((sum, { size }) => sum + size, 0),
    withoutPrj: main.filter((file) => !withPrj.has(readStem(file))).map(({ name }) => name.replace(/\.shp$/i, '')),
    contentType: 'application/zip',
    query: {},
    createBody: (more) =>
      createZip([
        ...parts.map((content) => ({ name: content.name, content })),
        ...Object.entries(more).map(([name, text]) => ({ name, content: new Blob([text]) })),
      ]),
  };
}

async function createSingle(file: File): Promise<Dataset | undefined> {
  const extension = readExtension(file.name);
  const format =
    extension === 'zip'
      ? await findFormatInArchive(file)
      : (formats[extension] ?? (await tileArchives[extension]?.(file)));
  if (format === undefined) return undefined;
  const { kind, contentType, query = {} } = format;
  return {
    name: toStoreName(file.name),
    kind,
    format: format.format,
    files: [file.name],
    bytes: file.size,
    withoutPrj: [],
    contentType: extension === 'zip' ? 'application/zip' : contentType,
    query,
    createBody: async () => file,
  };
}

async function findFormatInArchive(file: File): Promise<Format | undefined> {
  const names = (await listZipNames(file)) ?? [];
  const extensions = new Set(names.map(readExtension));
  if (extensions.has('shp')) return { kind: 'vector', format: 'shp', contentType: '' };
  const found = Object.keys(formats).find((extension) => extensions.has(extension));
  return found === undefined ? undefined : formats[found];
}

function readExtension(name: string): string {
  return /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Files of the same shapefile have the same folder and stem, in any case. */
function readStem(file: File): string {
  return getFilePath(file).replace(shapefileParts, '').toLowerCase();
}

/** Returns the path of the folder; empty for single files. */
function readFolder(file: File): string {
  return getFilePath(file).split('/').slice(0, -1).join('/');
}

/** Names of stores have no colon and no slash; spaces are allowed but inconvenient in addresses. */
export function toStoreName(fileName: string): string {
  const stem = fileName.replace(/\.[^.]*$/, '');
  const name = stem
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .replaceAll(/^[_.]+|[_.]+$/g, '');
  return name === '' ? 'data' : name;
}

function withFreeNames(datasets: readonly Dataset[]): readonly Dataset[] {
  const taken = new Set<string>();
  return datasets.map((dataset) => {
    let name = dataset.name;
    for (let number = 2; taken.has(name); number += 1) name = `${dataset.name}_${number}`;
    taken.add(name);
    return { ...dataset, name };
  });
}
