import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgis } from '../../../test/support/postgis-sources.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { Feature, VectorSource } from '../port/port.ts';
import type { FeatureQuery } from '../query/feature-query.ts';
import { queryFeatures } from '../query/query-features.ts';

describeWithPostgis('page of a large table in a box', (postgis) => {
  const never = new AbortController().signal;
  let source: VectorSource;

  beforeAll(async () => {
    // Long texts compress so well that the database expects short ones.
    await postgis.query(`
      CREATE TABLE many (id int PRIMARY KEY, note text, geom geometry(Polygon, 4326));
      INSERT INTO many SELECT n, CASE WHEN n <= 100 THEN repeat('long ', 20000) END,
        ST_MakeEnvelope(n % 100, n / 1000.0, n % 100 + 0.5, n / 1000.0 + 0.5, 4326) FROM generate_series(1, 20000) n;
      CREATE INDEX ON many USING gist (geom);
      ANALYZE many`);
    source = await openPostgis(postgis.connection);
  });

  afterAll(() => source.close());

  async function ask(query: FeatureQuery) {
    const description = await source.describe('many', never);
    if (description === undefined) throw new Error('The table does not exist.');
    return queryFeatures({ source, description }, query, never);
  }

  async function read(query: FeatureQuery): Promise<readonly Feature[]> {
    const features: Feature[] = [];
    for await (const batch of (await ask(query)).batches) features.push(...batch);
    return features;
  }

  const narrow: Bounds = { minX: 10.1, minY: 5, maxX: 12.2, maxY: 15 };

  test('holds no connection while the client reads it', async () => {
    const batches = (await ask({ box: narrow, limit: 20 })).batches[Symbol.asyncIterator]();

    const first = await batches.next();
    const { open, idle } = source.connections?.() ?? { open: 0, idle: 0 };
    await batches.return?.();

    expect(first.value).toHaveLength(20);
    expect(idle).toBe(open);
  });

  test('continues after its last feature; the pages together are complete', async () => {
    const all = await read({ box: narrow });
    const first = await ask({ box: narrow, limit: 90 });
    const pages: string[] = [];
    for await (const batch of first.batches) pages.push(...batch.map(({ id }) => id));
    const { next = '' } = first.pages();
    const second = await read({ box: narrow, limit: 500, after: next });

    const ids = all.map(({ id }) => id).sort((one, other) => Number(one.slice(5)) - Number(other.slice(5)));
    expect(ids).toHaveLength(315);
    expect([...pages, ...second.map(({ id }) => id)]).toEqual(ids);
  });

  test('is complete even if it is much longer than expected', async () => {
    const box = { minX: 0, minY: 0, maxX: 100, maxY: 0.09 };

    for (let time = 0; time < 2; time += 1) {
      const features = await read({ box, limit: 80 });

      expect(features).toHaveLength(80);
      expect(new Set(features.map(({ values }) => String(values[0]).length))).toEqual(new Set([100_000]));
    }
  });

  test('is rejected for a key that does not belong to the table', async () => {
    const forged = `k${Buffer.from('["no number"]').toString('base64url')}`;

    await expect(read({ box: narrow, limit: 5, after: forged })).rejects.toMatchObject({ code: 'page-key-invalid' });
  });

  test('reports a lost connection and uses another one afterwards', async () => {
    await read({ box: narrow, limit: 5 });
    await postgis.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );

    expect(await read({ box: narrow, limit: 5 })).toHaveLength(5);
  });
});
