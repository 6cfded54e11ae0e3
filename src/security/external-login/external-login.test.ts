import { afterEach, describe, expect, it } from 'vitest';
import {
  createSigningKey,
  type IdentityProvider,
  REFUSED_TOKEN,
  signToken,
  startIdentityProvider,
} from '../../../test/support/identity-provider.ts';
import { type Reply, startTestServer, type TestServer } from '../../../test/support/test-server.ts';

const accept = 'application/problem+json, application/json;q=0.5';
const oidcClass = 'org.geoserver.security.auth.OpenIdConnectAuthenticationProvider';
const headerClass = 'org.geoserver.security.auth.RequestHeaderAuthenticationProvider';
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

let nowMs = Date.parse('2026-11-18T08:00:00Z');

async function start(flags: readonly string[] = []): Promise<TestServer> {
  const server = await startTestServer({ clock: () => nowMs, flags });
  opened.push(server);
  return server;
}

async function startIssuer(keys: readonly object[]): Promise<IdentityProvider> {
  const issuer = await startIdentityProvider(keys);
  opened.push(issuer);
  return issuer;
}

const create = (server: TestServer, fields: object) =>
  server.post('/security/authproviders', JSON.stringify({ authprovider: { className: oidcClass, ...fields } }));

async function allow(server: TestServer, { issuer }: IdentityProvider): Promise<void> {
  const regex = `^${issuer.replaceAll('.', '[.]')}/.*$`;
  await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'issuer', regex, enabled: true } }));
}

const self = (server: TestServer, token: string) =>
  server.get('/security/self', { as: null, headers: { authorization: `Bearer ${token}` }, accept });

const codeOf = (reply: Reply) => [reply.status, (reply.json() as { code?: string }).code];

const readId = async (server: TestServer, path: string) => /<id>.*/.exec((await server.get(`${path}.xml`)).text)?.[0];

describe('OpenID Connect provider', () => {
  it('signs in users with mapped roles, and no claim but the mapping makes administrators', async () => {
    const key = createSigningKey('k1');
    const issuer = await startIssuer([key.jwk]);
    const server = await start();
    await allow(server, issuer);
    const provider = {
      name: 'kc',
      issuer: issuer.issuer,
      audience: ['maps'],
      userNameClaim: 'preferred_username',
      roleClaim: '/realm_access/roles',
      roleMapping: { boss: ['ADMIN'], editor: ['ROLE_EDITOR', 'ROLE_READER'] },
      unmappedRoles: 'keep',
      defaultRoles: ['ROLE_STAFF'],
    };
    expect((await create(server, provider)).status).toBe(201);
    const claims = { iss: issuer.issuer, aud: 'maps', exp: nowMs / 1_000 + 300, preferred_username: 'ann' };
    const roles = (...names: readonly string[]) => signToken(key, { ...claims, realm_access: { roles: names } });
    const staff = await self(server, roles('editor', 'other', 'ROLE_ADMINISTRATOR', 'ADMIN', 'GROUP_ADMIN'));

    expect(staff.json()).toEqual({
      self: {
        name: 'ann',
        roles: ['ROLE_AUTHENTICATED', 'ROLE_EDITOR', 'ROLE_READER', 'ROLE_STAFF', 'other'],
        administrator: false,
        workspaces: [],
        signedInBy: { method: 'oidc', provider: 'kc' },
        expires: '2026-11-18T08:05:00.000Z',
      },
    });
    expect((await self(server, roles('boss'))).json()).toMatchObject({ self: { administrator: true } });
    const made = await server.post('/workspaces', '{"workspace":{"name":"w"}}', {
      as: null,
      headers: { authorization: `Bearer ${roles('boss')}` },
    });
    expect((await server.get(`/history/${made.headers['graticule-change']}`)).json()).toMatchObject({
      who: 'ann',
      via: { method: 'oidc', provider: 'kc' },
    });

    // The end of a token can be later than every date.
    expect((await self(server, signToken(key, { ...claims, exp: 1e300 }))).json()).toMatchObject({
      self: { expires: '+275760-09-13T00:00:00.000Z' },
    });
    // The name of the built-in administrator is reserved.
    const reserved = await self(server, signToken(key, { ...claims, preferred_username: 'admin' }));
    expect(reserved.status).toBe(401);
    expect(reserved.headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_token"/);
    // A local user of the same name shares no roles, unless the provider permits it.
    await server.request('POST', '/security/roles/role/ROLE_LOCAL');
    await server.request('POST', '/security/roles/role/ROLE_LOCAL/user/ann');
    expect((await self(server, roles('editor'))).text).not.toContain('ROLE_LOCAL');
    await server.put('/security/authproviders/kc', JSON.stringify({ authprovider: { useLocalRoles: true } }));
    expect((await self(server, roles('editor'))).text).toContain('ROLE_LOCAL');
    // Remembered tokens end with the token and with the provider.
    const token = roles();
    expect((await self(server, token)).status).toBe(200);
    await server.put('/security/authproviders/order', '{"order":["default"]}');
    expect((await self(server, token)).status).toBe(401);
    await server.put('/security/authproviders/order', '{"order":["default","kc"]}');
    expect((await self(server, token)).status).toBe(200);
    // Accepted tokens are remembered for five minutes, but never beyond their end and the skew of clocks.
    const short = signToken(key, { ...claims, exp: nowMs / 1_000 + 100 });
    expect((await self(server, short)).status).toBe(200);
    nowMs += 161_000;
    expect([(await self(server, short)).status, (await self(server, token)).status]).toEqual([401, 200]);
    nowMs += 200_000;
    expect((await self(server, token)).status).toBe(401);
    expect((await server.get('/security/authproviders/kc.xml')).text).toContain('<entry key="boss">ADMIN</entry>');
  });

  it('creates tokens with the roles and claims of the sign-in, which belong to one account of one provider', async () => {
    const key = createSigningKey('k1');
    const [issuer, other] = [await startIssuer([key.jwk]), await startIssuer([key.jwk])];
    const server = await start();
    await allow(server, issuer);
    const regex = `^${other.issuer.replaceAll('.', '[.]')}/.*$`;
    await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'other', regex, enabled: true } }));
    const provider = { issuer: issuer.issuer, audience: ['maps'], roleClaim: 'roles', unmappedRoles: 'keep' };
    await create(server, { ...provider, name: 'east' });
    await create(server, { ...provider, name: 'west', issuer: other.issuer });
    const signIn = ({ issuer: iss }: IdentityProvider, ...roles: readonly string[]) =>
      signToken(key, { iss, aud: 'maps', exp: nowMs / 1_000 + 300, sub: 'ann', roles });
    const [east, west] = [signIn(issuer, 'ROLE_A'), signIn(other)];
    const asUser = (token: string) => ({ as: null, headers: { authorization: `Bearer ${token}` } });
    const createOwn = (token: string) => server.post('/security/self/tokens', '{"token":{"name":"ci"}}', asUser(token));
    const listOwn = async (token: string) =>
      ((await server.get('/security/self/tokens', asUser(token))).json() as { tokens: readonly { id: string }[] })
        .tokens;
    const made = await createOwn(east);
    const { secret, id } = (made.json() as { token: { secret: string; id: string } }).token;

    // Users of the same name at different providers are different accounts.
    expect((await createOwn(west)).status).toBe(201);
    expect((await createOwn(east)).status).toBe(409);
    expect((await listOwn(west)).map((each) => each.id)).not.toContain(id);
    expect((await server.delete(`/security/self/tokens/${id}`, asUser(west))).status).toBe(404);
    // The roles are those of the sign-in that created the token.
    await self(server, signIn(issuer, 'ROLE_B'));
    expect((await self(server, secret)).json()).toMatchObject({
      self: { name: 'ann', roles: ['ROLE_A', 'ROLE_AUTHENTICATED'], signedInBy: { method: 'token', token: { id } } },
    });
    // A later provider of the same name is another one.
    await server.delete('/security/authproviders/east');
    await create(server, { ...provider, name: 'east' });
    expect((await self(server, secret)).status).toBe(401);
    expect(await listOwn(east)).toEqual([]);
    expect((await createOwn(east)).status).toBe(201);
  });

  it('has lists of repeated elements and maps of entries in XML, plain lists and objects in JSON', async () => {
    const server = await start();
    await allow(server, { issuer: 'https://id.example' } as IdentityProvider);
    const fields = {
      issuer: 'https://id.example',
      audience: ['maps', 'tiles'],
      allowedAlgorithms: ['ES256'],
      requiredClaims: { entry: 'a', '/b/c': 'd' },
      roleMapping: { boss: ['ADMIN'], editor: ['ROLE_EDITOR', 'ROLE_READER'], entry: ['ROLE_E'], none: [] },
      defaultRoles: ['ROLE_STAFF'],
    };
    await create(server, { name: 'kc', ...fields });
    const path = '/security/authproviders/kc';
    const json = (await server.get(`${path}.json`)).json();
    const xml = (await server.get(`${path}.xml`)).text;

    expect(json).toMatchObject(fields);
    expect(xml).toContain('  <audience>maps</audience>\n  <audience>tiles</audience>\n');
    expect(xml).toContain('    <entry key="editor">ROLE_EDITOR</entry>\n    <entry key="editor">ROLE_READER</entry>\n');
    expect(xml).toContain('<requiredClaims>\n    <entry key="entry">a</entry>\n    <entry key="/b/c">d</entry>\n');
    // Both documents can be sent back, also to another server.
    await server.request('DELETE', path);
    expect((await server.post('/security/authproviders', xml, { type: 'application/xml' })).status).toBe(201);
    expect((await server.get(`${path}.json`)).json()).toMatchObject(fields);
    expect((await server.put(path, JSON.stringify({ authprovider: json }))).status).toBe(200);
    expect((await server.get(`${path}.xml`)).text).toBe(xml.replace(/<id>.*/, (await readId(server, path)) ?? ''));
    for (const requiredClaims of [['a'], 'a', { a: ['b', 'c'] }, { a: { b: 'c' } }, { '@a': 'b' }]) {
      const refused = await server.put(path, JSON.stringify({ authprovider: { requiredClaims } }));
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('authprovider.requiredClaims')]);
    }
  });

  it('follows key rotation, survives an outage and answers 503 without any keys', async () => {
    const [first, second] = [createSigningKey('k1'), createSigningKey('k2')];
    const issuer = await startIssuer([first.jwk]);
    const server = await start();
    await allow(server, issuer);
    await create(server, { name: 'kc', issuer: issuer.issuer, audience: ['maps'] });
    const tokenOf = (key: typeof first, sub: string) =>
      signToken(key, { iss: issuer.issuer, aud: 'maps', exp: nowMs / 1_000 + 86_400, sub });
    const fetches = () => issuer.requests.filter((path) => path === '/keys').length;
    issuer.isDown = true;
    const unavailable = await self(server, tokenOf(first, 'a'));

    expect(codeOf(unavailable)).toEqual([503, 'provider-unavailable']);
    expect(unavailable.headers['retry-after']).toBe('5');
    issuer.isDown = false;
    expect((await self(server, tokenOf(first, 'a'))).status).toBe(503);
    nowMs += 5_000;
    expect((await self(server, tokenOf(first, 'a'))).status).toBe(200);
    expect(fetches()).toBe(1);
    // Addresses and keys in a token are not used: the issuer that they name gets no request.
    const foreign = createSigningKey('k1');
    const evil = await startIssuer([foreign.jwk]);
    const claims = { iss: issuer.issuer, aud: 'maps', exp: nowMs / 1_000 + 300, sub: 'eve' };
    for (const header of [
      { jku: `${evil.issuer}/keys` },
      { x5u: `${evil.issuer}/keys` },
      { jwk: foreign.jwk },
      { jku: `${evil.issuer}/keys`, kid: undefined },
    ]) {
      expect((await self(server, signToken(foreign, claims, header))).status).toBe(401);
    }
    expect([evil.requests, fetches()]).toEqual([[], 1]);

    issuer.keys = [first.jwk, second.jwk];
    expect((await self(server, tokenOf(second, 'b'))).status).toBe(401);
    nowMs += 10_000;
    const both = await Promise.all(['c', 'd', 'e'].map((name) => self(server, tokenOf(second, name))));
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(fetches()).toBe(2);
    // Invented key ids do not cause a fetch each.
    for (let index = 0; index < 5; index += 1) await self(server, tokenOf(createSigningKey(`x${index}`), 'f'));
    expect(fetches()).toBe(2);

    issuer.isDown = true;
    nowMs += 23 * 3_600_000;
    expect((await self(server, tokenOf(second, 'g'))).status).toBe(200);
    nowMs += 2 * 3_600_000;
    expect((await self(server, tokenOf(second, 'h'))).status).toBe(503);
    expect((await server.get('/security/self')).status).toBe(200);
  });

  it('asks the issuer about opaque tokens, and about all tokens with `always`', async () => {
    const key = createSigningKey('k1');
    const issuer = await startIssuer([key.jwk]);
    const server = await start();
    await allow(server, issuer);
    const provider = { issuer: issuer.issuer, audience: ['maps'], clientId: 'maps', clientSecret: 's:cret' };
    await create(server, { ...provider, name: 'kc', introspection: 'opaque' });
    const asked = () => issuer.requests.filter((path) => path === '/introspect').length;
    issuer.activeTokens.set('good', { sub: 'ann', aud: ['maps'] });
    issuer.activeTokens.set('other', { sub: 'ann', aud: 'other' });
    issuer.activeTokens.set('past', { sub: 'ann', aud: 'maps', exp: nowMs / 1_000 - 61 });
    issuer.activeTokens.set('root', { sub: 'admin', aud: 'maps' });

    expect((await self(server, 'good')).json()).toMatchObject({
      self: { name: 'ann', signedInBy: { method: 'oidc', provider: 'kc' }, expires: null },
    });
    for (const token of ['other', 'past', 'root', 'unknown']) expect((await self(server, token)).status).toBe(401);
    expect(asked()).toBe(5);
    // Answers are remembered for some seconds, also of tokens that are not active.
    issuer.activeTokens.clear();
    expect([(await self(server, 'good')).status, (await self(server, 'unknown')).status, asked()]).toEqual([
      200, 401, 5,
    ]);
    nowMs += 10_000;
    expect([(await self(server, 'good')).status, asked()]).toEqual([401, 6]);
    // Malformed and encrypted JSON Web Tokens are not sent to the issuer.
    const object = Buffer.from('{"alg":"RSA-OAEP"}').toString('base64url');
    const [twice, cut] = ['{"alg":"ES256","alg":"none"}', ' {"alg":'].map((text) =>
      Buffer.from(text).toString('base64url'),
    );
    for (const token of [
      `${object}.a`,
      `${object}.a.b.c.d`,
      `${twice}.e30.AA`,
      `${cut}.a.b`,
      'a b',
      'x'.repeat(12_289),
    ]) {
      expect((await self(server, token)).status).toBe(401);
    }
    expect(asked()).toBe(6);

    const signed = signToken(key, { iss: issuer.issuer, aud: 'maps', exp: nowMs / 1_000 + 300, sub: 'bob' });
    expect([(await self(server, signed)).status, asked()]).toEqual([200, 6]);
    await server.put('/security/authproviders/kc', '{"authprovider":{"introspection":"always"}}');
    expect([(await self(server, signed)).status, asked()]).toEqual([401, 7]);
    issuer.activeTokens.set(signed, {});
    nowMs += 10_000;
    expect([(await self(server, signed)).status, asked()]).toEqual([200, 8]);
    // A token that the issuer has revoked is accepted for the time of the cache, not until its end.
    issuer.activeTokens.clear();
    expect([(await self(server, signed)).status, asked()]).toEqual([200, 8]);
    nowMs += 10_000;
    expect([(await self(server, signed)).status, asked()]).toEqual([401, 9]);
    await server.put('/security/authproviders/kc', '{"authprovider":{"introspection":"off"}}');
    issuer.activeTokens.set('good', { sub: 'ann', aud: ['maps'] });
    expect([(await self(server, 'good')).status, asked()]).toEqual([401, 9]);
    await server.put('/security/authproviders/kc', '{"authprovider":{"introspection":"always"}}');
    // A token that the issuer refuses delays no other.
    expect(codeOf(await self(server, REFUSED_TOKEN))).toEqual([503, 'provider-unavailable']);
    issuer.activeTokens.set('next', { sub: 'eve', aud: 'maps' });
    expect((await self(server, 'next')).status).toBe(200);
    issuer.isDown = true;
    const fetches = issuer.requests.length;
    expect(codeOf(await self(server, 'later'))).toEqual([503, 'provider-unavailable']);
    expect(codeOf(await self(server, 'even-later'))).toEqual([503, 'provider-unavailable']);
    expect(issuer.requests).toHaveLength(fetches + 1);
    expect((await server.get('/security/authproviders/kc.json')).text).not.toContain('cret');
  });

  it('limits the invented opaque tokens of an address, and never sends its secret to another host', async () => {
    const issuer = await startIssuer([]);
    const server = await start();
    await allow(server, issuer);
    const provider = { issuer: issuer.issuer, audience: ['maps'], clientId: 'maps', clientSecret: 's:cret' };
    await create(server, { ...provider, name: 'kc', introspection: 'opaque' });
    for (let index = 0; index < 100; index += 1) await self(server, `token-${index}`);
    const before = issuer.requests.length;

    expect(codeOf(await self(server, 'token-100'))).toEqual([429, 'too-many-attempts']);
    expect(issuer.requests).toHaveLength(before);
    const change = (fields: object) =>
      server.put('/security/authproviders/kc', JSON.stringify({ authprovider: fields }));
    const elsewhere = 'http://127.0.0.1:9';
    const regex = '^http://127[.]0[.]0[.]1:9/.*$';
    await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'x', regex, enabled: true } }));
    for (const fields of [{ issuer: elsewhere }, { introspectionUri: `${elsewhere}/introspect` }]) {
      const refused = await change(fields);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('authprovider.clientSecret')]);
      expect((await change({ ...fields, clientSecret: 'new' })).status).toBe(200);
      await change({ issuer: issuer.issuer, introspectionUri: null, clientSecret: 's:cret' });
    }
  });

  it.each([
    ['no client for introspection', { issuer: 'http://127.0.0.1:9', audience: ['m'], introspection: 'opaque' }, 400],
    ['an unknown introspection', { issuer: 'http://127.0.0.1:9', audience: ['m'], introspection: 'on' }, 400],
    [
      'an introspection without TLS',
      { issuer: 'http://127.0.0.1:9', audience: ['m'], introspectionUri: 'http://a.example' },
      400,
    ],
    ['a long memory', { issuer: 'http://127.0.0.1:9', audience: ['m'], introspectionCacheSeconds: 61 }, 400],
    ['browsers without a client', { issuer: 'http://127.0.0.1:9', audience: ['m'], browserSignIn: true }, 400],
    ['a client without a name', { issuer: 'http://127.0.0.1:9', audience: ['m'], clientId: ' ' }, 400],
    ['no issuer', { audience: ['maps'] }, 400],
    ['an issuer without TLS', { issuer: 'http://id.example', audience: ['maps'] }, 400],
    ['an issuer with a query', { issuer: 'https://id.example?a', audience: ['maps'] }, 400],
    ['no audience', { issuer: 'https://id.example' }, 400],
    ['unsigned tokens', { issuer: 'http://127.0.0.1:9', audience: ['m'], allowedAlgorithms: ['none'] }, 400],
    ['symmetric keys', { issuer: 'http://127.0.0.1:9', audience: ['m'], allowedAlgorithms: ['HS256'] }, 400],
    ['administrators by default', { issuer: 'http://127.0.0.1:9', audience: ['m'], defaultRoles: ['ADMIN'] }, 400],
    ['a URL that no check allows', { issuer: 'https://id.example', audience: ['maps'] }, 403],
  ])('is rejected with %s', async (_case, fields, status) => {
    const server = await start();
    if (status === 400) await allow(server, { issuer: 'http://127.0.0.1:9' } as IdentityProvider);

    expect((await create(server, { name: 'kc', ...fields })).status).toBe(status);
  });
});

describe('trusted proxy', () => {
  const ask = (server: TestServer, headers: Readonly<Record<string, string | string[]>>, remoteAddress = '127.0.0.1') =>
    server.server.app.inject({
      method: 'GET',
      url: `${server.server.restRoot}/security/self`,
      headers: headers as Record<string, string>,
      remoteAddress,
    });

  it('signs in users by headers of trusted peers only', async () => {
    const server = await start(['--trust-proxy', '127.0.0.1']);
    const provider = {
      className: headerClass,
      name: 'sso',
      userHeader: 'X-User',
      rolesHeader: 'X-Roles',
      claimHeaders: { dept: 'X-Dept' },
      roleMapping: { staff: ['ROLE_STAFF'] },
    };
    expect((await create(server, provider)).status).toBe(201);
    const user = { 'x-user': 'ann', 'x-roles': 'staff, ADMIN', 'x-dept': 'red' };
    const accepted = await ask(server, user);

    expect(accepted.json()).toMatchObject({
      self: {
        name: 'ann',
        roles: ['ROLE_AUTHENTICATED', 'ROLE_STAFF'],
        signedInBy: { method: 'proxy', provider: 'sso' },
      },
    });
    expect((await ask(server, user, '192.0.2.1')).statusCode).toBe(401);
    expect((await ask(server, { ...user, 'x-forwarded-for': '127.0.0.1' }, '192.0.2.1')).statusCode).toBe(401);
    expect((await ask(server, { x_user: 'ann' })).statusCode).toBe(401);
    expect((await ask(server, { 'x-user': '' })).statusCode).toBe(401);
    expect((await ask(server, { 'x-user': 'admin' })).statusCode).toBe(401);
    expect((await ask(server, { 'x-user': 'x'.repeat(257) })).statusCode).toBe(400);
    expect((await ask(server, { 'x-user': 'a\tb' })).statusCode).toBe(400);
    expect((await ask(server, { ...user, authorization: 'Bearer grt_x' })).statusCode).toBe(401);
    expect(server.log.filter((line) => line.includes('outside --trust-proxy'))).toHaveLength(1);
  });

  it('rejects headers that occur twice or are not UTF-8, and keeps similar names apart', async () => {
    const server = await start(['--trust-proxy', '127.0.0.1']);
    const headers = { userHeader: 'X-User', rolesHeader: 'X-Roles', claimHeaders: { dept: 'X-Dept' } };
    await create(server, { className: headerClass, name: 'sso', ...headers, unmappedRoles: 'keep' });
    const send = async (sent: Readonly<Record<string, string | string[]>>) => {
      const { self, code } = (
        await ask(server, { accept: 'application/problem+json, application/json;q=0.5', ...sent })
      ).json() as { readonly self?: { readonly name: string }; readonly code?: string };
      return self?.name ?? code;
    };
    // Node passes each byte of a header as one character.
    const encode = (name: string) => Buffer.from(name).toString('latin1');

    for (const sent of [
      { 'x-user': ['ann', 'ann'] },
      { 'x-user': ['', 'ann'] },
      { 'x-user': 'ann, eve' },
      { 'x-user': 'ann,' },
      { 'x-user': 'ann', 'x-roles': ['a', 'b'] },
      { 'x-user': 'ann', 'x-roles': Array.from({ length: 501 }, (_, index) => index).join() },
      { 'x-user': 'ann', 'x-dept': ['a', 'b'] },
      // In Latin-1, these are two users. Decoded as UTF-8, both would have the same name.
      { 'x-user': 'J\u00fcrgen' },
      { 'x-user': 'J\u00e4rgen' },
      { 'x-user': 'ann', 'x-roles': '\u00fc' },
    ]) {
      expect(await send(sent)).toBe('proxy-header-invalid');
    }
    expect(await send({ 'x-user': encode('Jürgen') })).toBe('Jürgen');
    expect(await send({ 'x-user': '  ann  ' })).toBe('ann');
    expect(await send({ 'x-user': encode('ann\u00a0') })).toBe('ann\u00a0');
    expect(await send({ 'x-user': 'ADMIN' })).toBe('ADMIN');
    expect(await send({ x_user: 'ann' })).toBe('credentials-required');
    expect((await ask(server, { 'x-user': 'ann', 'x-roles': ['a', 'b'] })).body).toContain(
      'The header X-Roles is invalid: it must occur once and have at most 500 roles of 256 characters in UTF-8',
    );
  });

  it('is stored with a warning if no proxy is trusted, and cannot use headers with another meaning', async () => {
    const server = await start();
    const made = await create(server, { className: headerClass, name: 'sso' });

    expect([made.status, made.headers['warning']]).toEqual([201, expect.stringContaining('--trust-proxy')]);
    const changed = await server.put('/security/authproviders/sso', '{"authprovider":{"rolesHeader":"X-Roles"}}');
    expect([changed.status, changed.headers['warning']]).toEqual([200, expect.stringContaining('--trust-proxy')]);
    expect((await ask(server, { 'x-forwarded-user': 'ann' })).statusCode).toBe(401);
    for (const userHeader of ['Authorization', 'cookie', 'X-Forwarded-For', 'a b']) {
      expect((await create(server, { className: headerClass, name: 'b', userHeader })).status).toBe(400);
    }
  });
});
