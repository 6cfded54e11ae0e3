import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { rowSchema } from '../../../test/support/filter-rows.ts';
import type { ResolvedFilter } from '../model/resolved-filter.ts';
import { readEcqlFor } from '../resolve/resolve.ts';
import {
  createPostgisDialect,
  type SqlColumn,
  type SqlDialect,
  type SqlTable,
  sqliteDialect,
  writeSqlFilter,
} from './sql.ts';

const tableWith = (more: Readonly<Record<string, SqlColumn>>): SqlTable => ({
  columns: new Map<string, SqlColumn>([
    ['name', { name: 'na"me', storage: 'text' }],
    ['pop', { name: 'pop', storage: 'integer', table: 't' }],
    ['area', { name: 'area', storage: 'double' }],
    ['open', { name: 'open', storage: 'boolean' }],
    ...Object.entries(more),
  ]),
  identifiers: { prefix: 'rows.', columns: [{ name: 'fid', storage: 'integer' }] },
});
const inSqlite = tableWith({
  time: { name: 'time', storage: 'epochMs' },
  geom: { name: 'geom', storage: 'geometry', table: 't', spatialIndex: { table: 'rtree', key: 'fid' } },
});
const inPostgis = tableWith({
  time: { name: 'time', storage: 'timestamptz' },
  until: { name: 'until', storage: 'date' },
  geom: { name: 'geom', storage: 'geometry', srid: 4326, hasCollections: false },
});

async function filterOf(text: string): Promise<ResolvedFilter> {
  const outcome = await readEcqlFor(text, rowSchema);
  if (outcome.kind === 'read') return outcome.value;
  throw new Error(outcome.complaint.message);
}

async function written(text: string, dialect: SqlDialect, table: SqlTable) {
  const { sql, parameters, remainder } = writeSqlFilter(await filterOf(text), dialect, table);
  return [sql, parameters.map((each) => (each instanceof Uint8Array ? 'bytes' : each)), remainder?.kind];
}

describe('SQL for SQLite', () => {
  test.each<[string, string, readonly unknown[], string?]>([
    ['INCLUDE', 'TRUE', []],
    ["name = 'x'' OR 1=1'", '"na""me" COLLATE BINARY = ?1', ["x' OR 1=1"]],
    ['pop > 1 AND NOT open = true', '("t"."pop" > ?1 AND "open" <> ?2)', [1, 1]],
    ['pop <> 1', '"t"."pop" <> ?1', [1]],
    ['NOT (pop = 1 OR pop = 2)', '("t"."pop" <> ?1 AND "t"."pop" <> ?2)', [1, 2]],
    ["name IN ('a', 'b')", '"na""me" COLLATE BINARY IN (SELECT value FROM json_each(?1))', ['["a","b"]']],
    ['pop IN (1, 2)', '"t"."pop" IN (SELECT value FROM json_each(?1))', ['[1,2]']],
    ['area IN (0.5, 2)', '"area" IN (?1, ?2)', [0.5, 2]],
    ["name LIKE 'a*_%'", '"na""me" GLOB ?1', ['a[*]?*']],
    ["name ILIKE 'a\\%_%'", `"na""me" LIKE ?1 ESCAPE '\\'`, ['a\\%_%']],
    ["name ILIKE 'bikeé%'", `"na""me" LIKE ?1 ESCAPE '\\'`, ['b__%'], 'like'],
    ["name LIKE '%a%b%c%d%e'", '"na""me" GLOB ?1', ['*a*b*c*'], 'like'],
    ['time DURING 2008-11-01/P1D', '("time" > ?1 AND "time" < ?2)', [1225497600000, 1225584000000]],
    ['pop IS NULL', '"t"."pop" IS NULL', []],
    ["IN ('rows.3', 'other.4')", '"fid" IN (SELECT value FROM json_each(?1))', ['[3]']],
    ["IN ('other.4')", 'FALSE', []],
    [
      'BBOX(geom, 1, 2, 3, 4) AND pop = 5',
      '("t"."fid" IN (SELECT id FROM "rtree" WHERE maxx >= ?1 AND minx <= ?2 AND maxy >= ?3 AND miny <= ?4) AND "t"."pop" = ?5)',
      [1, 3, 2, 4, 5],
      'relation',
    ],
    ['DISJOINT(geom, POINT(1 2)) AND pop = 5', '"t"."pop" = ?1', [5], 'relation'],
    ['NOT INTERSECTS(geom, POINT(1 2)) AND pop = 5', '"t"."pop" = ?1', [5], 'not'],
    ['DISJOINT(geom, POINT(1 2)) OR pop = 5', 'TRUE', [], 'or'],
    ["strTrim(name) = 'x' AND pop = 5", '"t"."pop" = ?1', [5], 'computed'],
  ])('writes %s as %s', async (text, ...expected) => {
    expect(await written(text, sqliteDialect, inSqlite)).toEqual([expected[0], expected[1], expected[2]]);
  });

  test.each([
    ["name = 'x'", 'by_name (na"me=?)'],
    ["name IN ('x', 'y')", 'by_name (na"me=?)'],
    ["name LIKE 'x%'", 'by_name (na"me>? AND na"me<?)'],
    ['time DURING 2008-11-01/P1D', 'by_time (time>? AND time<?)'],
    ['BBOX(geom, 1, 2, 3, 4)', 'rtree VIRTUAL TABLE INDEX'],
  ])('%s uses the index', async (text, expected) => {
    const database = new DatabaseSync(':memory:');
    database.exec(`CREATE TABLE granules (fid INTEGER PRIMARY KEY, "na""me" TEXT, time INTEGER, geom BLOB);
      CREATE INDEX by_name ON granules ("na""me"); CREATE INDEX by_time ON granules (time);
      CREATE VIRTUAL TABLE rtree USING rtree(id, minx, maxx, miny, maxy);`);
    const { sql, parameters } = writeSqlFilter(await filterOf(text), sqliteDialect, inSqlite);

    const plan = database
      .prepare(`EXPLAIN QUERY PLAN SELECT fid FROM granules t WHERE ${sql}`)
      .all(...(parameters as SQLInputValue[]))
      .map(({ detail }) => String(detail));
    database.close();

    expect(plan.join('\n')).toContain(expected);
  });

  test('numbers parameters from the position that the statement requires', async () => {
    expect(writeSqlFilter(await filterOf('pop = 5'), sqliteDialect, inSqlite, 4).sql).toBe('"t"."pop" = ?4');
  });

  test('leaves conditions that exceed the parameter limit to evaluation in memory', async () => {
    const many = await filterOf(Array.from({ length: 9_000 }, () => 'area IN (0.5, 1.5, 2.5, 3.5)').join(' OR '));

    expect(writeSqlFilter(many, sqliteDialect, inSqlite)).toEqual({ sql: 'TRUE', parameters: [], remainder: many });
  });
});

describe('SQL for PostGIS', () => {
  const geometry = '"public"."st_geomfromewkb"($1)';

  test.each<[string, string, readonly unknown[], string?]>([
    ["name = 'x'", '"na""me" = $1::text', ['x']],
    ["name > 'x'", '"na""me" COLLATE "C" > $1::text', ['x']],
    ['pop = 1', '"t"."pop" = $1::int8', ['1']],
    ['pop < 1.5', '"t"."pop" < $1::numeric', ['1.5']],
    ['area >= 1', `"area" >= $1::float8 AND "area" <> 'NaN'`, ['1']],
    ['pop IN (1, 2)', '"t"."pop" = ANY($1::int8[])', [['1', '2']]],
    ["name ILIKE 'a%'", `"na""me" ILIKE $1::text ESCAPE '\\'`, ['a%']],
    ['time AFTER 2008-11-01', '"time" > $1::timestamptz', ['2008-11-01T00:00:00.000Z']],
    ['until AFTER 2008-11-01', '"until" > $1::timestamp', ['2008-11-01T00:00:00.000']],
    ['INTERSECTS(geom, POINT(1 2))', `"public"."st_intersects"("geom", ${geometry})`, ['bytes']],
    ['NOT INTERSECTS(geom, POINT(1 2))', `NOT ("public"."st_intersects"("geom", ${geometry}))`, ['bytes']],
    ['DWITHIN(geom, POINT(1 2), 3)', `"public"."st_dwithin"("geom", ${geometry}, $2::float8)`, ['bytes', '3']],
    [
      'WITHIN(geom, POINT(1 2))',
      `("geom" OPERATOR("public".&&) ${geometry} AND CASE WHEN "public"."st_geometrytype"("geom") = 'ST_GeometryCollection' OR "public"."st_isempty"("geom") THEN FALSE ELSE "public"."st_within"("geom", ${geometry}) END)`,
      ['bytes'],
    ],
    ['area + 1 = 2 AND pop = 3', '"t"."pop" = $1::int8', ['3'], 'comparison'],
  ])('writes %s as %s', async (text, ...expected) => {
    expect(await written(text, createPostgisDialect(), inPostgis)).toEqual([expected[0], expected[1], expected[2]]);
  });
});

test('PostGIS receives the short parts of a filter and leaves more than 1,000 conditions to the filter threads', async () => {
  const likes = Array.from({ length: 1_001 }, (_, index) => `name LIKE 'a${index}%'`).join(' OR ');

  const [sql, parameters, remainder] = await written(`pop > 1 AND (${likes})`, createPostgisDialect(), inPostgis);

  expect([sql, parameters, remainder]).toEqual(['"t"."pop" > $1::int8', ['1'], 'or']);
});
