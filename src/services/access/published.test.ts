/** Features are served as published: with renamed and omitted attributes, and restricted by a filter. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, findLinkPath, itemsAt, places, publishShapefiles } from '../../../test/support/features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

describe('published type', () => {
  const server = useTestServer();
  const type = '/workspaces/acme/datastores/places/featuretypes';
  const attribute = (name: string, source?: string, binding?: string) => ({
    name,
    ...(source === undefined ? {} : { source }),
    ...(binding === undefined ? {} : { binding }),
  });
  beforeAll(async () => {
    await publishShapefiles(server, 'acme', { places });
    await server.put(
      `${type}/places`,
      JSON.stringify({
        featureType: {
          name: 'sights',
          cqlFilter: 'rank < 5',
          attributes: {
            attribute: [
              attribute('the_geom'),
              attribute('title', 'name'),
              attribute('place', 'rank'),
              attribute('twice', 'rank * 2', 'java.lang.Integer'),
            ],
          },
        },
      }),
    );
  });
  const items = (query = '') => itemsAt(server, `/collections/acme:sights/items?limit=100${query}`);

  it('returns the published attributes only, under their published names', async () => {
    const { features, numberMatched } = await items();

    expect(numberMatched).toBe(5);
    expect(features.map(({ id, properties }) => ({ id, ...properties })).slice(0, 2)).toEqual([
      { id: 'sights.1', title: 'place 0', place: 0, twice: 0 },
      { id: 'sights.2', title: 'place 1', place: 1, twice: 2 },
    ]);
  });

  it.each([
    ['&place=3', ['sights.4']],
    ['&filter=place%20%3E%202', ['sights.4', 'sights.5']],
    ["&filter=title%20%3D%20'place%201'", ['sights.2']],
    ['&filter=twice%20%3D%204', ['sights.3']],
    ['&sortby=-place&filter=place%20%3E%202', ['sights.5', 'sights.4']],
    ['&sortby=-twice&filter=twice%20%3E%204', ['sights.5', 'sights.4']],
    ['&bbox=10,50,11,51', ['sights.1', 'sights.2']],
    ['&filter=place%20%3E%2020', []],
  ])('accepts the published names in %s', async (query, ids) => {
    const { features, numberMatched } = await items(query);

    expect([features.map(({ id }) => id), numberMatched]).toEqual([ids, ids.length]);
  });

  it.each([
    '&rank=3',
    '&filter=rank%20%3D%203',
    '&sortby=rank',
    '&properties=seen',
    "&filter=seen%20%3D%20DATE('2026-01-02')",
  ])('rejects attributes that are not published in %s', async (query) => {
    expect((await ask(server, `/collections/acme:sights/items?limit=1${query}`)).status).toBe(400);
  });

  it('hides features that do not match its filter', async () => {
    expect((await ask(server, '/collections/acme:sights/items/sights.3')).status).toBe(200);
    expect((await ask(server, '/collections/acme:sights/items/sights.9')).status).toBe(404);
    expect((await ask(server, '/collections/acme:sights/items/places.3')).status).toBe(404);
  });

  it('pages through the features that match its filter', async () => {
    const first = await itemsAt(server, '/collections/acme:sights/items?limit=3');
    const second = await itemsAt(server, findLinkPath(first.links, 'next') ?? '');

    expect([first, second].map(({ features }) => features.map(({ id }) => id))).toEqual([
      ['sights.1', 'sights.2', 'sights.3'],
      ['sights.4', 'sights.5'],
    ]);
    expect([first.numberMatched, findLinkPath(second.links, 'next')]).toEqual([5, undefined]);
  });

  it('lists its published attributes as queryables', async () => {
    const { properties } = (await ask(server, '/collections/acme:sights/queryables')).json() as { properties: object };

    expect(Object.keys(properties)).toEqual(['the_geom', 'title', 'place', 'twice']);
  });
});

describeWithPostgis('published PostGIS tables and views', (postgis) => {
  const server = useTestServer();
  const stores = '/workspaces/acme/datastores';
  beforeAll(async () => {
    await postgis.query(
      'CREATE TABLE roads (id serial PRIMARY KEY, name text, lanes int2, secret text, geom geometry(LineString, 25832))',
    );
    await postgis.query(
      `INSERT INTO roads (name, lanes, secret, geom) SELECT 'road ' || n, n % 5, 'hidden ' || n,
        ST_SetSRID(ST_MakeLine(ST_MakePoint(500000 + n, 5500000), ST_MakePoint(500100 + n, 5500200)), 25832)
        FROM generate_series(1, 50) n`,
    );
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post(stores, JSON.stringify({ dataStore: { name: 'nyc', connectionParameters } }));
    await server.post(`${stores}/nyc/featuretypes`, '{"featureType":{"name":"roads"}}');
    await server.post(
      `${stores}/nyc/featuretypes`,
      JSON.stringify({
        featureType: {
          name: 'streets',
          nativeName: 'roads',
          cqlFilter: 'lanes > 2',
          attributes: { attribute: [{ name: 'called', source: 'name' }, { name: 'lanes' }, { name: 'geom' }] },
        },
      }),
    );
    const virtualTable = {
      name: 'wide',
      sql: 'select id, name, lanes, geom from roads where lanes = 4',
      keyColumn: 'id',
      geometry: { name: 'geom', type: 'LineString', srid: 25_832 },
    };
    const metadata = { entry: [{ '@key': 'JDBC_VIRTUAL_TABLE', virtualTable }] };
    await server.post(`${stores}/nyc/featuretypes`, JSON.stringify({ featureType: { name: 'wide', metadata } }));
  });

  it('return features unchanged', async () => {
    const { features, numberMatched } = await itemsAt(
      server,
      '/collections/acme:roads/items?sortby=-name&limit=1&lanes=4',
    );

    expect(numberMatched).toBe(10);
    expect(features[0]).toMatchObject({ id: 'roads.9', properties: { name: 'road 9', lanes: 4, secret: 'hidden 9' } });
  });

  it('are drawn on a map if they have a geometry', async () => {
    await postgis.query(
      "CREATE TABLE owners (id serial PRIMARY KEY, name text); INSERT INTO owners (name) VALUES ('ann')",
    );
    await server.post(`${stores}/nyc/featuretypes`, '{"featureType":{"name":"owners"}}');
    const hasMap = async (path: string) => (await ask(server, `/collections/${path}?f=html`)).text.includes('id="map"');

    expect(await Promise.all(['acme:roads', 'acme:roads/items', 'acme:roads/items/roads.1'].map(hasMap))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await Promise.all(['acme:owners', 'acme:owners/items', 'acme:owners/items/owners.1'].map(hasMap))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('return renamed attributes and omit others', async () => {
    const { features, numberMatched } = await itemsAt(server, '/collections/acme:streets/items?called=road%2013');

    expect(numberMatched).toBe(1);
    expect(features[0]).toMatchObject({ id: 'streets.13', properties: { called: 'road 13', lanes: 3 } });
    expect(JSON.stringify(features)).not.toContain('hidden');
    expect((await ask(server, '/collections/acme:streets/items/streets.1')).status).toBe(404);
    expect((await ask(server, "/collections/acme:streets/items?filter=secret%20LIKE%20'h%25'")).status).toBe(400);
  });

  it('page by the primary key of the table', async () => {
    const seen: string[] = [];
    for (let path: string | undefined = '/collections/acme:streets/items?limit=7'; path !== undefined; ) {
      const page = await itemsAt(server, path);
      seen.push(...page.features.map(({ id }) => id));
      path = findLinkPath(page.links, 'next');
    }

    expect(seen).toHaveLength(20);
    expect(new Set(seen).size).toBe(20);
  });

  it('include SQL views', async () => {
    const { features, numberMatched } = await itemsAt(
      server,
      '/collections/acme:wide/items?limit=2&filter=lanes%20%3D%204',
    );

    expect(numberMatched).toBe(10);
    expect(features.map(({ id }) => id)).toEqual(['wide.4', 'wide.9']);
    expect((await ask(server, '/collections/acme:wide/items/wide.9')).status).toBe(200);
  });

  it.each([
    "filter=name%20%3D%20'x''%20OR%201%3D1%20--'",
    "filter=name%20LIKE%20'%25%27%27%25'",
    "name=x'%3B%20DROP%20TABLE%20roads%3B%20--",
    'sortby=name%3B%20DROP%20TABLE%20roads',
    'sortby=%22name%22',
    'properties=name%22%20FROM%20roads%20--',
    "bbox=1,2,3,4'%3B%20DROP%20TABLE%20roads",
    'after=k4oCY',
    'after=kJzsgRFJPUCBUQUJMRSByb2FkczsgLS0',
    'before=n0',
    "filter=S_INTERSECTS(geom,POINT(0%200))%20OR%20name%20%3D%20''''",
    'filter=%7B%22op%22:%22=%22,%22args%22:%5B%7B%22property%22:%22name%5C%22;--%22%7D,1%5D%7D&filter-lang=cql2-json',
  ])('are safe from %s', async (query) => {
    const reply = await ask(server, `/collections/acme:roads/items?${query}`);

    expect([200, 400], `${reply.status} ${reply.text}`).toContain(reply.status);
    expect(reply.text).not.toMatch(/syntax|relation|pg_|SELECT/i);
    expect((await itemsAt(server, '/collections/acme:roads/items')).numberMatched).toBe(50);
  });

  it('return 404 for an invalid feature id', async () => {
    for (const id of [
      "roads.1'--",
      'roads.1e9',
      'roads.',
      'roads.99999999999999999999',
      'roads.1%00',
      'x'.repeat(5_000),
      '%F0%9F%98%80',
    ]) {
      expect((await ask(server, `/collections/acme:roads/items/${id}`)).status, id.slice(0, 30)).toBeGreaterThanOrEqual(
        400,
      );
      expect((await ask(server, `/collections/acme:roads/items/${id}`)).status, id.slice(0, 30)).toBeLessThan(500);
    }
  });

  it('return no values under wrong names after a column was dropped', async () => {
    await itemsAt(server, '/collections/acme:roads/items?limit=1');
    await postgis.query('ALTER TABLE roads DROP COLUMN name');
    const first = await ask(server, '/collections/acme:roads/items?limit=1&lanes=4');
    const { features } = await itemsAt(server, '/collections/acme:roads/items?limit=1&lanes=4');

    expect(first.status).toBe(503);
    expect(features[0]?.properties).toEqual({ name: null, lanes: 4, secret: 'hidden 4' });
  });

  it('disclose nothing about an unavailable database', async () => {
    const { host, port } = postgis.connection;
    const connectionParameters = {
      dbtype: 'postgis',
      host,
      port: 1,
      database: 'nowhere',
      user: 'someone',
      passwd: 'x',
    };
    await server.put(`${stores}/nyc`, JSON.stringify({ dataStore: { connectionParameters } }));

    const reply = await ask(server, '/collections/acme:roads/items');

    expect([reply.status, reply.headers['content-type']]).toEqual([503, 'application/problem+json']);
    for (const word of [String(host), String(port), 'nowhere', 'someone', 'nyc']) {
      expect(reply.text).not.toContain(word);
    }
  });
});
