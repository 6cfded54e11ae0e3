/** Files are read back by the GeoParquet store, because GDAL of the test machines has no Parquet driver. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { samples } from '../../../test/contract/encoders/samples.ts';
import {
  column,
  createCollection,
  encodeBytes,
  geometryColumn,
  type MadeUpSet,
  never,
  wkt,
} from '../../../test/support/feature-collections.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { encodeWkt } from '../../geometry/wkt-encode.ts';
import { openGeoparquetFile } from '../../vector/geoparquet/geoparquet-source.ts';
import type { Feature } from '../../vector/port/port.ts';
import { geoParquet } from './geoparquet.ts';

async function encode(set: MadeUpSet): Promise<Buffer> {
  return Buffer.from(await encodeBytes(geoParquet, createCollection([set])));
}

async function readBack(set: MadeUpSet) {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-parquet-'));
  try {
    const path = join(folder, 'places.parquet');
    await writeFile(path, await encode(set));
    const source = openGeoparquetFile(path);
    const description = await source.describe('places', never);
    const features: Feature[] = [];
    for await (const batch of source.read('places', {}, never)) features.push(...batch);
    return { description, rows: features.map(({ values }) => values) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const toPlain = (value: unknown) =>
  typeof value === 'object' && value !== null && 'ordinates' in value ? encodeWkt(value as Geometry) : value;

function readGeo(bytes: Buffer): Readonly<Record<string, unknown>> {
  const metadata = parquetMetadata(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
  );
  const text = metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '{}';
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

describe('GeoParquet', () => {
  test.for(Object.entries(samples))('writes %s so that the store reads them unchanged', async ([, { set, code }]) => {
    const { description, rows } = await readBack(set);

    expect(rows.map((row) => row.map(toPlain))).toEqual(set.rows.map((row) => row.map(toPlain)));
    const types = (attributes: MadeUpSet['attributes'] = []) => attributes.map(({ name, type }) => [name, type]);
    expect(types(description?.attributes)).toEqual(types(set.attributes));
    const geometry = description?.attributes.find(({ kind }) => kind === 'geometry');
    if (geometry !== undefined) expect(geometry).toMatchObject({ crs: { code } });
  });

  test('describes geometries with types, box, covering and the system as PROJJSON', async () => {
    const bytes = await encode({
      attributes: [geometryColumn('Geometry', 'EPSG:25832'), column('bbox', 'string')],
      rows: [
        [wkt('POINT Z (1 2 3)'), 'a'],
        [wkt('LINESTRING (0 0, 5 5)'), null],
        [null, null],
      ],
    });

    expect(readGeo(bytes)).toEqual({
      version: '1.1.0',
      primary_column: 'the_geom',
      columns: {
        the_geom: {
          encoding: 'WKB',
          geometry_types: ['LineString', 'Point Z'],
          bbox: [0, 0, 5, 5],
          crs: expect.objectContaining({ type: 'ProjectedCRS', id: { authority: 'EPSG', code: 25832 } }),
          covering: {
            bbox: {
              xmin: ['bbox2', 'xmin'],
              ymin: ['bbox2', 'ymin'],
              xmax: ['bbox2', 'xmax'],
              ymax: ['bbox2', 'ymax'],
            },
          },
        },
      },
    });
  });

  test('omits the system for longitude and latitude, and writes null for an unknown one', async () => {
    const describeCrs = async (code: string) => {
      const geo = readGeo(await encode({ attributes: [geometryColumn('Point', code)], rows: [[wkt('POINT (1 2)')]] }));
      return (geo['columns'] as { readonly the_geom: object }).the_geom;
    };

    expect(await describeCrs('EPSG:4326')).not.toHaveProperty('crs');
    expect(await describeCrs('EPSG:404000')).toMatchObject({ crs: null });
  });

  test('writes no measures, which the format does not have', async () => {
    const { rows } = await readBack({
      attributes: [geometryColumn('LineString', 'EPSG:4326', 'XYZM')],
      rows: [[wkt('LINESTRING ZM (1 2 3 4, 5 6 7 8)')]],
    });

    expect(rows.map((row) => row.map(toPlain))).toEqual([['LINESTRING Z (1 2 3, 5 6 7)']]);
  });

  test('writes several row groups, of which a box reads only some', async () => {
    const rows = Array.from({ length: 70_000 }, (_, index): [Geometry, number] => [wkt(`POINT (${index} 1)`), index]);
    const bytes = await encode({
      attributes: [geometryColumn('Point', 'EPSG:25832'), column('number', 'integer')],
      rows,
    });
    const { buffer, byteOffset, length } = bytes;
    const { row_groups: groups } = parquetMetadata(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer);

    expect(groups.map((group) => Number(group.num_rows))).toEqual([65_536, 4_464]);
    const findMaximum = (group: (typeof groups)[number]) =>
      group.columns.find((each) => each.meta_data?.path_in_schema.join('.') === 'bbox.xmax')?.meta_data?.statistics
        ?.max_value;
    expect(groups.map(findMaximum)).toEqual([65_535, 69_999]);
  });

  test('keeps microseconds, and writes tables without features and without geometries', async () => {
    const moments = ['2026-01-02T03:04:05.123456Z', new Date('1969-12-31T23:59:59.5Z'), null];
    const set: MadeUpSet = { attributes: [column('at', 'timestamp')], rows: moments.map((each) => [each]) };

    expect((await readBack(set)).rows).toEqual(set.rows);
    expect(await readBack({ ...set, rows: [] })).toMatchObject({ description: { count: 0 }, rows: [] });
  });

  test('writes decimals as texts with all their digits', async () => {
    const values = ['12345678901234567890.123456789', '0.10', '-7', null];
    const { description, rows } = await readBack({
      attributes: [geometryColumn('Point', 'EPSG:4326'), column('area', 'decimal')],
      rows: values.map((value) => [wkt('POINT (1 2)'), value]),
    });

    expect(rows.map((row) => row[1])).toEqual(values);
    expect(description?.attributes.find(({ name }) => name === 'area')?.type).toBe('string');
  });

  test('rejects several types', async () => {
    const set: MadeUpSet = { attributes: [column('name', 'string')], rows: [['Anna']] };

    await expect(encodeBytes(geoParquet, createCollection([set, set]))).rejects.toMatchObject({
      code: 'format-of-one-type',
    });
  });
});
