import { describe, expect, it } from 'vitest';
import {
  base,
  creates,
  enabledNames,
  expectError,
  inJson,
  inXml,
  passwordClass,
  passwordConfig,
} from '../../../test/support/auth-providers.ts';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';

describe('authentication provider creation', () => {
  const server = useTestServer();

  it.each(creates)('answers 201 with the Location and the provider, in %s', async (format, body) => {
    const reply = await server.post('/security/authproviders', body(`new-${format}`));

    expect(reply.status).toBe(201);
    expect(reply.headers['location']).toBe(`${base}/new-${format}`);
    expect(reply.headers['content-type']).toBe(`application/${format.toLowerCase()}`);
    expect(reply.text).toMatch(/"id":"[^"]+"|<id>[^<]+<\/id>/);
    expect(reply.text).toContain(passwordClass);
  });

  it('assigns the id and ignores one sent by the client', async () => {
    const reply = await server.post('/security/authproviders', inJson('mine', { id: 'x', className: passwordClass }));

    expect(reply.json()).toMatchObject({ name: 'mine', id: expect.not.stringMatching(/^x$/) });
  });

  it('answers in the requested format (extension or Accept), independent of the body format', async () => {
    const byAccept = await server.post('/security/authproviders', inJson('e1'), { accept: 'application/xml' });
    const byExtension = await server.post('/security/authproviders.json', inXml('e2'));

    expect(byAccept.text).toContain(`<${passwordConfig}>`);
    expect(byExtension.json()).toMatchObject({ name: 'e2' });
  });

  it('appends the provider, or inserts it at the given position', async () => {
    const fresh = await startTestServer();
    await fresh.post('/security/authproviders', inXml('last'));
    await fresh.post('/security/authproviders?position=0', inJson('first'));
    await fresh.post('/security/authproviders?position=3', inXml('very-last'));
    await fresh.post('/security/authproviders?position=1', inXml('second'));

    expect(await enabledNames(fresh)).toEqual(['first', 'second', 'default', 'last', 'very-last']);
    await fresh.close();
  });

  it('rejects a position outside the list and creates nothing', async () => {
    const before = await enabledNames(server);

    for (const position of ['-1', String(before.length + 1), '1.5', 'first', '99999999999999999999']) {
      await expectError(
        (extension) => server.post(`/security/authproviders${extension}?position=${position}`, inXml('nowhere')),
        400,
        /position/,
      );
    }
    expect(await enabledNames(server)).toEqual(before);
    expect((await server.get('/security/authproviders/nowhere')).status).toBe(404);
  });

  it.each(creates)('rejects an existing name, enabled or not, in %s', async (format, body) => {
    const name = `twice-${format}`;
    await server.post('/security/authproviders', body(name));

    await expectError((extension) => server.post(`/security/authproviders${extension}`, body(name)), 400, /exists/);
    await server.put('/security/authproviders/order', '{"order":["default"]}');
    await expectError((extension) => server.post(`/security/authproviders${extension}`, body(name)), 400, /exists/);
  });

  it.each(creates)('rejects the reserved name in any case, in %s', async (_format, body) => {
    for (const name of ['order', 'Order', 'ORDER', 'order.xml', 'order.json']) {
      await expectError((extension) => server.post(`/security/authproviders${extension}`, body(name)), 400, /reserved/);
    }
  });

  it.each(creates)('rejects invalid names, in %s', async (_format, body) => {
    for (const name of ['', '  ', 'a/b', '..', 'x'.repeat(201)]) {
      await expectError((extension) => server.post(`/security/authproviders${extension}`, body(name)), 400, /name/);
    }
  });

  it('names className in the error when it is missing', async () => {
    await expectError((e) => server.post(`/security/authproviders${e}`, '{"name":"bare"}'), 400, /className/);
    await expectError((e) => server.post(`/security/authproviders${e}`, inXml('bare', '')), 400, /className/);
    await expectError(
      (e) => server.post(`/security/authproviders${e}`, '{"authprovider":{"name":"bare"}}'),
      400,
      /className/,
    );
  });

  it('names name in the error when it is missing', async () => {
    const body = JSON.stringify({ className: passwordClass });

    await expectError((extension) => server.post(`/security/authproviders${extension}`, body), 400, /name/);
  });

  it.each([
    'org.geoserver.security.auth.JDBCConnectAuthProvider',
    'org.geoserver.security.auth.usernamepasswordauthenticationprovider',
    'org.a.b.security.auth.UsernamePasswordAuthenticationProvider',
    'com.geoserver.security.auth.UsernamePasswordAuthenticationProvider',
    'org.geoserver.security.auth.UsernamePassword AuthenticationProvider',
    'org.geoserver.security.auth.*',
    'java.lang.Runtime',
    '../../../etc/passwd',
    '',
  ])('rejects the class %j', async (className) => {
    await expectError(
      (extension) => server.post(`/security/authproviders${extension}`, inJson('other', { className })),
      400,
      /className/,
    );
    expect((await server.get('/security/authproviders/other')).status).toBe(404);
  });

  it('rejects an element that is not a configuration class', async () => {
    const body = `<java.lang.Runtime><name>other</name><className>${passwordClass}</className></java.lang.Runtime>`;

    await expectError((e) => server.post(`/security/authproviders${e}`, body), 400, /configClassName/);
  });

  it.each([
    ['broken XML', '<a', 'xml'],
    ['broken JSON', '{"name":', 'json'],
    ['a DOCTYPE', `<!DOCTYPE x><${passwordConfig}/>`, 'xml'],
    ['another document type', '<workspace><title>x</title></workspace>', 'xml'],
    ['a plain value', '"corp"', 'json'],
    ['a list', '[1]', 'json'],
    ['an empty object', '{}', 'json'],
    ['an empty envelope', '{"authproviders":[]}', 'json'],
    ['several providers', `{"authproviders":[${inJson('a')},${inJson('b')}]}`, 'json'],
    ['an empty body', '', 'json'],
  ])('rejects a body with %s', async (_what, body, type) => {
    await expectError((e) => server.post(`/security/authproviders${e}`, body, { type }), 400, /./);
  });

  it('rejects unsupported content types', async () => {
    await expectError(
      (e) => server.post(`/security/authproviders${e}`, inXml('x'), { type: 'text/plain' }),
      415,
      /text\/plain/,
    );
  });
});
