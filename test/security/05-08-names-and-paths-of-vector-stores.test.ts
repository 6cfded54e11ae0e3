/** Lessons 5 to 8 for vector stores: their names, and the server files they refer to. */
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

describe('lesson 5: the filename parameter of an upload', () => {
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  it.each(['../x.shp', 'a/b.shp', 'a\\b.shp', '..', '...', 'con.shp', 'NUL', 'a\0.shp', 'a\n.shp', 'a.', 'a:b.shp'])(
    'rejects the filename %j',
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
  ])('reaches no file with %s in the path', async (name) => {
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
    'rejects %j in a document',
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

describe('lesson 7: paths with an external root', () => {
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
    ['an absolute path outside the root', () => join(folder, 'closed')],
    ['a file: URL', () => `file://${join(folder, 'closed/secret.shp')}`],
    ['another host', () => `file://evil${root}/inside.shp`],
    ['dots', () => `${root}/../closed`],
    ['encoded dots', () => `file://${root}/%2e%2e/closed`],
    ['encoded slashes', () => `file://${root}%2f..%2fclosed`],
    ['a linked folder', () => join(root, 'way-out')],
    ['a linked file', () => join(root, 'linked.shp')],
    ['a path that starts with the name of the root', () => `${root}-too`],
    ['the keystore', () => 'security'],
    ['the database', () => 'graticule.sqlite'],
    ['uploads of other users', () => 'data'],
    ['a remote URL', () => 'http://example.com/roads.zip'],
  ])('rejects %s in an upload and in a store for every user', async (_what, written) => {
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

  it('lets workspace administrators publish files inside the root, and follows no link out of it', async () => {
    const reply = await server.request('PUT', `${stores}/inside/external.shp?configure=all`, {
      type: 'text/plain',
      body: root,
      as: ann,
    });

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/inside')).toEqual(['inside']);
  });

  it('opens uploads from the data directory', async () => {
    await putZip(server, `${stores}/uploaded/file.shp`, zipOf({ uploaded: pointShapefile() }));

    expect((await server.get(`${stores}/uploaded/featuretypes.json?list=all`)).status).toBe(200);
    const read = await server.get(`${stores}/uploaded.json`, { as: ann });
    const back = await server.put(`${stores}/uploaded`, read.text, { as: ann });
    expect(back.status).toBe(200);
  });

  it('does not follow a link that is created later', async () => {
    const document = { dataStore: { name: 'later', connectionParameters: { url: `file://${root}/later` } } };
    expect((await server.post(stores, JSON.stringify(document))).status).toBe(201);
    await symlink(join(folder, 'closed'), join(root, 'later'));

    const reply = await server.get(`${stores}/later/featuretypes.json?list=all`);

    expect(reply.status).toBe(403);
    expect(reply.text).not.toContain('secret');
  });
});

describe('lesson 7: paths without an external root', () => {
  const folder = useTemporaryFolder('external');
  const server = useTestServer();
  let ann = '';
  beforeAll(async () => {
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    await writeShapefiles(folder, { open: pointShapefile() });
  });

  it('lets only administrators refer to server files', async () => {
    const upload = { type: 'text/plain', body: folder };
    const store = JSON.stringify({ dataStore: { name: 'y', connectionParameters: { url: folder } } });

    expect((await server.request('PUT', `${stores}/x/external.shp`, { ...upload, as: ann })).status).toBe(403);
    expect((await server.post(stores, store, { as: ann })).status).toBe(403);
    expect((await server.request('PUT', `${stores}/x/external.shp`, upload)).status).toBe(201);
    expect((await server.post(stores, store)).status).toBe(201);
    const elsewhere = JSON.stringify({ dataStore: { connectionParameters: { url: `${folder}/` } } });
    expect((await server.put(`${stores}/y`, elsewhere, { as: ann })).status).toBe(403);
  });

  it('rejects the internal files of the server for every user and in every spelling', async () => {
    await link(join(server.dataDir, 'graticule.sqlite'), join(folder, 'copy.gpkg'));

    const reply = await server.request('PUT', `${stores}/own/external.gpkg`, {
      type: 'text/plain',
      body: join(folder, 'copy.gpkg'),
    });

    expect(reply.status).toBe(403);
  });
});

describe('lesson 8: files an upload refers to', () => {
  const folder = useTemporaryFolder('external');
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  it('never renames, moves, changes or deletes the file, whether the upload succeeds or fails', async () => {
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
