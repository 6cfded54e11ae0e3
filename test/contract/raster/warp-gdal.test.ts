/** Coverages resampled to other grids and CRSs have the same samples at the same positions as with GDAL. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openGeotiff } from '../../../src/raster/geotiff/geotiff-source.ts';
import type { BandWindow } from '../../../src/raster/port/port.ts';
import type { Samples } from '../../../src/raster/port/samples.ts';
import type { Interpolation } from '../../../src/raster/warp/interpolate.ts';
import { readWarped } from '../../../src/raster/warp/read-warped.ts';
import { runGdal } from '../../support/gdal.ts';
import { gdalWindow, writeLandscape } from '../../support/rasters.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { describeWithTool } from '../../support/with-tool.ts';

const folder = useTemporaryFolder('warp');
const never = new AbortController().signal;

interface Picture {
  readonly code: string;
  readonly box: readonly [minX: number, minY: number, maxX: number, maxY: number];
  readonly size: readonly [width: number, height: number];
}

async function makeTiff(name: string, options: Partial<Parameters<typeof writeLandscape>[2]>): Promise<string> {
  const vrt = await writeLandscape(folder, name, { width: 300, height: 220, bands: 1, type: 'Int16', ...options });
  const path = join(folder, `${name}.tif`);
  await runGdal('gdal_translate', ['-q', '-co', 'TILED=YES', vrt, path]);
  return path;
}

async function ours(path: string, { code, box, size }: Picture, interpolation: Interpolation): Promise<BandWindow> {
  const source = openGeotiff(path);
  const [{ name } = { name: '' }] = await source.listCoverages(never);
  const description = await source.describe(name, never);
  if (description === undefined) throw new Error('There is no coverage.');
  const [minX, minY, maxX, maxY] = box;
  const [width, height] = size;
  const target = { width, height, bounds: { minX, minY, maxX, maxY } };
  const { bands } = await readWarped(source, description, { target, crs: { code }, interpolation }, never);
  await source.close();
  return bands[0] as BandWindow;
}

/** -9999 marks missing data here. */
async function gdals(path: string, { code, box, size }: Picture, method: string): Promise<Samples> {
  const out = join(folder, `warped-${Math.abs(box[0])}-${code.slice(5)}-${method}.tif`);
  await runGdal('gdalwarp', [
    ...['-q', '-overwrite', '-r', method, '-et', '0', '-t_srs', code, '-dstnodata', '-9999', '-ovr', 'NONE'],
    ...['-te', ...box.map(String), '-ts', ...size.map(String), path, out],
  ]);
  const [width, height] = size;
  const window = { column: 0, row: 0, width, height };
  return (await gdalWindow(out, folder, 'int16', { window, bands: [0] }))[0] as Samples;
}

/** The share of samples that differ by more than the tolerance; differing data edges count too. */
function differences({ samples, mask }: BandWindow, expected: Samples, tolerance: number): number {
  let count = 0;
  for (let at = 0; at < expected.length; at += 1) {
    const here = mask?.[at] === 0 ? -9999 : Number(samples[at]);
    if (Math.abs(here - Number(expected[at])) > tolerance) count += 1;
  }
  return count / expected.length;
}

const pictures: Readonly<Record<string, Picture>> = {
  'its own CRS at a higher resolution': { code: 'EPSG:4326', box: [15.02, 35.01, 20.4, 39.97], size: [200, 180] },
  'its own CRS beyond its extent': { code: 'EPSG:4326', box: [5, 20, 45, 55], size: [160, 140] },
  'Web Mercator': { code: 'EPSG:3857', box: [1_000_000, 3_500_000, 4_500_000, 6_500_000], size: [350, 300] },
  'a UTM zone': { code: 'EPSG:32633', box: [-100_000, 3_400_000, 1_100_000, 5_400_000], size: [240, 400] },
  'a European equal-area projection': {
    code: 'EPSG:3035',
    box: [4_200_000, 1_000_000, 6_500_000, 3_000_000],
    size: [230, 200],
  },
};

describeWithTool('gdal', 'a coverage in degrees', () => {
  it.each(Object.entries(pictures))('is drawn in %s with the nearest samples', async (_what, picture) => {
    const path = await makeTiff('degrees', {});

    const found = await ours(path, picture, 'nearest');

    // A position at the border of two samples may fall into either.
    expect(differences(found, await gdals(path, picture, 'near'), 0)).toBeLessThan(0.04);
  });

  it.each([
    ['bilinear', 'bilinear'],
    ['bicubic', 'cubic'],
  ] as const)('is drawn with %s samples', async (interpolation, method) => {
    const path = await makeTiff('smooth', {
      value: (column, row) => 1000 + column * 3 + row * 2 + ((column * row) % 17),
    });
    const picture = { code: 'EPSG:3857', box: [1_600_000, 4_300_000, 2_400_000, 5_000_000], size: [400, 350] } as const;

    const found = await ours(path, picture, interpolation);

    expect(differences(found, await gdals(path, picture, method), 1)).toBeLessThan(0.04);
  });

  it('is transparent where it has no data', async () => {
    const path = await makeTiff('holes', {
      bandElements: '<NoDataValue>-1</NoDataValue>',
      value: (column, row) => (column % 20 < 5 ? -1 : 100 + ((column * 7 + row) % 50)),
    });
    const picture = { code: 'EPSG:3857', box: [1_600_000, 4_300_000, 2_400_000, 5_000_000], size: [300, 260] } as const;

    const found = await ours(path, picture, 'nearest');

    expect(differences(found, await gdals(path, picture, 'near'), 0)).toBeLessThan(0.04);
  });

  it('continues beyond the antimeridian in either range of longitudes', async () => {
    const value = (column: number, row: number) => column + row;
    const world = { width: 360, height: 180, value };
    const fromWest = await makeTiff('from-west', {
      ...world,
      elements: '<SRS>EPSG:4326</SRS><GeoTransform>-180, 1, 0, 90, 0, -1</GeoTransform>',
    });
    const fromZero = await makeTiff('from-zero', {
      ...world,
      value: (column, row) => value((column + 180) % 360, row),
      elements: '<SRS>EPSG:4326</SRS><GeoTransform>0, 1, 0, 90, 0, -1</GeoTransform>',
    });
    const picture = { code: 'EPSG:4326', box: [170, -10, 190, 10], size: [20, 20] } as const;

    const [first, second] = [await ours(fromWest, picture, 'nearest'), await ours(fromZero, picture, 'nearest')];

    expect(first.samples[0]).toBe(350 + 80);
    expect(first.samples[19]).toBe(9 + 80);
    expect(second.samples).toEqual(first.samples);
    expect(new Set(first.mask)).toEqual(new Set([255]));
  });

  it('is empty in every box outside its extent', async () => {
    const path = await makeTiff('nowhere', {});
    for (const box of [
      [-120, -40, -110, -30],
      [1e9, 1e9, 2e9, 2e9],
      [-180, -90, 180, -89],
    ] as const) {
      const found = await ours(path, { code: 'EPSG:4326', box, size: [10, 10] }, 'bilinear');
      expect(new Set(found.mask)).toEqual(new Set([0]));
    }
  });

  it('is read from its overviews when it is drawn small', async () => {
    const path = await makeTiff('large', { width: 2000, height: 1500, value: (column, row) => (column + row) / 10 });
    await runGdal('gdaladdo', ['-q', '-r', 'nearest', path, '2', '4', '8', '16']);
    const picture = { code: 'EPSG:4326', box: [10, -100, 210, 50], size: [100, 75] } as const;

    const found = await ours(path, picture, 'nearest');

    expect(differences(found, await gdals(path, picture, 'near'), 5)).toBeLessThan(0.01);
  });
});
