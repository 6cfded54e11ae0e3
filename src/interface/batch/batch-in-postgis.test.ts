/** Batches that create tables in an external database must be atomic there as well. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const store = '/workspaces/acme/datastores/db';

describeWithPostgis('a batch that creates tables in PostGIS', (postgis) => {
  const server = useTestServer();

  const table = (name: string) => {
    const attribute = [
      { name: 'the_geom', binding: 'org.locationtech.jts.geom.Point' },
      { name: 'label', binding: 'java.lang.String' },
    ];
    const featureType = { name, srs: 'EPSG:4326', attributes: { attribute } };
    return { method: 'POST', path: `${store}/featuretypes`, body: { featureType } };
  };
  const send = (operations: readonly object[], query = '') =>
    server.post(`/batch${query}`, JSON.stringify({ operations }), { accept: 'application/problem+json' });
  const tables = async () =>
    (await postgis.query("SELECT tablename FROM pg_tables WHERE schemaname = 'batches' ORDER BY 1")).map(
      ({ tablename }) => tablename,
    );
  const published = async () => (await server.get(`${store}/featuretypes.json`)).text;
  const open = async () =>
    (
      await postgis.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in %'",
      )
    )[0]?.['n'];

  beforeAll(async () => {
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password, schema: 'batches' };
    await postgis.query('CREATE SCHEMA batches');
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    const made = await server.post(
      '/workspaces/acme/datastores',
      JSON.stringify({ dataStore: { name: 'db', connectionParameters } }),
    );
    expect(made.status, made.text).toBe(201);
  });

  beforeEach(async () => {
    for (const name of ['one', 'two']) await server.delete(`${store}/featuretypes/${name}?recurse=true`);
    await postgis.query('DROP SCHEMA batches CASCADE; CREATE SCHEMA batches');
  });

  it('creates all tables in one change', async () => {
    const reply = await send([table('one'), table('two'), { method: 'GET', path: '/layers/acme:one' }]);

    expect(reply.status, reply.text).toBe(200);
    expect(await tables()).toEqual(['one', 'two']);
    expect(await published()).toMatch(/"one".*"two"/s);
    expect((await server.get('//geoserver/ogc/features/v1/collections/acme:two/items?f=json')).json()).toMatchObject({
      features: [],
    });
    expect(await open()).toBe(0);
  });

  it('drops the tables when a later operation fails', async () => {
    const failing = { method: 'DELETE', path: '/workspaces/missing' };

    const reply = await send([table('one'), table('two'), failing]);

    expect(reply.json()).toMatchObject({ code: 'batch-failed', operation: 2, problem: { status: 404 } });
    expect(await tables()).toEqual([]);
    expect(await published()).not.toContain('one');
    expect(await open()).toBe(0);
    expect((await send([table('one')])).status).toBe(200);
  });

  it('drops the first table when the database rejects the second', async () => {
    await postgis.query('CREATE TABLE batches.two (x int)');

    const reply = await send([table('one'), table('two'), table('one')]);

    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(await tables()).toEqual(['two']);
    expect(await published()).not.toContain('one');
    expect(await open()).toBe(0);
  });

  it('leaves no table after a dry run, which returns the same response', async () => {
    const reply = await send([table('one'), table('two')], '?dryRun=true');

    expect(reply.json()).toMatchObject({ change: null, results: [{ status: 201 }, { status: 201 }] });
    expect(await tables()).toEqual([]);
    expect(await open()).toBe(0);
  });

  it('runs once per idempotency key, tables included', async () => {
    const body = JSON.stringify({ operations: [table('one')] });
    const keyed = () => server.post('/batch', body, { headers: { 'idempotency-key': 'tables' } });

    const [first, second] = [await keyed(), await keyed()];

    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
    expect(await tables()).toEqual(['one']);
  });
});
