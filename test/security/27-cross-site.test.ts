/** Lesson 27: a page of another site can neither change nor read anything through a logged-in browser. */
import { describe, expect, it } from 'vitest';
import { findAccepted } from '../../src/http/routes/route.ts';
import { everyRoute } from '../support/every-route.ts';
import { startTestServer, useTestServer } from '../support/test-server.ts';

const writes = everyRoute().filter(({ method }) => method !== 'GET');

describe('lesson 27: requests from pages of other sites', () => {
  const server = useTestServer();

  it.each([
    ['with a foreign Origin', { origin: 'https://evil.example' }],
    ['from a sandbox', { origin: 'null' }],
    ['from a sister site', { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost' }],
    ['in a browser that sends no Origin', { 'sec-fetch-site': 'cross-site' }],
  ])('rejects a change %s', async (_case, headers) => {
    for (const { method, path, route } of writes) {
      const { status } = await server.request(method, path('made-up'), { headers, type: 'json', body: '{}' });

      expect([method, route.path, status]).toEqual([method, route.path, 403]);
    }
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
    'rejects a form sent as %s: content types that need no preflight are never read as documents',
    async (type) => {
      const body = '{"workspace":{"name":"forged"}}';

      for (const { method, path, route } of writes.filter((each) => findAccepted(each.route)?.kind === 'document')) {
        const { status } = await server.request(method, path('made-up'), { type, body });
        expect([method, route.path, status]).toEqual([method, route.path, 415]);
      }
      expect((await server.get('/workspaces/forged')).status).toBe(404);
    },
  );

  it('grants no permission in a preflight response', async () => {
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization, content-type',
    };

    for (const as of [null, undefined]) {
      const how = as === null ? { as, headers } : { headers };
      const reply = await server.request('OPTIONS', '/workspaces', how);

      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(reply.status).toBe(as === null ? 401 : 200);
    }
  });

  it('prevents the page from reading the response', async () => {
    const reply = await server.get('/workspaces.json', { headers: { origin: 'https://evil.example' } });

    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('lesson 27: requests from pages of the same site', () => {
  it.each([
    ['if the Origin matches the Host header', [], { host: 'maps.test', origin: 'http://maps.test' }],
    [
      'if the Origin matches the public URL',
      ['--public-url', 'https://maps.test/gis'],
      { origin: 'https://maps.test' },
    ],
    [
      'if the Origin matches the headers of a trusted proxy',
      ['--trust-proxy', 'loopback'],
      {
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'maps.test',
        origin: 'https://maps.test',
      },
    ],
  ])('allows a change %s', async (_case, flags, headers) => {
    const server = await startTestServer({ flags });

    const reply = await server.post('/workspaces', '{"workspace":{"name":"ours"}}', {
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    });

    expect(reply.status).toBe(201);
    await server.close();
  });
});
