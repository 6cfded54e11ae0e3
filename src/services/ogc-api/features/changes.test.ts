/** Features are created, replaced, updated and deleted by principals with write access to the layer. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, FEATURES, itemsAt, places, publishShapefiles } from '../../../../test/support/features.ts';
import { makeRoads } from '../../../../test/support/geopackages.ts';
import { itInDirectory } from '../../../../test/support/shared-storage.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { type RequestOptions, type TestServer, useTestServer } from '../../../../test/support/test-server.ts';
import { addUser } from '../../../../test/support/test-users.ts';
import { describeWithPostgis } from '../../../../test/support/with-postgis.ts';

const feature = (properties: object, coordinates: readonly number[] | null = [10, 50]) =>
  JSON.stringify({ type: 'Feature', geometry: coordinates && { type: 'Point', coordinates }, properties });

function sending(server: TestServer, collection: string) {
  const send = (method: string, path: string, body?: string, options: RequestOptions = {}) =>
    server.request(method, `${FEATURES}/collections/${collection}/items${path}`, {
      type: method === 'PATCH' ? 'application/merge-patch+json' : 'application/geo+json',
      ...(body === undefined ? {} : { body }),
      ...options,
    });
  const one = async (id: string) => {
    const reply = await ask(server, `/collections/${collection}/items/${id}`);
    const { geometry, properties } = reply.json() as { geometry: { coordinates: unknown } | null; properties: object };
    return { coordinates: geometry?.coordinates, ...properties, etag: reply.headers['etag'] ?? '' };
  };
  return { send, one };
}

describeWithPostgis('features in PostGIS', (postgis) => {
  const server = useTestServer();
  const { send, one } = sending(server, 'acme:wells');
  const stores = '/workspaces/acme/datastores';
  beforeAll(async () => {
    await postgis.query(
      'CREATE TABLE wells (id serial PRIMARY KEY, name text, depth float8, dug date, owner text, geom geometry(Point, 25833))',
    );
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post(stores, JSON.stringify({ dataStore: { name: 'nyc', connectionParameters } }));
    await server.post(`${stores}/nyc/featuretypes`, '{"featureType":{"name":"wells"}}');
    await server.post(
      `${stores}/nyc/featuretypes`,
      JSON.stringify({
        featureType: {
          name: 'deep',
          nativeName: 'wells',
          cqlFilter: 'depth > 100',
          attributes: { attribute: [{ name: 'called', source: 'name' }, { name: 'depth' }, { name: 'geom' }] },
        },
      }),
    );
  });

  it('are created and found at the address in the Location header', async () => {
    const reply = await send('POST', '', feature({ name: 'a well', depth: 12.5, dug: '2024-02-29' }, [15, 52]));
    const id = reply.headers['location']?.split('/').at(-1) ?? '';

    expect([reply.status, id]).toEqual([201, 'wells.1']);
    expect(await one(id)).toMatchObject({ name: 'a well', depth: 12.5, dug: '2024-02-29', owner: null });
    const [x, y] = (await one(id)).coordinates as readonly number[];
    expect([x?.toFixed(6), y?.toFixed(6)]).toEqual(['15.000000', '52.000000']);
  });

  it('are replaced as a whole and updated in part', async () => {
    await postgis.query("INSERT INTO wells (id, name, depth, owner) VALUES (50, 'old', 1, 'me')");

    expect((await send('PUT', '/wells.50', feature({ name: 'new' }, null))).status).toBe(204);
    expect(await one('wells.50')).toMatchObject({ name: 'new', depth: null, owner: null });
    expect((await send('PATCH', '/wells.50', '{"properties":{"depth":7}}')).status).toBe(204);
    expect(await one('wells.50')).toMatchObject({ name: 'new', depth: 7 });
    const moved = '{"geometry":{"type":"Point","coordinates":[15,50]}}';
    expect((await send('PATCH', '/wells.50', moved)).status).toBe(204);
    expect(await one('wells.50')).toMatchObject({ name: 'new', coordinates: [15, expect.closeTo(50, 6)] });
  });

  it('are converted from the CRS that the client declares', async () => {
    const headers = { 'content-crs': '<http://www.opengis.net/def/crs/EPSG/0/4326>' };
    const reply = await send('POST', '', feature({ name: 'north first' }, [52, 15]), { headers });
    const { coordinates } = await one(reply.headers['location']?.split('/').at(-1) ?? '');

    expect(coordinates).toEqual([expect.closeTo(15, 6), expect.closeTo(52, 6)]);
  });

  it('are deleted once, and return 404 afterwards', async () => {
    await postgis.query("INSERT INTO wells (id, name) VALUES (60, 'old')");

    const gone = await send('DELETE', '/wells.60');
    expect([gone.status, gone.text, gone.headers['content-type'], gone.headers['content-length']]).toEqual([
      204,
      '',
      undefined,
      undefined,
    ]);
    expect((await send('DELETE', '/wells.60')).status).toBe(404);
    expect((await send('PUT', '/wells.60', feature({}))).status).toBe(404);
  });

  it('are not changed if the ETag of the client is outdated', async () => {
    await postgis.query("INSERT INTO wells (id, name) VALUES (70, 'seen')");
    const { etag } = await one('wells.70');
    const guarded = (tag: string) => ({ headers: { 'if-match': tag } });

    expect((await send('PATCH', '/wells.70', '{"properties":{"name":"mine"}}', guarded(etag))).status).toBe(204);
    expect((await send('PATCH', '/wells.70', '{"properties":{"name":"yours"}}', guarded(etag))).status).toBe(412);
    expect((await send('DELETE', '/wells.70', undefined, guarded(etag))).status).toBe(412);
    expect((await one('wells.70')).etag).not.toBe(etag);
    const shaped = await ask(server, '/collections/acme:wells/items/wells.70?properties=depth');
    expect((await send('DELETE', '/wells.70', undefined, guarded(shaped.headers['etag'] ?? ''))).status).toBe(204);
  });

  it('are not changed with dryRun', async () => {
    await postgis.query("INSERT INTO wells (id, name) VALUES (80, 'stays')");

    expect((await send('DELETE', '/wells.80?dryRun=true')).status).toBe(204);
    expect((await send('POST', '?dryRun=true', feature({ name: 'never' }))).status).toBe(201);
    expect(await one('wells.80')).toMatchObject({ name: 'stays' });
    expect((await itemsAt(server, '/collections/acme:wells/items?name=never')).numberMatched).toBe(0);
  });

  it.each([
    ['invalid JSON', 'nonsense'],
    ['a list', '[]'],
    ['a bare geometry', '{"type":"Point","coordinates":[1,2]}'],
    ['an unknown attribute', feature({ nothing: 1 })],
    ['a text instead of a number', feature({ depth: 'deep' })],
    ['an invalid date', feature({ dug: 'yesterday' })],
    [
      'a geometry of another kind',
      JSON.stringify({
        type: 'Feature',
        geometry: {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
        properties: {},
      }),
    ],
    [
      'a geometry without coordinates',
      JSON.stringify({ type: 'Feature', geometry: { type: 'Point' }, properties: {} }),
    ],
    ['injection', feature({ "name') VALUES (1); --": 'x' })],
  ])('are not created from %s', async (_what, body) => {
    const before = await postgis.query('SELECT count(*) AS count FROM wells');
    const reply = await send('POST', '', body);

    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect(await postgis.query('SELECT count(*) AS count FROM wells')).toEqual(before);
  });

  it('reject other media types with 415', async () => {
    expect((await send('POST', '', '<wells/>', { type: 'application/xml' })).status).toBe(415);
  });

  it('are changed under their published names, and only the published attributes', async () => {
    await postgis.query("INSERT INTO wells (id, name, depth) VALUES (90, 'shallow', 5), (91, 'deep', 500)");
    const deep = sending(server, 'acme:deep');

    expect((await deep.send('PATCH', '/deep.91', '{"properties":{"called":"deeper"}}')).status).toBe(204);
    expect((await deep.send('PATCH', '/deep.90', '{"properties":{"called":"hidden"}}')).status).toBe(404);
    expect((await deep.send('DELETE', '/deep.90')).status).toBe(404);
    expect((await deep.send('PATCH', '/deep.91', '{"properties":{"owner":"me"}}')).status).toBe(400);
    expect(await postgis.query('SELECT name FROM wells WHERE id IN (90, 91) ORDER BY id')).toEqual([
      { name: 'shallow' },
      { name: 'deeper' },
    ]);
  });

  it('are rejected if the filter of the layer would hide them', async () => {
    await postgis.query("INSERT INTO wells (id, name, depth) VALUES (95, 'deep', 500)");
    const deep = sending(server, 'acme:deep');

    expect((await deep.send('POST', '', feature({ called: 'shallow', depth: 5 }))).status).toBe(400);
    expect((await deep.send('POST', '', feature({ called: 'deeper still', depth: 501 }))).status).toBe(201);
    expect((await deep.send('PATCH', '/deep.95', '{"properties":{"depth":5}}')).status).toBe(400);
    expect(await postgis.query('SELECT depth FROM wells WHERE id = 95')).toEqual([{ depth: 500 }]);
  });

  it('are rejected with errors that name the layer but no table or column', async () => {
    await postgis.query('ALTER TABLE wells ADD CONSTRAINT short CHECK (length(name) < 100)');
    const deep = sending(server, 'acme:deep');
    const refused = [
      await deep.send('POST', '', feature({ called: 'x'.repeat(100), depth: 200 })),
      await deep.send('POST', '', feature({ called: 'a\u0000b', depth: 200 })),
      await deep.send('POST', '', feature({ depth: 200 }, [1, 2, 3])),
    ];

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(refused.map(({ text }) => text).join()).not.toMatch(/wells|import/);
    expect(refused.at(-1)?.text).toContain("the geometry is XYZ, but the column accepts only XY (attribute 'geom')");
  });

  it('keep the exact values that were sent', async () => {
    await postgis.query(
      `CREATE TABLE exact (id serial PRIMARY KEY, big int8, price numeric(30, 10), raw bytea, note jsonb,
        made timestamptz NOT NULL DEFAULT '2020-01-01Z', geom geometry(Point, 4326))`,
    );
    await postgis.query(
      `INSERT INTO exact (big, price, raw, note) VALUES
        (9223372036854775807, 12345678901234567890.1234567891, '\\xdeadbeef', '{"a": [1]}')`,
    );
    await server.post(`${stores}/nyc/featuretypes`, '{"featureType":{"name":"exact"}}');
    const exact = sending(server, 'acme:exact');
    const { text } = await ask(server, '/collections/acme:exact/items/exact.1');

    expect((await exact.send('PUT', '/exact.1', text)).status).toBe(204);
    expect((await exact.send('POST', '', text)).status).toBe(201);
    const rows = await postgis.query(
      `SELECT big::text, price::text, encode(raw, 'hex') AS raw, note::text, made FROM exact`,
    );
    expect(rows[0]).toMatchObject({
      big: '9223372036854775807',
      price: '12345678901234567890.1234567891',
      raw: 'deadbeef',
      note: '{"a": [1]}',
    });
    expect(rows[1]).toEqual(rows[0]);
    expect((await exact.send('POST', '', feature({ big: 1 }))).status, 'made has a default').toBe(201);
  });

  it.each([
    ['an integer out of range', '{"properties":{"big":92233720368547758070}}'],
    ['invalid Base64', '{"properties":{"raw":"no base 64!"}}'],
    ['deeply nested arrays', `{"properties":{"note":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`],
    [
      'deeply nested arrays in an unknown member',
      `{"x":${'['.repeat(5_000)}${']'.repeat(5_000)},"properties":{"big":9223372036854775807}}`,
    ],
  ])('are not changed to %s', async (_what, body) => {
    const reply = await sending(server, 'acme:exact').send('PATCH', '/exact.1', body);

    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'application/problem+json']);
  });

  it('are not replaced if the client requires a new one with If-None-Match', async () => {
    await postgis.query("INSERT INTO wells (id, name) VALUES (75, 'there')");
    const none = { headers: { 'if-none-match': '*' } };

    expect((await send('PUT', '/wells.75', feature({ name: 'mine' }, null), none)).status).toBe(412);
    expect(await one('wells.75')).toMatchObject({ name: 'there' });
  });

  it('keep their key when replaced without it', async () => {
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    const shown = { ...connectionParameters, 'Expose primary keys': 'true' };
    await postgis.query('CREATE TABLE pumps (id serial PRIMARY KEY, name text, geom geometry(Point, 4326))');
    await server.post(stores, JSON.stringify({ dataStore: { name: 'keyed', connectionParameters: shown } }));
    await server.post(`${stores}/keyed/featuretypes`, '{"featureType":{"name":"pumps"}}');
    const pumps = sending(server, 'acme:pumps');

    expect((await pumps.send('POST', '', feature({ name: 'new' }))).headers['location']).toMatch(/pumps\.1$/);
    expect((await pumps.send('PUT', '/pumps.1', feature({ name: 'newer' }))).status).toBe(204);
    expect(await pumps.one('pumps.1')).toMatchObject({ id: 1, name: 'newer' });
  });

  it('can be changed with write access only', async () => {
    const [writer, reader] = [await addUser(server, 'writer', 'WRITERS'), await addUser(server, 'reader')];
    await server.post('/security/acl/layers', '{"acme.wells.w":"WRITERS"}');
    const statuses = async (as: string | null) => [
      (await send('POST', '', feature({ name: 'by rule' }), { as })).status,
      (await send('DELETE', '/wells.12345', undefined, { as })).status,
    ];

    expect(await statuses(null)).toEqual([401, 401]);
    expect(await statuses(reader)).toEqual([403, 403]);
    expect(await statuses(writer)).toEqual([201, 404]);
    await server.delete('/security/acl/layers/acme.wells.w');
    // Without a rule for writing, only administrators can write.
    expect(await statuses(null)).toEqual([401, 401]);
    expect(await statuses(reader)).toEqual([403, 403]);
  });

  it('offer changes in the Allow header to clients who can change them', async () => {
    const [writer, reader] = [await addUser(server, 'allowed', 'ALLOWED'), await addUser(server, 'refused')];
    await server.post('/security/acl/layers', '{"acme.wells.w":"ALLOWED"}');
    const allowOf = async (path: string, as: string | null) => {
      const options = await send('OPTIONS', path, undefined, { as });
      const refused = await send(path === '' ? 'DELETE' : 'POST', path, undefined, { as });
      expect([options.status, refused.status]).toEqual([200, 405]);
      expect(refused.headers['allow']).toBe(options.headers['allow']);
      expect(refused.text).toContain(`Allowed methods: ${options.headers['allow']}.`);
      return options.headers['allow'];
    };
    const all = [await allowOf('', writer), await allowOf('/wells.1', writer)];
    const read = [await allowOf('', reader), await allowOf('/wells.1', reader), await allowOf('', null)];
    await server.put('/services/wfs/settings', '{"wfs":{"serviceLevel":"BASIC"}}');
    const basic = await allowOf('', writer);
    await server.put('/services/wfs/settings', '{"wfs":{"serviceLevel":"COMPLETE"}}');
    await server.post('/security/acl/layers', '{"acme.wells.r":"ALLOWED"}');
    const hidden = (await send('OPTIONS', '', undefined, { as: reader })).status;
    await server.delete('/security/acl/layers/acme.wells.r');
    await server.delete('/security/acl/layers/acme.wells.w');

    expect(all).toEqual(['GET, HEAD, OPTIONS, POST', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT']);
    expect(read).toEqual(['GET, HEAD, OPTIONS', 'GET, HEAD, OPTIONS', 'GET, HEAD, OPTIONS']);
    expect([basic, hidden]).toEqual(['GET, HEAD, OPTIONS', 404]);
  });

  it('cannot be changed without read access, even with write access', async () => {
    const blind = await addUser(server, 'blind', 'BLIND');
    await server.post('/security/acl/layers', '{"acme.wells.r":"WRITERS","acme.wells.w":"*"}');
    const statusIn = async (mode: string, as: string | null) => {
      await server.put('/security/acl/catalog', JSON.stringify({ mode }));
      return (await send('DELETE', '/wells.12345', undefined, { as })).status;
    };

    const found = [
      [await statusIn('HIDE', blind), await statusIn('MIXED', blind), await statusIn('CHALLENGE', blind)],
      [await statusIn('HIDE', null), await statusIn('MIXED', null), await statusIn('CHALLENGE', null)],
    ];
    await server.put('/security/acl/catalog', '{"mode":"HIDE"}');
    await server.delete('/security/acl/layers/acme.wells.r');
    await server.delete('/security/acl/layers/acme.wells.w');

    expect(found).toEqual([
      [404, 403, 403],
      [404, 401, 401],
    ]);
  });

  it('return 404 for principals who cannot discover the layer', async () => {
    const stranger = await addUser(server, 'stranger');
    await server.post('/security/acl/layers', '{"acme.wells.r":"WRITERS"}');
    await server.post('/security/acl/layers', '{"acme.wells.w":"WRITERS"}');

    expect((await send('POST', '', feature({}), { as: stranger })).status).toBe(404);
    await server.delete('/security/acl/layers/acme.wells.r');
    await server.delete('/security/acl/layers/acme.wells.w');
  });

  it('cannot be changed if the service level is read-only', async () => {
    await server.put('/services/wfs/settings', '{"wfs":{"serviceLevel":"BASIC"}}');
    const { status } = await send('POST', '', feature({}));
    await server.put('/services/wfs/settings', '{"wfs":{"serviceLevel":"COMPLETE"}}');

    expect(status).toBe(403);
  });

  it('cannot be changed by pages of other origins', async () => {
    expect((await send('POST', '', feature({}), { headers: { origin: 'https://evil.example.org' } })).status).toBe(403);
  });
});

describe('features in files', () => {
  const server = useTestServer();
  const folder = useTemporaryFolder('changed-features');
  beforeAll(async () => {
    await publishShapefiles(server, 'acme', { places });
    const { path } = await makeRoads(folder);
    const type = 'application/geopackage+sqlite3';
    await server.request('PUT', '/workspaces/acme/datastores/roads/file.gpkg', { type, body: await readFile(path) });
  });

  itInDirectory('can be changed in a GeoPackage; a refused first change leaves the store as it was', async () => {
    const { send, one } = sending(server, 'acme:roads');
    const { etag } = await one('roads.1');
    const readStore = async () => (await server.get('/workspaces/acme/datastores/roads.json')).text;
    const readHead = async () => (await server.get('/history?limit=1')).text;
    const [store, head] = [await readStore(), await readHead()];
    expect((await send('DELETE', '/roads.99')).status).toBe(404);
    expect((await send('DELETE', '/roads.1', undefined, { headers: { 'if-match': '"other"' } })).status).toBe(412);
    expect([await readStore(), await readHead()]).toEqual([store, head]);

    expect(
      (await send('PATCH', '/roads.1', '{"properties":{"name":"renamed"}}', { headers: { 'if-match': etag } })).status,
    ).toBe(204);
    expect(await one('roads.1')).toMatchObject({ name: 'renamed' });
    expect((await send('DELETE', '/roads.1')).status).toBe(204);
    expect((await itemsAt(server, '/collections/acme:roads/items')).features).toEqual([]);
  });

  it('cannot be changed in a shapefile', async () => {
    const { send } = sending(server, 'acme:places');

    const refused = await send('POST', '', feature({ name: 'x' }));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('upload the data as a GeoPackage')]);
    expect((await send('DELETE', '/places.1')).status).toBe(400);
  });
});
