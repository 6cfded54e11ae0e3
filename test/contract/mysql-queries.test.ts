/** Runs the query contract over MariaDB: tables with all types of keys, and tables with and without a spatial index. */
import { expect, test } from 'vitest';
import { encodeWkb } from '../../src/geometry/wkb-encode.ts';
import type { TestRow } from '../support/filter-rows.ts';
import { openMysql } from '../support/mysql-sources.ts';
import { describeWithMariadb, type MariadbUnderTest } from '../support/with-mariadb.ts';
import { featureQueryContract } from './feature-query.contract.ts';

const columns = `name text, code varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci, pop bigint, area double,
  open boolean, time timestamp(6) NULL, until datetime(6), geom geometry REF_SYSTEM_ID=4326, photo blob`;

async function fill(mariadb: MariadbUnderTest, rows: readonly TestRow[], key: string): Promise<void> {
  await mariadb.clear();
  await mariadb.query(`CREATE TABLE \`rows\` (${key}, ${columns}); SET time_zone = '+00:00'`);
  const moment = (ms: number | null): string | null =>
    ms === null ? null : new Date(ms).toISOString().replace('T', ' ').slice(0, -1);
  for (const { id, name, code, pop, area, open, time, until, geom } of rows) {
    const bytes = geom === null ? null : Buffer.from(encodeWkb(geom));
    await mariadb.query(
      `INSERT INTO \`rows\` (id, name, code, pop, area, open, time, until, geom)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ST_GeomFromWKB(?, 4326))`,
      [
        key.startsWith('id varchar') ? `key ${String(id).padStart(4, '0')}` : id,
        name,
        code,
        pop === null ? null : String(pop),
        area,
        open,
        moment(time),
        moment(until),
        bytes,
      ],
    );
  }
}

describeWithMariadb('queries in MariaDB', (mariadb) => {
  const keys = {
    'a number for a key': 'id int PRIMARY KEY',
    'an unsigned number for a key': 'id bigint unsigned PRIMARY KEY',
    'a text for a key': 'id varchar(20) COLLATE utf8mb4_general_ci PRIMARY KEY',
    'two columns for a key': "id int, part varchar(5) DEFAULT 'a', PRIMARY KEY (id, part)",
  };
  for (const [title, key] of Object.entries(keys)) {
    featureQueryContract(
      `MariaDB with ${title}`,
      async (rows) => {
        await fill(mariadb, rows, key);
        return { source: await openMysql(mariadb.connection), destroy: async () => undefined };
      },
      { numRuns: 2 },
    );
  }

  featureQueryContract(
    'a query of a client in MariaDB',
    async (rows) => {
      await fill(mariadb, rows, 'id int PRIMARY KEY');
      return {
        source: await openMysql(mariadb.connection),
        view: { name: 'rows', sql: 'SELECT * FROM `rows` -- all', keyColumns: ['id'], geometries: [] },
        destroy: async () => undefined,
      };
    },
    { numRuns: 2 },
  );

  test('an identifier that no unsigned key has is different from every row', async () => {
    await fill(mariadb, [], 'id bigint unsigned PRIMARY KEY');
    await mariadb.query('INSERT INTO `rows` (id) VALUES (3)');
    const { signal } = new AbortController();
    const source = await openMysql(mariadb.connection);
    const without = async (...identifiers: readonly string[]) =>
      source.count?.('rows', { kind: 'not', filter: { kind: 'identifiers', identifiers } }, signal);

    expect([await without('rows.03'), await without('rows.x', 'rows.3'), await without('rows.03', 'rows.4')]).toEqual([
      1, 0, 1,
    ]);
    await source.close();
  });

  test('a forged page key is rejected', async () => {
    await fill(mariadb, [], 'id int PRIMARY KEY');
    const source = await openMysql(mariadb.connection);
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
