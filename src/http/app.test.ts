import { describe, expect, it } from 'vitest';
import { madeUpApp } from '../../test/support/made-up-app.ts';

const xml = { 'content-type': 'text/xml' };
const place = '<place><name>a</name></place>';

describe('unexpected error', () => {
  it.each([
    ['/rest/failure', '*/*', 'text/plain; charset=utf-8'],
    ['/rest/failure', 'application/json', 'application/json'],
    ['/rest/failure.xml', '*/*', 'application/xml'],
    ['/rest/failure.html', '*/*', 'text/html; charset=utf-8'],
    ['/rest/failure', 'application/problem+json', 'application/problem+json'],
    ['/rest/mistake', '*/*', 'text/plain; charset=utf-8'],
  ])('returns 500 at %s for %s with a request id and no internals', async (url, accept, contentType) => {
    const { app, log } = madeUpApp();

    const reply = await app.inject({ url, headers: { accept } });

    const requestId = String(reply.headers['x-request-id']);
    expect(reply.statusCode).toBe(500);
    expect(reply.headers['content-type']).toBe(contentType);
    expect(reply.body).toContain(requestId);
    expect(reply.body).not.toMatch(/hunter2|secret|\.ts|even an error/);
    const [line] = log
      .map((each) => JSON.parse(each) as Record<string, unknown>)
      .filter((each) => each['level'] === 50);
    expect(line).toMatchObject({ requestId, msg: 'unexpected failure' });
  });
});

describe('failing disk', () => {
  const change = { method: 'PUT', headers: { ...xml, accept: 'application/problem+json' }, payload: place } as const;

  it('returns a storage error, and the log has the cause under the request id', async () => {
    const { app, log } = madeUpApp();

    const reply = await app.inject({ ...change, url: '/rest/full/a' });

    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([507, undefined]);
    expect(reply.json()).toMatchObject({ code: 'storage-full', title: 'Insufficient Storage' });
    expect(reply.body).not.toContain('secret');
    const [line] = log
      .map((each) => JSON.parse(each) as Record<string, unknown>)
      .filter((each) => each['level'] === 50);
    expect(line).toMatchObject({
      requestId: reply.headers['x-request-id'],
      msg: 'the disk, the database or the object store failed',
      err: { message: expect.stringContaining('ENOSPC') },
    });
  });

  it('returns Retry-After if it is known', async () => {
    const { app } = madeUpApp();

    const reply = await app.inject({ ...change, url: '/rest/busy/a' });

    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5']);
    expect(reply.json()).toMatchObject({ code: 'storage-busy' });
  });
});

describe('every address', () => {
  it('responds to HEAD like GET, without the body', async () => {
    const { app } = madeUpApp();

    const got = await app.inject({ url: '/rest/places/b.json' });
    const headed = await app.inject({ method: 'HEAD', url: '/rest/places/b.json' });

    expect(headed.statusCode).toBe(200);
    expect(headed.headers['etag']).toBe(got.headers['etag']);
    expect(headed.headers['content-length']).toBe(got.headers['content-length']);
    expect(headed.headers['content-type']).toBe(got.headers['content-type']);
  });

  it('responds to OPTIONS with the allowed methods', async () => {
    const { app } = madeUpApp();

    const reply = await app.inject({ method: 'OPTIONS', url: '/rest/places/b' });

    expect([reply.statusCode, reply.body]).toEqual([200, '']);
    expect(reply.headers['allow']).toBe('DELETE, GET, HEAD, OPTIONS, PUT');
  });

  it.each(['PATCH', 'POST', 'TRACE', 'PROPFIND'] as const)(
    'responds to %s with 405 and the allowed methods',
    async (method) => {
      const { app } = madeUpApp();

      const reply = await app.inject({
        method: method as 'POST',
        url: '/rest/places/b',
        headers: { accept: 'text/json' },
      });

      expect(reply.statusCode).toBe(405);
      expect(reply.headers['allow']).toBe('DELETE, GET, HEAD, OPTIONS, PUT');
      expect(reply.json()).toMatchObject({
        message: expect.stringContaining(`${method} is not supported by this resource. Allowed methods: DELETE, GET,`),
      });
    },
  );

  it('sends security headers with every response', async () => {
    const { app } = madeUpApp();
    const replies = await Promise.all([
      app.inject({ url: '/rest/places/b.html' }),
      app.inject({ url: '/rest/motto' }),
      app.inject({ url: '/rest/failure' }),
      app.inject({ url: '/rest/places/nowhere?quietOnNotFound=1' }),
      app.inject({ url: '/rest/places/b.json', headers: { 'if-none-match': '"7.json"' } }),
      app.inject({ method: 'OPTIONS', url: '/rest/motto' }),
      app.inject({ method: 'POST', url: '/rest/places', headers: xml, payload: place }),
      app.inject({ method: 'DELETE', url: '/rest/places/b' }),
    ]);

    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200, 500, 404, 304, 200, 201, 200]);
    for (const { headers } of replies) {
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'cache-control': expect.stringMatching(/^private/),
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).not.toHaveProperty('server');
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });
});

describe('a name with the extension of a format', () => {
  it('takes precedence if a resource has that name', async () => {
    const { app } = madeUpApp();

    expect((await app.inject({ url: '/rest/places/a.xml' })).body).toContain('<name>a.xml</name>');
    expect((await app.inject({ url: '/rest/places/a.xml.json' })).json()).toEqual({ place: { name: 'a.xml' } });
    expect((await app.inject({ url: '/rest/places/a/.xml' })).body).toContain('<name>a</name>');
    expect((await app.inject({ url: '/rest/places/a.json' })).json()).toEqual({ place: { name: 'a' } });
  });
});

it.each([
  ['an unknown workspace', 'GET', '/rest/places/nowhere', 404, 'workspace-unknown', "No such workspace: 'nowhere'."],
  ['an unknown path', 'GET', '/rest/nothing', 401, 'credentials-required', expect.any(String)],
  ['a bug', 'GET', '/rest/failure', 500, 'unexpected', expect.not.stringContaining('hunter2')],
  ['a full disk', 'PUT', '/rest/full/a', 507, 'storage-full', expect.any(String)],
  ['a quiet 404', 'GET', '/rest/places/nowhere?quietOnNotFound=true', 404, 'workspace-unknown', expect.any(String)],
])(
  'the log line of a request that fails with %s has the code and the message',
  async (_what, method, url, status, code, reason) => {
    const { app, log } = madeUpApp();

    const payload = method === 'PUT' ? { headers: xml, payload: '<place><name>a</name></place>' } : {};
    await app.inject({ method: method as 'GET', url, ...payload });

    const lines = log.map((line) => JSON.parse(line) as { msg: string });
    expect(lines.filter(({ msg }) => msg === 'request')).toEqual([expect.objectContaining({ status, code, reason })]);
  },
);

it('one line per request is logged, without query, headers or body', async () => {
  const { app, log } = madeUpApp();

  await app.inject({
    method: 'POST',
    url: '/rest/places?token=secret',
    headers: { ...xml, authorization: 'Basic secret' },
    payload: '<place><name>secret</name></place>',
  });

  expect(log.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: 30,
      time: expect.any(String),
      requestId: expect.any(String),
      method: 'POST',
      path: '/rest/places',
      route: '/rest/places',
      status: 201,
      ms: expect.any(Number),
      user: expect.any(String),
      client: '127.0.0.1',
      msg: 'request',
    },
  ]);
});
