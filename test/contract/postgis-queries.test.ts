/** Runs the query contract over PostGIS: tables with all types of keys, a view, and an SQL view. */
import { expect, test } from 'vitest';
import { encodeWkb } from '../../src/geometry/wkb-encode.ts';
import type { TestRow } from '../support/filter-rows.ts';
import { openPostgis } from '../support/postgis-sources.ts';
import { describeWithPostgis, type PostgisUnderTest } from '../support/with-postgis.ts';
import { featureQueryContract } from './feature-query.contract.ts';

const columns = `name text, code varchar(20), pop bigint, area double precision, open boolean,
  time timestamptz, until timestamp, geom geometry(Geometry, 4326), photo bytea`;

async function fill(postgis: PostgisUnderTest, rows: readonly TestRow[], key: string): Promise<void> {
  await postgis.query(
    `DROP SCHEMA IF EXISTS queried CASCADE; CREATE SCHEMA queried; CREATE TABLE queried.rows (${key}, ${columns})`,
  );
  const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  for (const { id, name, code, pop, area, open, time, until, geom } of rows) {
    const bytes = geom === null ? null : Buffer.from(encodeWkb(geom, { srid: 4326 }));
    await postgis.query(
      `INSERT INTO queried.rows (id, name, code, pop, area, open, time, until, geom)
       VALUES (CASE WHEN $10 THEN lpad(to_hex($1::int), 32, '0') ELSE $1::text END::${key.includes('uuid') ? 'uuid' : 'int'},
         $2, $3, $4, $5, $6, $7, $8, ST_GeomFromEWKB($9))`,
      [id, name, code, pop, area, open, moment(time), moment(until)?.slice(0, -1), bytes, key.includes('uuid')],
    );
  }
}

describeWithPostgis('queries in PostGIS', (postgis) => {
  const keys = {
    'a number for a key': 'id int PRIMARY KEY',
    'a UUID for a key': 'id uuid PRIMARY KEY',
    'two columns for a key': `id int, part text DEFAULT 'a', PRIMARY KEY (id, part)`,
  };
  for (const [title, key] of Object.entries(keys)) {
    featureQueryContract(
      `PostGIS with ${title}`,
      async (rows) => {
        await fill(postgis, rows, key);
        return { source: await openPostgis(postgis.connection, { schema: 'queried' }), destroy: async () => undefined };
      },
      { numRuns: 2 },
    );
  }

  featureQueryContract(
    'a query of a client in PostGIS',
    async (rows) => {
      await fill(postgis, rows, 'id int PRIMARY KEY');
      return {
        source: await openPostgis(postgis.connection, { schema: 'queried' }),
        view: { name: 'rows', sql: 'SELECT * FROM queried.rows -- all', keyColumns: ['id'], geometries: [] },
        destroy: async () => undefined,
      };
    },
    { numRuns: 2 },
  );

  test('a forged page key is rejected', async () => {
    await fill(postgis, [], 'id int PRIMARY KEY');
    const source = await openPostgis(postgis.connection, { schema: 'queried' });
    const signal = new AbortController().signal;

    for (const key of [
      '',
      '{}',
      '[]',
      '[1]',
      '["x"]',
      '["1","2"]',
      '[null]',
      '["\\u0000"]',
      '["99999999999999999999"]',
    ]) {
      const reading = async () => {
        const selection = await source.select?.('rows', { start: { side: 'after', key }, limit: 5 }, signal);
        for await (const _ of selection?.batches ?? []);
      };
      await expect(reading(), key).rejects.toMatchObject({ code: 'page-key-invalid' });
    }
    await source.close();
  });
});
