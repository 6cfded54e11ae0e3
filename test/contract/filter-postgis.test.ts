/** Filters in PostGIS select the same rows as in memory. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { writeEcqlFilter } from '../../src/filter/ecql/ecql.ts';
import { compilePredicate } from '../../src/filter/predicate/predicate.ts';
import { readEcqlFor, resolveFilter } from '../../src/filter/resolve/resolve.ts';
import { createPostgisDialect, type SqlTable, writeSqlFilter } from '../../src/filter/sql/sql.ts';
import { encodeWkb } from '../../src/geometry/wkb-encode.ts';
import { rowSchema, type TestRow, testFilters, testRowAccess, testRows } from '../support/filter-rows.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const table: SqlTable = {
  columns: new Map([
    ['name', { name: 'name', storage: 'text' }],
    ['code', { name: 'the "code"', storage: 'text' }],
    ['pop', { name: 'pop', storage: 'integer' }],
    ['area', { name: 'area', storage: 'double' }],
    ['open', { name: 'open', storage: 'boolean' }],
    ['time', { name: 'time', storage: 'timestamptz' }],
    ['until', { name: 'until', storage: 'timestamp' }],
    ['geom', { name: 'geom', storage: 'geometry', srid: 4326 }],
    ['photo', { name: 'photo', storage: 'other' }],
  ]),
  identifiers: { prefix: 'rows.', columns: [{ name: 'id', storage: 'integer' }] },
};
const dialect = createPostgisDialect();

describeWithPostgis('filter in PostGIS', (postgis) => {
  beforeAll(async () => {
    await postgis.query("SET timezone = 'Asia/Kathmandu'");
    await postgis.query(`CREATE TABLE rows (id integer PRIMARY KEY, name text, "the ""code""" text, pop bigint,
      area double precision, open boolean, time timestamptz, until timestamp, geom geometry(Geometry, 4326), photo bytea)`);
  });

  const fill = async (rows: readonly TestRow[]): Promise<void> => {
    await postgis.query('TRUNCATE rows');
    const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
    for (const { id, name, code, pop, area, open, time, until, geom } of rows) {
      const bytes = geom === null ? null : Buffer.from(encodeWkb(geom, { srid: 4326 }));
      await postgis.query('INSERT INTO rows VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ST_GeomFromEWKB($9), NULL)', [
        ...[id, name, code, pop, area, open],
        ...[moment(time), moment(until)?.slice(0, -1), bytes],
      ]);
    }
  };

  test('selects the same rows as in memory', async () => {
    const counts = { run: 0, exact: 0, selected: 0 };

    await fc.assert(
      fc.asyncProperty(testRows, fc.array(testFilters, { minLength: 30, maxLength: 30 }), async (rows, filters) => {
        await fill(rows);
        for (const filter of filters) {
          const outcome = await resolveFilter(filter, rowSchema);
          if (outcome.kind === 'refused') continue;
          const inMemory = await compilePredicate(outcome.filter, testRowAccess);
          const { sql, parameters, remainder } = writeSqlFilter(outcome.filter, dialect, table);
          const finish = await compilePredicate(remainder ?? { kind: 'constant', value: true }, testRowAccess);

          const found = new Set(
            (await postgis.query(`SELECT id FROM rows WHERE ${sql}`, parameters)).map(({ id }) => id),
          );
          const selected = rows.filter((row) => found.has(row.id) && finish(row)).map(({ id }) => id);
          const expected = rows.filter(inMemory).map(({ id }) => id);

          expect(selected, `${writeEcqlFilter(filter)} as ${sql}`).toEqual(expected);
          counts.run += 1;
          counts.exact += remainder === undefined ? 1 : 0;
          counts.selected += expected.length;
        }
      }),
      { numRuns: 10, endOnFailure: true },
    );

    expect(counts.run).toBeGreaterThan(150);
    expect(counts.exact).toBeGreaterThan(50);
    expect(counts.selected).toBeGreaterThan(300);
  });

  test('uses the indexes of the table', async () => {
    await postgis.query(
      `CREATE TABLE granules (id serial PRIMARY KEY, time timestamptz, geom geometry(Polygon, 4326))`,
    );
    await postgis.query(`INSERT INTO granules (time, geom) SELECT '2020-01-01'::timestamptz + n * interval '1 hour',
      ST_SetSRID(ST_MakeEnvelope(n % 360 - 180, 0, n % 360 - 179, 1), 4326) FROM generate_series(1, 5000) n`);
    await postgis.query('CREATE INDEX by_time ON granules (time)');
    await postgis.query('CREATE INDEX by_geom ON granules USING gist (geom)');
    await postgis.query('ANALYZE granules');
    const plan = async (text: string): Promise<string> => {
      const outcome = await readEcqlFor(text, rowSchema);
      if (outcome.kind === 'refused') throw new Error(outcome.complaint.message);
      const { sql, parameters } = writeSqlFilter(outcome.value, dialect, table);
      const lines = await postgis.query(`EXPLAIN SELECT id FROM granules WHERE ${sql}`, parameters);
      return lines.map((line) => String(line['QUERY PLAN'])).join('\n');
    };

    expect(await plan('time DURING 2020-03-01/P1D')).toContain('by_time');
    expect(await plan('BBOX(geom, 10.2, 0.2, 10.4, 0.4)')).toContain('by_geom');
    expect(await plan('WITHIN(geom, ENVELOPE(10, 11, 0, 1))')).toContain('by_geom');
    expect(await plan('DWITHIN(geom, POINT(10.5 0.5), 0.1)')).toContain('by_geom');
  });
});
