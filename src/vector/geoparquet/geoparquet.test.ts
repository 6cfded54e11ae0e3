/** Reads files of other programs: the fixtures were written by GeoPandas 1.2 and PyArrow 25. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeGeoparquet } from '../../../test/support/geoparquet-files.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { encodeWkt } from '../../geometry/wkt-encode.ts';
import type { Feature, VectorSource } from '../port/port.ts';
import type { DataFile } from '../support/data-file.ts';
import { openDataFile } from '../support/data-file.ts';
import { openGeoparquetFile } from './geoparquet-source.ts';
import { readFeatures } from './read-rows.ts';
import { readTable } from './table.ts';

const fixtures = new URL('../../../test/fixtures/geoparquet/', import.meta.url).pathname;
const never = new AbortController().signal;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-geoparquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

const openFixture = (name: string): VectorSource => openGeoparquetFile(join(fixtures, `${name}.parquet`));

async function readAll(batches: AsyncIterable<readonly Feature[]>): Promise<readonly Feature[]> {
  const features: Feature[] = [];
  for await (const batch of batches) features.push(...batch);
  return features;
}

function print(value: Feature['values'][number]): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'object' && value !== null ? encodeWkt(value) : value;
}

async function readValues(name: string): Promise<unknown> {
  const features = await readAll(openFixture(name).read(name, {}, never));
  return features.map(({ values }) => values.map(print));
}

test.for(['snappy', 'zstd', 'gzip', 'brotli'])('reads pages that are compressed with %s', async (codec) => {
  expect(await readValues(`areas-${codec}`)).toEqual([
    ['Alpha', 'MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1)))'],
    [
      'Straße',
      'MULTIPOLYGON (((10 10, 11 10, 11 11, 10 10)), ((20 20, 21 20, 21 21, 20 20), (20.5 20.2, 20.7 20.2, 20.7 20.4, 20.5 20.2)))',
    ],
    [null, null],
    ['Delta', 'MULTIPOLYGON EMPTY'],
  ]);
});

test('describes the CRS and the extent, and hides the columns with the boxes of geometries', async () => {
  expect(await openFixture('areas-zstd').describe('areas-zstd', never)).toEqual({
    name: 'areas-zstd',
    attributes: [
      { name: 'name', nillable: true, kind: 'value', type: 'string' },
      {
        name: 'geometry',
        nillable: true,
        kind: 'geometry',
        type: 'MultiPolygon',
        dimension: 'XY',
        crs: { code: 'EPSG:25832' },
      },
    ],
    defaultGeometry: 'geometry',
    bounds: { minX: 0, minY: 0, maxX: 21, maxY: 21 },
    count: 4,
  });
});

test.for([
  ['point', 'POINT (1 2)', 'POINT (3 4)'],
  ['linestring', 'LINESTRING (0 0, 1 1, 2 0)', 'LINESTRING (5 5, 6 6)'],
  ['polygon', 'POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))', 'POLYGON ((5 5, 6 5, 6 6, 5 5))'],
  ['multipoint', 'MULTIPOINT ((1 2), (3 4))', 'MULTIPOINT ((5 6))'],
  ['multilinestring', 'MULTILINESTRING ((0 0, 1 1), (2 2, 3 3, 4 2))', 'MULTILINESTRING ((7 7, 8 8))'],
  [
    'multipolygon',
    'MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1)), ((10 10, 11 10, 11 11, 10 10)))',
    'MULTIPOLYGON (((20 20, 21 20, 21 21, 20 20)))',
  ],
])('reads the native encoding of a %s', async ([encoding, first, last]) => {
  expect(await readValues(`native-${encoding}`)).toEqual([
    [1, first],
    [null, null],
    [3, last],
  ]);
});

test('reads heights of native encodings', async () => {
  expect(await readValues('native-heights')).toEqual([[1, 'POINT Z (1 2 3)']]);
});

test.for(['all-types', 'all-types-v2'])('reads all types of values of %s without loss', async (name) => {
  const [first, second, third] = (await readValues(name)) as unknown[][];

  expect(first).toEqual([
    ...[true, -5, 1, -2_147_483_648, 0, -9_223_372_036_854_775_808n, '18446744073709551615', 1.5, 0.5, 0.1],
    ...['12345678901234567890.12', 'é', '00ff', '2024-02-29T00:00:00.000Z', '01:02:03.45'],
    ...['2024-01-02T03:04:05.678Z', '2024-01-02T03:04:05.678901234Z', '12345678-1234-5678-1234-567812345678'],
  ]);
  expect(second).toEqual([
    ...[false, 7, 255, 2_147_483_647, 4_294_967_295, 12, 3, -0.25, null, -1e300],
    ...['-0.05', '', '', '1969-12-31T00:00:00.000Z', '23:59:59'],
    ...['1900-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999999999Z', '00000000-0000-0000-0000-000000000000'],
  ]);
  expect(third).toEqual(Array.from({ length: 18 }, () => null));
});

test('warns about columns with lists, which are left out', async () => {
  const description = await openFixture('all-types').describe('all-types', never);

  expect(description?.warnings).toEqual([
    "The column 'tags' is left out, because it contains lists or groups of values.",
  ]);
});

const point = (x: number): Geometry => ({
  type: 'Point',
  dimension: 'XY',
  ordinates: Float64Array.of(x, x),
  ends: [],
  parts: [],
});

/** Counts the bytes that are read from a file. */
function countBytes(file: DataFile): { readonly file: DataFile; getBytes(): number } {
  let bytes = 0;
  const readInto: DataFile['readInto'] = (target, position) => {
    bytes += target.length;
    return file.readInto(target, position);
  };
  return { file: { ...file, readInto }, getBytes: () => bytes };
}

test('reads only the row groups whose statistics meet the box, and only the requested columns', async () => {
  const path = join(folder, 'sorted.parquet');
  const numbers = Array.from({ length: 20_000 }, (_, x) => x);
  await writeGeoparquet(path, {
    columns: [{ name: 'text', data: numbers.map((x) => `${Math.sin(x)} ${Math.cos(x)}`), type: 'STRING' }],
    geometry: { name: 'geom', values: numbers.map(point) },
    hasCovering: true,
    rowGroupSize: 1_000,
  });
  const opened = await openDataFile(path);
  const box = { minX: 5_010, minY: 5_010, maxX: 5_013, maxY: 5_013 };
  const table = await readTable(opened, 'sorted');

  const narrow = countBytes(opened);
  const found = await readAll(readFeatures(narrow.file, table, { boxes: [box], attributes: ['geom'] }, never));
  const whole = countBytes(opened);
  await readAll(readFeatures(whole.file, table, {}, never));

  expect(found.map(({ id, values }) => [id, values[0]])).toEqual(
    [5_011, 5_012, 5_013, 5_014].map((number) => [`sorted.${number}`, null]),
  );
  expect(narrow.getBytes()).toBeLessThan(whole.getBytes() / 10);
  await opened.close();
});

test.for([
  ['an unknown version', { version: '2.0.0' }, "its GeoParquet version '2.0.0' is unknown. Use 1.0 or 1.1"],
  ['no primary column', { primary_column: 'other' }, 'its GeoParquet metadata does not describe its primary column'],
  [
    'an unknown encoding',
    { columns: { geom: { encoding: 'TWKB' } } },
    "the geometry column 'geom' has the unknown encoding 'TWKB'. Use one of WKB, point, linestring, polygon, multipoint, multilinestring, multipolygon",
  ],
] as const)('rejects metadata with %s', async ([, geo, reason]) => {
  const path = join(folder, 'odd.parquet');
  await writeGeoparquet(path, { columns: [], geometry: { name: 'geom', values: [point(1)] }, geo });

  await expect(openGeoparquetFile(path).describe('odd', never)).rejects.toMatchObject({
    code: 'vector-file-unsupported',
    details: { file: 'odd.parquet', reason },
  });
});

test('warns about a coordinate reference system without identifier', async () => {
  const path = join(folder, 'local.parquet');
  const geo = { columns: { geom: { encoding: 'WKB', geometry_types: ['Point'], crs: null } } };
  await writeGeoparquet(path, { columns: [], geometry: { name: 'geom', values: [point(1)] }, geo });

  const description = await openGeoparquetFile(path).describe('local', never);

  expect(description?.attributes[0]).toMatchObject({ type: 'Point', crs: {} });
  expect(description?.warnings).toEqual([
    "The coordinate reference system of 'geom' has no known identifier, so it is unknown. Set the srs of the feature type.",
  ]);
});
