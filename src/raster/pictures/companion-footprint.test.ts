/** A footprint in a companion file limits the image. */
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { partsContent, shapefileBytes } from '../../../test/support/shapefile-bytes.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { encodeWkb } from '../../geometry/wkb-encode.ts';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import { readPictures } from './read-pictures.ts';

const folder = useTemporaryFolder('footprint-beside');

const crs = { code: 'EPSG:4326' };
const target = { width: 4, height: 1, bounds: { minX: 0, minY: 0, maxX: 4, maxY: 4 } };
const WHOLE = decodeWkt('POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))');
const LEFT = 'POLYGON ((0 0, 2 0, 2 4, 0 4, 0 0))';
const BOTH_ENDS = 'MULTIPOLYGON (((0 0, 1 0, 1 4, 0 4, 0 0)), ((3 0, 4 0, 4 4, 3 4, 3 0)))';

/** A shapefile of rectangles from the origin with the given width and height. */
function shapes(width: number, height: number, count = 1): Readonly<Record<string, Buffer>> {
  const ring = [0, 0, 0, height, width, height, width, 0, 0, 0];
  const records = Array.from({ length: count }, () => partsContent(5, [ring]));
  return shapefileBytes({ type: 5, bounds: [0, 0, width, height], records });
}

const MERCATOR_PRJ =
  'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]';

/** Returns which of four columns of an image are visible. */
async function shown(isCut = true): Promise<string> {
  const outline = isCut ? { outline: { geometry: WHOLE, crs } } : {};
  const file = { type: 'GeoTIFF', path: join(folder, 'it.tif'), picture: { number: 0 }, ...outline };
  const { bands } = await readPictures({ files: [file], target, crs, interpolation: 'nearest' });
  return Array.from({ length: 4 }, (_, at) => (bands[0]?.mask?.[at] === 0 ? '-' : 'x')).join('');
}

const put = (ending: string, content: string | Uint8Array) => writeFile(join(folder, `it.${ending}`), content);

describe('companion footprint', () => {
  beforeEach(async () => {
    for (const ending of ['wkt', 'WKT', 'wkb', 'shp', 'prj']) await rm(join(folder, `it.${ending}`), { force: true });
    await put('tif', granuleBytes({ left: 0, top: 4, pixel: 1, epsg: 4326, bands: 1, value: () => 9 }));
  });

  it('is optional', async () => {
    expect(await shown()).toBe('xxxx');
  });

  it.each([
    ['WKT', 'wkt', `${LEFT}\n`, 'xx--'],
    ['WKT in capital letters', 'WKT', BOTH_ENDS.toLowerCase(), 'x--x'],
    ['WKB', 'wkb', encodeWkb(decodeWkt(BOTH_ENDS)), 'x--x'],
    ['a shapefile', 'shp', shapes(2, 4)['shp'] ?? '', 'xx--'],
  ])('is read as %s', async (_, ending, content, columns) => {
    await put(ending, content);

    expect(await shown()).toBe(columns);
  });

  it('can have a large number of corners', async () => {
    const corners = Array.from({ length: 100_000 }, (_, at) => `2 ${(4 * at) / 100_000}`);
    await put('wkt', `POLYGON ((0 0, ${corners.join(', ')}, 2 4, 0 4, 0 0))`);

    expect(await shown()).toBe('xx--');
  });

  it('has the CRS of its shapefile, or the CRS of the image', async () => {
    const degree = 20_037_508.342789244 / 180;
    await put('shp', shapes(2 * degree, 5 * degree)['shp'] ?? '');
    await put('prj', MERCATOR_PRJ);

    expect(await shown()).toBe('xx--');
  });

  it('is ignored when images are shown whole', async () => {
    await put('wkt', LEFT);

    expect(await shown(false)).toBe('xxxx');
  });

  it.each([
    ['text', 'wkt', 'here be dragons'],
    ['a line', 'wkt', 'LINESTRING (0 0, 1 1)'],
    ['empty', 'wkt', 'POLYGON EMPTY'],
    ['a truncated polygon', 'wkb', encodeWkb(decodeWkt(LEFT)).subarray(0, 40)],
    ['two shapes', 'shp', shapes(2, 4, 2)['shp'] ?? ''],
    ['an empty file', 'shp', ''],
    ['a truncated shapefile', 'shp', (shapes(2, 4)['shp'] ?? Buffer.alloc(0)).subarray(0, 150)],
    ['too large', 'wkt', ' '.repeat(16_777_217)],
  ])('is rejected when it is %s', async (_, ending, content) => {
    await put(ending, content);

    await expect(shown()).rejects.toMatchObject({
      code: 'raster-file-malformed',
      message: expect.stringContaining(`it.${ending}`),
    });
  });

  it('is ignored when it is a link to another folder', async () => {
    const secret = join(folder, '..', 'elsewhere.wkt');
    await writeFile(secret, LEFT);
    await symlink(secret, join(folder, 'it.wkt'));

    expect(await shown()).toBe('xxxx');
    await rm(secret);
  });
});
