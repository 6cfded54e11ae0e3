/** Small shapefiles for upload tests, packed and unpacked, and a listing of all server files. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RawEntry, rawZip } from './raw-zip.ts';
import { partsContent, pointContent, type ShapefileBytes, shapefileBytes, writeShapefile } from './shapefile-bytes.ts';
import type { TestServer } from './test-server.ts';

export const WGS84_PRJ =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

export const UTM33_PRJ =
  'PROJCS["WGS_1984_UTM_Zone_33N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",15.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';

/** Named points on a diagonal from the given corner. */
export function pointShapefile(count = 3, from: readonly [number, number] = [10, 50], prj = WGS84_PRJ): ShapefileBytes {
  const [x, y] = from;
  return shapefileBytes({
    type: 1,
    bounds: [x, y, x + count - 1, y + count - 1],
    records: Array.from({ length: count }, (_, index) => pointContent(x + index, y + index)),
    prj,
    table: {
      fields: [
        { name: 'name', type: 'C', width: 20 },
        { name: 'rank', type: 'N', width: 9 },
        { name: 'seen', type: 'D', width: 8 },
      ],
      rows: Array.from({ length: count }, (_, index) => ({
        values: [`place ${index}`, String(index).padStart(9), '20260102'],
      })),
    },
  });
}

export function polygonShapefile(): ShapefileBytes {
  return shapefileBytes({
    type: 5,
    bounds: [0, 0, 2, 1],
    records: [partsContent(5, [[0, 0, 0, 1, 2, 1, 2, 0, 0, 0]])],
    prj: WGS84_PRJ,
    table: { fields: [{ name: 'id', type: 'N', width: 5 }], rows: [{ values: ['    1'] }] },
  });
}

/** The files of shapefiles as archive entries. */
export function createZipEntries(
  shapefiles: Readonly<Record<string, ShapefileBytes>>,
  folder = '',
): readonly RawEntry[] {
  return Object.entries(shapefiles).flatMap(([name, files]) =>
    Object.entries(files).map(([extension, data]) => ({ name: `${folder}${name}.${extension}`, data, method: 8 })),
  );
}

export function zipOf(shapefiles: Readonly<Record<string, ShapefileBytes>>, folder = ''): Buffer {
  return rawZip(createZipEntries(shapefiles, folder));
}

/** A folder with shapefiles, inside another folder. */
export async function writeShapefiles(
  folder: string,
  shapefiles: Readonly<Record<string, ShapefileBytes>>,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [name, files] of Object.entries(shapefiles)) await writeShapefile(folder, name, files);
  return folder;
}

export function putZip(server: TestServer, path: string, body: Buffer, type = 'application/zip') {
  return server.request('PUT', path, { type, body });
}

/**
 * Every file below a folder with its content hash, without the database and the disk reserve, which change at any time.
 */
export async function snapshot(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => [join(entry.parentPath, entry.name), entry.isFile()] as const);
  // Opened file sets are links to stored files, created on first read.
  const opened = join(folder, 'files');
  const selected = paths.filter(
    ([path]) => !/graticule\.sqlite|server\.lock|disk\.reserve/.test(path) && !path.startsWith(opened),
  );
  const hashed = selected.map(async ([path, isFile]) => {
    const hash = isFile
      ? createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
          .slice(0, 12)
      : 'folder';
    return [path.slice(folder.length + 1), hash] as const;
  });
  return Object.fromEntries((await Promise.all(hashed)).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The names of the feature types in `workspace/store`. */
export async function featureTypes(server: TestServer, store: string): Promise<readonly string[]> {
  const [workspace, name] = store.split('/');
  const reply = await server.get(`/workspaces/${workspace}/datastores/${name}/featuretypes.json`);
  const { featureTypes: list } = reply.json() as { featureTypes: { featureType: readonly { name: string }[] } };
  return list.featureType.map((each) => each.name);
}

/** The content of a resource document, without its root element. */
export async function readResource(server: TestServer, path: string): Promise<Readonly<Record<string, unknown>>> {
  const reply = await server.get(`${path}.json`);
  if (reply.status !== 200) throw new Error(`GET ${path} answered ${reply.status}: ${reply.text}`);
  return Object.values(reply.json() as Record<string, Readonly<Record<string, unknown>>>)[0] ?? {};
}
