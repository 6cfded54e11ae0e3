/** GDAL reads the GeoTIFF files that the server writes. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type WrittenRaster, writeGeotiff, writePictureGeotiff } from '../../../src/formats/geotiff/geotiff.ts';
import { createSamples, type Samples, type SampleType, sampleTypes } from '../../../src/raster/port/samples.ts';
import { codeIn, gdalDescription, gdalWindow } from '../../support/rasters.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { describeWithTool } from '../../support/with-tool.ts';

const folder = useTemporaryFolder('geotiff-writer');
const WIDTH = 70;
const HEIGHT = 900;

const transform = { originX: 7, columnX: 0.25, rowX: 0, originY: 50, columnY: 0, rowY: -0.5 };

function band(type: SampleType, number: number): WrittenRaster['bands'][number] {
  const samples = createSamples(type, WIDTH * HEIGHT);
  for (let at = 0; at < samples.length; at += 1) {
    const value = (at * 7 + number * 3) % 100;
    samples[at] = samples instanceof BigInt64Array || samples instanceof BigUint64Array ? BigInt(value) : value;
  }
  return { samples, described: { type, colorInterpretation: 'undefined' } };
}

async function write(name: string, raster: Partial<WrittenRaster>): Promise<string> {
  const path = join(folder, `${name}.tif`);
  const whole = { width: WIDTH, height: HEIGHT, transform, crs: { code: 'EPSG:4326' }, bands: [], ...raster };
  await writeFile(path, await writeGeotiff(whole));
  return path;
}

const all = { column: 0, row: 0, width: WIDTH, height: HEIGHT };
const numbers = (samples: Samples | undefined) =>
  Array.from({ length: samples?.length ?? 0 }, (_, at) => Number(samples?.[at]));

describeWithTool('gdal', 'written GeoTIFF file', () => {
  it.each(Object.keys(sampleTypes).filter((type) => type !== 'int8') as SampleType[])(
    'has samples of type %s',
    async (type) => {
      const bands = [band(type, 0), band(type, 1)];

      const path = await write(type, { bands });

      const read = await gdalWindow(path, folder, type, { window: all, bands: [0, 1] });
      expect(read.map(numbers)).toEqual(bands.map(({ samples }) => numbers(samples)));
    },
  );

  it('contains its position, CRS and no-data value', async () => {
    const { samples, described } = band('int16', 0);
    const mask = new Uint8Array(WIDTH * HEIGHT).fill(255);
    mask[5] = 0;

    const path = await write('place', { bands: [{ samples, mask, described: { ...described, noData: -99 } }] });

    const reported = await gdalDescription(path);
    expect(reported.geoTransform).toEqual([7, 0.25, 0, 50, 0, -0.5]);
    expect(codeIn(reported.coordinateSystem?.wkt)).toBe('EPSG:4326');
    expect(reported.bands[0]?.noDataValue).toBe(-99);
    const [read] = await gdalWindow(path, folder, 'int16', { window: all, bands: [0] });
    expect(numbers(read).slice(4, 7)).toEqual([28, -99, 42]);
  });

  it.each([
    ['uint8', [1, 2, 3], 0],
    ['uint8', [0, 2, 3], 255],
    ['uint8', [0, 255, 254], 253],
    ['int16', [0, 1], 32_767],
    ['int32', [0, 2_147_483_647], 2_147_483_646],
    ['uint8', Array.from({ length: 256 }, (_, value) => value), undefined],
    ['float32', [0, 1], Number.NaN],
  ] as const)('has a no-data value that no sample has: %s %j', async (type, values, expected) => {
    const { samples, described } = band(type, 0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = values[at % values.length] ?? 0;
    const mask = new Uint8Array(WIDTH * HEIGHT).fill(255);
    mask[5] = 0;

    const path = await write('unused', { bands: [{ samples, mask, described }] });

    const noData = (await gdalDescription(path)).bands[0]?.noDataValue;
    expect(Number(noData ?? -1)).toBe(expected ?? -1);
    const [read] = await gdalWindow(path, folder, type, { window: all, bands: [0] });
    expect(numbers(read).slice(0, 5)).toEqual(numbers(samples).slice(0, 5));
    expect(numbers(read)[5]).toBe(expected ?? numbers(samples)[5]);
  });

  it('can be rotated and in a projected CRS', async () => {
    const turned = { originX: 500_000, columnX: 10, rowX: 2, originY: 5_000_000, columnY: 2, rowY: -10 };

    const path = await write('turned', { bands: [band('uint8', 0)], transform: turned, crs: { code: 'EPSG:32632' } });

    const reported = await gdalDescription(path);
    expect(reported.geoTransform).toEqual([500_000, 10, 2, 5_000_000, 2, -10]);
    expect(codeIn(reported.coordinateSystem?.wkt)).toBe('EPSG:32632');
  });

  it('is an RGB image if it has three bands of bytes', async () => {
    const path = await write('colour', { bands: [band('uint8', 0), band('uint8', 1), band('uint8', 2)] });

    const reported = await gdalDescription(path);
    expect(reported.bands.map(({ colorInterpretation }) => colorInterpretation)).toEqual(['Red', 'Green', 'Blue']);
  });

  it('has tiles and overviews of every second sample if it is large', async () => {
    const [width, height] = [1_300, 700];
    const samples = createSamples('int16', width * height);
    for (let at = 0; at < samples.length; at += 1) samples[at] = (at % width) + Math.floor(at / width);
    const bands = [{ samples, described: { type: 'int16', colorInterpretation: 'undefined' } as const }];

    const path = await write('large', { width, height, bands });

    const reported = await gdalDescription(path);
    expect(reported.bands[0]).toMatchObject({
      block: [256, 256],
      overviews: [{ size: [650, 350] }, { size: [325, 175] }, { size: [163, 88] }],
    });
    const [read] = await gdalWindow(path, folder, 'int16', { window: { ...all, width, height }, bands: [0] });
    expect(numbers(read)).toEqual(numbers(samples));
    expect(await readOverview(path, 0)).toEqual([0, 2, 4]);
  });

  it.each([
    ['small', 300, []],
    ['large', 1_300, [{ size: [650, 350] }, { size: [325, 175] }, { size: [163, 88] }]],
  ] as const)('is a cloud-optimized GeoTIFF on request if it is %s', async (name, width, overviews) => {
    const height = name === 'small' ? 200 : 700;
    const samples = new Int16Array(width * height).map((_, at) => at % width);
    const path = join(folder, `${name}-cog.tif`);
    const bands = [{ samples, described: { type: 'int16', colorInterpretation: 'undefined' } as const }];

    await writeFile(
      path,
      await writeGeotiff({ width, height, transform, crs: { code: 'EPSG:4326' }, bands }, { isCloudOptimized: true }),
    );

    const reported = await gdalDescription(path);
    expect(reported.metadata?.['IMAGE_STRUCTURE']).toMatchObject({ LAYOUT: 'COG', COMPRESSION: 'DEFLATE' });
    expect(reported.bands[0]).toMatchObject({
      block: [256, 256],
      overviews: name === 'small' ? [{ size: [150, 100] }] : overviews,
    });
    const [read] = await gdalWindow(path, folder, 'int16', { window: { ...all, width, height }, bands: [0] });
    expect(numbers(read)).toEqual(numbers(samples));
  });

  it('is an image with averaged overviews, in the order of a cloud-optimized GeoTIFF', async () => {
    const [width, height] = [1_100, 1_050];
    const bytes = new Uint8Array(width * height * 4);
    for (let at = 0; at < width * height; at += 1) bytes.set(at % 2 === 0 ? [200, 100, 0, 255] : [0, 0, 0, 0], at * 4);
    const path = join(folder, 'picture.tif');

    const file = await writePictureGeotiff({
      width,
      height,
      bytes,
      hasOpacity: true,
      transform,
      crs: { code: 'EPSG:4326' },
    });
    await writeFile(path, file);

    const { bands } = await gdalDescription(path);
    expect(bands.map(({ colorInterpretation }) => colorInterpretation)).toEqual(['Red', 'Green', 'Blue', 'Alpha']);
    expect(bands[0]).toMatchObject({
      block: [256, 256],
      overviews: [{ size: [550, 525] }, { size: [275, 263] }, { size: [138, 132] }],
    });
    expect(await readOverview(path, 0)).toEqual([200, 200, 200]);
    expect(await readOverview(path, 2, 4)).toEqual([128, 128, 128]);
    const offsets = await readTileOffsets(path, 4);
    expect(offsets).toEqual(offsets.toSorted((one, other) => other - one));
  });
});

/** Returns the first three samples of an overview. */
async function readOverview(path: string, level: number, band = 1): Promise<readonly number[]> {
  const run = promisify(execFile);
  const target = join(folder, `overview-${level}-${band}.tif`);
  await run('gdal_translate', ['-q', '-oo', `OVERVIEW_LEVEL=${level}`, '-b', String(band), path, target]);
  const values = [0, 1, 2].map(async (x) => {
    const { stdout } = await run('gdallocationinfo', ['-valonly', target, String(x), '0']);
    return Number(stdout);
  });
  return Promise.all(values);
}

/** Returns the offset of the first tile of each level, by reading the directories. */
async function readTileOffsets(path: string, levels: number): Promise<readonly number[]> {
  const file = await readFile(path);
  const found: number[] = [];
  for (let at = file.readUInt32LE(4); at !== 0 && found.length < levels; ) {
    const count = file.readUInt16LE(at);
    for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
      if (file.readUInt16LE(entry) !== 324) continue;
      const place = file.readUInt32LE(entry + 8);
      found.push(file.readUInt32LE(entry + 4) === 1 ? place : file.readUInt32LE(place));
    }
    at = file.readUInt32LE(at + 2 + count * 12);
  }
  return found;
}
