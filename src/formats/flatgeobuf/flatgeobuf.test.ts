import { describe, expect, test } from 'vitest';
import {
  column,
  createCollection,
  encodeBytes,
  geometryColumn,
  type MadeUpSet,
  wkt,
} from '../../../test/support/feature-collections.ts';
import { readFlatgeobuf } from '../../../test/support/flatgeobuf-files.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { encodeWkt } from '../../geometry/wkt-encode.ts';
import { flatGeobuf } from './flatgeobuf.ts';

const grid: MadeUpSet = {
  attributes: [geometryColumn('Point', 'EPSG:25832'), column('number', 'integer')],
  rows: Array.from({ length: 1_000 }, (_, index) => [
    wkt(`POINT (${500_000 + (index % 40) * 10} ${5_000_000 + Math.floor(index / 40) * 10})`),
    index,
  ]),
};

describe('FlatGeobuf', () => {
  test('writes all features in spatial order with an index', async () => {
    const bytes = await encodeBytes(flatGeobuf, createCollection([grid]));

    const table = await readFlatgeobuf(bytes);
    expect(table.description.attributes[0]).toMatchObject({ crs: { code: 'EPSG:25832' } });
    expect(new Set(table.listValues('number')).size).toBe(1_000);
    const places = table.listValues('geom').map((geometry) => [...(geometry as Geometry).ordinates]);
    const steps = places.slice(1).map(([x = 0, y = 0], index) => {
      const [lastX = 0, lastY = 0] = places[index] ?? [];
      return Math.hypot(x - lastX, y - lastY);
    });
    expect(steps.filter((step) => step > 10).length).toBeLessThan(200);
  });

  test('writes no index if a feature has no geometry', async () => {
    const set: MadeUpSet = { ...grid, rows: [...grid.rows.slice(0, 3), [null, 7]] };

    const table = await readFlatgeobuf(await encodeBytes(flatGeobuf, createCollection([set])));

    expect(table.listValues('number')).toEqual([0, 1, 2, 7]);
    expect(table.listValues('geom')[3]).toBeNull();
  });

  test('declares heights only if every geometry has them, because readers expect them in all', async () => {
    const set = (...places: readonly string[]): MadeUpSet => ({
      attributes: [geometryColumn('Geometry')],
      rows: places.map((place) => [wkt(place)]),
    });
    const headOf = async (of: MadeUpSet) => {
      const bytes = Buffer.from(await encodeBytes(flatGeobuf, createCollection([of])));
      return bytes.subarray(0, 12 + bytes.readUInt32LE(8));
    };

    const [none, some, all] = [
      await headOf(set('POINT (0 0)', 'POINT (1 1)')),
      await headOf(set('POINT (0 0)', 'POINT Z (1 1 5)')),
      await headOf(set('POINT Z (0 0 0)', 'POINT Z (1 1 5)')),
    ];

    expect(some).toEqual(none);
    expect(all).not.toEqual(none);
  });

  test('writes a readable file for an empty result', async () => {
    const table = await readFlatgeobuf(await encodeBytes(flatGeobuf, createCollection([{ ...grid, rows: [] }])));

    expect([table.description.count, table.features]).toEqual([0, []]);
  });

  test('streams features unindexed if they exceed the memory limit', async () => {
    const text = 'x'.repeat(1_000_000);
    const rows = Array.from({ length: 40 }, (_, index) => [wkt(`POINT (${40 - index} 0)`), `${index} ${text}`]);
    const set: MadeUpSet = { attributes: [geometryColumn('Point'), column('text', 'string')], rows };

    const table = await readFlatgeobuf(await encodeBytes(flatGeobuf, createCollection([set])));

    expect(table.listValues('geom').map((geometry) => encodeWkt(geometry as Geometry))).toEqual(
      rows.map((_, index) => `POINT (${40 - index} 0)`),
    );
  });

  test('writes decimals as texts with all their digits', async () => {
    const values = ['12345678901234567890.123456789', '0.10', '-7', null];
    const set: MadeUpSet = {
      attributes: [geometryColumn('Point'), column('area', 'decimal')],
      rows: values.map((value) => [wkt('POINT (1 2)'), value]),
    };

    const { description, listValues } = await readFlatgeobuf(await encodeBytes(flatGeobuf, createCollection([set])));

    expect(listValues('area').toSorted()).toEqual(values.toSorted());
    expect(description.attributes.find(({ name }) => name === 'area')).toMatchObject({ type: 'string' });
  });

  test('rejects several types', async () => {
    await expect(encodeBytes(flatGeobuf, createCollection([grid, grid]))).rejects.toMatchObject({
      code: 'format-of-one-type',
    });
  });
});
