import { describe, expect, it } from 'vitest';
import { createSigningKey, signToken, startIdentityProvider } from '../../../test/support/identity-provider.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const vendor = 'org.geoserver.security.auth';
const path = '/security/authproviders/test';

describe('the test of an authentication provider', () => {
  const server = useTestServer();
  const run = (authprovider: object, credentials?: object) =>
    server.post(path, JSON.stringify({ authprovider, ...(credentials === undefined ? {} : { credentials }) }));

  it('reports each step of an OpenID Connect provider and stores nothing', async () => {
    const key = createSigningKey('k1');
    const issuer = await startIdentityProvider([key.jwk]);
    const provider = {
      name: 'kc',
      className: `${vendor}.OpenIdConnectAuthenticationProvider`,
      issuer: issuer.issuer,
      audience: ['maps'],
      defaultRoles: ['ROLE_STAFF'],
    };
    const before = (await server.get('/security/authproviders.json')).text;
    try {
      expect((await run(provider)).json()).toMatchObject({
        test: { ok: false, steps: [{ step: 'discovery', ok: false, code: 'url-refused' }], principal: null },
      });
      const regex = `^${issuer.issuer.replaceAll('.', '[.]')}/.*$`;
      await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'issuer', regex, enabled: true } }));
      const reached = [
        { step: 'discovery', ok: true },
        { step: 'keys', ok: true, keys: [{ kid: 'k1', kty: 'EC', alg: 'ES256' }] },
      ];
      expect((await run(provider)).json()).toEqual({ test: { ok: true, steps: reached, principal: null } });

      const claims = { iss: issuer.issuer, aud: 'maps', exp: 4_000_000_000, sub: 'ann' };
      const accepted = await run(provider, { token: signToken(key, claims) });
      expect(accepted.json()).toEqual({
        test: {
          ok: true,
          steps: [...reached, { step: 'token', ok: true }],
          principal: { name: 'ann', roles: ['ROLE_AUTHENTICATED', 'ROLE_STAFF'] },
        },
      });
      for (const [code, token] of [
        ['audience', signToken(key, { ...claims, aud: 'other' })],
        ['expired', signToken(key, { ...claims, exp: 1 })],
        ['issuer', signToken(key, { ...claims, iss: 'https://other.example' })],
        ['user-name', signToken(key, { ...claims, sub: 'admin' })],
        ['key', signToken(createSigningKey('k2'), claims)],
        ['signature', signToken(createSigningKey('k1'), claims)],
        ['algorithm', signToken(key, claims, { alg: 'none' })],
        ['malformed', 'secret-token'],
      ] as const) {
        const refused = await run(provider, { token });
        const last = { step: 'token', ok: false, code, message: expect.stringMatching(/^The token is invalid: /) };
        expect(refused.json()).toEqual({ test: { ok: false, steps: [...reached, last], principal: null } });
        expect(refused.text).not.toContain(token);
      }
      const client = { ...provider, introspection: 'opaque', clientId: 'maps', clientSecret: 's:cret' };
      issuer.activeTokens.set('opaque', { sub: 'ann', aud: 'maps' });
      expect((await run(client, { token: 'opaque' })).json()).toMatchObject({
        test: { ok: true, principal: { name: 'ann' } },
      });
      expect((await run(client, { token: 'invented' })).text).toContain('"code":"claim"');
      const wrong = await run({ ...client, clientSecret: 'wrong' }, { token: 'opaque' });
      expect(wrong.text).toContain('"code":"unreachable"');
      expect((await run(provider, { token: 'opaque' })).text).toContain('"code":"malformed"');
      issuer.keySetAddress = 'http://id.example/keys';
      expect((await run(provider)).text).toContain('The jwks_uri of the issuer is not an https URL.');
      issuer.isDown = true;
      expect((await run(provider)).text).toContain('"code":"unreachable"');
    } finally {
      await issuer.close();
    }
    expect((await server.get('/security/authproviders.json')).text).toBe(before);
    expect(server.log.join('\n')).not.toContain('secret-token');
  });

  it('checks headers and passwords, and passwords count as attempts', async () => {
    await addUser(server, 'bob');
    const proxy = { name: 'sso', className: `${vendor}.RequestHeaderAuthenticationProvider`, userHeader: 'X-User' };
    expect((await run(proxy, { headers: { 'X-USER': 'Zoë' } })).json()).toMatchObject({
      test: { ok: true, principal: { name: 'Zoë' } },
    });
    expect((await run(proxy, { headers: { 'X-User': ['a', 'b'] } })).text).toContain('"code":"user-name"');
    expect((await run(proxy, { headers: {} })).text).toContain('"code":"user-name"');

    const stored = { name: 'default' };
    expect((await run(stored)).json()).toEqual({ test: { ok: true, steps: [], principal: null } });
    const statuses: number[] = [];
    for (let count = 0; count < 30 && statuses.at(-1) !== 429; count += 1) {
      const wrong = await run(stored, { user: 'bob', password: 'wrong-guess' });
      statuses.push(wrong.status);
      if (count === 0) expect(wrong.text).toContain('"code":"credentials"');
      expect(wrong.text).not.toContain('wrong-guess');
    }
    expect(statuses.at(-1)).toBe(429);
  });

  it('rejects invalid documents, and leaves the name to a provider', async () => {
    for (const [status, body] of [
      [400, {}],
      [400, { authprovider: { name: 'a b', className: 'x' } }],
      [400, { authprovider: { name: 'default' }, other: 1 }],
      [
        400,
        { authprovider: { name: 'sso', className: `${vendor}.RequestHeaderAuthenticationProvider`, userHeadr: 'X' } },
      ],
      [400, { authprovider: { name: 'default' }, credentials: { user: 'a' } }],
      [400, { authprovider: { name: 'default' }, credentials: { token: 'a' } }],
      [404, { authprovider: { name: 'none' } }],
    ] as const) {
      expect((await server.post(path, JSON.stringify(body))).status).toBe(status);
    }
    expect((await server.post(path, '{"authprovider":{"name":"default"}}', { as: null })).status).toBe(401);
    const named = { name: 'test', className: `${vendor}.UsernamePasswordAuthenticationProvider` };
    expect((await server.get(path)).status).toBe(404);
    expect((await server.post('/security/authproviders', JSON.stringify({ authprovider: named }))).status).toBe(201);
    expect((await server.get(`${path}.json`)).json()).toMatchObject({ name: 'test' });
    expect((await server.request('DELETE', path)).status).toBe(200);
  });
});
