import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { madeUpApp } from '../../test/support/made-up-app.ts';
import { problem } from '../lib/problems/problem.ts';
import type { CorsOrigins } from './auth/cors.ts';
import { createServiceRouteBuilders, type ServiceCall } from './route-table/service-route.ts';
import type { ServiceReply } from './session/service-reply.ts';

const opened: { close(): unknown }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

const { answer, answerQuery, service } = createServiceRouteBuilders<ReadonlySet<string>>();

const plain = (body: ServiceReply['body'], more: Partial<ServiceReply> = {}): ServiceReply => ({
  contentType: 'text/plain',
  body,
  ...more,
});

async function* pieces(count: number, onEnd = () => {}): AsyncGenerator<string> {
  try {
    for (let piece = 0; piece < count; piece += 1) {
      yield 'x'.repeat(1_000);
    }
  } finally {
    onEnd();
  }
}

/** Serves `/rest/maps` and formats errors as sentences in brackets. */
function serving(
  make: (call: Pick<ServiceCall<ReadonlySet<string>>, 'signal'>) => Promise<ServiceReply>,
  cors: CorsOrigins = '*',
) {
  const explain = (thrown: { readonly status: number; readonly message: string }) => ({
    status: thrown.status,
    contentType: 'text/x-report',
    body: `(${thrown.message})`,
  });
  const table = service('Maps', { description: 'Made up.', explain }, [
    answer('GET', '/rest/maps', 'Read', make),
    answerQuery('/rest/maps', 'Ask', async (call) => plain(`${call.principal.name} asks ${await call.text()}`)),
  ]);
  const made = madeUpApp('graticule', [], { services: [table], cors });
  opened.push(made.app);
  return made;
}

const ann = { authorization: `Basic ${Buffer.from('ann:x').toString('base64')}` };

describe('a service', () => {
  it('accepts anonymous requests and knows authenticated principals', async () => {
    const { app } = serving(async () => plain(''));
    const ask = (headers: Record<string, string>) =>
      app.inject({ method: 'POST', url: '/rest/maps', headers, payload: 'for maps' });

    expect((await ask({})).body).toBe('anonymous asks for maps');
    expect((await ask(ann)).body).toBe('ann asks for maps');
    expect((await ask({ authorization: 'Basic Ym9iOng=' })).statusCode).toBe(401);
  });

  it('formats its own errors, including those of the pipeline', async () => {
    const { app } = serving(async () => {
      throw problem('workspace-unknown', { name: 'acme' });
    });

    const thrown = await app.inject({ url: '/rest/maps' });
    const refused = await app.inject({ method: 'DELETE', url: '/rest/maps' });

    expect([thrown.statusCode, thrown.headers['content-type'], thrown.body]).toEqual([
      404,
      'text/x-report',
      "(No such workspace: 'acme'.)",
    ]);
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([405, 'text/x-report']);
  });

  it('streams bytes while they are produced', async () => {
    let ended = 0;
    const { app } = serving(async () =>
      plain(
        pieces(200, () => {
          ended += 1;
        }),
      ),
    );

    const reply = await app.inject({ url: '/rest/maps' });

    expect([reply.statusCode, reply.body.length, ended]).toEqual([200, 200_000, 1]);
  });

  it('produces nothing for HEAD and releases its resources', async () => {
    const response: string[] = [];
    const { app } = serving(async () =>
      plain(
        pieces(2, () => response.push('made')),
        { release: () => response.push('released') },
      ),
    );

    const reply = await app.inject({ method: 'HEAD', url: '/rest/maps' });

    expect([reply.statusCode, reply.body, response]).toEqual([200, '', ['released']]);
  });

  it('returns an error before the first byte, and closes the connection after it', async () => {
    async function* failing(after: number): AsyncGenerator<string> {
      yield* pieces(after);
      throw problem('store-unreachable', { name: 'roads', reason: 'it is gone' });
    }
    const early = await serving(async () => plain(failing(0))).app.inject({ url: '/rest/maps' });
    const late = serving(async () => plain(failing(200))).app.inject({ url: '/rest/maps' });

    expect(early.statusCode).toBe(502);
    await expect(late).rejects.toThrow();
  });

  it('stops producing bytes when the client disconnects', async () => {
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const { app } = serving(async () => plain(pieces(Number.POSITIVE_INFINITY, resolve)));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET /rest/maps HTTP/1.1\r\nhost: a\r\naccept-encoding: gzip\r\n\r\n');
    await once(client, 'data');

    client.destroy();

    await stopped;
  });

  it.each(['gzip', 'identity'])('writes one log line if the client disconnects: %s', async (encoding) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    async function* interrupted(signal: AbortSignal): AsyncGenerator<string> {
      // More than fits into the send buffer, however it is compressed.
      yield randomBytes(1_000_000).toString('hex');
      await once(signal, 'abort');
      throw signal.reason;
    }
    const { app, log } = serving(async (call) => plain(interrupted(call.signal()), { release }));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    client.write(`GET /rest/maps HTTP/1.1\r\nhost: a\r\naccept-encoding: ${encoding}\r\n\r\n`);
    await once(client, 'data');

    client.destroy();
    await released;
    await nextTurn();

    const lines = log.map((line) => JSON.parse(line));
    expect(lines).toEqual([expect.objectContaining({ level: 30, status: 499, note: 'the client disconnected' })]);
  });
});

describe('service response', () => {
  it.each([0, 1, 256, 8_192, 8_193, 70_000])('arrives byte by byte: %i', async (count) => {
    const bytes = Uint8Array.from({ length: count }, (_, index) => index);
    const { app } = serving(async () => plain(bytes));
    const address = await app.listen({ host: '127.0.0.1', port: 0 });

    const reply = await fetch(`${address}/rest/maps`, { headers: { 'accept-encoding': 'identity' } });

    expect(new Uint8Array(await reply.arrayBuffer())).toEqual(bytes);
    expect(reply.headers.get('content-length')).toBe(String(count));
  });

  it.each(['text/html', 'application/xml', 'image/svg+xml', 'application/pdf', 'text/plain', 'application/json'])(
    'has a restrictive content security policy if a browser may render it: %s',
    async (contentType) => {
      const { app } = serving(async () => plain('<svg/>', { contentType }));

      expect((await app.inject({ url: '/rest/maps' })).headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  it.each(['image/png', 'image/jpeg', 'application/vnd.mapbox-vector-tile'])(
    'has no content security policy if it is data: %s',
    async (contentType) => {
      const { app } = serving(async () => plain('<svg/>', { contentType }));
      const { headers } = await app.inject({ url: '/rest/maps' });

      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(Object.keys(headers)).not.toContain('content-security-policy');
    },
  );

  it.each(['plain', 'Zürich', '地図'])('arrives as the original text: %s', async (text) => {
    const { app } = serving(async () => plain(text));

    expect((await app.inject({ url: '/rest/maps' })).body).toBe(text);
  });

  it.each(['whole', 'in pieces'])('is compressed if the client accepts that, %s', async (how) => {
    const { app } = serving(async () => plain(how === 'whole' ? 'x'.repeat(100_000) : pieces(100)));

    const packed = await app.inject({ url: '/rest/maps', headers: { 'accept-encoding': 'br, gzip;q=0.5' } });
    const refused = await app.inject({ url: '/rest/maps', headers: { 'accept-encoding': 'gzip;q=0, *;q=0' } });

    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(String(packed.headers['vary'])).toContain('Accept-Encoding');
    expect(gunzipSync(packed.rawPayload).length).toBe(100_000);
    expect([refused.headers['content-encoding'], refused.rawPayload.length]).toEqual([undefined, 100_000]);
  });

  it('returns 304 for a matching ETag, compressed or not', async () => {
    const { app } = serving(async () => plain('x'.repeat(2_000), { maxAgeSeconds: 60 }));
    const packed = await app.inject({ url: '/rest/maps', headers: { 'accept-encoding': 'gzip' } });
    const known = String(packed.headers['etag']);

    const again = await app.inject({ url: '/rest/maps', headers: { 'if-none-match': known } });

    expect(known).toMatch(/^"[\w-]{22}\.gzip"$/);
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', known.replace('.gzip', '')]);
    expect(packed.headers['cache-control']).toBe('public, max-age=60, must-revalidate');
  });

  it('is private in caches for an authenticated user', async () => {
    const { app } = serving(async () => plain('secret', { maxAgeSeconds: 60 }));

    const reply = await app.inject({ url: '/rest/maps', headers: ann });

    expect(reply.headers['cache-control']).toBe('private, max-age=60, must-revalidate');
    expect(String(reply.headers['vary'])).toContain('Authorization');
  });
});

describe('pages of other origins', () => {
  const origin = 'https://maps.example.org';

  it('read public responses, but no responses to authenticated users', async () => {
    const { app } = serving(async () => plain('map'));

    const anybody = await app.inject({ url: '/rest/maps', headers: { origin } });
    const signedIn = await app.inject({ url: '/rest/maps', headers: { origin, ...ann } });

    expect(anybody.headers['access-control-allow-origin']).toBe('*');
    expect(anybody.headers['access-control-allow-credentials']).toBeUndefined();
    expect(signedIn.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('may send preflight requests, with tokens but without cookies', async () => {
    const { app } = serving(async () => plain('map'));

    const reply = await app.inject({
      method: 'OPTIONS',
      url: '/rest/maps',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

    expect([reply.statusCode, reply.headers['access-control-allow-methods']]).toEqual([
      200,
      'GET, HEAD, POST, OPTIONS',
    ]);
    expect(reply.headers['access-control-allow-headers']).toMatch(/authorization/i);
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('may POST anonymously, but not with the credentials of the browser', async () => {
    const { app } = serving(async () => plain('map'));
    const ask = (headers: Record<string, string>) =>
      app.inject({ method: 'POST', url: '/rest/maps', headers: { origin, ...headers }, payload: 'x' });

    expect((await ask({})).statusCode).toBe(200);
    expect((await ask(ann)).statusCode).toBe(403);
  });

  it('are restricted to the configured origins', async () => {
    const { app } = serving(async () => plain('map'), [origin]);
    const allowed = async (from: string) =>
      (await app.inject({ url: '/rest/maps', headers: { origin: from } })).headers['access-control-allow-origin'];

    expect(await allowed(origin)).toBe(origin);
    expect(await allowed('https://other.example.org')).toBeUndefined();
  });

  it('cannot read the REST interface', async () => {
    const { app } = serving(async () => plain('map'));

    const reply = await app.inject({ url: '/rest/places/a', headers: { origin } });

    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });
});
