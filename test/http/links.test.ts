/** Links and Location headers: absolute URLs with the address the client used. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../support/test-server.ts';

const forwarded = {
  host: 'inside:8080',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'maps.example.org',
  'x-forwarded-prefix': '/gis',
};

async function linksWith(flags: readonly string[], headers: Readonly<Record<string, string>>) {
  const server = await startTestServer({ flags });
  onTestFinished(() => server.close());
  const created = await server.post('/workspaces', '{"workspace":{"name":"a b"}}', { headers });
  const json = (await server.get('/workspaces/a+b.json', { headers })).json() as { workspace: { dataStores: string } };
  const [, xml = ''] = /href="([^"]*)"/.exec((await server.get('/workspaces.xml', { headers })).text) ?? [];
  const [, html = ''] =
    /<li><a href="([^"]*a%20b[^"]*)"/.exec((await server.get('/workspaces.html', { headers })).text) ?? [];
  const openapi = (await server.get('/openapi.json', { headers })).json() as { servers: { url: string }[] };
  return {
    location: created.headers['location'],
    json: json.workspace.dataStores,
    xml,
    html,
    openapi: openapi.servers[0]?.url,
  };
}

function expectedAt(base: string) {
  return {
    location: `${base}/workspaces/a%20b`,
    json: `${base}/workspaces/a%20b/datastores.json`,
    xml: `${base}/workspaces/a%20b.xml`,
    html: `${base}/workspaces/a%20b.html`,
    openapi: base,
  };
}

describe('links and Location headers', () => {
  it('links use the host of the request', async () => {
    expect(await linksWith([], { host: 'maps.example.org:8443' })).toEqual(
      expectedAt('http://maps.example.org:8443/geoserver/rest'),
    );
  });

  it('links ignore forwarded headers by default', async () => {
    expect(await linksWith([], forwarded)).toEqual(expectedAt('http://inside:8080/geoserver/rest'));
  });

  it('links use the forwarded headers of a trusted proxy', async () => {
    expect(await linksWith(['--trust-proxy', 'loopback'], forwarded)).toEqual(
      expectedAt('https://maps.example.org/gis/geoserver/rest'),
    );
  });

  it('links ignore the forwarded headers of an untrusted proxy', async () => {
    expect(await linksWith(['--trust-proxy', '192.0.2.1'], forwarded)).toEqual(
      expectedAt('http://inside:8080/geoserver/rest'),
    );
  });

  it('links prefer the public URL to every header', async () => {
    expect(
      await linksWith(['--public-url', 'https://public.example.org/a/', '--trust-proxy', 'loopback'], forwarded),
    ).toEqual(expectedAt('https://public.example.org/a/geoserver/rest'));
  });

  it('links include the context path', async () => {
    expect(await linksWith(['--context-path', '/'], { host: 'h' })).toEqual(expectedAt('http://h/rest'));
    expect(await linksWith(['--context-path', '/maps/v1'], { host: 'h' })).toEqual(expectedAt('http://h/maps/v1/rest'));
  });
});
