/** Filters in PostGIS select the same rows as in memory. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeEcqlFilter } from '../../src/filter/ecql/ecql.ts';
import { compilePredicate } from '../../src/filter/predicate/predicate.ts';
import { readEcqlFor, resolveFilter } from '../../src/filter/resolve/resolve.ts';
import { createPostgisDialect, writeSqlFilter } from '../../src/filter/sql/sql.ts';
import { createPostgisRows, postgisRowTable } from '../support/filter-databases.ts';
import { rowSchema, testFilters, testRowAccess, testRows } from '../support/filter-rows.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

describeWithPostgis('filter in PostGIS', (postgis) => {
  test('selects the same rows as in memory', async () => {
    const counts = { run: 0, exact: 0, selected: 0 };
    const database = await createPostgisRows(postgis);

    await fc.assert(
      fc.asyncProperty(testRows, fc.array(testFilters, { minLength: 30, maxLength: 30 }), async (rows, filters) => {
        await database.fill(rows);
        for (const filter of filters) {
          const outcome = await resolveFilter(filter, rowSchema);
          if (outcome.kind === 'refused') continue;
          const inMemory = await compilePredicate(outcome.filter, testRowAccess);
          const { sql, remainder, ids } = await database.select(outcome.filter);
          const expected = rows.filter(inMemory).map(({ id }) => id);

          expect(ids, `${writeEcqlFilter(filter)} as ${sql}`).toEqual(expected);
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
      const { sql, parameters } = writeSqlFilter(outcome.value, createPostgisDialect(), postgisRowTable);
      const lines = await postgis.query(`EXPLAIN SELECT id FROM granules WHERE ${sql}`, parameters);
      return lines.map((line) => String(line['QUERY PLAN'])).join('\n');
    };

    expect(await plan('time DURING 2020-03-01/P1D')).toContain('by_time');
    expect(await plan('BBOX(geom, 10.2, 0.2, 10.4, 0.4)')).toContain('by_geom');
    expect(await plan('WITHIN(geom, ENVELOPE(10, 11, 0, 1))')).toContain('by_geom');
    expect(await plan('DWITHIN(geom, POINT(10.5 0.5), 0.1)')).toContain('by_geom');
  });
});
