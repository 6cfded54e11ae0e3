/** Queries of clients as tables of MariaDB. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openMysql } from '../../../test/support/mysql-sources.ts';
import { describeWithMariadb } from '../../../test/support/with-mariadb.ts';
import { readEcqlFor } from '../../filter/resolve/resolve.ts';
import { createFilterSchema } from '../port/filter-schema.ts';
import type { Feature, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';

const never = new AbortController().signal;

describeWithMariadb('virtual table queries in MariaDB', (mariadb) => {
  beforeEach(() => mariadb.clear());

  async function open(): Promise<VectorSource> {
    const source = await openMysql(mariadb.connection);
    onTestFinished(() => source.close());
    return source;
  }

  async function readRows(source: VectorSource, view: SqlView, limit?: number): Promise<readonly Feature[]> {
    const rows: Feature[] = [];
    const query = limit === undefined ? {} : { limit };
    for await (const batch of source.readView?.(view, query, never) ?? []) rows.push(...batch);
    return rows;
  }

  const createView = (sql: string, keyColumns: readonly string[] = []): SqlView => ({
    name: 'v',
    sql,
    keyColumns,
    geometries: [],
  });

  test('are described and read like a table, without the key', async () => {
    await mariadb.query(`CREATE TABLE named (id int, code varchar(5), huge bigint unsigned, flag boolean, exact decimal(9,2),
      short float, day date, moment datetime(6), raw blob, at geometry);
      INSERT INTO named VALUES (7, 'x', 18446744073709551615, 1, 1.50, 0.1, '2024-02-29', '2024-01-01 00:00:00.5', 0x00ff,
        ST_GeomFromText('POINT(7 1)', 4326)), (8, 'ü', 1, 0, 2, 2, NULL, NULL, NULL, ST_GeomFromText('POINT(8 1)', 4326))`);
    const view = {
      name: 'v',
      sql: 'SELECT * FROM named ORDER BY id -- all',
      keyColumns: ['id'],
      geometries: [{ name: 'at', type: 'Point' }],
    } as const;
    const source = await open();

    const value = { nillable: true, kind: 'value' };
    expect(await source.describeView?.(view, never)).toEqual({
      name: 'v',
      attributes: [
        { name: 'code', ...value, type: 'string' },
        { name: 'huge', ...value, type: 'decimal' },
        { name: 'flag', ...value, type: 'boolean' },
        { name: 'exact', ...value, type: 'decimal' },
        { name: 'short', ...value, type: 'float' },
        { name: 'day', ...value, type: 'date' },
        { name: 'moment', ...value, type: 'timestamp' },
        { name: 'raw', ...value, type: 'bytes' },
        { name: 'at', nillable: true, kind: 'geometry', type: 'Point', dimension: 'XY', crs: { code: 'EPSG:4326' } },
      ],
      defaultGeometry: 'at',
      bounds: { minX: 7, minY: 1, maxX: 8, maxY: 1 },
      count: 2,
    });
    const rows = await readRows(source, view);
    expect(rows.map(({ id, values }) => [id, ...values.slice(0, 5)])).toEqual([
      ['v.7', 'x', '18446744073709551615', true, '1.50', 0.1],
      ['v.8', 'ü', '1', false, '2.00', 2],
    ]);
    expect(await readRows(source, view, 1)).toHaveLength(1);
    expect(source.connections?.()).toMatchObject({ open: 1, idle: 1 });
  });

  test('can have no geometry or no rows', async () => {
    const source = await open();
    const view = createView('SELECT CAST(1 AS SIGNED) AS n FROM dual WHERE false');

    expect(await source.describeView?.(view, never)).toEqual({
      name: 'v',
      attributes: [expect.objectContaining({ name: 'n', kind: 'value' })],
      isKeyless: true,
    });
    expect(await readRows(source, view)).toEqual([]);
  });

  test('are selected by patterns with a backslash', async () => {
    await mariadb.query("CREATE TABLE words (word varchar(5)); INSERT INTO words VALUES ('a%b'), ('axb'), ('100%')");
    const source = await open();
    const view = createView('SELECT word, word AS label FROM words', ['word']);
    const { attributes } = (await source.describeView?.(view, never)) ?? { attributes: [] };
    const read = await readEcqlFor("label LIKE '%\\%b'", createFilterSchema(attributes));
    if (read.kind === 'refused') throw new Error(read.complaint.message);
    const selection = await source.select?.(view, { filter: read.value }, never);

    const ids: string[] = [];
    for await (const batch of selection?.batches ?? []) ids.push(...batch.map(({ id }) => id));

    expect(ids).toEqual(['v.a%b']);
  });

  test('return keys that are equal in their collation once each', async () => {
    await mariadb.query("CREATE TABLE words (word varchar(5)); INSERT INTO words VALUES ('b'), ('A'), ('a'), ('B')");
    const source = await open();
    const view = createView('SELECT word, word AS label FROM words', ['word']);
    const keys: string[] = [];
    for (let key: string | undefined; keys.length < 9; ) {
      const start = key === undefined ? {} : { start: { side: 'after', key } as const };
      const selection = await source.select?.(view, { limit: 1, ...start }, never);
      key = undefined;
      for await (const [feature] of selection?.batches ?? []) {
        keys.push(feature?.id ?? '');
        key = feature?.key;
      }
      if (key === undefined) break;
    }

    expect(keys).toEqual(['v.A', 'v.B', 'v.a', 'v.b']);
  });

  test('change no data, and leave no state on the connection that they used', async () => {
    await mariadb.query(`CREATE TABLE log (n int); INSERT INTO log VALUES (1); CREATE FUNCTION sly() RETURNS int
      BEGIN INSERT INTO log VALUES (2); RETURN 1; END`);
    const source = await open();
    const read = (sql: string) => readRows(source, createView(sql));

    await expect(read('SELECT sly() AS n')).rejects.toThrow('READ ONLY transaction');
    expect(await mariadb.query('SELECT n FROM log')).toEqual([{ n: 1 }]);
    await read("SELECT GET_LOCK('held', 0) AS locked");
    expect(await mariadb.query("SELECT IS_FREE_LOCK('held') AS free")).toEqual([{ free: 1 }]);
    expect((await read("SELECT 'a\\' AS text, 1 AS n")).map(({ values }) => values[0])).toEqual(['a\\']);
    expect(source.connections?.().open).toBe(1);
    await source.read('log', {}, never)[Symbol.asyncIterator]().next();
  });

  test.each([
    ['a file', "SELECT 1 AS n) AS x INTO OUTFILE '/tmp/never' -- "],
    ['a file behind an open comment', "SELECT 1 AS n) AS x INTO OUTFILE '/tmp/never' /*"],
    ['two statements', 'SELECT 1 AS n) AS x; DROP TABLE log; SELECT * FROM (SELECT 1 AS n'],
    ['a variable', 'SELECT 1 AS n) AS x INTO @a -- '],
    ['a lock of rows', 'SELECT nothing FROM nowhere FOR UPDATE'],
    ['executable comments', "SELECT 1 AS n /*! ) AS x INTO OUTFILE '/tmp/never' */"],
    ['executable comments of MariaDB', 'SELECT 1 AS n /*M!100100 , 2 AS m */'],
  ])('are rejected for %s', async (_, sql) => {
    await mariadb.query('CREATE TABLE log (n int)');
    const source = await open();

    await expect(source.describeView?.(createView(sql), never)).rejects.toMatchObject({
      code: expect.stringMatching(/^virtual-table-(?:refused|invalid)$/),
    });
    expect(await mariadb.query('SELECT COUNT(*) AS count FROM log')).toHaveLength(1);
  });

  test('are cancelled on abort, and have a time limit for their description', async () => {
    const source = await open();
    const view = createView('SELECT SLEEP(60) AS n FROM (SELECT 1) AS one');
    const running =
      "SELECT COUNT(*) AS count FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT%SLEEP(60)%vtable%' AND ID <> CONNECTION_ID()";
    const reading = source.readView?.(view, {}, AbortSignal.timeout(500))[Symbol.asyncIterator]().next();

    await expect(reading).rejects.toThrow('aborted');
    await expect.poll(async () => (await mariadb.query(running))[0]?.['count'], { timeout: 10_000 }).toBe(0);
  });
});
