import { expect, onTestFinished, test } from 'vitest';
import { openPostgis } from '../../../../test/support/postgis-sources.ts';
import { describeWithPostgis } from '../../../../test/support/with-postgis.ts';
import type { Feature, VectorSource } from '../../port/port.ts';
import type { SqlView } from '../../port/sql-view.ts';

const never = new AbortController().signal;

describeWithPostgis('virtual table queries in PostGIS', (postgis) => {
  async function open(): Promise<VectorSource> {
    const source = await openPostgis(postgis.connection, {});
    onTestFinished(() => source.close());
    return source;
  }

  async function rowsOf(source: VectorSource, view: SqlView, limit?: number): Promise<readonly Feature[]> {
    const rows: Feature[] = [];
    const query = limit === undefined ? {} : { limit };
    for await (const batch of source.readView?.(view, query, never) ?? []) rows.push(...batch);
    return rows;
  }

  test('are described and read like a table, without the key', async () => {
    await postgis.query('CREATE DOMAIN code AS varchar(5); CREATE TABLE named (id int, code code, tags text[])');
    await postgis.query("INSERT INTO named VALUES (7, 'x', '{a}'), (8, 'y', '{}')");
    const sql = 'SELECT id, code, tags, ST_SetSRID(ST_MakePoint(id, 1, 2), 4326) AS at FROM named ORDER BY id';
    const view = { name: 'v', sql, keyColumns: ['id'], geometries: [{ name: 'at', type: 'Point' }] } as const;
    const source = await open();

    expect(await source.describeView?.(view, never)).toEqual({
      name: 'v',
      attributes: [
        { name: 'code', nillable: true, kind: 'value', type: 'string', maxLength: 5 },
        { name: 'tags', nillable: true, kind: 'value', type: 'string' },
        { name: 'at', nillable: true, kind: 'geometry', type: 'Point', dimension: 'XYZ', crs: { code: 'EPSG:4326' } },
      ],
      defaultGeometry: 'at',
      bounds: { minX: 7, minY: 1, maxX: 8, maxY: 1 },
      count: 2,
    });
    const rows = await rowsOf(source, view);
    expect(rows.map(({ id, values }) => [id, values[0]])).toEqual([
      ['v.7', 'x'],
      ['v.8', 'y'],
    ]);
    expect(await rowsOf(source, view, 1)).toHaveLength(1);
    expect(source.connections?.()).toMatchObject({ open: 1, idle: 1 });
  });

  test('can have no geometry or no rows', async () => {
    const source = await open();
    const view = { name: 'v', sql: 'SELECT 1::bigint AS n WHERE false', keyColumns: [], geometries: [] };

    expect(await source.describeView?.(view, never)).toEqual({
      name: 'v',
      attributes: [{ name: 'n', nillable: true, kind: 'value', type: 'long' }],
      isKeyless: true,
    });
    expect(await rowsOf(source, view)).toEqual([]);
  });

  test('have a time limit per statement that does not outlive the query', async () => {
    const source = await open();
    const within = (limit: string) => ({
      name: 'v',
      sql: `SELECT ST_MakePoint(1, 2) AS at WHERE current_setting('statement_timeout') = '${limit}'`,
      keyColumns: [],
      geometries: [],
    });

    expect(await source.describeView?.(within('10s'), never)).toMatchObject({ count: 1 });
    expect(await rowsOf(source, within('5min'))).toHaveLength(1);
  });

  test('are cancelled on abort', async () => {
    const source = await open();
    const view = { name: 'v', sql: 'SELECT pg_sleep(60), ST_Point(1, 2) AS p', keyColumns: [], geometries: [] };
    const patience = AbortSignal.timeout(200);

    await expect(source.describeView?.(view, patience)).rejects.toThrow('aborted');
    const running =
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()";
    await expect.poll(() => postgis.query(running)).toEqual([{ count: 0 }]);
  });
});
