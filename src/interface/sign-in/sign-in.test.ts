import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, type OpenIdProvider, startOpenIdProvider } from '../../../test/support/openid-provider.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';

const redirectUri = 'http://localhost:80/geoserver/console/signin';
const className = 'org.geoserver.security.auth.OpenIdConnectAuthenticationProvider';
const codeOf = (reply: Reply) => [reply.status, (reply.json() as { code?: string }).code];

describe('sign-in in browsers', () => {
  const server = useTestServer();
  let signed: OpenIdProvider;
  let opaque: OpenIdProvider;
  beforeAll(async () => {
    [signed, opaque] = [await startOpenIdProvider(redirectUri), await startOpenIdProvider(redirectUri, 'opaque')];
  });
  afterAll(async () => {
    await signed.close();
    await opaque.close();
  });

  const redeem = (provider: string, fields: object) =>
    server.post(`/security/signin/${provider}`, JSON.stringify({ redirectUri, ...fields }), {
      as: null,
      accept: 'application/problem+json, application/json;q=0.5',
    });
  const self = (token: string) =>
    server.get('/security/self', { as: null, headers: { authorization: `Bearer ${token}` } });

  it('offers enabled providers and exchanges their codes for tokens, without a cookie', async () => {
    const none = await server.get('/security/signin', { as: null });
    expect(none.json()).toEqual({ signin: { basic: true, providers: [] } });
    const provider = {
      className,
      audience: ['maps'],
      roleClaim: 'roles',
      roleMapping: { boss: ['ADMIN'] },
      clientId: client.id,
      clientSecret: client.secret,
      scopes: 'openid maps',
      browserSignIn: true,
    };
    for (const [name, { issuer }, more] of [
      ['signed', signed, { label: 'Staff' }],
      ['opaque', opaque, { introspection: 'opaque' }],
      ['hidden', signed, { browserSignIn: false }],
    ] as const) {
      const regex = `^${issuer.replaceAll('.', '[.]')}/.*$`;
      await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name, regex, enabled: true } }));
      const authprovider = { ...provider, name, issuer, ...more };
      expect((await server.post('/security/authproviders', JSON.stringify({ authprovider }))).status).toBe(201);
    }

    const offered = { clientId: client.id, scopes: 'openid maps' };
    expect((await server.get('/security/signin', { as: null })).json()).toEqual({
      signin: {
        basic: true,
        providers: [
          { name: 'signed', label: 'Staff', authorizationUrl: `${signed.issuer}/auth`, ...offered },
          { name: 'opaque', label: 'opaque', authorizationUrl: `${opaque.issuer}/auth`, ...offered },
        ],
      },
    });
    signed.roles.set('ann', ['boss']);
    for (const [name, issuer, user] of [
      ['signed', signed, { name: 'ann', administrator: true }],
      ['opaque', opaque, { name: 'ann', administrator: false }],
    ] as const) {
      const code = await issuer.authorize('ann', redirectUri);
      const reply = await redeem(name, code);
      const { accessToken } = reply.json() as { accessToken: string };

      expect(reply.json()).toEqual({ accessToken, tokenType: 'Bearer', expiresIn: 300 });
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' });
      expect(reply.headers['set-cookie']).toBeUndefined();
      expect((await self(accessToken)).json()).toMatchObject({
        self: { ...user, signedInBy: { method: 'oidc', provider: name } },
      });
      // A code is valid once.
      expect(codeOf(await redeem(name, code))).toEqual([401, 'sign-in-refused']);
    }
    const other = await signed.authorize('ann', redirectUri);
    expect(codeOf(await redeem('signed', { ...other, codeVerifier: 'x'.repeat(43) }))).toEqual([
      401,
      'sign-in-refused',
    ]);
    const reserved = await redeem('signed', await signed.authorize('admin', redirectUri));
    expect(codeOf(reserved)).toEqual([401, 'token-invalid']);
    expect(server.log.join('')).not.toContain(other.code);
  });

  it('asks the provider about every token with `always`, so that revoked tokens end', async () => {
    const provider = {
      ...{ className, audience: ['maps'], clientId: client.id, clientSecret: client.secret },
      ...{ scopes: 'openid maps', browserSignIn: true, introspection: 'always', introspectionCacheSeconds: 0 },
    };
    for (const [name, { issuer }] of [
      ['checked', opaque],
      ['stateless', signed],
    ] as const) {
      const authprovider = { ...provider, name, issuer };
      await server.delete(`/security/authproviders/${name === 'checked' ? 'opaque' : 'signed'}`);
      expect((await server.post('/security/authproviders', JSON.stringify({ authprovider }))).status).toBe(201);
    }
    const reply = await redeem('checked', await opaque.authorize('ann', redirectUri));
    const { accessToken } = reply.json() as { accessToken: string };
    expect((await self(accessToken)).json()).toMatchObject({
      self: { name: 'ann', signedInBy: { provider: 'checked' } },
    });
    await opaque.revoke(accessToken);
    expect((await self(accessToken)).status).toBe(401);
    // This provider keeps no list of its signed tokens, so that none of them is active. Another authentication provider with
    // the same issuer accepts them, but the user has not signed in there.
    const refused = await redeem('stateless', await signed.authorize('ann', redirectUri));
    expect(codeOf(refused)).toEqual([401, 'sign-in-refused']);
  });

  it('rejects other redirects, unknown members and unknown providers, and limits the attempts of an address', async () => {
    const code = { code: 'c', codeVerifier: 'x'.repeat(43) };
    for (const fields of [
      { ...code, redirectUri: 'https://evil.example/console/signin' },
      { ...code, redirectUri: `${redirectUri}/` },
      { ...code, state: 'x' },
      { code: '', codeVerifier: code.codeVerifier },
      { code: 'c', codeVerifier: 'short' },
    ]) {
      expect(codeOf(await redeem('stateless', fields))).toEqual([400, 'document-invalid']);
    }
    expect(codeOf(await redeem('hidden', code))).toEqual([404, 'auth-provider-unknown']);
    expect(codeOf(await redeem('default', code))).toEqual([404, 'auth-provider-unknown']);
    const foreign = await server.post('/security/signin/stateless', JSON.stringify({ ...code, redirectUri }), {
      as: null,
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    let last = await redeem('none', code);
    for (let count = 0; count < 30 && last.status !== 429; count += 1) last = await redeem('none', code);
    expect(codeOf(last)).toEqual([429, 'token-rate']);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  });
});
