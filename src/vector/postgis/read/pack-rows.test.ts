import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgis } from '../../../../test/support/postgis-sources.ts';
import { describeWithPostgis } from '../../../../test/support/with-postgis.ts';
import type { FeatureBatch } from '../../port/packed-features.ts';
import type { PackedAttributes, SourceQuery, VectorSource } from '../../port/port.ts';
import { createNearBoxFilter } from '../../query/box-filter.ts';
import { queryFeatures } from '../../query/query-features.ts';
import { packFeatures } from '../../support/pack-features.ts';

describeWithPostgis('packed PostGIS rows', (postgis) => {
  const never = new AbortController().signal;
  const drawn: PackedAttributes = { geometries: ['geom'], values: ['name', 'kind', 'day'], hasIds: true };
  let source: VectorSource;

  beforeAll(async () => {
    await postgis.query(`
      CREATE TABLE parcels (id int PRIMARY KEY, name text, kind int, note text, day date, geom geometry(Polygon, 4326));
      INSERT INTO parcels SELECT n, CASE WHEN n % 3 > 0 THEN 'parcel ' || n END, n % 5, repeat('long ', 100), date '2024-03-31' + n,
        ST_MakeEnvelope(n % 100, n / 100.0, n % 100 + 0.5, n / 100.0 + 0.5, 4326) FROM generate_series(1, 9000) n;
      UPDATE parcels SET geom = NULL WHERE id = 17`);
    source = await openPostgis(postgis.connection);
  });

  afterAll(() => source.close());

  async function packed(query: SourceQuery): Promise<readonly FeatureBatch[]> {
    const batches: FeatureBatch[] = [];
    for await (const batch of (await source.pack?.('parcels', query, drawn, never)) ?? []) batches.push(batch);
    return batches;
  }

  test('contain the features in a box in the requested order', async () => {
    const filter = createNearBoxFilter('geom', { minX: 10.1, minY: 5, maxX: 32.2, maxY: 15 });
    const query = { filter, sort: [{ attribute: 'kind' }] };
    const description = await source.describe('parcels', never);
    if (description === undefined) throw new Error('The table does not exist.');
    const places = { geometries: [4], values: [0, 1, 3], dates: new Set([2]), hasIds: true };

    const batches = await packed(query);

    const features = [];
    for await (const batch of (await queryFeatures({ source, description }, query, never)).batches)
      features.push(...batch);
    expect(features.length).toBeGreaterThan(200);
    expect(batches).toEqual([packFeatures(features, places)]);
    expect(batches[0]?.columns[2]?.[0]).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  test('omit positions that are not visible, but never all of them', async () => {
    await postgis.query(`
      CREATE TABLE circles (id int PRIMARY KEY, geom geometry(Polygon, 4326));
      INSERT INTO circles VALUES (1, ST_Buffer('SRID=4326;POINT (5 5)', 2, 1000)), (2, ST_Buffer('SRID=4326;POINT (9 9)', 1e-9, 1000)),
        (3, ST_MakeEnvelope(0, 0, 1e-9, 1e-9, 4326))`);
    const whole = { geometries: ['geom'], values: [], hasIds: false };
    const positions = async (attributes: PackedAttributes): Promise<readonly number[]> => {
      const found: number[] = [];
      for await (const { ends } of (await source.pack?.('circles', {}, attributes, never)) ?? [])
        found.push(...Array.from(ends, (end, ring) => end - (ends[ring - 1] ?? 0)));
      return found;
    };

    const [all, few] = [await positions(whole), await positions({ ...whole, tolerance: 0.01 })];

    expect(all).toEqual([4_001, 4_001, 5]);
    expect(few[0]).toBeLessThan(200);
    expect(few[1]).toBeGreaterThanOrEqual(4);
    expect(few[2]).toBe(5);
  });

  test('arrive in batches, are complete, and release the connection', async () => {
    const batches = await packed({});

    expect(batches.length).toBeGreaterThan(1);
    expect(batches.reduce((sum, { count }) => sum + count, 0)).toBe(9_000);
    const { open, idle } = source.connections?.() ?? { open: 0, idle: 0 };
    expect(idle).toBe(open);
  });

  test('stop when the reader stops, and other queries are served', async () => {
    const batches = (await source.pack?.('parcels', {}, drawn, never))?.[Symbol.asyncIterator]();

    const first = await batches?.next();
    await batches?.return?.();

    expect(first?.done).toBe(false);
    expect(await source.count?.('parcels', undefined, never)).toBe(9_000);
  });

  test('reflect the current table after a column change', async () => {
    const make = (key: string, count: number) =>
      postgis.query(`DROP TABLE IF EXISTS remade; CREATE TABLE remade (${key} int PRIMARY KEY, geom geometry(Point, 4326));
        INSERT INTO remade SELECT n, ST_Point(n, n, 4326) FROM generate_series(1, ${count}) n`);
    const ids = async (): Promise<readonly string[]> => {
      const found: string[] = [];
      const wanted = { geometries: ['geom'], values: [], hasIds: true };
      for await (const batch of (await source.pack?.('remade', {}, wanted, never)) ?? [])
        found.push(...(batch.ids ?? []));
      return found;
    };
    await make('id', 2);
    const before = await ids();

    await make('gid', 3);

    expect(before).toEqual(['remade.1', 'remade.2']);
    expect(await ids()).toEqual(['remade.1', 'remade.2', 'remade.3']);
  });

  test('end on abort', async () => {
    const gone = new AbortController();
    const batches = (await source.pack?.('parcels', {}, drawn, gone.signal))?.[Symbol.asyncIterator]();
    await batches?.next();

    gone.abort(new Error('the client is gone'));

    await expect(batches?.next()).rejects.toThrow('the client is gone');
  });

  test('are returned as features for a page or an SQL view', async () => {
    const view = { name: 'parcels', sql: 'SELECT * FROM parcels', keyColumns: [], geometries: [] };

    expect(await source.pack?.('parcels', { limit: 5 }, drawn, never)).toBeUndefined();
    expect(await source.pack?.(view, {}, drawn, never)).toBeUndefined();
  });
});
