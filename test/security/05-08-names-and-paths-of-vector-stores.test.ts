/** Lessons 5 to 8 where vector stores are named and point at files of the server. */
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useSocketClient } from '../support/socket-client.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { featureTypes, pointShapefile, putZip, snapshot, writeShapefiles, zipOf } from '../support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const zip = zipOf({ good: pointShapefile() });

describe('lesson 5: the filename of an upload', () => {
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  it.each(['../x.shp', 'a/b.shp', 'a\\b.shp', '..', '...', 'con.shp', 'NUL', 'a\0.shp', 'a\n.shp', 'a.', 'a:b.shp'])(
    'cannot be %j',
    async (name) => {
      const before = await snapshot(server.dataDir);
      const path = `${stores}/s/file.shp?filename=${encodeURIComponent(name)}`;

      const reply = await putZip(server, path, pointShapefile()['shp'] ?? zip, 'application/octet-stream');

      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('Invalid file name')]);
      expect(await snapshot(server.dataDir)).toEqual(before);
    },
  );
});

describe('lesson 6: names of stores, feature types and layers', () => {
  const client = useSocketClient();
  const document = (root: string, name: string) =>
    JSON.stringify({ [root]: { name, connectionParameters: { url: 'file:data/x' } } });
  beforeAll(async () => {
    await client.server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(client.server, `${stores}/s/file.shp`, zip);
  });

  it.each([
    '..',
    '%2e%2e',
    '%2e%2e%2fsecurity',
    '..%5csecurity',
    '%252e%252e%252fsecurity',
    '..%c0%afsecurity',
    'acme.',
    'acme%20',
    'acme%00',
  ])('%s in the path reaches no file', async (name) => {
    const before = await snapshot(client.server.dataDir);
    const change = { body: document('dataStore', 'renamed'), headers: { 'content-type': 'application/json' } };
    const upload = { body: zip.toString('latin1'), headers: { 'content-type': 'application/zip' } };
    const replies = [
      await client.request('GET', `${stores}/${name}`),
      await client.request('PUT', `${stores}/${name}`, change),
      await client.request('PUT', `${stores}/${name}/file.shp`, upload),
      await client.request('PUT', `/workspaces/${name}/datastores/s/file.shp`, upload),
      await client.request('DELETE', `${stores}/${name}?recurse=true&purge=true`),
      await client.request('GET', `${stores}/s/featuretypes/${name}`),
      await client.request('DELETE', `${stores}/s/featuretypes/${name}?recurse=true`),
      await client.request('DELETE', `/layers/${name}?recurse=true`),
    ];

    expect(replies.map(({ status }) => status).filter((status) => ![400, 404, 405].includes(status))).toEqual([]);
    expect(await snapshot(client.server.dataDir)).toEqual(before);
  });

  it.each(['..', '.', '../x', 'a/b', 'a\\b', '.hidden', 'dot.', 'space ', 'nul\0', 'line\n'])(
    '%j in a document is refused',
    async (name) => {
      const before = await snapshot(client.server.dataDir);

      const replies = [
        await client.server.post(stores, document('dataStore', name)),
        await client.server.put(`${stores}/s`, JSON.stringify({ dataStore: { name } })),
        await client.server.post(
          `${stores}/s/featuretypes`,
          JSON.stringify({ featureType: { name, nativeName: 'good' } }),
        ),
        await client.server.put(`${stores}/s/featuretypes/good`, JSON.stringify({ featureType: { name } })),
      ];

      expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
      expect(await snapshot(client.server.dataDir)).toEqual(before);
    },
  );
});

describe('lesson 7: with an external root', () => {
  const folder = useTemporaryFolder('external');
  const root = join(folder, 'open');
  const server = useTestServer({ flags: ['--external-root', root] });
  let ann = '';
  beforeAll(async () => {
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    await writeShapefiles(root, { inside: pointShapefile() });
    await writeShapefiles(join(folder, 'closed'), { secret: pointShapefile() });
    await writeShapefiles(join(folder, 'open-too'), { secret: pointShapefile() });
    await symlink(join(folder, 'closed'), join(root, 'way-out'));
    await symlink(join(folder, 'closed/secret.shp'), join(root, 'linked.shp'));
    await mkdir(join(folder, 'shadow'));
  });

  it.each([
    ['the place itself', () => join(folder, 'closed')],
    ['a file: URL', () => `file://${join(folder, 'closed/secret.shp')}`],
    ['another host', () => `file://evil${root}/inside.shp`],
    ['dots', () => `${root}/../closed`],
    ['encoded dots', () => `file://${root}/%2e%2e/closed`],
    ['encoded slashes', () => `file://${root}%2f..%2fclosed`],
    ['a linked folder', () => join(root, 'way-out')],
    ['a linked file', () => join(root, 'linked.shp')],
    ['a name that begins like the root', () => `${root}-too`],
    ['the keystore', () => 'security'],
    ['the database', () => 'graticule.sqlite'],
    ['uploads of others', () => 'data'],
    ['a remote URL', () => 'http://example.com/roads.zip'],
  ])('no way out leads through %s, for nobody, in an upload or a store', async (_what, written) => {
    const body = written();
    for (const as of [undefined, ann]) {
      const who = as === undefined ? {} : { as };
      const uploaded = await server.request('PUT', `${stores}/x/external.shp`, { type: 'text/plain', body, ...who });
      const document = { dataStore: { name: 'x', connectionParameters: { url: body } } };
      const stored = await server.post(stores, JSON.stringify(document), who);
      const packed = { dataStore: { name: 'x', connectionParameters: { dbtype: 'geopkg', database: body } } };
      const database = await server.post(stores, JSON.stringify(packed), who);

      for (const reply of [uploaded, stored, database]) {
        expect([400, 403]).toContain(reply.status);
      }
    }
    expect((await server.get(`${stores}/x.xml`)).status).toBe(404);
  });

  it('everybody who administers the workspace may publish what is inside, and links out of it are left alone', async () => {
    const reply = await server.request('PUT', `${stores}/inside/external.shp?configure=all`, {
      type: 'text/plain',
      body: root,
      as: ann,
    });

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/inside')).toEqual(['inside']);
  });

  it('uploads are still opened from the data directory', async () => {
    await putZip(server, `${stores}/uploaded/file.shp`, zipOf({ uploaded: pointShapefile() }));

    expect((await server.get(`${stores}/uploaded/featuretypes.json?list=all`)).status).toBe(200);
    const read = await server.get(`${stores}/uploaded.json`, { as: ann });
    const back = await server.put(`${stores}/uploaded`, read.text, { as: ann });
    expect(back.status).toBe(200);
  });

  it('a link that comes later is not followed either', async () => {
    const document = { dataStore: { name: 'later', connectionParameters: { url: `file://${root}/later` } } };
    expect((await server.post(stores, JSON.stringify(document))).status).toBe(201);
    await symlink(join(folder, 'closed'), join(root, 'later'));

    const reply = await server.get(`${stores}/later/featuretypes.json?list=all`);

    expect(reply.status).toBe(403);
    expect(reply.text).not.toContain('secret');
  });
});

describe('lesson 7: without an external root', () => {
  const folder = useTemporaryFolder('external');
  const server = useTestServer();
  let ann = '';
  beforeAll(async () => {
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    await writeShapefiles(folder, { open: pointShapefile() });
  });

  it('only administrators name files of the server', async () => {
    const upload = { type: 'text/plain', body: folder };
    const store = JSON.stringify({ dataStore: { name: 'y', connectionParameters: { url: folder } } });

    expect((await server.request('PUT', `${stores}/x/external.shp`, { ...upload, as: ann })).status).toBe(403);
    expect((await server.post(stores, store, { as: ann })).status).toBe(403);
    expect((await server.request('PUT', `${stores}/x/external.shp`, upload)).status).toBe(201);
    expect((await server.post(stores, store)).status).toBe(201);
    const elsewhere = JSON.stringify({ dataStore: { connectionParameters: { url: `${folder}/` } } });
    expect((await server.put(`${stores}/y`, elsewhere, { as: ann })).status).toBe(403);
  });

  it('the server’s own files are nobody’s, under no other name', async () => {
    await link(join(server.dataDir, 'graticule.sqlite'), join(folder, 'copy.gpkg'));

    const reply = await server.request('PUT', `${stores}/own/external.gpkg`, {
      type: 'text/plain',
      body: join(folder, 'copy.gpkg'),
    });

    expect(reply.status).toBe(403);
  });
});

describe('lesson 8: what an upload points at', () => {
  const folder = useTemporaryFolder('external');
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  it('is never renamed, moved, changed or deleted, whatever comes of it', async () => {
    await writeShapefiles(folder, { roads: pointShapefile() });
    await writeFile(join(folder, 'roads.zip'), zip);
    await writeFile(join(folder, 'broken.zip'), zip.subarray(0, 100));
    const before = await snapshot(folder);

    for (const [name, configure] of [
      ['', 'all'],
      ['roads.shp', 'first'],
      ['roads.zip', 'all'],
      ['broken.zip', 'first'],
      ['roads.dbf', 'first'],
    ]) {
      await server.request('PUT', `${stores}/s/external.shp?configure=${configure}`, {
        type: name?.endsWith('.zip') ? 'application/zip' : 'text/plain',
        body: join(folder, name ?? ''),
      });
      await server.delete(`${stores}/s?recurse=true&purge=all`);
    }

    expect(await snapshot(folder)).toEqual(before);
    expect((await server.get(`${stores}.json`)).text).toBe('{"dataStores":{"dataStore":[]}}');
  });
});
