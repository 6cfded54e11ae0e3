/** Tiles of nodes that share a database, each with its own cache. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const AGED =
  '{"featureType":{"metadata":{"entry":[{"@key":"cachingEnabled","$":"true"},{"@key":"cacheAgeMax","$":"3600"}]}}}';

describeWithPostgis('tiles of two nodes on one database', (postgis) => {
  let nodes: readonly [TestServer, TestServer];
  beforeAll(async () => {
    const start = () =>
      startTestServer({
        flags: ['--storage', postgresAddress(postgis, 'tiles_of_nodes')],
        environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
      });
    nodes = await Promise.all([start(), start()]);
    await postgis.query('CREATE TABLE spots (id integer PRIMARY KEY, place geometry(Point, 4326))');
    await postgis.query('INSERT INTO spots VALUES (1, ST_SetSRID(ST_MakePoint(10, 10), 4326))');
    const { host, port, user, password, database } = postgis.connection;
    const parameters = { dbtype: 'postgis', host, port, user, passwd: password, database, schema: 'public' };
    const entry = Object.entries(parameters).map(([key, value]) => ({ '@key': key, $: String(value) }));
    const [one] = nodes;
    expect((await one.post('/workspaces', '{"workspace":{"name":"acme"}}')).status).toBe(201);
    const store = JSON.stringify({ dataStore: { name: 'outside', connectionParameters: { entry } } });
    expect((await one.post('/workspaces/acme/datastores', store)).status).toBe(201);
    const types = '/workspaces/acme/datastores/outside/featuretypes';
    const published = await one.post(types, '{"featureType":{"name":"spots"}}');
    expect(published.status, published.text).toBe(201);
    expect((await one.put(`${types}/spots`, AGED)).status).toBe(200);
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
  });

  const care = (node: TestServer, method: 'GET' | 'POST' | 'DELETE', path: string, body?: string) =>
    node.request(method, `//geoserver/gwc/rest${path}`, body === undefined ? {} : { type: 'text/xml', body });

  /** The bytes show which data a tile was made from. */
  async function tileOf(node: TestServer, level = 0, format = 'image/png') {
    const path = `//geoserver/gwc/service/wmts/rest/acme:spots/EPSG:900913/${level}/0/0?format=${format}`;
    const { status, headers, bytes } = await node.get(path, { as: null });
    expect([200, 204]).toContain(status);
    return { isKept: headers['geowebcache-cache-result'] === 'HIT', text: bytes.toString('base64') };
  }

  /** Change the data directly in the database, so that the nodes are not notified. */
  const moveOutside = () => postgis.query('UPDATE spots SET place = ST_Translate(place, 20, -20)');

  test.each([
    ['DELETE', '/layers/acme:spots', undefined],
    ['POST', '/masstruncate', '<truncateLayer><layerName>acme:spots</layerName></truncateLayer>'],
    ['POST', '/masstruncate', '<truncateAll/>'],
    ['POST', '/seed/acme:spots', '<seedRequest><srs><number>900913</number></srs><type>truncate</type></seedRequest>'],
  ] as const)('tiles are removed from both caches immediately by %s %s %s', async (method, path, body) => {
    const [one, other] = nodes;
    const old = [await tileOf(one), await tileOf(other)];
    await moveOutside();
    for (const [at, node] of nodes.entries()) expect(await tileOf(node)).toEqual({ isKept: true, text: old[at]?.text });

    expect((await care(one, method, path, body)).status).toBe(200);
    const made = [await tileOf(other), await tileOf(one)];

    expect(made.map(({ isKept }) => isKept)).toEqual([false, false]);
    expect(made[0]?.text).toBe(made[1]?.text);
    expect(made[0]?.text).not.toBe(old[0]?.text);
    for (const node of nodes) expect(await tileOf(node)).toEqual({ isKept: true, text: made[0]?.text });
  });

  test('tiles are removed in part, exactly as requested, through either node', async () => {
    const [one, other] = nodes;
    const formats = ['image/png', 'pbf'] as const;
    for (const node of nodes)
      for (const level of [0, 1]) for (const format of formats) await tileOf(node, level, format);
    const part = (level: number, format: string) =>
      `<seedRequest><srs><number>900913</number></srs><zoomStart>${level}</zoomStart><zoomStop>${level}</zoomStop><format>${format}</format><type>truncate</type></seedRequest>`;

    // Truncate in parallel, so that neither node may overwrite the record of the other.
    const replies = await Promise.all([
      care(one, 'POST', '/seed/acme:spots', part(0, 'image/png')),
      care(other, 'POST', '/seed/acme:spots', part(1, 'application/vnd.mapbox-vector-tile')),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    for (const node of nodes) {
      const kept = [];
      for (const level of [0, 1]) for (const format of formats) kept.push((await tileOf(node, level, format)).isKept);
      expect(kept).toEqual([false, true, true, false]);
    }
  });

  test('tiles are removed without a change of the configuration', async () => {
    const [one, other] = nodes;
    const before = one.server.storage.position();

    await care(other, 'DELETE', '/layers/acme:spots');
    await one.get('/workspaces.json');

    expect(one.server.storage.position()).toBe(before);
  });
});
