import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { describeWithDocuments } from '../../../test/support/with-documents.ts';

const stores = '/workspaces/acme/datastores';

function storeJson(name: string, parameters: Record<string, string>): string {
  const entry = Object.entries(parameters).map(([key, value]) => ({ '@key': key, $: value }));
  return JSON.stringify({ dataStore: { name, connectionParameters: { entry } } });
}

const json = { headers: { 'content-type': 'application/json' } };

describeWithDocuments('a MongoDB store', (documents) => {
  const server = useTestServer({ flags: ['--database-hosts', 'db.example', '--store-timeout-ms', '3000'] });
  const schemas = mkdtempSync(join(tmpdir(), 'graticule-schemas-'));
  let ann = '';
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    await documents.insert('stations', [{ name: 'a', place: { type: 'Point', coordinates: [1, 2] } }]);
  });

  it('publishes a collection', async () => {
    const created = await server.post(
      stores,
      storeJson('docs', { data_store: documents.uri(), schema_store: schemas }),
      json,
    );
    const published = await server.post(
      `${stores}/docs/featuretypes`,
      '<featureType><name>stations</name></featureType>',
    );
    const shown = await server.get('/workspaces/acme/featuretypes/stations.json');

    expect([created.status, published.status]).toEqual([201, 201]);
    expect((await server.get(`${stores}/docs.json`)).text).toContain('"type":"MongoDB"');
    expect(JSON.parse(shown.text).featureType).toMatchObject({
      srs: 'EPSG:4326',
      nativeBoundingBox: { minx: 1, maxx: 1, miny: 2, maxy: 2 },
      attributes: { attribute: [{ name: 'place' }, { name: 'name', binding: 'java.lang.String' }] },
    });
  });

  it('never returns the password of its URI, and keeps it', async () => {
    const data_store = 'mongodb://jane:hunter2@db.example:1/x';
    const parameters = { data_store, schema_store: `${schemas}/secret` };

    const created = await server.post(stores, storeJson('secret', parameters), json);
    const shown = await server.get(`${stores}/secret.json`);
    const put = await server.put(`${stores}/secret`, shown.text, json);
    const listed = await server.get(`${stores}/secret/featuretypes.json?list=available`);

    expect([created.status, shown.status, put.status]).toEqual([201, 200, 200]);
    expect(listed.status).toBe(502);
    for (const reply of [created, shown, put, listed, await server.get(`${stores}/secret.html`)]) {
      expect(`${JSON.stringify(reply.headers)}${reply.text}`).not.toContain('hunter2');
    }
    expect(server.log.join('\n')).not.toContain('hunter2');
  });

  it('can use the hosts that the operator allowed, for a workspace administrator', async () => {
    const of = (data_store: string) =>
      server.post(stores, storeJson('mine', { data_store, schema_store: 'mongodb://db.example/s' }), {
        ...json,
        as: ann,
      });

    expect((await of('mongodb://far.example/x')).status).toBe(403);
    expect((await of('mongodb://db.example,far.example/x')).status).toBe(403);
    expect((await of('mongodb://db.example/x')).status).toBe(201);
  });

  it('stores schemas only where its creator can access files', async () => {
    const parameters = { data_store: 'mongodb://db.example/x', schema_store: 'file:/etc' };

    const reply = await server.post(stores, storeJson('files', parameters), { ...json, as: ann });

    expect(reply.status).toBe(403);
    for (const schema_store of ['file:security', 'file:blobs/x']) {
      expect((await server.post(stores, storeJson('own', { ...parameters, schema_store }), json)).status).toBe(403);
    }
  });

  it.each([
    ['mongodb://jane:hunter2@h/x?tlsCAFile=/etc/passwd'],
    ['mongodb+srv://jane:hunter2@h/x'],
    ['mongodb://jane:hunter2@%2Ftmp%2Fx.sock/x'],
  ])('is rejected at %s, without repeating the URI', async (data_store) => {
    const reply = await server.post(stores, storeJson('bad', { data_store, schema_store: schemas }), json);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("'data_store'")]);
    expect(reply.text).not.toContain('hunter2');
  });
});
