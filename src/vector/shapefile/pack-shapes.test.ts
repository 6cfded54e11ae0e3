/** Checks that packed features equal the features that are read. */
import { describe, expect, test } from 'vitest';
import {
  multiPointContent,
  nullContent,
  partsContent,
  pointContent,
  type ShapefileSpec,
} from '../../../test/support/shapefile-bytes.ts';
import { useShapefileSources } from '../../../test/support/shapefile-sources.ts';
import { describeType, readAllFeatures } from '../../../test/support/vector-reading.ts';
import type { FeatureBatch } from '../port/packed-features.ts';
import type { PackedAttributes, SourceQuery, VectorSource } from '../port/port.ts';
import { createNearBoxFilter } from '../query/box-filter.ts';
import { packFeatures } from '../support/pack-features.ts';

const { source } = useShapefileSources();
const never = new AbortController().signal;
const all: PackedAttributes = { geometries: ['the_geom'], values: ['name', 'number', 'day'], hasIds: true };

const square = [0, 0, 0, 4, 4, 4, 4, 0, 0, 0];
const hole = [1, 1, 2, 1, 2, 2, 1, 2, 1, 1];
const heights = Array.from({ length: 14 }, (_, index) => index);
const table = {
  fields: [
    { name: 'name', type: 'C', width: 5 },
    { name: 'number', type: 'N', width: 5 },
    { name: 'day', type: 'D', width: 8 },
  ],
  rows: [
    { values: ['one', '1', '20240331'] },
    { values: ['two', '2', ''], deleted: true },
    { values: ['three', '', ''] },
  ],
};

async function packed(it: VectorSource, query: SourceQuery = {}): Promise<readonly FeatureBatch[]> {
  const batches: FeatureBatch[] = [];
  for await (const batch of (await it.pack?.('it', query, all, never)) ?? []) batches.push(batch);
  return batches;
}

describe('packed shapefile features', () => {
  test.each<[string, ShapefileSpec]>([
    ['points', { type: 1, records: [pointContent(1, 2), pointContent(3, 4), pointContent(5, 6)] }],
    ['nothing', { type: 1, records: [nullContent, undefined, pointContent(Number.NaN, 1)] }],
    ['points with heights', { type: 11, records: [pointContent(1, 2, 3, 4)] }],
    ['groups of points', { type: 8, records: [multiPointContent(8, [1, 2, 3, 4])] }],
    ['a line', { type: 3, records: [partsContent(3, [[0, 0, 1, 1]])] }],
    [
      'two lines',
      {
        type: 3,
        records: [
          partsContent(3, [
            [0, 0, 1, 1],
            [2, 2, 3, 3],
          ]),
        ],
      },
    ],
    ['polygons', { type: 5, records: [partsContent(5, [square]), nullContent, partsContent(5, [square])] }],
    ['polygons with holes', { type: 5, records: [partsContent(5, [hole, square])] }],
    ['polygons with heights', { type: 15, records: [partsContent(15, [square], heights)] }],
  ])('equal the features that are read: %s', async (_, spec) => {
    const it = await source({ ...spec, table });
    const places = { geometries: [0], values: [1, 2, 3], dates: new Set([2]), hasIds: true };

    const batches = await packed(it);

    expect(batches).toEqual([packFeatures(await readAllFeatures(it, 'it'), places)]);
    expect(batches[0]?.columns[2]?.[0]).toBe('2024-03-31');
  });

  test('are limited to a box on request', async () => {
    const it = await source({ type: 1, records: [pointContent(1, 2), pointContent(3, 4), pointContent(5, 6)], table });

    const [batch] = await packed(it, {
      filter: createNearBoxFilter('the_geom', { minX: 4, minY: 4, maxX: 9, maxY: 9 }),
    });

    expect(batch).toMatchObject({
      ids: ['it.3'],
      ordinates: Float64Array.of(5, 6),
      columns: [['three'], [null], [null]],
    });
  });

  test.each<[string, SourceQuery]>([
    ['sorted', { sort: [{ attribute: 'name' }] }],
    ['filtered', { filter: { kind: 'identifiers', identifiers: ['it.1'] } }],
    ['from the middle of a file', { offset: 1 }],
  ])('are never %s; such queries return features', async (_, query) => {
    const it = await source({ type: 1, records: [pointContent(1, 2)], table });

    expect(await it.pack?.('it', query, all, never)).toBeUndefined();
    expect((await describeType(it, 'it')).count).toBe(1);
  });
});
