import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowSchema, type TestRow, testFilters, testRowAccess, testRows } from '../../../test/support/filter-rows.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import { writeEcqlFilter } from '../ecql/ecql.ts';
import { compilePredicate } from '../predicate/predicate.ts';
import { resolveFilter } from '../resolve/resolve.ts';
import { type SqlTable, sqliteDialect, writeSqlFilter } from './sql.ts';

const database = new DatabaseSync(':memory:');

const table: SqlTable = {
  columns: new Map([
    ['name', { name: 'name', storage: 'text' }],
    ['code', { name: 'the "code"', storage: 'text' }],
    ['pop', { name: 'pop', storage: 'integer' }],
    ['area', { name: 'area', storage: 'double' }],
    ['open', { name: 'open', storage: 'boolean' }],
    ['time', { name: 'time', storage: 'epochMs' }],
    ['until', { name: 'until', storage: 'epochMs' }],
    ['geom', { name: 'geom', storage: 'geometry', spatialIndex: { table: 'boxes', key: 'id' } }],
    ['photo', { name: 'photo', storage: 'other' }],
  ]),
  identifiers: { prefix: 'rows.', columns: [{ name: 'id', storage: 'integer' }] },
};

beforeAll(() => {
  database.exec(`
    CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, "the ""code""" TEXT, pop INTEGER, area REAL,
      open INTEGER, time INTEGER, until INTEGER, geom BLOB, photo BLOB);
    CREATE VIRTUAL TABLE boxes USING rtree(id, minx, maxx, miny, maxy);`);
});
afterAll(() => database.close());

function fill(rows: readonly TestRow[]): void {
  database.exec('DELETE FROM rows; DELETE FROM boxes;');
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)');
  const index = database.prepare('INSERT INTO boxes VALUES (?, ?, ?, ?, ?)');
  for (const { id, name, code, pop, area, open, time, until, geom } of rows) {
    insert.run(id, name, code, pop, area, open === null ? null : Number(open), time, until, geom && new Uint8Array());
    const bounds = geom === null ? undefined : computeGeometryBounds(geom);
    if (bounds !== undefined) index.run(id, bounds.minX, bounds.maxX, bounds.minY, bounds.maxY);
  }
}

test('SQLite with an in-memory remainder selects the same rows as evaluation in memory', async () => {
  const counts = { run: 0, exact: 0, selected: 0 };

  await fc.assert(
    fc.asyncProperty(testRows, fc.array(testFilters, { minLength: 20, maxLength: 20 }), async (rows, filters) => {
      fill(rows);
      for (const filter of filters) {
        const outcome = await resolveFilter(filter, rowSchema);
        if (outcome.kind === 'refused') continue;
        const inMemory = await compilePredicate(outcome.filter, testRowAccess);
        const { sql, parameters, remainder } = writeSqlFilter(outcome.filter, sqliteDialect, table);
        const finish = await compilePredicate(remainder ?? { kind: 'constant', value: true }, testRowAccess);

        const found = new Set(
          database
            .prepare(`SELECT id FROM rows WHERE ${sql}`)
            .all(...(parameters as SQLInputValue[]))
            .map(({ id }) => id),
        );
        const selected = rows.filter((row) => found.has(row.id) && finish(row)).map(({ id }) => id);
        const expected = rows.filter(inMemory).map(({ id }) => id);

        expect(selected, `${writeEcqlFilter(filter)} as ${sql}`).toEqual(expected);
        counts.run += 1;
        counts.exact += remainder === undefined ? 1 : 0;
        counts.selected += expected.length;
      }
    }),
    { numRuns: 30, endOnFailure: true },
  );

  // Ensures that the comparison covered enough cases.
  expect(counts.run).toBeGreaterThan(300);
  expect(counts.exact).toBeGreaterThan(100);
  expect(counts.selected).toBeGreaterThan(500);
});
