/** Images combined from several files, and images from files with many images. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openNetcdf } from '../../../src/raster/netcdf/netcdf-source.ts';
import { readPictures } from '../../../src/raster/pictures/read-pictures.ts';
import type { BandWindow } from '../../../src/raster/port/port.ts';
import { runGdal } from '../../support/gdal.ts';
import { oceanCdl, oceanHeight, oceanWidth, writeNetcdf } from '../../support/netcdf.ts';
import { writeLandscape } from '../../support/rasters.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { describeWithTool } from '../../support/with-tool.ts';

const folder = useTemporaryFolder('pictures');
const never = new AbortController().signal;

/** Ten by ten degrees starting at a longitude, all of one value. */
async function plainTiff(name: string, west: number, value: number): Promise<string> {
  const vrt = await writeLandscape(folder, name, {
    ...{ width: 10, height: 10, bands: 1, type: 'Byte' },
    elements: `<SRS>EPSG:4326</SRS><GeoTransform>${west}, 1, 0, 10, 0, -1</GeoTransform>`,
    bandElements: '<NoDataValue>0</NoDataValue>',
    value: (column) => (column === 0 ? 0 : value),
  });
  const path = join(folder, `${name}.tif`);
  await runGdal('gdal_translate', ['-q', vrt, path]);
  return path;
}

/** The samples, with null for no data. */
function values(band: BandWindow | undefined): readonly (number | null)[] {
  return Array.from({ length: band?.samples.length ?? 0 }, (_, at) =>
    band?.mask?.[at] === 0 ? null : Number(band?.samples[at]),
  );
}

describeWithTool('gdal', 'image of several files', () => {
  it('shows the first file that has data at a pixel', async () => {
    const [left, right] = [await plainTiff('left', 0, 1), await plainTiff('right', 5, 2)];
    const target = { width: 20, height: 1, bounds: { minX: 0, minY: 4, maxX: 20, maxY: 5 } };
    const read = (...paths: readonly string[]) =>
      readPictures({
        ...{ target, crs: { code: 'EPSG:4326' }, interpolation: 'nearest' },
        files: paths.map((path) => ({ type: 'GeoTIFF', path, picture: { number: 0 } })),
      });

    const shown = async (...paths: readonly string[]) => {
      const { bands } = await read(...paths);
      return values(bands[0])
        .map((value) => value ?? '-')
        .join('');
    };

    expect(await shown(left, right)).toBe('-11111111122222-----');
    expect(await shown(right, left)).toBe('-11111222222222-----');
  });
});

describeWithTool('netcdf', 'image of a file with many images', () => {
  it('is found by its number, counted across all variables', async () => {
    const path = await writeNetcdf(folder, 'ocean', 'netCDF-4', oceanCdl());
    const source = openNetcdf(path);
    const [first, second] = await source.listCoverages(never);
    const description = await source.describe(second?.name ?? '', never);
    const { bounds } = description?.grid ?? {};
    if (bounds === undefined || first === undefined || second === undefined) throw new Error('It has no place.');
    // Three times, two depths: the second depth of the third time of the second variable.
    const expected = await source.read(second.name, { slice: { time: 2, depth: 1 } }, never);

    const found = await readPictures({
      target: { width: oceanWidth, height: oceanHeight, bounds },
      crs: { code: 'EPSG:4326' },
      interpolation: 'nearest',
      files: [{ type: 'NetCDF', path, picture: { number: 6 + 2 * 2 + 1 } }],
    });

    expect(found.described[0]?.name).toBe(second.name);
    expect(values(found.bands[0])).toEqual(values(expected.bands[0]));
  });
});
