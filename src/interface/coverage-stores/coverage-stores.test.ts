import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { geotiffBytes } from '../../../test/support/tiff-bytes.ts';
import { pointShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/coveragestores';

async function prepare(server: TestServer): Promise<void> {
  await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  await mkdir(join(server.dataDir, 'data'), { recursive: true });
  await writeFile(join(server.dataDir, 'data', 'dem.tif'), geotiffBytes(30, 20));
  // Starting the first worker thread takes longer than the connection check on saving a store waits.
  await server.post(`${stores}?validate=connect`, '{"coverageStore":{"name":"ready","url":"file:data/dem.tif"}}');
}

describe('coverage stores', () => {
  const server = useTestServer({ clock: () => Date.UTC(2026, 10, 15) });
  beforeAll(() => prepare(server));

  it('are an empty list on a new server', async () => {
    await server.post('/workspaces', '<workspace><name>bare</name></workspace>');

    expect((await server.get('/workspaces/bare/coveragestores.xml')).text).toBe('<coverageStores/>\n');
    expect((await server.get('/workspaces/bare/coveragestores.json')).json()).toEqual({
      coverageStores: { coverageStore: [] },
    });
    expect((await server.get('/workspaces/bare/coveragestores.html')).text).toContain('No items.');
  });

  it('are created from XML and answered with their location and name', async () => {
    const reply = await server.post(
      stores,
      '<coverageStore><name>made</name><type>GeoTIFF</type><enabled>true</enabled><workspace>acme</workspace><url>file:data/dem.tif</url></coverageStore>',
    );

    expect(reply.status).toBe(201);
    expect(reply.text).toBe('made');
    expect(reply.headers['location']).toMatch(/\/rest\/workspaces\/acme\/coveragestores\/made$/);
    expect((await server.get(`${stores}/made.xml`, { headers: { host: 'h' } })).text).toBe(`<coverageStore>
  <name>made</name>
  <type>GeoTIFF</type>
  <enabled>true</enabled>
  <workspace>
    <name>acme</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme.xml" type="application/xml"/>
  </workspace>
  <__default>false</__default>
  <dateCreated>2026-11-15 00:00:00.000 UTC</dateCreated>
  <disableOnConnFailure>false</disableOnConnFailure>
  <url>file:data/dem.tif</url>
  <coverages>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/coveragestores/made/coverages.xml" type="application/xml"/>
  </coverages>
</coverageStore>
`);
  });

  it('are created from JSON with the type that the file extension implies', async () => {
    const reply = await server.post(stores, '{"coverageStore":{"name":"short","url":"file:data/dem.tif"}}');

    expect(reply.status).toBe(201);
    expect((await server.get(`${stores}/short.json`, { headers: { host: 'h' } })).json()).toEqual({
      coverageStore: {
        name: 'short',
        type: 'GeoTIFF',
        enabled: true,
        workspace: { name: 'acme', href: 'http://h/geoserver/rest/workspaces/acme.json' },
        _default: false,
        dateCreated: '2026-11-15 00:00:00.000 UTC',
        disableOnConnFailure: false,
        url: 'file:data/dem.tif',
        coverages: 'http://h/geoserver/rest/workspaces/acme/coveragestores/short/coverages.json',
      },
    });
    expect((await server.get(`${stores}.json`)).text).toContain('"short"');
  });

  it('accept a missing file with a warning, or reject it with validate=connect', async () => {
    const body = '{"coverageStore":{"name":"later","url":"file:data/later.tif"}}';

    const refused = await server.post(`${stores}?validate=connect`, body);
    const saved = await server.post(stores, body);

    expect(refused.status).toBe(400);
    expect(refused.text).toContain("The raster file 'later.tif' does not exist.");
    expect(saved.status).toBe(201);
    expect(saved.headers['warning']).toContain("The raster file 'later.tif' does not exist.");
  });

  it('accept a broken file, which every use reports', async () => {
    await writeFile(join(server.dataDir, 'data', 'broken.tif'), geotiffBytes(30, 20).subarray(0, 60));
    const saved = await server.post(stores, '{"coverageStore":{"name":"broken","url":"file:data/broken.tif"}}');

    const listed = await server.get(`${stores}/broken/coverages.json?list=all`);
    const published = await server.post(`${stores}/broken/coverages`, '{"coverage":{"name":"broken"}}');

    expect(saved.headers['warning']).toContain('broken.tif');
    expect(listed.status).toBe(400);
    expect(published.status).toBe(400);
    expect(published.text).toContain('broken.tif');
  });

  it('return 404 for an unknown workspace even if the document is invalid', async () => {
    const reply = await server.post('/workspaces/nowhere/coveragestores', '{"coverageStore":{"name":"a"}}');

    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining("'nowhere'")]);
  });

  it.each([
    ['no name', '{"coverageStore":{"url":"file:data/dem.tif"}}', 400, 'coverageStore.name'],
    ['no URL', '{"coverageStore":{"name":"a"}}', 400, 'The coverage store has no url'],
    ['an invalid name', '{"coverageStore":{"name":"a/b","url":"file:data/dem.tif"}}', 400, 'the character /'],
    ['another workspace', '{"coverageStore":{"name":"a","workspace":"b","url":"file:data/dem.tif"}}', 403, "'b'"],
    ['a name in use', '{"coverageStore":{"name":"made","url":"file:data/dem.tif"}}', 409, "'made'"],
    ['an unknown type', '{"coverageStore":{"name":"a","type":"ECW","url":"file:data/a.ecw"}}', 400, 'GeoTIFF'],
    ['an extension without a type', '{"coverageStore":{"name":"a","url":"file:data/a.bin"}}', 400, 'WorldImage'],
    [
      'a mosaic of a missing folder',
      '{"coverageStore":{"name":"a","type":"ImageMosaic","url":"file:data/m"}}',
      400,
      "'file:data/m'",
    ],
    [
      'a URL that no check allows',
      '{"coverageStore":{"name":"a","url":"http://h/a.tif"}}',
      403,
      'no enabled URL check',
    ],
    [
      'a mosaic in the internal files of the server',
      '{"coverageStore":{"name":"a","type":"ImageMosaic","url":"file:security"}}',
      403,
      'security',
    ],
    ['an internal file of the server', '{"coverageStore":{"name":"a","url":"file:security/a.tif"}}', 403, 'security'],
    ['another document type', '{"dataStore":{"name":"a"}}', 400, 'coverageStore'],
  ])('are rejected with %s', async (_what, body, status, said) => {
    const reply = await server.post(stores, body);

    expect(reply.status).toBe(status);
    expect(reply.text).toContain(said);
    expect((await server.get(`${stores}/a`)).status).toBe(404);
  });

  it('share their names with data stores', async () => {
    await putZip(server, '/workspaces/acme/datastores/vectors/file.shp', zipOf({ v: pointShapefile() }));

    const created = await server.post(stores, '{"coverageStore":{"name":"vectors","url":"file:data/dem.tif"}}');
    const uploaded = await putTiff(server, `${stores}/vectors/file.geotiff`);

    expect(created.status).toBe(409);
    expect(uploaded.status).toBe(409);
    expect((await server.get(`${stores}/vectors`)).status).toBe(404);
  });

  it('keep omitted fields and are unchanged by their own document', async () => {
    await server.post(stores, '{"coverageStore":{"name":"changing","url":"file:data/dem.tif","description":"a"}}');

    const changed = await server.put(
      `${stores}/changing`,
      '<coverageStore><description>b</description></coverageStore>',
    );
    const before = await server.get(`${stores}/changing.xml`);
    const same = await server.put(`${stores}/changing`, before.text);

    expect(changed.status).toBe(200);
    expect(await readResource(server, `${stores}/changing`)).toMatchObject({ description: 'b', enabled: true });
    expect(same.status).toBe(200);
    expect(same.headers['warning']).toBeUndefined();
    expect((await server.get(`${stores}/changing.xml`)).headers['etag']).toBe(before.headers['etag']);
  });

  it('are renamed and moved with their contents', async () => {
    await server.post('/workspaces', '<workspace><name>there</name></workspace>');
    await putTiff(server, `${stores}/moving/file.geotiff`);

    const moved = await server.put(
      `${stores}/moving`,
      '{"coverageStore":{"name":"moved","workspace":{"name":"there"}}}',
    );

    expect(moved.status).toBe(200);
    expect((await server.get(`${stores}/moving`)).status).toBe(404);
    expect(await readResource(server, '/layers/there:moving')).toMatchObject({ type: 'RASTER' });
    expect((await server.get('/workspaces/there/coverages.json?list=all')).json()).toEqual({
      list: { string: ['moving'] },
    });
  });

  it('accept a new location, also in place of uploaded data', async () => {
    await putTiff(server, `${stores}/elsewhere/file.geotiff`);

    const refused = await server.put(`${stores}/elsewhere`, '{"coverageStore":{"url":"file:security/a.tif"}}');
    const changed = await server.put(`${stores}/elsewhere`, '{"coverageStore":{"url":"file:data/dem.tif"}}');

    expect(refused.status).toBe(403);
    expect(changed.status).toBe(200);
    expect((await server.get(`${stores}/elsewhere/coverages.json?list=all`)).json()).toEqual({
      list: { string: ['dem'] },
    });
  });

  it('are not opened while disabled', async () => {
    await server.post(stores, '{"coverageStore":{"name":"off","enabled":false,"url":"file:data/dem.tif"}}');

    const listed = await server.get(`${stores}/off/coverages?list=all`);

    expect(listed.status).toBe(400);
    expect(listed.text).toContain('is disabled');
  });

  it('are deleted with their coverages only with recurse, and keep external files', async () => {
    await server.post(stores, '{"coverageStore":{"name":"going","url":"file:data/dem.tif"}}');
    await server.post(`${stores}/going/coverages`, '{"coverage":{"name":"going"}}');

    const refused = await server.delete(`${stores}/going`);
    const deleted = await server.delete(`${stores}/going?recurse=true&purge=all`);

    expect(refused.status).toBe(403);
    expect(refused.text).toContain("coverage 'going'");
    expect(deleted.status).toBe(200);
    expect((await server.get('/layers/acme:going')).status).toBe(404);
    expect((await server.get(`${stores}/made/coverages.json?list=all`)).text).toContain('dem');
  });

  it.each(['none', 'metadata', 'all', 'true'])('are deleted with purge=%s', async (word) => {
    await server.post(stores, `{"coverageStore":{"name":"purged-${word}","url":"file:data/dem.tif"}}`);

    expect((await server.delete(`${stores}/purged-${word}?purge=${word}`)).status).toBe(200);
  });

  it('are described again after a reset when their files have changed', async () => {
    const file = join(server.dataDir, 'data', 'growing.tif');
    await writeFile(file, geotiffBytes(10, 10));
    await server.post(stores, '{"coverageStore":{"name":"growing","url":"file:data/growing.tif"}}');
    await server.post(`${stores}/growing/coverages`, '{"coverage":{"name":"growing"}}');
    await writeFile(file, geotiffBytes(50, 10));

    const reset = await server.request('POST', `${stores}/growing/reset`);
    const grown = await readResource(server, '/workspaces/acme/coverages/growing');
    await rm(file);
    const lost = await server.request('PUT', `${stores}/growing/coverages/growing/reset`);

    expect(reset.status).toBe(200);
    expect(grown).toMatchObject({ grid: { range: { high: '50 10' } }, nativeBoundingBox: { maxx: 500_500 } });
    expect(lost.status).toBe(200);
    expect(lost.headers['warning']).toContain("The raster file 'growing.tif' does not exist.");
    expect(await readResource(server, '/workspaces/acme/coverages/growing')).toEqual(grown);
  });

  it('list their contents on the page', async () => {
    await putTiff(server, `${stores}/shown/file.geotiff`);

    const page = await server.get(`${stores}/shown.html`);

    expect(page.status).toBe(200);
    expect(page.text).toContain('/coveragestores/shown/coverages/shown.html');
    expect((await server.get('/workspaces/acme.html')).text).toContain('/coveragestores/shown.html');
  });

  it('are writable by administrators of their workspace', async () => {
    await server.post('/workspaces', '<workspace><name>anns</name></workspace>');
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    await server.post('/security/acl/layers', '{"anns.*.a":"ROLE_ANN"}');
    await server.post(
      '/security/acl/rest',
      '{"/workspaces/**:GET":"ROLE_ANN,ROLE_ADMINISTRATOR","/workspaces/**:POST,PUT,DELETE":"ROLE_ANN,ROLE_ADMINISTRATOR"}',
    );

    const own = await server.request('PUT', '/workspaces/anns/coveragestores/hills/file.geotiff', {
      as: ann,
      type: 'image/tiff',
      body: geotiffBytes(5, 5),
    });
    const foreign = await server.get(`${stores}/made`, { as: ann });
    const outside = await server.post(
      '/workspaces/anns/coveragestores',
      '{"coverageStore":{"name":"peek","url":"/etc/relief.tif"}}',
      { as: ann },
    );

    expect(own.status).toBe(201);
    expect([403, 404]).toContain(foreign.status);
    expect(outside.status).toBe(403);
  });
});

describe('coverage stores in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });
  beforeAll(() => prepare(server));

  it('are the empty string when there are none', async () => {
    await server.post('/workspaces', '<workspace><name>bare</name></workspace>');

    expect((await server.get('/workspaces/bare/coveragestores.json')).json()).toEqual({ coverageStores: '' });
  });

  it('are not deleted while they have coverages, with the status that clients expect', async () => {
    await putTiff(server, `${stores}/full/file.geotiff`);

    expect((await server.delete(`${stores}/full`)).status).toBe(401);
    expect((await server.delete(`${stores}/full?recurse=true`)).status).toBe(200);
  });
});
