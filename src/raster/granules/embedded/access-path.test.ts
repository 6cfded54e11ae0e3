import { describe, expect, test } from 'vitest';
import { filterFor, waterSchema } from '../../../../test/support/granules.ts';
import { selectAccessPath } from './access-path.ts';
import type { IndexTable } from './index-table.ts';
import { toAxisValue } from './rows.ts';

const table: IndexTable = {
  number: 7,
  schema: waterSchema,
  axes: [
    { origin: Date.UTC(2008, 0, 1), factor: 1 / 86_400_000 },
    { origin: 0, factor: 0.5 },
  ],
};

async function pathOf(text: string) {
  return selectAccessPath(await filterFor(text), table);
}

describe('access path of a granule filter', () => {
  test.each([
    'BBOX(the_geom, 1, 2, 3, 4)',
    'INTERSECTS(the_geom, POLYGON((1 2, 3 2, 3 4, 1 2))) AND count IS NULL',
    'DWITHIN(the_geom, POINT(1 2), 3)',
    'time DURING 2008-11-01T00:00:00Z/P1D',
    "time BEFORE 2008-11-01T00:00:00Z AND model = 'x'",
    'elevation = 20',
    'elevation IN (10, 20)',
    'elevation BETWEEN 10 AND 20',
    '20 > elevation',
  ])('%s uses the R-tree', async (text) => {
    expect(await pathOf(text)).toMatchObject({ kind: 'boxes' });
  });

  test('combines space and time in one R-tree query', async () => {
    expect(await pathOf('BBOX(the_geom, 1, 2, 3, 4) AND time AFTER 2008-01-11T00:00:00Z AND elevation <= 20')).toEqual({
      kind: 'boxes',
      sql: 'SELECT id FROM boxes_7 WHERE maxx >= ? AND minx <= ? AND maxy >= ? AND miny <= ? AND max0 >= ? AND min1 <= ?',
      parameters: [1, 3, 2, 4, 10, 10],
    });
  });

  test.each([
    "location = 'a'",
    "'a' = location",
    "location IN ('a', 'b') AND BBOX(the_geom, 1, 2, 3, 4)",
    "IN ('watertemp.1')",
    "location = 'a' OR IN ('watertemp.1')",
    "location LIKE 'a%'",
    "model = 'x'",
    'BBOX(the_geom, 1, 2, 3, 4) OR BBOX(the_geom, 11, 12, 13, 14)',
    "time BEFORE 2008-11-01T00:00:00Z OR model = 'x'",
  ])('%s uses another index', async (text) => {
    expect(await pathOf(text)).toEqual({ kind: 'indexed' });
  });

  test.each([
    'count = 3',
    'NOT BBOX(the_geom, 1, 2, 3, 4)',
    'DISJOINT(the_geom, POINT(1 2))',
    'elevation <> 20',
    'elevation = count',
    "location LIKE '%a'",
    "location ILIKE 'a%'",
    'BBOX(the_geom, 1, 2, 3, 4) OR count = 3',
  ])('%s scans all granules', async (text) => {
    expect(await pathOf(text)).toEqual({ kind: 'walk' });
  });
});

test('values that an R-tree cannot distinguish from zero are stored as zero', () => {
  expect(toAxisValue(2, { origin: 0, factor: 1e-300 })).toBe(0);
});
