import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/e2e/temporary-folder.ts';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { encodeFlatgeobuf, readFlatgeobuf, removeIndex } from '../../../test/support/flatgeobuf-files.ts';
import { runGdal } from '../../../test/support/gdal.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { encodeWkt } from '../../geometry/wkt-encode.ts';
import type { SourceQuery } from '../port/port.ts';
import { openFlatgeobufFile } from './flatgeobuf-source.ts';

const never = new AbortController().signal;
const listTexts = (geometries: readonly unknown[]) =>
  geometries.map((each) => (each === null ? null : encodeWkt(each as Geometry)));

const texts = [
  'POINT (7 50)',
  'LINESTRING (7 50, 8 51, 9 50)',
  'POLYGON ((7 50, 8 50, 8 51, 7 50), (7.5 50.1, 7.6 50.1, 7.6 50.2, 7.5 50.1))',
  'MULTIPOLYGON (((7 50, 8 50, 8 51, 7 50)), ((1 2, 2 2, 2 3, 1 2)))',
  'MULTILINESTRING ((7 50, 8 51), (1 2, 3 4))',
  'MULTIPOINT ((7 50), (1 2))',
  'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (3 4, 5 6))',
];

describeWithTool('gdal', 'a file written by GDAL', () => {
  async function convert(csv: readonly string[], types: string, ...options: readonly string[]): Promise<string> {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'in.csv'), csv.join('\n'));
    await writeFile(join(folder, 'in.csvt'), types);
    const path = join(folder, 'a.fgb');
    await runGdal('ogr2ogr', [
      ...['-f', 'FlatGeobuf', '-a_srs', 'EPSG:4326', '-oo', 'GEOM_POSSIBLE_NAMES=wkt'],
      ...['-oo', 'KEEP_GEOM_COLUMNS=NO', '-nln', 'a', ...options, path, join(folder, 'in.csv')],
    ]);
    return path;
  }

  async function read(path: string) {
    const source = openFlatgeobufFile(path);
    const description = await source.describe('a', never);
    const rows: (readonly unknown[])[] = [];
    for await (const batch of source.read('a', {}, never)) rows.push(...batch.map(({ values }) => values));
    return { description, rows };
  }

  it.each([['YES'], ['NO']])('with SPATIAL_INDEX=%s is read with all geometries and values', async (index) => {
    const rows = texts.map((text, number) => `${number},${number / 4},n ü ${number},2026-01-0${number + 1},"${text}"`);
    const types = 'Integer,Real,String,DateTime,String';
    const path = await convert(['number,share,label,day,wkt', ...rows], types, '-lco', `SPATIAL_INDEX=${index}`);

    const { description, rows: found } = await read(path);

    expect(description).toMatchObject({
      count: texts.length,
      bounds: { minX: 1, minY: 2, maxX: 9, maxY: 51 },
      attributes: [
        { name: 'geom', type: 'Geometry', crs: { code: 'EPSG:4326' } },
        { name: 'number', type: 'integer' },
        { name: 'share', type: 'double' },
        { name: 'label', type: 'string' },
        { name: 'day', type: 'timestamp' },
      ],
    });
    const sorted = found.toSorted((one, other) => Number(one[1]) - Number(other[1]));
    expect(listTexts(sorted.map(([geometry]) => geometry))).toEqual(texts);
    expect(sorted.map((values) => values.slice(1))).toEqual(
      texts.map((_, number) => [number, number / 4, `n ü ${number}`, new Date(Date.UTC(2026, 0, number + 1))]),
    );
  });

  it('with heights and measures is read with them', async () => {
    const path = await convert(
      ['n,wkt', '1,"LINESTRING ZM (1 2 3 4,5 6 7 8)"'],
      'Integer,String',
      '-nlt',
      'LINESTRINGZM',
    );

    const { description, rows } = await read(path);

    expect(description?.attributes[0]).toMatchObject({ type: 'LineString', dimension: 'XYZM' });
    expect(listTexts(rows.map(([geometry]) => geometry))).toEqual(['LINESTRING ZM (1 2 3 4, 5 6 7 8)']);
  });

  it('with curves is rejected with advice', async () => {
    const path = await convert(
      ['n,wkt', '1,"CIRCULARSTRING (0 0,1 1,2 0)"'],
      'Integer,String',
      '-nlt',
      'CIRCULARSTRING',
    );

    await expect(read(path)).rejects.toMatchObject({
      code: 'vector-file-unsupported',
      message: expect.stringContaining('Convert curves and surfaces to lines and polygons'),
    });
  });
});

describe('a FlatGeobuf file', () => {
  /** A grid of 100 by 100 points. */
  const grid = {
    attributes: [geometryColumn('Point'), column('number', 'integer')],
    rows: Array.from({ length: 10_000 }, (_, index): [Geometry, number] => [
      wkt(`POINT (${index % 100} ${Math.floor(index / 100)})`),
      index,
    ]),
  };

  async function openGrid(hasIndex: boolean) {
    const bytes = await encodeFlatgeobuf(grid);
    const path = join(await temporaryFolder(), 'grid.fgb');
    await writeFile(path, hasIndex ? bytes : removeIndex(bytes));
    return openFlatgeobufFile(path);
  }

  it.each([[true], [false]])('with an index: %s returns pages in both directions', async (hasIndex) => {
    const source = await openGrid(hasIndex);
    const select = async (query: SourceQuery) => {
      const keys: (string | undefined)[] = [];
      for await (const batch of (await source.select?.('grid', query, never))?.batches ?? [])
        keys.push(...batch.map(({ key }) => key));
      return keys;
    };

    expect(await select({ limit: 2, offset: 9_997 })).toEqual(['9998', '9999']);
    expect(await select({ start: { side: 'after', key: '9998' }, limit: 5 })).toEqual(['9999', '10000']);
    expect(await select({ start: { side: 'before', key: '4' }, limit: 2 })).toEqual(['3', '2']);
    expect(await select({ start: { side: 'after', key: '10000' }, limit: 2 })).toEqual([]);
  });

  it('keeps integers of 64 bits exact and reads the values of all types', async () => {
    const row = [9_007_199_254_740_993n, 7, 1.5, true, 'ü', new Date('2026-01-02T03:04:05Z'), Buffer.from([1, 2])];
    const types = ['long', 'short', 'float', 'boolean', 'string', 'timestamp', 'bytes'] as const;

    const { features, description } = await readFlatgeobuf(
      await encodeFlatgeobuf({
        attributes: types.map((type) => column(type, type)),
        rows: [row, row.map(() => null)],
      }),
    );

    expect(description.attributes.map((each) => each.type)).toEqual(types);
    expect(features.map(({ id, values }) => [id, values])).toEqual([
      ['file.1', row],
      ['file.2', row.map(() => null)],
    ]);
  });
});
