import { describe, expect, it } from 'vitest';
import {
  enabledNames,
  expectError,
  inJson,
  inXml,
  passwordClass,
  passwordConfig,
} from '../../../test/support/auth-providers.ts';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';

describe('authentication providers of a new server', () => {
  const server = useTestServer();

  it('consist of one provider that uses the default user/group service', async () => {
    const id = expect.any(String);

    expect((await server.get('/security/authproviders.json')).json()).toEqual({
      authproviders: [{ id, name: 'default', className: passwordClass, userGroupServiceName: 'default' }],
    });
    expect((await server.get('/security/authproviders.xml')).text.replace(/<id>.+<\/id>/, '<id/>')).toBe(
      `<authproviders>
  <${passwordConfig}>
    <id/>
    <name>default</name>
    <className>${passwordClass}</className>
    <userGroupServiceName>default</userGroupServiceName>
  </${passwordConfig}>
</authproviders>
`,
    );
  });

  it('are returned in XML by default and otherwise in the format of the Accept header', async () => {
    expect((await server.get('/security/authproviders')).headers['content-type']).toBe('application/xml');
    expect((await server.get('/security/authproviders', { accept: '*/*' })).headers['content-type']).toBe(
      'application/xml',
    );
    const asked = await server.get('/security/authproviders', { accept: 'application/json, text/plain, */*' });
    expect(asked.headers['content-type']).toBe('application/json');
    expect((await server.get('/security/authproviders/default', { accept: 'text/xml' })).headers['content-type']).toBe(
      'text/xml; charset=utf-8',
    );
    expect((await server.get('/security/authproviders', { accept: 'text/csv' })).status).toBe(406);
  });
});

describe('authentication provider retrieval', () => {
  const server = useTestServer();

  it('returns a disabled provider', async () => {
    await server.post('/security/authproviders', inXml('hidden'));
    await server.put('/security/authproviders/order', '{"order":["default"]}');

    expect(await enabledNames(server)).toEqual(['default']);
    expect((await server.get('/security/authproviders/hidden.json')).json()).toMatchObject({ name: 'hidden' });
    expect((await server.get('/security/authproviders/hidden', { accept: 'application/xml' })).status).toBe(200);
  });

  it('returns 404 for an unknown name and for a removed one', async () => {
    await server.post('/security/authproviders', inXml('was-here'));
    await server.delete('/security/authproviders/was-here');

    await expectError((extension) => server.get(`/security/authproviders/never${extension}`), 404, /never/);
    await expectError((extension) => server.get(`/security/authproviders/was-here${extension}`), 404, /was-here/);
  });

  it('matches a name that ends like a format extension before it strips the extension', async () => {
    await server.post('/security/authproviders', inJson('dotted.xml'));

    expect(
      (await server.get('/security/authproviders/dotted.xml', { accept: 'application/json' })).json(),
    ).toMatchObject({
      name: 'dotted.xml',
    });
    expect((await server.get('/security/authproviders/dotted.xml.json')).json()).toMatchObject({ name: 'dotted.xml' });
  });

  it('returns an ETag that a change with If-Match must match', async () => {
    await server.post('/security/authproviders', inXml('tagged'));
    const { headers } = await server.get('/security/authproviders/tagged.json');
    const etag = headers['etag'] ?? '';
    await server.put('/security/authproviders/tagged', '{"userGroupServiceName":"default"}');

    const late = await server.put('/security/authproviders/tagged', '{"userGroupServiceName":"x"}', {
      headers: { 'if-match': etag },
    });

    expect(late.status).toBe(412);
    expect((await server.get('/security/authproviders/tagged.json')).json()).toMatchObject({
      userGroupServiceName: 'default',
    });
  });
});

describe('authentication provider deletion', () => {
  const server = useTestServer();

  it('removes the provider from the list and from the storage', async () => {
    await server.post('/security/authproviders', inXml('short-lived'));

    expect(await server.delete('/security/authproviders/short-lived')).toMatchObject({ status: 200, text: '' });
    expect(await enabledNames(server)).not.toContain('short-lived');
    expect((await server.get('/security/authproviders/short-lived')).status).toBe(404);
  });

  it('returns 410 for a removed provider until a new one reuses the name', async () => {
    await server.post('/security/authproviders', inXml('phoenix'));
    await server.delete('/security/authproviders/phoenix.json');

    await expectError((e) => server.delete(`/security/authproviders/phoenix${e}`), 410, /removed/);
    expect((await server.post('/security/authproviders', inXml('phoenix'))).status).toBe(201);
    expect((await server.delete('/security/authproviders/phoenix')).status).toBe(200);
    await expectError((e) => server.delete(`/security/authproviders/phoenix${e}`), 410, /removed/);
  });

  it('returns 404 for an unknown name', async () => {
    await expectError((e) => server.delete(`/security/authproviders/never${e}`), 404, /never/);
  });

  it('deletes a disabled provider', async () => {
    await server.post('/security/authproviders', inXml('off'));
    await server.put('/security/authproviders/order', '["default"]');

    expect((await server.delete('/security/authproviders/off')).status).toBe(200);
    expect((await server.get('/security/authproviders/off')).status).toBe(404);
  });

  it('deletes the last provider, and the administrator can still sign in', async () => {
    const fresh = await startTestServer();

    expect((await fresh.delete('/security/authproviders/default')).status).toBe(200);

    expect((await fresh.get('/security/authproviders.xml')).text).toBe('<authproviders/>\n');
    expect((await fresh.get('/security/authproviders.json')).json()).toEqual({ authproviders: [] });
    await fresh.close();
  });
});

describe('authentication provider order', () => {
  const server = useTestServer();

  it.each([
    ['JSON', '{"order":["three","default","one"]}'],
    ['a bare JSON array', '["three","default","one"]'],
    ['XML', '<order><order>three</order><order>default</order><order>one</order></order>'],
    ['names as in URLs', '{"order":["three.xml","default.json","one"]}'],
  ])('enables the listed providers in that order and disables the others, with %s', async (_how, body) => {
    for (const name of ['one', 'two', 'three']) {
      await server.delete(`/security/authproviders/${name}`);
      await server.post('/security/authproviders', inXml(name));
    }

    const reply = await server.put('/security/authproviders/order', body);

    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(await enabledNames(server)).toEqual(['three', 'default', 'one']);
    expect((await server.get('/security/authproviders/two')).status).toBe(200);

    await server.put('/security/authproviders/order.json', '{"order":["two","one","three","default"]}');
    expect(await enabledNames(server)).toEqual(['two', 'one', 'three', 'default']);
  });

  it.each([
    ['an empty list', '{"order":[]}'],
    ['no provider, in XML', '<order/>'],
    ['no provider, in a bare array', '[]'],
    ['null', '{"order":null}'],
    ['a provider twice', '{"order":["default","default"]}'],
    ['a provider twice in two notations', '{"order":["default","default.xml"]}'],
    ['a provider twice, in XML', '<order><order>default</order><order>default</order></order>'],
    ['an unknown provider', '{"order":["default","stranger"]}'],
    ['an unknown provider, in XML', '<order><order>stranger</order></order>'],
    ['an object', '{"order":[{"name":"default"}]}'],
    ['an empty name', '<order><order/><order>default</order></order>'],
    ['another document type', '<list><order>default</order></list>'],
    ['nothing', ''],
  ])('rejects an order that names %s, without changes', async (_what, body) => {
    const before = await enabledNames(server);
    const type = body.startsWith('<') ? 'xml' : 'json';

    await expectError((e) => server.put(`/security/authproviders/order${e}`, body, { type }), 400, /order/);

    expect(await enabledNames(server)).toEqual(before);
  });

  it.each(['GET', 'POST', 'DELETE', 'PATCH'])('answers 405 to %s with the allowed methods', async (method) => {
    await expectError(
      async (e) => {
        const reply = await server.request(method, `/security/authproviders/order${e}`);
        expect(reply.headers['allow']).toBe('OPTIONS, PUT');
        return reply;
      },
      405,
      new RegExp(method),
    );
  });
});
