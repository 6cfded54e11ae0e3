/** Images with world files made by GDAL are described and read as GDAL does. */
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorldImage } from '../../../src/raster/world-image/world-image-source.ts';
import { runGdal } from '../../support/gdal.ts';
import { pngBytes } from '../../support/png-bytes.ts';
import { gdalDescription, gdalWindow, writeLandscape } from '../../support/rasters.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { describeWithTool } from '../../support/with-tool.ts';

const WIDTH = 50;
const HEIGHT = 40;

const folder = useTemporaryFolder('world-image');
const elsewhere = useTemporaryFolder('elsewhere');
const never = new AbortController().signal;
const palette =
  '<ColorInterp>Palette</ColorInterp><ColorTable><Entry c1="1" c2="2" c3="3" c4="255"/><Entry c1="9" c2="8" c3="7" c4="0"/></ColorTable>';

describeWithTool('gdal', 'image with a world file', () => {
  test.for([
    { name: 'gray', format: 'PNG', bands: 1, type: 'Byte' },
    { name: 'gray-alpha', format: 'PNG', bands: 2, type: 'Byte' },
    { name: 'colours', format: 'PNG', bands: 3, type: 'Byte' },
    { name: 'colours-alpha', format: 'PNG', bands: 4, type: 'Byte' },
    { name: 'deep', format: 'PNG', bands: 3, type: 'UInt16' },
    {
      name: 'bit',
      format: 'PNG',
      bands: 1,
      type: 'Byte',
      args: ['-co', 'NBITS=1'],
      value: (x: number, y: number) => (x + y) % 2,
    },
    { name: 'palette', format: 'PNG', bands: 1, type: 'Byte', bandElements: palette, value: (x: number) => x % 2 },
    { name: 'jpeg', format: 'JPEG', bands: 3, type: 'Byte', tolerance: 1 },
    { name: 'jpeg-gray', format: 'JPEG', bands: 1, type: 'Byte', tolerance: 1 },
    { name: 'tiff', format: 'GTiff', bands: 3, type: 'Byte', args: ['-co', 'PROFILE=BASELINE'] },
  ] as const)('is read as GDAL reads it: $name ($format)', async (sample) => {
    const { name, format, bands, type } = sample;
    const ending = { PNG: 'png', JPEG: 'jpg', GTiff: 'tif' }[format];
    const path = join(folder, `${name}.${ending}`);
    const further = {
      ...('value' in sample ? { value: sample.value } : {}),
      ...('bandElements' in sample ? { bandElements: sample.bandElements } : {}),
    };
    const vrt = await writeLandscape(folder, name, { width: WIDTH, height: HEIGHT, bands, type, ...further });
    await runGdal(
      'gdal_translate',
      ['-q', '-of', format, '-co', 'WORLDFILE=YES', ...('args' in sample ? sample.args : []), vrt, path],
      {
        env: { GDAL_PAM_ENABLED: 'NO' },
      },
    );
    if (format === 'GTiff') await writeFile(join(folder, `${name}.tfw`), '0.1\n0\n0\n-0.1\n10.05\n49.95\n');
    const theirs = await gdalDescription(path);
    const source = openWorldImage(path);

    const ours = await source.describe(name, never);

    expect([ours?.grid.width, ours?.grid.height]).toEqual(theirs.size);
    expect(ours?.grid.transform?.originX).toBeCloseTo(theirs.geoTransform?.[0] ?? Number.NaN, 9);
    expect(ours?.grid.transform?.originY).toBeCloseTo(theirs.geoTransform?.[3] ?? Number.NaN, 9);
    expect(ours?.bands.map((band) => band.colorInterpretation)).toEqual(
      theirs.bands.map((band) => band.colorInterpretation.toLowerCase()),
    );
    const window = { column: 3, row: 4, width: 40, height: 30 };
    const places = Array.from({ length: bands }, (_, band) => band);
    const expected = await gdalWindow(path, folder, type === 'UInt16' ? 'uint16' : 'uint8', { window, bands: places });
    const read = await source.read(name, { window }, never);
    for (const [index, band] of read.bands.entries()) {
      const distances = Array.from(band.samples as ArrayLike<number>, (sampleValue, at) =>
        Math.abs(Number(sampleValue) - Number(expected[index]?.[at])),
      );
      expect(Math.max(...distances)).toBeLessThanOrEqual('tolerance' in sample ? sample.tolerance : 0);
    }
  });
});

test.for(['pgw', 'PGW', 'pngw', 'wld'])('finds the world file with the extension %s', async (ending) => {
  const path = join(folder, `ending-${ending}.png`);
  await writeFile(path, pngBytes(4, 4, 1));
  await writeFile(join(folder, `ending-${ending}.${ending}`), '2\r\n0\r\n0\r\n-2\r\n1\r\n7\r\n');

  const described = await openWorldImage(path).describe(`ending-${ending}`, never);

  expect(described?.grid).toMatchObject({ bounds: { minX: 0, minY: 0, maxX: 8, maxY: 8 }, crs: {} });
});

test('is in the CRS of the .prj file', async () => {
  await writeFile(join(folder, 'prj.png'), pngBytes(4, 4, 1));
  await writeFile(join(folder, 'prj.pgw'), '2\n0\n0\n-2\n1\n7\n');
  await writeFile(
    join(folder, 'prj.prj'),
    'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  );

  expect((await openWorldImage(join(folder, 'prj.png')).describe('prj', never))?.grid.crs.code).toBe('EPSG:4326');
});

test('is rejected without a world file, with the possible file names', async () => {
  await writeFile(join(folder, 'alone.png'), pngBytes(4, 4, 1));

  await expect(openWorldImage(join(folder, 'alone.png')).describe('alone', never)).rejects.toThrow(
    "The raster file 'alone.png' is not supported: it has no world file; add 'alone.pgw', 'alone.pngw' or 'alone.wld'.",
  );
});

test('does not follow a link to a world file in another folder', async () => {
  await writeFile(join(folder, 'linked.png'), pngBytes(4, 4, 1));
  await writeFile(join(elsewhere, 'secret.pgw'), '2\n0\n0\n-2\n1\n7\n');
  await symlink(join(elsewhere, 'secret.pgw'), join(folder, 'linked.pgw'));

  await expect(openWorldImage(join(folder, 'linked.png')).describe('linked', never)).rejects.toThrow('no world file');
});
