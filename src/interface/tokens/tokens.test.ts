import { describe, expect, it, onTestFinished } from 'vitest';
import { itInDirectory } from '../../../test/support/shared-storage.ts';
import {
  type Reply,
  type RequestOptions,
  startTestServer,
  type TestServer,
  useTestServer,
} from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { toSecret } from '../../lib/identity/secret.ts';
import { openCatalog } from '../../records/catalog.ts';
import { type ApiToken, apiTokenKind } from '../../security/token-records/token.ts';

interface TokenView {
  readonly id: string;
  readonly secret: string;
  readonly [member: string]: unknown;
}

const document = (fields: object) => JSON.stringify({ token: fields });
const bearer = (secret: string): RequestOptions => ({ as: null, headers: { authorization: `Bearer ${secret}` } });
const viewOf = (reply: Reply) => (reply.json() as { token: TokenView }).token;
const problems = { accept: 'application/problem+json' };
const codeOf = (reply: Reply) => [reply.status, (reply.json() as { code: string }).code];

async function createToken(server: TestServer, as: string | undefined, fields: object): Promise<TokenView> {
  const reply = await server.post('/security/self/tokens', document(fields), as === undefined ? {} : { as });
  expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('grt_')]);
  return viewOf(reply);
}

const addWorkspace = (server: TestServer, name: string) =>
  server.post('/workspaces', JSON.stringify({ workspace: { name } }));

describe('API tokens', () => {
  const server = useTestServer();

  it('are created with a secret that is shown once, and are read, listed and deleted by their owner', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    const ben = await addUser(server, 'ben');
    const made = await server.post('/security/self/tokens', document({ name: 'ci' }), { as: ann });
    const { id, secret } = viewOf(made);

    expect(made.headers).toMatchObject({
      location: `http://localhost:80/geoserver/rest/security/self/tokens/${id}`,
      'cache-control': 'no-store',
    });
    expect(secret).toMatch(/^grt_[0-9A-Za-z]{42}$/);
    const view = {
      id,
      name: 'ci',
      user: 'ann',
      prefix: secret.slice(0, 8),
      state: 'active',
      created: expect.stringMatching(/Z$/),
      createdBy: 'ann',
      expires: expect.stringMatching(/Z$/),
      idleMinutes: null,
      queryKey: false,
      ratePerMinute: null,
      lastUsed: null,
      lastUsedFrom: null,
      scopes: { readOnly: true, admin: false, workspaces: null, services: null },
    };
    expect(viewOf(made)).toEqual({ ...view, secret });
    expect((await server.get(`/security/self/tokens/${id}`, { as: ann })).json()).toEqual({ token: view });
    expect((await server.get('/security/self/tokens', { as: ann })).json()).toEqual({ tokens: [view] });
    expect((await server.get('/security/tokens?user=ann')).json()).toEqual({ tokens: [view] });
    expect((await server.get('/security/self/tokens', { as: ben })).json()).toEqual({ tokens: [] });
    expect((await server.get('/security/self/tokens.html', { as: ann })).text).toContain(id);

    for (const method of ['GET', 'DELETE']) {
      const reply = await server.request(method, `/security/self/tokens/${id}`, { as: ben, ...problems });
      expect(codeOf(reply)).toEqual([404, 'token-unknown']);
    }
    for (const method of ['PUT', 'PATCH']) {
      expect((await server.request(method, `/security/self/tokens/${id}`, { as: ann })).status).toBe(405);
    }
    expect((await server.get('/security/self', bearer(secret))).status).toBe(200);
    expect((await server.delete(`/security/self/tokens/${id}`, { as: ann })).status).toBe(200);
    expect(codeOf(await server.delete(`/security/self/tokens/${id}`, { as: ann, ...problems }))).toEqual([
      404,
      'token-unknown',
    ]);
    const gone = await server.get('/security/self', { ...bearer(secret), ...problems });
    expect(codeOf(gone)).toEqual([401, 'token-invalid']);
    expect(gone.headers['www-authenticate']).toMatch(
      /^Bearer realm="Graticule", error="invalid_token", error_description="[^"\\]+"$/,
    );
  });

  it('sign in as Bearer, as a Basic password of their user or of `token`, and as a Basic user name', async () => {
    const { id, secret } = await createToken(server, await addUser(server, 'cleo', 'ROLE_CLEO'), { name: 'x' });
    const expected = {
      self: {
        name: 'cleo',
        roles: ['ROLE_AUTHENTICATED', 'ROLE_CLEO'],
        administrator: false,
        workspaces: [],
        signedInBy: {
          method: 'token',
          token: { id, name: 'x', scopes: { readOnly: true, admin: false, workspaces: null, services: null } },
        },
        expires: expect.stringMatching(/Z$/),
      },
    };

    for (const how of [
      bearer(secret),
      { as: `cleo:${secret}` },
      { as: `token:${secret}` },
      { as: `${secret}:` },
      { as: `${secret}:x` },
    ]) {
      expect((await server.get('/security/self', how)).json()).toEqual(expected);
    }
    const other = await server.get('/security/self', { as: `ann:${secret}`, ...problems });
    expect(codeOf(other)).toEqual([401, 'token-invalid']);
    expect(other.headers['www-authenticate']).toMatch(/^Basic /);
    const admin = (await server.get('/security/self')).json();
    expect(admin).toMatchObject({
      self: { name: 'admin', administrator: true, workspaces: ['*'], signedInBy: { method: 'basic' }, expires: null },
    });
    expect((await server.get('/security/self', { as: null })).status).toBe(401);
  });

  it.each([
    ['no name', {}, 'token.name'],
    ['a long name', { name: 'x'.repeat(101) }, 'token.name'],
    ['an unknown member', { name: 'x', scope: {} }, 'token.scope'],
    ['an unknown scope', { name: 'x', scopes: { readonly: true } }, 'token.scopes.readonly'],
    ['an unknown service', { name: 'x', scopes: { services: ['ftp'] } }, 'token.scopes.services'],
    ['an unknown workspace', { name: 'x', scopes: { workspaces: ['nowhere'] } }, 'token.scopes.workspaces'],
    ['a past end', { name: 'x', expires: '2020-01-01T00:00:00Z' }, 'token.expires'],
    ['a distant end', { name: 'x', expires: '2999-01-01T00:00:00Z' }, 'token.expires'],
    ['no end', { name: 'x', expires: null }, 'token.expires'],
    ['a short idle time', { name: 'x', idleMinutes: 4 }, 'token.idleMinutes'],
    ['a high rate', { name: 'x', ratePerMinute: 100_001 }, 'token.ratePerMinute'],
    ['a key in the URL for all services', { name: 'x', queryKey: true }, 'token.queryKey'],
    ['a key in the URL for REST', { name: 'x', queryKey: true, scopes: { services: ['rest'] } }, 'token.queryKey'],
  ])('are rejected with %s', async (_case, fields, field) => {
    const reply = await server.post('/security/self/tokens', document(fields), problems);

    expect([reply.status, (reply.json() as { field: string }).field]).toEqual([400, field]);
  });

  it('have a name that is unique for each user', async () => {
    await createToken(server, undefined, { name: 'twice' });

    const again = await server.post('/security/self/tokens', document({ name: 'twice' }), problems);

    expect(codeOf(again)).toEqual([409, 'token-exists']);
  });

  it('are not created with an idempotency key, inside a batch or by a token, and have no secret in a dry run', async () => {
    const { secret } = await createToken(server, undefined, {
      name: 'maker',
      scopes: { readOnly: false, admin: true },
    });
    const create = (how: RequestOptions, path = '/security/self/tokens') =>
      server.post(path, document({ name: 'made' }), { ...how, headers: { ...problems, ...how.headers } });

    expect(codeOf(await create({ headers: { 'idempotency-key': '"one"' } }))).toEqual([400, 'token-reply-kept']);
    expect(codeOf(await create(bearer(secret)))).toEqual([403, 'token-not-allowed']);
    expect(codeOf(await create(bearer(secret), '/security/tokens'))).toEqual([403, 'token-not-allowed']);
    const batch = await server.post(
      '/batch',
      JSON.stringify({
        operations: [{ method: 'POST', path: '/security/self/tokens', body: { token: { name: 'made' } } }],
      }),
    );
    expect([batch.status, batch.text]).toEqual([400, expect.stringContaining('token-reply-kept')]);
    const tried = await create({}, '/security/self/tokens?dryRun=true');
    expect([tried.status, viewOf(tried).secret]).toEqual([201, null]);
    expect((await server.get('/security/tokens')).text).not.toContain('"made"');
  });

  it('never appear in the history, and their deletion cannot be undone', async () => {
    const made = await server.post('/security/self/tokens', document({ name: 'logged' }));
    const { id, secret } = viewOf(made);
    const created = (await server.get(`/history/${made.headers['graticule-change']}`)).text;
    const deleted = await server.delete(`/security/tokens/${id}`);
    const undone = await server.request('POST', `/history/${deleted.headers['graticule-change']}/undo`, problems);

    expect(created).toContain('"secretHash":"(secret)"');
    expect(created).toContain(`/security/tokens/${id}`);
    expect(created).not.toContain(secret.slice(8));
    expect(codeOf(undone)).toEqual([409, 'undo-impossible']);
    expect(server.log.join('')).not.toContain(secret.slice(8));
  });

  it('mark the changes that are made with them', async () => {
    const { id, secret } = await createToken(server, undefined, {
      name: 'w',
      scopes: { readOnly: false, admin: true },
    });
    const made = await server.post('/workspaces', '{"workspace":{"name":"marked"}}', bearer(secret));

    const change = (await server.get(`/history/${made.headers['graticule-change']}`)).json();

    expect(change).toMatchObject({ who: 'admin', via: { method: 'token', token: id } });
  });

  it('are created by administrators for enabled local users, and deleted by user', async () => {
    const dora = await addUser(server, 'dora');
    const made = await server.post('/security/tokens', document({ name: 'given', user: 'dora' }));
    await createToken(server, dora, { name: 'own' });

    expect(viewOf(made)).toMatchObject({ user: 'dora', createdBy: 'admin' });
    expect((await server.get('/security/self', bearer(viewOf(made).secret))).json()).toMatchObject({
      self: { name: 'dora' },
    });
    expect((await server.post('/security/tokens', document({ name: 'x', user: 'missing' }))).status).toBe(400);
    expect((await server.get('/security/tokens', { as: dora })).status).toBe(403);
    expect((await server.delete('/security/tokens')).status).toBe(400);
    expect((await server.delete('/security/tokens?user=dora')).json()).toEqual({ revoked: 2 });
    expect((await server.get('/security/self', bearer(viewOf(made).secret))).status).toBe(401);
  });

  it('are listed for administrators in pages, in which each token occurs once', async () => {
    for (const user of ['pia', 'pit', 'peg']) {
      await addUser(server, user);
      for (const name of ['a', 'b', 'c']) await server.post('/security/tokens', document({ name, user }));
    }
    const read = async (path: string) => {
      const reply = await server.get(path);
      const [, next] = /^<[^>]*[/]rest([^>]*)>; rel="next"$/.exec(String(reply.headers['link'])) ?? [];
      return { ids: (reply.json() as { tokens: readonly TokenView[] }).tokens.map(({ id }) => id), next };
    };
    const follow = async (path: string) => {
      const pages = [await read(path)];
      for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) pages.push(await read(next));
      return pages.map(({ ids }) => ids);
    };
    const all = await read('/security/tokens');
    const own = await follow('/security/tokens?user=pit&limit=2');

    expect([all.ids.length >= 9, all.next]).toEqual([true, undefined]);
    expect((await follow('/security/tokens?limit=4')).flat()).toEqual(all.ids);
    expect([own.map(({ length }) => length), own.flat().every((id) => all.ids.includes(id))]).toEqual([[2, 1], true]);
    expect((await server.get('/security/tokens.html?limit=1&user=pit')).text).toContain(
      `/security/tokens.html?user=pit&amp;limit=1&amp;after=${own[0]?.[0]}">Next page`,
    );
    for (const query of ['limit=0', 'limit=501', 'limit=x', 'offset=1']) {
      expect((await server.get(`/security/tokens?${query}`)).status).toBe(400);
    }
  });

  it('follow their user: roles, disabling and deletion take effect with the next request', async () => {
    const eve = await addUser(server, 'eve');
    const { secret } = await createToken(server, eve, { name: 'x' });
    const status = async () => (await server.get('/security/self', bearer(secret))).status;
    await server.request('POST', '/security/roles/role/ROLE_EVE');
    await server.request('POST', '/security/roles/role/ROLE_EVE/user/eve');

    expect((await server.get('/security/self', bearer(secret))).text).toContain('ROLE_EVE');
    await server.post('/security/usergroup/user/eve', '{"user":{"enabled":false}}');
    expect(await status()).toBe(401);
    await server.post('/security/usergroup/user/eve', '{"user":{"enabled":true}}');
    expect(await status()).toBe(200);
    const deleted = await server.delete('/security/usergroup/user/eve');
    expect(await status()).toBe(401);
    expect((await server.get('/security/tokens?user=eve')).json()).toEqual({ tokens: [] });
    const undone = await server.request('POST', `/history/${deleted.headers['graticule-change']}/undo`);
    expect([undone.status, await status()]).toEqual([200, 401]);
  });
});

describe('scopes of API tokens', () => {
  const server = useTestServer();

  it('permit only reading by default, and no access to /security beyond the own user', async () => {
    await addWorkspace(server, 'land');
    const { id, secret } = await createToken(server, undefined, { name: 'reader' });
    const request = (method: string, path: string, body?: string) =>
      server.request(method, path, { ...bearer(secret), ...problems, type: 'json', ...(body && { body }) });
    const refused = await request('POST', '/workspaces', '{"workspace":{"name":"x"}}');

    expect(codeOf(refused)).toEqual([403, 'token-scope']);
    expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope"');
    // Without administrator rights nothing of the configuration is readable.
    expect((await request('GET', '/workspaces/land')).status).toBe(403);
    expect(codeOf(await request('GET', '/security/tokens'))).toEqual([403, 'token-scope']);
    expect(codeOf(await request('GET', '/security/acl/layers'))).toEqual([403, 'token-scope']);
    expect(codeOf(await request('PUT', '/security/self/password', '{"newPassword":"a new one 123"}'))).toEqual([
      403,
      'token-not-allowed',
    ]);
    expect((await request('GET', '/security/self/tokens')).status).toBe(200);
    expect((await request('DELETE', `/security/self/tokens/${id}`)).status).toBe(200);
  });

  it('keep administrator rights with `admin`, which users without such rights cannot request', async () => {
    const fay = await addUser(server, 'fay');
    const { secret } = await createToken(server, undefined, { name: 'boss', scopes: { admin: true } });
    const exceeded = await server.post('/security/self/tokens', document({ name: 'x', scopes: { admin: true } }), {
      as: fay,
      ...problems,
    });

    expect((await server.get('/security/acl/layers', bearer(secret))).status).toBe(200);
    expect(codeOf(exceeded)).toEqual([403, 'token-scope-exceeds']);
    const writer = await createToken(server, undefined, { name: 'boss2', scopes: { admin: true, readOnly: false } });
    const own = await server.post('/security/usergroup/user/admin', '{"user":{"password":"another password"}}', {
      ...bearer(writer.secret),
      accept: 'application/problem+json',
    });
    expect(codeOf(own)).toEqual([403, 'token-not-allowed']);
  });

  it('restrict administrators to workspaces, follow renames and forget deleted workspaces', async () => {
    await addWorkspace(server, 'north');
    await addWorkspace(server, 'south');
    const { id, secret } = await createToken(server, undefined, {
      name: 'north only',
      scopes: { admin: true, readOnly: false, workspaces: ['north'] },
    });
    const how = { ...bearer(secret), ...problems };
    // Also if the workspace is already the default one.
    for (const name of ['south', 'north']) {
      await server.put('/workspaces/default', JSON.stringify({ workspace: { name } }));
      const changed = await server.put('/workspaces/default', '{"workspace":{"name":"north"}}', how);
      expect(codeOf(changed)).toEqual([403, 'token-scope']);
    }
    const names = async () =>
      (
        (await server.get('/workspaces.json', how)).json() as { workspaces: { workspace: { name: string }[] } }
      ).workspaces.workspace.map(({ name }) => name);

    expect(await names()).toEqual(['north']);
    expect((await server.get('/workspaces/south', how)).status).toBe(404);
    expect((await server.put('/workspaces/north', '{"workspace":{"isolated":true}}', how)).status).toBe(200);
    expect((await server.put('/workspaces/south', '{"workspace":{"isolated":true}}', how)).status).toBe(404);
    expect(codeOf(await server.post('/workspaces', '{"workspace":{"name":"west"}}', how))).toEqual([
      403,
      'token-scope',
    ]);
    expect(codeOf(await server.post('/styles', '{"style":{"name":"s","filename":"s.sld"}}', how))).toEqual([
      403,
      'token-scope',
    ]);
    expect((await server.get('/settings', how)).status).toBe(200);
    // These contain resources of all workspaces.
    const gwc = '//geoserver/gwc/rest';
    for (const path of [
      '/configuration',
      '/backup',
      '/history',
      '/history/1',
      '/events?after=0',
      '/doctor',
      '/locks',
      `${gwc}/layers`,
      `${gwc}/seed.json`,
    ]) {
      expect([path, ...codeOf(await server.get(path, how))]).toEqual([path, 403, 'token-scope']);
    }
    expect(codeOf(await server.post('/configuration/diff', '{}', how))).toEqual([403, 'token-scope']);
    const truncated = await server.post(`${gwc}/masstruncate`, '<truncateAll/>', { ...how, type: 'text/xml' });
    expect(codeOf(truncated)).toEqual([403, 'token-scope']);
    expect((await server.get(`${gwc}/gridsets`, bearer(secret))).status).toBe(200);

    const renamed = await server.put('/workspaces/north', '{"workspace":{"name":"up"}}');
    expect(await names()).toEqual(['up']);
    const undo = async () => server.request('POST', `/history/${renamed.headers['graticule-change']}/undo`);
    expect([(await undo()).status, await names()]).toEqual([200, ['north']]);
    await server.put('/workspaces/north', '{"workspace":{"name":"up"}}');
    await server.delete('/workspaces/up');
    await addWorkspace(server, 'up');
    expect((await server.get(`/security/tokens/${id}`)).json()).toMatchObject({
      token: { scopes: { workspaces: [] } },
    });
    expect((await server.get('/workspaces/up', how)).status).toBe(404);
  });

  it('restrict tokens to services', async () => {
    const { secret } = await createToken(server, undefined, { name: 'maps', scopes: { services: ['wms'] } });
    const how = { ...bearer(secret), ...problems };
    const capabilities = (service: string) =>
      server.get(`//geoserver/ows?service=${service}&request=GetCapabilities`, how);

    expect((await capabilities('WMS')).status).toBe(200);
    expect((await capabilities('WFS')).status).toBe(403);
    expect((await capabilities('WCS')).status).toBe(403);
    expect((await server.get('//geoserver/ogc/features/v1/collections', how)).status).toBe(403);
    expect((await server.get('//geoserver/ogc/maps/v1/collections', bearer(secret))).status).toBe(200);
    expect((await server.get('//geoserver/ogc/tiles/v1/collections', how)).status).toBe(403);
    expect(codeOf(await server.get('/security/self', how))).toEqual([403, 'token-scope']);
  });

  it.each([
    'wfs?service=WFS&version=2.0.0&request=GetCapabilities',
    'wfs?service=WFS&version=1.0.0&request=GetCapabilities',
    'wfs?service=WFS&version=2.0.0&request=LockFeature&typeNames=a:b',
    'wcs?service=WCS&version=2.0.1&request=GetCapabilities',
    'wcs?service=WCS&version=1.1.1&request=GetCapabilities',
    'wcs?service=WCS&version=1.0.0&request=GetCapabilities',
    'wms?service=WMS&version=1.3.0&request=GetCapabilities',
    'wms?service=WMS&version=1.1.1&request=GetMap&exceptions=inimage&layers=x&styles=&srs=EPSG:4326&bbox=0,0,1,1&width=9&height=9&format=image/png',
    'gwc/service/wmts?service=WMTS&request=GetCapabilities',
    'ogc/features/v1/collections',
    'ogc/styles/v1/styles',
  ])('are reported with a challenge that names the missing scope by %s', async (query) => {
    const name = `rest only ${query.slice(0, 80)}`;
    const { secret } = await createToken(server, undefined, { name, scopes: { services: ['rest'] } });
    const log = server.log.length;
    const { status, headers } = await server.get(`//geoserver/${query}`, bearer(secret));

    expect([status, headers['www-authenticate']]).toEqual([
      403,
      expect.stringMatching(/^Bearer realm="Graticule", error="insufficient_scope", error_description="The scopes /),
    ]);
    expect(server.log.slice(log).join('')).toContain('"code":"token-scope"');
  });
});

describe('lifetime and limits of API tokens', () => {
  it('ends at `expires`, after `idleMinutes` without use, and with the password of idle tokens', async () => {
    let nowMs = Date.parse('2026-11-18T08:00:00Z');
    const server = await startTestServer({ clock: () => nowMs });
    const gus = await addUser(server, 'gus');
    const plain = await createToken(server, gus, { name: 'plain', expires: '2026-11-18T10:00:00Z' });
    const idle = await createToken(server, gus, { name: 'idle', idleMinutes: 5 });
    const watched = await createToken(server, gus, { name: 'watched', idleMinutes: 1_440 });
    const status = async ({ secret }: TokenView) => (await server.get('/security/self', bearer(secret))).status;

    nowMs += 4 * 60_000;
    expect([await status(plain), await status(idle)]).toEqual([200, 200]);
    nowMs += 4 * 60_000;
    expect(await status(idle)).toBe(200);
    nowMs += 5 * 60_000;
    expect([await status(plain), await status(idle)]).toEqual([200, 401]);
    expect((await server.get(`/security/tokens/${idle.id}`)).json()).toMatchObject({
      token: { state: 'expired', lastUsed: '2026-11-18T08:08:00.000Z', lastUsedFrom: '127.0.0.1' },
    });
    expect(await status(watched)).toBe(200);
    await server.post('/security/usergroup/user/gus', '{"user":{"password":"another password"}}');
    expect([await status(plain), await status(watched)]).toEqual([200, 401]);
    nowMs = Date.parse('2026-11-18T10:00:00Z');
    expect(await status(plain)).toBe(401);
    nowMs += 31 * 86_400_000;
    expect((await server.get('/security/tokens')).json()).toEqual({ tokens: [] });
    await server.close();
  });

  it('limits requests with a token, different invalid tokens of an address, and the tokens of a user', async () => {
    let nowMs = Date.parse('2026-11-18T08:00:00Z');
    const server = await startTestServer({ clock: () => nowMs });
    const hal = await addUser(server, 'hal');
    const slow = await createToken(server, hal, { name: 'slow', ratePerMinute: 2 });
    const request = (secret: string) => server.get('/security/self', { ...bearer(secret), ...problems });
    await request(slow.secret);
    await request(slow.secret);
    const third = await request(slow.secret);

    expect([codeOf(third), third.headers['retry-after']]).toEqual([[429, 'token-rate'], '60']);
    nowMs += 60_000;
    expect((await request(slow.secret)).status).toBe(200);

    for (let index = 0; index < 100; index += 1) expect((await request(`grt_${index}`)).status).toBe(401);
    expect(codeOf(await request('grt_another'))).toEqual([429, 'too-many-attempts']);
    expect((await request('grt_7')).status).toBe(401);
    expect((await request(slow.secret)).status).toBe(200);

    for (let index = 1; index < 50; index += 1) await createToken(server, hal, { name: `t${index}` });
    const many = await server.post('/security/self/tokens', document({ name: 'more' }), { as: hal, ...problems });
    expect(codeOf(many)).toEqual([409, 'token-limit']);
    await server.close();
  });

  itInDirectory(
    'deletes tokens that expired long ago when the server has 20,000 tokens, and searches for them once a minute',
    async () => {
      let nowMs = Date.parse('2026-11-18T08:00:00Z');
      const server = await startTestServer({ clock: () => nowMs });
      onTestFinished(() => server.close());
      const made = await createToken(server, undefined, { name: 'first' });
      const catalog = openCatalog(server.server.storage);
      const [first] = await catalog.list(apiTokenKind, null);
      const { id: _id, ...fields } = first as ApiToken;
      const fill = (until: number, expiresAtMs: number) =>
        catalog.change({ name: 'test', roles: new Set([ROLE_ADMINISTRATOR]) }, 'fill', async (transaction) => {
          for (let at = await transaction.count(apiTokenKind); at < until; at += 1) {
            const name = `filled${String(at).padStart(5, '0')}`;
            const own = { label: name, user: name, accountKey: name, secretHash: toSecret(name) };
            await transaction.insert(apiTokenKind, { ...fields, ...own, name, expiresAtMs });
          }
        });
      const create = async (name: string) => (await server.post('/security/self/tokens', document({ name }))).status;
      await fill(20_000, nowMs + 86_400_000);

      expect(await create('second')).toBe(409);
      // One token expired more than 30 days ago, but the last search was in the same minute.
      await catalog.change({ name: 'test', roles: new Set([ROLE_ADMINISTRATOR]) }, 'age', async (transaction) => {
        const [one] = await transaction.list(apiTokenKind, null, { after: 'filled19998' });
        await transaction.update(apiTokenKind, { ...(one as ApiToken), expiresAtMs: nowMs - 31 * 86_400_000 });
      });
      expect(await create('second')).toBe(409);
      nowMs += 60_000;
      expect(await create('second')).toBe(201);
      expect(await create('third')).toBe(409);
      expect((await server.get(`/security/tokens/${made.id}`)).status).toBe(200);
    },
  );

  it('permits tokens without an end with --token-max-days 0', async () => {
    const server = await startTestServer({ flags: ['--token-max-days', '0'] });

    expect(await createToken(server, undefined, { name: 'forever', expires: null })).toMatchObject({ expires: null });
    await server.close();
  });
});
