import { describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';

const base = 'http://localhost:80/geoserver';
const anonymously = { as: null };

async function createKey(server: TestServer, fields: object = {}, as?: string): Promise<string> {
  const token = { name: 'desktop', queryKey: true, scopes: { services: ['wms', 'wfs', 'wmts'] }, ...fields };
  const reply = await server.post('/security/self/tokens', JSON.stringify({ token }), as === undefined ? {} : { as });
  expect(reply.status).toBe(201);
  return (reply.json() as { token: { secret: string } }).token.secret;
}

describe('key in the URL', () => {
  const server = useTestServer();

  it('signs in to services, and the links of their documents carry it', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_MAPS');
    const key = await createKey(server, {}, ann);
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await server.request('PUT', '/workspaces/acme/datastores/shapes/file.shp', {
      type: 'application/zip',
      body: zipOf({ places: pointShapefile() }),
    });
    await server.post('/security/acl/layers', '{"acme.*.r":"ROLE_MAPS"}');
    const get = (path: string) => server.get(`//geoserver/${path}`, anonymously);
    const wms = await get(`wms?service=WMS&request=GetCapabilities&AuthKey=${key}`);
    const items = await get(`ogc/features/v1/collections/acme:places/items?limit=1&f=json&authkey=${key}`);
    const map = await get(
      `wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:places&styles=&srs=EPSG:4326&bbox=0,0,9,9&width=9&height=9&format=image/png&authkey=${key}`,
    );
    const plain = await server.get('//geoserver/wms?service=WMS&request=GetCapabilities');

    expect(wms.text).toContain('acme:places');
    expect(wms.text).toContain(`${base}/wms?authkey=${key}`);
    expect(items.json()).toMatchObject({ type: 'FeatureCollection' });
    expect(items.text).toContain(`authkey=${key}`);
    for (const document of [wms, items]) {
      expect(document.headers).toMatchObject({
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
      });
      expect(document.headers['etag']).toBeUndefined();
      // Every link to this server carries the key.
      const links = document.text.match(/http:\/\/localhost:80\/geoserver\/(?:ows|wms|ogc)[^"'<\s]*/g) ?? [];
      expect(links.filter((link) => !link.includes(key))).toEqual([]);
    }
    expect([map.status, map.headers['cache-control'], map.headers['referrer-policy']]).toEqual([
      200,
      'private, no-cache',
      'no-referrer',
    ]);
    expect(plain.text).toContain('acme:places');
    expect(plain.text).not.toContain('grt_');
    expect((await get('wms?service=WMS&request=GetCapabilities')).text).not.toContain('acme:places');
  });

  it('is refused below /rest, for pages, for tokens without queryKey and beside other credentials', async () => {
    const key = await createKey(server, { name: 'b' });
    const header = await createKey(server, { name: 'c', queryKey: false });
    const get = async (path: string, how: object = anonymously) => {
      const reply = await server.get(path, { accept: 'application/problem+json', ...how });
      return [reply.status, /[a-z]+-[a-z-]+/.exec(reply.text.slice(reply.text.indexOf('"code"') + 7))?.[0]];
    };
    const capabilities = '//geoserver/wms?service=WMS&request=GetCapabilities';

    expect(await get(`/workspaces?authkey=${key}`)).toEqual([400, 'authkey-refused']);
    // These are readable without credentials.
    expect(await get(`/security/signin?authkey=${key}`)).toEqual([400, 'authkey-refused']);
    expect(await get(`//geoserver/?authkey=${key}`)).toEqual([400, 'authkey-refused']);
    expect((await get(`//geoserver/ogc/features/v1?f=html&authkey=${key}`))[0]).toBe(406);
    expect((await get(`${capabilities}&authkey=${header}`))[0]).toBe(401);
    expect((await get(`${capabilities}&authkey=grt_wrong`))[0]).toBe(401);
    expect((await get(`${capabilities}&authkey=${key}&AUTHKEY=${key}`))[0]).toBe(400);
    expect(await get(`/workspaces?authkey=${key}&AuthKey=${key}`)).toEqual([400, 'credentials-ambiguous']);
    expect((await get(`${capabilities}&authkey=${key}`, {}))[0]).toBe(400);
    expect(server.log.join('')).not.toContain(key.slice(8));
  });

  it('is refused with --query-keys off', async () => {
    const closed = await startTestServer({ flags: ['--query-keys', 'off'] });
    const key = await createKey(closed);

    const reply = await closed.get(`//geoserver/wms?service=WMS&request=GetCapabilities&authkey=${key}`, anonymously);

    expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Bearer /)]);
    await closed.close();
  });

  it('permits pages of other origins to read, like Bearer tokens and unlike Basic credentials', async () => {
    const key = await createKey(server, { name: 'd' });
    const path = '//geoserver/wms?service=WMS&request=GetCapabilities';
    const origin = { origin: 'https://page.example' };
    const allowed = async (url: string, headers: Record<string, string>, as: string | null = null) =>
      (await server.get(url, { as, headers: { ...origin, ...headers } })).headers['access-control-allow-origin'];
    const preflight = await server.request('OPTIONS', path, {
      as: null,
      headers: { ...origin, 'access-control-request-method': 'GET' },
    });

    expect(await allowed(`${path}&authkey=${key}`, {})).toBe('*');
    expect(await allowed(path, { authorization: `Bearer ${key}` })).toBe('*');
    expect(
      await allowed(path, { authorization: `Basic ${Buffer.from(`token:${key}`).toString('base64')}` }),
    ).toBeUndefined();
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
  });
});
