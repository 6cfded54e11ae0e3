import { describe, expect, it } from 'vitest';
import {
  enabledNames,
  expectError,
  inJson,
  inXml,
  ldapClass,
  passwordClass,
  passwordConfig,
} from '../../../test/support/auth-providers.ts';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';

describe('authentication provider update', () => {
  const server = useTestServer();

  it.each([
    [
      'XML',
      `<${passwordConfig}><name>keep</name><userGroupServiceName>other</userGroupServiceName></${passwordConfig}>`,
    ],
    ['JSON', '{"authprovider":{"name":"keep","userGroupServiceName":"other"}}'],
    ['JSON without a name', '{"userGroupServiceName":"other"}'],
  ])('answers 200 with the provider and keeps id and className, in %s', async (_format, body) => {
    await server.delete('/security/authproviders/keep');
    const created = (await server.post('/security/authproviders', inJson('keep'))).json() as { id: string };

    const reply = await server.put('/security/authproviders/keep', body, { accept: 'application/json' });

    expect(reply.status).toBe(200);
    expect(reply.json()).toEqual({
      id: created.id,
      name: 'keep',
      className: passwordClass,
      userGroupServiceName: 'other',
    });
    expect((await server.get('/security/authproviders/keep.json')).json()).toEqual(reply.json());
  });

  it('keeps omitted fields and clears null fields', async () => {
    await server.post(
      '/security/authproviders',
      inJson('nulls', { className: ldapClass, user: 'cn=x', adminGroup: 'a' }),
    );

    const reply = await server.put('/security/authproviders/nulls', '{"adminGroup":null}');

    expect(reply.json()).toEqual({ id: expect.any(String), name: 'nulls', className: ldapClass, user: 'cn=x' });
  });

  describe('of an LDAP provider with a search password', () => {
    const path = '/security/authproviders/directory';
    const start = {
      className: ldapClass,
      serverURL: 'ldaps://one.acme.org/dc=acme',
      user: 'cn=x',
      password: 'stored-1',
    };
    const addresses = [
      ['another host', { serverURL: 'ldaps://two.acme.org/dc=acme' }],
      ['another port', { serverURL: 'ldaps://one.acme.org:1636/dc=acme' }],
      ['a host with the same prefix', { serverURL: 'ldaps://one.acme.org.example/dc=acme' }],
      ['the same server without TLS', { serverURL: 'ldap://one.acme.org:636/dc=acme' }],
      ['another user on the server', { serverURL: 'ldaps://two.acme.org', user: 'cn=y' }],
    ] as const;
    const asXml = (fields: object) =>
      `<authprovider>${Object.entries(fields)
        .map(([name, value]) => `<${name}>${value}</${name}>`)
        .join('')}</authprovider>`;
    const provide = async () => {
      await server.delete(path);
      expect((await server.post('/security/authproviders', inJson('directory', start))).status).toBe(201);
    };

    it.each(addresses)('requires the password again for %s', async (_what, change) => {
      await provide();

      for (const body of [JSON.stringify(change), asXml(change)]) {
        await expectError((extension) => server.put(`${path}${extension}`, body), 400, /password: is required again/);
      }
      expect((await server.get(`${path}.json`)).json()).toMatchObject({ serverURL: start.serverURL, user: 'cn=x' });

      const reply = await server.put(path, JSON.stringify({ ...change, password: 'stored-1' }));
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain('stored-1');
    });

    it.each([
      ['the password is cleared', { serverURL: 'ldap://two.acme.org', password: null }],
      ['only the base differs', { serverURL: 'LDAPS://ONE.acme.org:636/dc=other' }],
      ['the fields are omitted', { adminGroup: 'chiefs' }],
      ['the value is unchanged', { serverURL: start.serverURL }],
      ['the field is cleared', { serverURL: null }],
    ])('does not require the password when %s', async (_what, change) => {
      await provide();

      expect((await server.put(path, JSON.stringify(change))).status).toBe(200);
    });

    it('cannot redirect the password to another host in two steps', async () => {
      await provide();
      await server.put(path, '{"serverURL":null}');

      const elsewhere = await server.put(path, '{"serverURL":"ldaps://two.acme.org"}');

      expect(elsewhere.status).toBe(400);
    });

    it('requires the password when StartTLS is turned off', async () => {
      await server.delete(path);
      const settings = { ...start, serverURL: 'ldap://one.acme.org', useTLS: true };
      await server.post('/security/authproviders', inJson('directory', settings));

      expect((await server.put(path, '{"useTLS":false}')).status).toBe(400);
      expect((await server.put(path, '{"useTLS":null}')).status).toBe(400);
      expect((await server.put(path, '{"serverURL":"ldap://one.acme.org/dc=x"}')).status).toBe(200);
    });
  });

  it('moves the provider to the given position atomically', async () => {
    const fresh = await startTestServer();
    for (const name of ['a', 'b']) {
      await fresh.post('/security/authproviders', inXml(name));
    }
    expect(await enabledNames(fresh)).toEqual(['default', 'a', 'b']);

    expect((await fresh.put('/security/authproviders/b?position=0', '{"name":"b"}')).status).toBe(200);
    expect(await enabledNames(fresh)).toEqual(['b', 'default', 'a']);
    expect((await fresh.put('/security/authproviders/b?position=2', inXml('b'))).status).toBe(200);
    expect(await enabledNames(fresh)).toEqual(['default', 'a', 'b']);

    for (const position of ['3', '-1', 'x']) {
      await expectError(
        (e) => fresh.put(`/security/authproviders/a${e}?position=${position}`, '{"userGroupServiceName":"changed"}'),
        400,
        /position/,
      );
    }
    expect(await enabledNames(fresh)).toEqual(['default', 'a', 'b']);
    expect((await fresh.get('/security/authproviders/a.json')).json()).not.toHaveProperty('userGroupServiceName');
    await fresh.close();
  });

  it('changes a disabled provider, which has no position', async () => {
    await server.post('/security/authproviders', inXml('off'));
    await server.put('/security/authproviders/order', '["default"]');

    expect((await server.put('/security/authproviders/off', '{"userGroupServiceName":"x"}')).status).toBe(200);
    await expectError(
      (e) => server.put(`/security/authproviders/off${e}?position=0`, '{"userGroupServiceName":"y"}'),
      400,
      /disabled/,
    );
    expect(await enabledNames(server)).toEqual(['default']);
    expect((await server.get('/security/authproviders/off.json')).json()).toMatchObject({ userGroupServiceName: 'x' });
  });

  it('rejects a name that differs from the path', async () => {
    await server.post('/security/authproviders', inXml('path'));

    await expectError((e) => server.put(`/security/authproviders/path${e}`, inXml('body')), 400, /'path'.*'body'/);
    await expectError((e) => server.put(`/security/authproviders/path${e}`, inJson('body')), 400, /'path'.*'body'/);
  });

  it('rejects another class', async () => {
    await server.post('/security/authproviders', inXml('fixed'));
    const other = inJson('fixed', { className: ldapClass });
    const vendor = inJson('fixed', { className: passwordClass.replace('geoserver', 'acme') });

    await expectError(
      (e) => server.put(`/security/authproviders/fixed${e}`, other),
      400,
      /className.*cannot be changed/,
    );
    await expectError(
      (e) => server.put(`/security/authproviders/fixed${e}`, vendor),
      400,
      /className.*cannot be changed/,
    );
    await expectError(
      (e) => server.put(`/security/authproviders/fixed${e}`, inJson('fixed', { className: 'java.lang.Runtime' })),
      400,
      /Unsupported className 'java\.lang\.Runtime'/,
    );
  });

  it('returns 404 for an unknown name', async () => {
    await expectError((e) => server.put(`/security/authproviders/never${e}`, inXml('never')), 404, /never/);
    await expectError((e) => server.put(`/security/authproviders/never${e}`, inJson('never')), 404, /never/);
  });

  it('rejects an unexpected document type', async () => {
    await expectError(
      (e) => server.put(`/security/authproviders/default${e}`, '<workspace><x>1</x></workspace>'),
      400,
      /authprovider/,
    );
  });

  it('records no change when no field changes', async () => {
    await server.post('/security/authproviders', inJson('same', { className: ldapClass, password: 'p' }));
    const before = await server.server.storage.position();

    await server.put('/security/authproviders/same', '{"name":"same","password":"p"}');

    expect(await server.server.storage.position()).toBe(before);
  });
});
