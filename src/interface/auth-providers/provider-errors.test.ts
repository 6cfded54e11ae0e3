import { describe, expect, it } from 'vitest';
import {
  enabledNames,
  expectError,
  inJson,
  inXml,
  passwordClass,
  passwordConfig,
  readError,
} from '../../../test/support/auth-providers.ts';
import { type Reply, startTestServer, useTestServer } from '../../../test/support/test-server.ts';

describe('authentication provider errors', () => {
  const server = useTestServer();

  it('use the format of the request body unless another is requested, and XML otherwise', async () => {
    const typeOf = async (reply: Promise<Reply>) => (await reply).headers['content-type'];

    expect(await typeOf(server.post('/security/authproviders', '{"name":"x"}'))).toBe('application/json');
    expect(await typeOf(server.post('/security/authproviders', '<a/>'))).toBe('application/xml');
    expect(await typeOf(server.get('/security/authproviders/never'))).toBe('application/xml');
    expect(await typeOf(server.get('/security/authproviders/never', { accept: 'application/json' }))).toBe(
      'application/json',
    );
    expect(await typeOf(server.post('/security/authproviders', '<a/>', { accept: 'application/json' }))).toBe(
      'application/json',
    );
  });

  it.each(['text/html', 'text/plain', 'application/problem+json', 'image/png'])(
    'have exactly two fields for a client that accepts %s',
    async (accept) => {
      const reply = await server.delete('/security/authproviders/never', { accept });

      expect(readError(reply)).toEqual({ status: 404, message: expect.any(String) });
    },
  );

  it('are 401 without credentials and with wrong ones', async () => {
    for (const as of [null, 'admin:wrong', 'stranger:x']) {
      await expectError((e) => server.get(`/security/authproviders${e}`, { as }), 401, /credentials|password/i);
    }
  });

  it('are 403 for a user who is not an administrator, without side effects', async () => {
    await server.post('/security/usergroup/users', '{"userName":"ann","password":"secret-1"}');
    const as = 'ann:secret-1';

    await expectError((e) => server.get(`/security/authproviders${e}`, { as }), 403, /ROLE_ADMINISTRATOR/);
    await expectError((e) => server.get(`/security/authproviders/default${e}`, { as }), 403, /ROLE_ADMINISTRATOR/);
    await expectError((e) => server.get(`/security/authproviders/never${e}`, { as }), 403, /ROLE_ADMINISTRATOR/);
    await expectError((e) => server.post(`/security/authproviders${e}`, inXml('x'), { as }), 403, /ROLE_ADMINISTRATOR/);
    await expectError((e) => server.put(`/security/authproviders/default${e}`, '{', { as }), 403, /ROLE_ADMINISTRATOR/);
    await expectError((e) => server.put(`/security/authproviders/order${e}`, '[]', { as }), 403, /ROLE_ADMINISTRATOR/);
    await expectError((e) => server.delete(`/security/authproviders/default${e}`, { as }), 403, /ROLE_ADMINISTRATOR/);
    expect(await enabledNames(server)).toEqual(['default']);
  });
});

describe('with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('returns JSON under the configuration class, with an array for several of one class', async () => {
    const plain = { id: expect.any(String), className: passwordClass };
    const first = { ...plain, name: 'default', userGroupServiceName: 'default' };

    expect((await server.get('/security/authproviders.json')).json()).toEqual({
      authproviders: { [passwordConfig]: first },
    });
    expect((await server.get('/security/authproviders/default.json')).json()).toEqual({ [passwordConfig]: first });

    const created = await server.post('/security/authproviders', inJson('corp'));
    expect(created.json()).toEqual({ [passwordConfig]: { ...plain, name: 'corp' } });
    expect((await server.get('/security/authproviders.json')).json()).toEqual({
      authproviders: { [passwordConfig]: [first, { ...plain, name: 'corp' }] },
    });
  });

  it('answers 410 to the deletion of a provider that is not enabled', async () => {
    await server.post('/security/authproviders', inXml('off'));
    await server.put('/security/authproviders/order', '["default"]');

    await expectError((e) => server.delete(`/security/authproviders/never${e}`), 410, /removed/);
    await expectError((e) => server.delete(`/security/authproviders/off${e}`), 410, /removed/);
    expect((await server.get('/security/authproviders/off')).status).toBe(200);
  });

  it('returns errors with the two fields, in XML by default', async () => {
    expect((await server.get('/security/authproviders/never')).headers['content-type']).toBe('application/xml');
    await expectError((e) => server.get(`/security/authproviders/never${e}`), 404, /never/);
  });

  it('returns an empty list as the empty string', async () => {
    const fresh = await startTestServer({ compat: 'geoserver' });
    await fresh.delete('/security/authproviders/default');

    expect((await fresh.get('/security/authproviders.json')).json()).toEqual({ authproviders: '' });
    await fresh.close();
  });
});
