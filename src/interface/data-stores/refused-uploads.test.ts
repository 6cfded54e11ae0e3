import { beforeAll, describe, expect, it } from 'vitest';
import { rawZip } from '../../../test/support/raw-zip.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { createZipEntries, pointShapefile, putZip, snapshot, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

describe('a rejected upload', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, `${stores}/there/file.shp`, zipOf({ there: pointShapefile() }));
    const parameters = { dbtype: 'postgis', host: 'localhost', database: 'none', user: 'missing' };
    await server.post(stores, JSON.stringify({ dataStore: { name: 'pg', connectionParameters: parameters } }));
  });

  const good = zipOf({ good: pointShapefile() });
  const { shp = Buffer.alloc(0), ...others } = pointShapefile();
  it.each([
    ['an unknown workspace', '/workspaces/nowhere/datastores/x/file.shp', good, 404, 'nowhere'],
    ['an unknown format', `${stores}/x/file.xyz`, good, 400, "Unsupported format: 'xyz'"],
    ['a format of the API', `${stores}/x/file.xml`, good, 400, "Unsupported format: 'xml'"],
    [
      'an unknown method',
      `${stores}/x/remote.shp`,
      good,
      400,
      "Unknown upload method 'remote'. Use file, url or external.",
    ],
    ['an empty body', `${stores}/x/file.shp`, Buffer.alloc(0), 400, 'no body'],
    ['bytes that are not an archive', `${stores}/x/file.shp`, Buffer.from('hello'), 400, 'not a ZIP archive'],
    ['a truncated archive', `${stores}/x/file.shp`, good.subarray(0, good.length - 40), 400, 'not a ZIP archive'],
    [
      'an archive without a shapefile',
      `${stores}/x/file.shp`,
      rawZip([{ name: 'a.txt', data: 'a' }]),
      400,
      'no file has the extension .shp',
    ],
    [
      'shapefiles in several folders',
      `${stores}/x/file.shp`,
      rawZip([...createZipEntries({ a: pointShapefile() }, 'a/'), ...createZipEntries({ b: pointShapefile() }, 'b/')]),
      400,
      'several folders',
    ],
    [
      'a truncated .shp',
      `${stores}/x/file.shp`,
      zipOf({ cut: { ...others, shp: shp.subarray(0, 130) } }),
      400,
      "'cut.shp' is truncated",
    ],
    [
      'an invalid .shp',
      `${stores}/x/file.shp`,
      zipOf({ odd: { ...others, shp: Buffer.alloc(200, 1) } }),
      400,
      "'odd.shp'",
    ],
    ['an unknown charset', `${stores}/x/file.shp?charset=klingon`, good, 400, 'klingon'],
    ['a bad filename', `${stores}/x/file.shp?filename=../x`, good, 400, 'separator'],
    [
      'a filename without room for its extension',
      `${stores}/x/file.shp?filename=${'x'.repeat(252)}`,
      good,
      400,
      'longer',
    ],
    ['an unknown target', `${stores}/x/file.shp?target=postgis`, good, 400, "'postgis'. Set target to shp or gpkg"],
    ['a target that cannot be written', `${stores}/x/file.gpkg?target=shp`, good, 400, "'shp'. Set target to gpkg"],
    ['a database that is down', `${stores}/pg/file.shp`, good, 502, "the store 'pg' is unavailable"],
    [
      'a format that differs from the store',
      `${stores}/there/file.gpkg`,
      good,
      400,
      'stores of the types PostGIS, MySQL, GeoPackage accept it',
    ],
    ['an invalid name', `${stores}/x:y/file.shp`, good, 400, 'character :'],
    [
      'new data in place of published data',
      `${stores}/there/file.shp`,
      zipOf({ cut: { ...others, shp: shp.subarray(0, 130) } }),
      400,
      'truncated',
    ],
  ])('reports %s and leaves no trace', async (_what, path, body, status, message) => {
    const before = await snapshot(server.dataDir);
    const position = await server.server.storage.position();

    const reply = await putZip(server, path, body);

    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(message)]);
    expect(await snapshot(server.dataDir)).toEqual(before);
    expect(await server.server.storage.position()).toBe(position);
  });

  it('is denied by a rule for its path like any other request', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    const put = (file: string) =>
      server.request('PUT', `${stores}/ruled/${file}`, { type: 'application/zip', body: good, as: ann });
    expect((await put('file.shp')).status).toBe(201);

    await server.post('/security/acl/rest', '{"/rest/workspaces/*/datastores/*/file.shp:PUT":"ROLE_OTHER"}');

    expect((await put('file.shp')).status).toBe(403);
    expect((await put('f%69le.shp')).status).toBe(403);
    expect((await put('file.gpkg')).status).toBe(400);
  });

  it.each(['GET', 'POST', 'DELETE'])('answers %s with the allowed method', async (method) => {
    const reply = await server.request(method, `${stores}/there/file.shp`);

    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBe('OPTIONS, PUT');
  });

  it('checks the conditional headers of the client', async () => {
    const refused = await server.request('PUT', `${stores}/there/file.shp`, {
      type: 'application/zip',
      body: good,
      headers: { 'if-none-match': '*' },
    });
    expect(refused.status).toBe(412);
    const tag = (await server.get(`${stores}/there.json`)).headers['etag'] ?? '';
    const taken = await server.request('PUT', `${stores}/there/file.shp`, {
      type: 'application/zip',
      body: good,
      headers: { 'if-match': tag },
    });
    expect(taken.status).toBe(201);
  });
});
