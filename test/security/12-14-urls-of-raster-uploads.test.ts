/** Lessons 12 to 14 for raster uploads by URL: the URL gate decides, and rejected uploads leave no files. */
import { beforeAll, describe, expect, it } from 'vitest';
import { zipOfFiles } from '../support/raster-samples.ts';
import { startRemoteServer } from '../support/remote-server.ts';
import { useTestServer } from '../support/test-server.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { snapshot } from '../support/vector-samples.ts';

const stores = '/workspaces/acme/coveragestores';

describe('raster uploads by URL', () => {
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  const put = (body: string, store: string) =>
    server.request('PUT', `${stores}/${store}/url.geotiff`, { type: 'text/plain', body });
  beforeAll(async () => {
    const check = { regexUrlCheck: { name: 'data', enabled: true, regex: '^http://data\\.example\\.com:\\d+/.*$' } };
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/urlchecks', JSON.stringify(check));
  });

  it.each([
    ['as a plain file', () => geotiffBytes(30, 20), 'image/tiff', 'bare'],
    ['in an archive', () => zipOfFiles({ 'dem.tif': geotiffBytes(30, 20) }), 'application/zip', 'dem'],
  ])('publishes a raster %s', async (_how, bytes, type, name) => {
    const remote = await startRemoteServer((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(bytes());
    });

    const reply = await put(`http://data.example.com:${remote.port}/relief`, 'bare');

    expect(reply.status, reply.text).toBe(201);
    expect(reply.text).toBe(`Published acme:${name} (EPSG:32633).\n`);
    expect((await server.get(`/workspaces/acme/coverages/${name}.json`)).json()).toMatchObject({
      coverage: { grid: { range: { high: '30 20' } } },
    });
    await server.delete(`${stores}/bare?recurse=true`);
  });

  it('lesson 12: sends no request without a matching check', async () => {
    const remote = await startRemoteServer((_request, response) => response.end(geotiffBytes(30, 20)));
    const before = await snapshot(server.dataDir);

    const reply = await put(`http://other.example.com:${remote.port}/relief.tif?token=hunter2`, 'refused');

    expect(reply.status).toBe(403);
    expect(reply.text).not.toContain('hunter2');
    expect(remote.asked).toEqual([]);
    expect(await snapshot(server.dataDir)).toEqual(before);
  });

  it('lesson 14: does not follow a redirect to another host', async () => {
    const inner = await startRemoteServer((_request, response) => response.end(geotiffBytes(30, 20)));
    const outer = await startRemoteServer((_request, response) => {
      response.writeHead(302, { location: `http://evil.example:${inner.port}/relief.tif` }).end();
    });

    expect((await put(`http://data.example.com:${outer.port}/`, 'redirected')).status).toBe(403);
    expect(inner.asked).toEqual([]);
    expect((await server.get(`${stores}/redirected.xml`)).status).toBe(404);
  });
});
