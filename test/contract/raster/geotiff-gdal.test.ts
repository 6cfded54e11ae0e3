/** GeoTIFF files in every form that GDAL writes are described and read as GDAL does. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findCrs } from '../../../src/crs/resolve-crs.ts';
import { openGeotiff } from '../../../src/raster/geotiff/geotiff-source.ts';
import type { RasterWindow, WindowRequest } from '../../../src/raster/port/port.ts';
import {
  createSamplesView,
  getBytesPerSample,
  type Samples,
  type SampleType,
} from '../../../src/raster/port/samples.ts';
import { runGdal } from '../../support/gdal.ts';
import { codeIn, gdalDescription, gdalWindow, writeLandscape } from '../../support/rasters.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { describeWithTool } from '../../support/with-tool.ts';

const WIDTH = 150;
const HEIGHT = 110;

const folder = useTemporaryFolder('geotiff');
const never = new AbortController().signal;

const gdalTypeOf: Readonly<Record<string, SampleType>> = {
  Byte: 'uint8',
  UInt16: 'uint16',
  Int16: 'int16',
  UInt32: 'uint32',
  Int32: 'int32',
  UInt64: 'uint64',
  Int64: 'int64',
  Float32: 'float32',
  Float64: 'float64',
};

interface MadeTiff {
  readonly name: string;
  readonly path: string;
  readonly type: SampleType;
}

let made = 0;

async function makeTiff(
  options: Partial<Parameters<typeof writeLandscape>[2]>,
  ...args: readonly string[]
): Promise<MadeTiff> {
  made += 1;
  const name = `made${made}`;
  const landscape = { width: WIDTH, height: HEIGHT, bands: 1, type: 'Byte', ...options } as const;
  const vrt = await writeLandscape(folder, name, landscape);
  const path = join(folder, `${name}.tif`);
  await runGdal('gdal_translate', ['-q', ...args, vrt, path]);
  return { name, path, type: gdalTypeOf[landscape.type] ?? 'uint8' };
}

function read(path: string, name: string, request: WindowRequest = {}): Promise<RasterWindow> {
  return openGeotiff(path).read(name, request, never);
}

const parts = {
  'all of it': { window: { column: 0, row: 0, width: WIDTH, height: HEIGHT } },
  'a part': { window: { column: 37, row: 61, width: 90, height: 44 } },
  'one pixel': { window: { column: 149, row: 109, width: 1, height: 1 } },
} as const;

const requests = {
  whole: { window: { column: 0, row: 0, width: WIDTH, height: HEIGHT } },
  'a part': { window: { column: 37, row: 61, width: 90, height: 44 } },
  'a coarser part': { window: { column: 12, row: 10, width: 120, height: 96 }, size: { width: 30, height: 24 } },
  'a finer part': { window: { column: 5, row: 6, width: 10, height: 8 }, size: { width: 40, height: 32 } },
} as const;

/**
 * Compares all samples and parts of them with those that GDAL wrote or, with a tolerance, with those that it reads. Files
 * without losses need no second process, which takes most of the time.
 */
async function compare(file: MadeTiff, bands: readonly number[], tolerance?: number): Promise<void> {
  const { path, name, type } = file;
  const all =
    tolerance === undefined
      ? await readWritten(file, bands)
      : await gdalWindow(path, folder, type, { ...requests.whole, bands });
  for (const [title, { window }] of Object.entries(parts)) {
    const { bands: ours } = await read(path, name, { window, bands });

    for (const [index, { samples }] of ours.entries()) {
      const theirs = partOf(all[index], window);
      expect(farthest(samples, theirs), `${title}, band ${bands[index]}`).toBeLessThanOrEqual(tolerance ?? 0);
    }
  }
}

/** The samples from which GDAL made the file. */
async function readWritten({ name, type }: MadeTiff, bands: readonly number[]): Promise<readonly Samples[]> {
  const bytes = await readFile(join(folder, `${name}.raw`));
  const bandBytes = WIDTH * HEIGHT * getBytesPerSample(type);
  return bands.map((band) => createSamplesView(type, bytes.subarray(band * bandBytes, (band + 1) * bandBytes)));
}

function partOf(all: Samples | undefined, window: NonNullable<WindowRequest['window']>): readonly (number | bigint)[] {
  const { column, row, width, height } = window;
  return Array.from({ length: width * height }, (_, index) => {
    const place = (row + Math.floor(index / width)) * WIDTH + column + (index % width);
    return all?.[place] ?? Number.NaN;
  });
}

function farthest(ours: ArrayLike<number | bigint>, theirs: ArrayLike<number | bigint>): number {
  let most = ours.length === theirs.length ? 0 : Number.POSITIVE_INFINITY;
  for (let at = 0; at < ours.length; at += 1) {
    const distance = Object.is(ours[at], theirs[at]) ? 0 : Math.abs(Number(ours[at]) - Number(theirs[at]));
    most = Math.max(most, Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance);
  }
  return most;
}

const tiled = ['-co', 'TILED=YES', '-co', 'BLOCKXSIZE=64', '-co', 'BLOCKYSIZE=32'];
const compressed = (method: string, ...further: readonly string[]): readonly string[] => [
  ...['-co', `COMPRESS=${method}`],
  ...further.flatMap((option) => ['-co', option]),
];

describeWithTool('gdal', 'samples of a GeoTIFF file', () => {
  test.for(['Byte', 'UInt16', 'Int16', 'UInt32', 'Int32', 'UInt64', 'Int64', 'Float32', 'Float64'] as const)(
    'samples of type %s match GDAL',
    async (type) => {
      await compare(await makeTiff({ type }), [0]);
      await compare(
        await makeTiff({ type }, ...tiled, ...compressed('DEFLATE', 'PREDICTOR=2'), '-co', 'ENDIANNESS=BIG'),
        [0],
      );
    },
  );

  test.for(['Float32', 'Float64'] as const)(
    'samples of type %s with a floating-point predictor match GDAL',
    async (type) => {
      const value = (column: number, row: number) => Math.sin(column / 9) * 1e3 + row / 7;
      await compare(await makeTiff({ type, value }, ...compressed('DEFLATE', 'PREDICTOR=3')), [0]);
      await compare(
        await makeTiff(
          { type, value, bands: 3 },
          ...tiled,
          ...compressed('LZW', 'PREDICTOR=3'),
          '-co',
          'ENDIANNESS=BIG',
        ),
        [2, 0],
        // GDAL 3.6 itself reads other samples than it wrote.
        0,
      );
    },
  );

  test('samples in half precision match GDAL', async () => {
    await compare(await makeTiff({ type: 'Float32', value: (x, y) => x / 8 - y }, '-co', 'NBITS=16'), [0]);
  });

  test.for([1, 2, 4, 7])('samples of %i bits match GDAL', async (bits) => {
    const value = (column: number, row: number) => (column * 3 + row) % 2 ** bits;
    await compare(await makeTiff({ value }, '-co', `NBITS=${bits}`), [0]);
    await compare(
      await makeTiff({ value, bands: 3 }, '-co', `NBITS=${bits}`, ...tiled, ...compressed('LZW')),
      [1, 2, 0],
    );
  });

  test.for([9, 12, 15])('samples of %i bits in two bytes match GDAL', async (bits) => {
    const value = (column: number, row: number) => (column * 300 + row) % 2 ** bits;
    await compare(await makeTiff({ type: 'UInt16', value }, '-co', `NBITS=${bits}`), [0]);
  });

  test('samples of 24 bits in four bytes match GDAL', async () => {
    const value = (column: number, row: number) => column * 65_000 + row;
    await compare(await makeTiff({ type: 'UInt32', value }, '-co', 'NBITS=24', ...compressed('DEFLATE')), [0]);
  });

  test.for(['NONE', 'DEFLATE', 'LZW', 'PACKBITS', 'ZSTD', 'LERC', 'LERC_DEFLATE', 'LERC_ZSTD'])(
    'samples compressed with %s, in strips and tiles, planar and chunky, match GDAL',
    async (method) => {
      const options = { bands: 4, type: 'UInt16' } as const;
      for (const interleave of ['PIXEL', 'BAND']) {
        const how = ['-co', `INTERLEAVE=${interleave}`, ...compressed(method)];
        await compare(await makeTiff(options, '-co', 'BLOCKYSIZE=7', ...how), [3, 0, 2]);
        await compare(await makeTiff(options, ...tiled, ...how), [0, 1, 2, 3]);
      }
    },
  );

  test('floating-point samples compressed with LERC, some missing, match GDAL', async () => {
    const value = (column: number, row: number) => ((column + row) % 17 === 0 ? -9999 : column / 3 - row);
    const bandElements = '<NoDataValue>-9999</NoDataValue>';
    await compare(await makeTiff({ type: 'Float32', value, bandElements }, ...tiled, ...compressed('LERC')), [0]);
  });

  test('samples compressed with WebP, with and without alpha, match GDAL', async () => {
    await compare(await makeTiff({ bands: 3 }, ...tiled, ...compressed('WEBP', 'WEBP_LOSSLESS=YES')), [0, 1, 2]);
    await compare(
      await makeTiff(
        { bands: 4 },
        ...tiled,
        ...compressed('WEBP', 'WEBP_LOSSLESS=YES'),
        '-colorinterp',
        'red,green,blue,alpha',
      ),
      [0, 1, 2, 3],
    );
    await compare(await makeTiff({ bands: 3 }, ...tiled, ...compressed('WEBP')), [0, 1, 2], 1);
  });

  test('samples compressed with JPEG match GDAL: gray, RGB, YCbCr and non-color bands', async () => {
    await compare(await makeTiff({}, ...compressed('JPEG')), [0], 1);
    await compare(await makeTiff({ bands: 3 }, ...tiled, ...compressed('JPEG', 'PHOTOMETRIC=YCBCR')), [0, 1, 2], 2);
    await compare(await makeTiff({ bands: 3 }, ...tiled, ...compressed('JPEG', 'PHOTOMETRIC=RGB')), [0, 1, 2], 1);
    await compare(await makeTiff({ bands: 3 }, ...tiled, ...compressed('JPEG', 'INTERLEAVE=BAND')), [0, 1, 2], 1);
    await compare(await makeTiff({ bands: 4 }, ...tiled, ...compressed('JPEG')), [0, 1, 2, 3], 3);
  });

  test.for(Object.entries(requests))('samples of %s match GDAL', async ([, request]) => {
    const { path, name } = await makeTiff({ bands: 2, type: 'Float32' }, ...tiled);
    const expected = await gdalWindow(path, folder, 'float32', { ...request, bands: [1, 0] });

    const { bands } = await read(path, name, { ...request, bands: [1, 0] });

    expect(bands.map(({ samples }) => samples)).toEqual(expected);
  });

  test('samples of a BigTIFF file match GDAL', async () => {
    await compare(await makeTiff({ bands: 2, type: 'Int16' }, '-co', 'BIGTIFF=YES', ...tiled), [1, 0]);
    await compare(await makeTiff({}, '-co', 'BIGTIFF=YES', '-co', 'ENDIANNESS=BIG'), [0]);
  });

  test('samples of a cloud-optimized file match GDAL and come from its overviews', async () => {
    const { path, name } = await makeTiff({ type: 'Float32' });
    const cog = join(folder, `${name}-cog.tif`);
    await runGdal('gdal_translate', [
      '-q',
      '-of',
      'COG',
      '-co',
      'BLOCKSIZE=32',
      '-co',
      'COMPRESS=DEFLATE',
      '-co',
      'OVERVIEW_RESAMPLING=AVERAGE',
      path,
      cog,
    ]);
    const overviews = (await gdalDescription(cog)).bands[0]?.overviews?.map(({ size }) => size);

    const described = await openGeotiff(cog).describe(`${name}-cog`, never);

    expect(described?.overviews.map(({ width, height }) => [width, height])).toEqual(overviews);
    expect(described?.overviews.length).toBeGreaterThan(1);
    for (const request of [
      { window: { column: 0, row: 0, width: WIDTH, height: HEIGHT }, size: { width: 75, height: 55 } },
      { window: { column: 0, row: 0, width: 148, height: 108 }, size: { width: 37, height: 27 } },
      { window: { column: 40, row: 20, width: 80, height: 40 }, size: { width: 40, height: 20 } },
    ]) {
      const [expected] = await gdalWindow(cog, folder, 'float32', { ...request, bands: [0] });
      const window = await read(cog, `${name}-cog`, request);
      expect(window.bands[0]?.samples).toEqual(expected);
    }
  });

  test('samples of a file with an internal mask, with and without overviews, match GDAL', async () => {
    const value = (column: number, row: number, band: number) =>
      band === 3 ? (column + row > 90 ? 255 : 0) : column + band;
    const args = ['-b', '1', '-b', '2', '-b', '3', '-mask', '4', '--config', 'GDAL_TIFF_INTERNAL_MASK', 'YES'];
    const { path, name } = await makeTiff({ bands: 4, value }, ...args, ...tiled, ...compressed('DEFLATE'));
    for (const request of [requests.whole, requests['a part'], requests['a coarser part']]) {
      const [expected] = await gdalWindow(path, folder, 'uint8', { ...request, bands: [-1] });
      const window = await read(path, name, request);
      expect(window.bands.map((band) => band.mask)).toEqual([expected, expected, expected]);
    }
    await runGdal('gdaladdo', ['-q', '--config', 'GDAL_TIFF_INTERNAL_MASK', 'YES', path, '2', '4']);
    const described = await openGeotiff(path).describe(name, never);
    expect(described).toMatchObject({
      hasMask: true,
      overviews: [
        { width: 75, height: 55 },
        { width: 38, height: 28 },
      ],
    });
    const coarse = { window: requests.whole.window, size: { width: 75, height: 55 } };
    const [expected] = await gdalWindow(path, folder, 'uint8', { ...coarse, bands: [-1] });
    expect((await read(path, name, coarse)).bands[0]?.mask).toEqual(expected);
  });
});

describeWithTool('gdal', 'description of a GeoTIFF file', () => {
  const utm = '<SRS>EPSG:32633</SRS><GeoTransform>300000, 30, 0, 5000000, 0, -30</GeoTransform>';
  const projected = (text: string) => `<SRS>${text}</SRS><GeoTransform>1000, 10, 0, 2000, 0, -10</GeoTransform>`;

  async function compareDescription(file: { readonly path: string; readonly name: string }) {
    const theirs = await gdalDescription(file.path);
    const ours = await openGeotiff(file.path).describe(file.name, never);
    const { transform } = ours?.grid ?? {};
    expect([ours?.grid.width, ours?.grid.height]).toEqual(theirs.size);
    const numbers = transform && [
      transform.originX,
      transform.columnX,
      transform.rowX,
      transform.originY,
      transform.columnY,
      transform.rowY,
    ];
    for (const [index, number] of (theirs.geoTransform ?? []).entries())
      expect(numbers?.[index]).toBeCloseTo(number, 9);
    expect(ours?.bands.map((band) => band.type)).toEqual(theirs.bands.map((band) => gdalTypeOf[band.type]));
    expect(ours?.bands.map((band) => band.colorInterpretation)).toEqual(
      theirs.bands.map((band) => band.colorInterpretation.toLowerCase()),
    );
    return { ours, theirs };
  }

  test.for([
    ['EPSG:4326', 'EPSG:4326'],
    ['EPSG:32633', 'EPSG:32633'],
    ['EPSG:3857', 'EPSG:3857'],
    ['EPSG:2154', 'EPSG:2154'],
    ['EPSG:3035', 'EPSG:3035'],
    ['EPSG:27700', 'EPSG:27700'],
    ['ESRI:54009', 'ESRI:54009'],
    ['+proj=utm +zone=33 +datum=WGS84', 'EPSG:32633'],
    ['+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 +ellps=bessel +units=m', undefined],
    ['+proj=lcc +lat_1=49 +lat_2=44 +lat_0=46.5 +lon_0=3 +x_0=700000 +y_0=6600000 +ellps=GRS80 +units=m', undefined],
    ['+proj=laea +lat_0=10 +lon_0=20 +x_0=1 +y_0=2 +datum=WGS84 +units=m', undefined],
    ['+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=23 +lon_0=-96 +x_0=0 +y_0=0 +datum=NAD83 +units=us-ft', undefined],
  ] as const)('its coordinate system matches GDAL: %s', async ([text, code]) => {
    const { ours } = await compareDescription(await makeTiff({ elements: projected(text) }));

    if (code !== undefined) expect(ours?.grid.crs.code).toBe(code);
    else expect(ours?.grid.crs.wkt).toMatch(/^PROJCS/);
  });

  test('the code of its coordinate system matches GDAL', async () => {
    const { ours, theirs } = await compareDescription(await makeTiff({ elements: utm }));

    expect(ours?.grid.crs.code).toBe(codeIn(theirs.coordinateSystem?.wkt));
    expect(ours?.grid.bounds).toEqual({ minX: 300000, minY: 4996700, maxX: 304500, maxY: 5000000 });
  });

  test('its transform matches GDAL when pixels are points', async () => {
    await compareDescription(
      await makeTiff({ elements: `${utm}<Metadata><MDI key="AREA_OR_POINT">Point</MDI></Metadata>` }),
    );
  });

  test('its transform matches GDAL when it is rotated', async () => {
    await compareDescription(
      await makeTiff({ elements: '<SRS>EPSG:32633</SRS><GeoTransform>1000, 10, 3, 2000, 4, -9</GeoTransform>' }),
    );
  });

  test('its position matches GDAL when only sidecar files contain it', async () => {
    const { path, name } = await makeTiff({ elements: utm }, '-co', 'PROFILE=BASELINE', '-co', 'TFW=YES');
    await writeFile(join(folder, `${name}.prj`), (await findCrs('EPSG:32633'))?.wkt ?? '');

    const described = await openGeotiff(path).describe(name, never);

    expect(described?.grid).toMatchObject({
      crs: { code: 'EPSG:32633' },
      bounds: { minX: 300000, minY: 4996700, maxX: 304500, maxY: 5000000 },
    });
  });

  test('its bands match GDAL: names, units, no data, scale, colors', async () => {
    const bandElements = (band: number) =>
      `<Description>b${band}</Description><UnitType>m</UnitType><NoDataValue>-32768</NoDataValue><Offset>273.15</Offset><Scale>0.01</Scale>`;
    const { ours } = await compareDescription(await makeTiff({ bands: 2, type: 'Int16', bandElements }));

    expect(ours?.bands).toMatchObject([
      { name: 'b0', unit: 'm', noData: -32768, offset: 273.15, scale: 0.01 },
      { name: 'b1', unit: 'm', noData: -32768, offset: 273.15, scale: 0.01 },
    ]);
  });

  test('its statistics match GDAL when the file contains them', async () => {
    const { ours } = await compareDescription(await makeTiff({ value: (x) => x % 50 }, '-stats'));

    expect(ours?.bands[0]).toMatchObject({ minimum: 0, maximum: 49 });
  });

  test('its color interpretation matches GDAL', async () => {
    await compareDescription(await makeTiff({ bands: 3 }, '-co', 'PHOTOMETRIC=RGB'));
    await compareDescription(await makeTiff({ bands: 4 }, '-co', 'PHOTOMETRIC=RGB', '-co', 'ALPHA=YES'));
    await compareDescription(await makeTiff({ bands: 2 }, '-co', 'ALPHA=YES'));
    await compareDescription(await makeTiff({ bands: 5 }));
    await compareDescription(await makeTiff({ bands: 3 }, '-co', 'PHOTOMETRIC=YCBCR', ...compressed('JPEG')));
  });

  test('its palette matches GDAL', async () => {
    const bandElements =
      '<ColorInterp>Palette</ColorInterp><ColorTable><Entry c1="1" c2="2" c3="3" c4="255"/><Entry c1="255" c2="128" c3="0" c4="255"/></ColorTable>';
    const { ours } = await compareDescription(await makeTiff({ value: (x) => x % 2, bandElements }));

    expect([...(ours?.bands[0]?.palette?.subarray(0, 8) ?? [])]).toEqual([1, 2, 3, 255, 255, 128, 0, 255]);
  });
});

describeWithTool('gdal', 'missing data in a GeoTIFF file', () => {
  let file: { readonly path: string; readonly name: string };

  beforeAll(async () => {
    const value = (column: number) => (column % 10 === 0 ? -9999 : column);
    file = await makeTiff(
      { type: 'Int16', value, bandElements: '<NoDataValue>-9999</NoDataValue><Scale>0.5</Scale><Offset>100</Offset>' },
      ...tiled,
    );
  });

  test('the mask of a band is 0', async () => {
    const request = requests['a part'];
    const [expected] = await gdalWindow(file.path, folder, 'uint8', { ...request, bands: [-1] });

    const { bands } = await read(file.path, file.name, request);

    expect(bands[0]?.mask).toEqual(expected);
  });

  test('scaled values keep the mask', async () => {
    const window = { column: 10, row: 0, width: 4, height: 1 };

    const { bands } = await read(file.path, file.name, { window, values: 'scaled' });

    expect(bands[0]?.samples).toEqual(Float64Array.of(-4899.5, 105.5, 106, 106.5));
    expect([...(bands[0]?.mask ?? [])]).toEqual([0, 255, 255, 255]);
  });

  test('blocks missing from the file are filled', async () => {
    const sparse = await makeTiff(
      { type: 'Int16', value: () => -9999, bandElements: '<NoDataValue>-9999</NoDataValue>' },
      ...tiled,
      ...['-co', 'SPARSE_OK=TRUE'],
    );

    const { bands } = await read(sparse.path, sparse.name, requests['a part']);

    expect(new Set(bands[0]?.samples as Int16Array)).toEqual(new Set([-9999]));
    expect(new Set(bands[0]?.mask)).toEqual(new Set([0]));
  });
});

describeWithTool('gdal', 'unreadable GeoTIFF file', () => {
  test.for([
    ['LZMA', 'LZMA', {}],
    ['CCITTFAX4', 'CCITT Group 4 fax', { value: (column: number) => column % 2 }],
  ] as const)(
    'a GeoTIFF file is rejected with the name of its compression: %s',
    async ([method, reported, options]) => {
      const bits = method === 'CCITTFAX4' ? ['-co', 'NBITS=1'] : [];
      const { path, name } = await makeTiff(options, ...bits, ...compressed(method));

      await expect(openGeotiff(path).describe(name, never)).rejects.toMatchObject({
        code: 'raster-file-unsupported',
        message: `The raster file '${name}.tif' is not supported: it uses the compression ${reported}.`,
      });
    },
  );

  test('a GeoTIFF file with complex samples is rejected', async () => {
    const { path } = await makeTiff({ type: 'Float32' });
    const complex = join(folder, 'complex.tif');
    await runGdal('gdal_translate', ['-q', '-ot', 'CFloat32', path, complex]);

    await expect(openGeotiff(complex).describe('complex', never)).rejects.toThrow('it has complex samples');
  });
});
