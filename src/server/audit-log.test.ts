import { describe, expect, it } from 'vitest';
import { createSigningKey, signToken, startIdentityProvider } from '../../test/support/identity-provider.ts';
import { startTestServer } from '../../test/support/test-server.ts';
import { AuditLog } from './audit-log.ts';

function openLog() {
  const lines: string[] = [];
  const log = new AuditLog({
    clock: () => Date.parse('2026-11-18T08:00:00Z'),
    append: async (text) => void lines.push(...text.trimEnd().split('\n')),
    onError: (reason) => {
      throw reason;
    },
  });
  const readLines = async () => {
    await log.close();
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { log, readLines };
}

const via = { method: 'basic' } as const;

const denied = {
  event: 'denied',
  user: '-',
  address: '192.0.2.1',
  method: 'GET',
  path: '/geoserver/rest/workspaces',
  status: 401,
  reason: 'credentials-required',
  requestId: '1',
} as const;

describe('audit log', () => {
  it('counts repeated denials of an address after the first twenty of a minute', async () => {
    const { log, readLines } = openLog();
    for (let count = 0; count < 1_000; count += 1) log.write(denied);
    log.write({ ...denied, address: '192.0.2.2' });

    const lines = await readLines();
    expect(lines).toHaveLength(22);
    expect(lines[0]).toEqual({ time: '2026-11-18T08:00:00.000Z', ...denied });
    expect(lines.at(-1)).toEqual({
      time: '2026-11-18T08:00:00.000Z',
      event: 'omitted',
      of: 'denied',
      result: '401',
      address: '192.0.2.1',
      count: 980,
    });
  });

  it('writes one line for each event, also for names with any kind of line break', async () => {
    const text: string[] = [];
    const log = new AuditLog({
      clock: () => 0,
      append: async (lines) => void text.push(lines),
      onError: (reason) => expect.unreachable(String(reason)),
    });
    const user = 'a\nb\r\nc\u0085d\u2028e\u2029f';
    log.write({ event: 'sign-in', result: 'failure', user, address: '192.0.2.1', via });
    await log.close();

    const lines = text.join('').split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
    expect(lines).toEqual([expect.stringContaining('"event":"sign-in"'), '']);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ user });
  });

  it('counts denials of very many addresses together', async () => {
    const { log, readLines } = openLog();
    for (let count = 0; count < 3_000; count += 1) log.write({ ...denied, address: `2001:db8::${count}` });

    const lines = await readLines();
    expect(lines).toHaveLength(1_000 + 20 + 1);
    expect(lines.at(-1)).toMatchObject({ event: 'omitted', address: 'other addresses', count: 1_980 });
  });

  it('writes every change and every successful sign-in, and cuts off long names', async () => {
    const { log, readLines } = openLog();
    for (let count = 0; count < 50; count += 1) {
      log.write({ event: 'sign-in', result: 'success', user: 'ann', address: '192.0.2.1', via });
    }
    log.write({ event: 'sign-in', result: 'failure', user: 'x'.repeat(10_000), address: '192.0.2.1', via });

    const lines = await readLines();
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)?.['user']).toHaveLength(501);
  });
});

describe('a server with an audit log', () => {
  it('reports sign-ins once, denied requests and changes, without secrets', async () => {
    const { log, readLines } = openLog();
    const server = await startTestServer({ logAudit: log.write });
    await server.get('/workspaces?token=hush', { as: null });
    await server.get('/workspaces', { as: 'admin:wrong-secret' });
    await server.get('/workspaces');
    await server.get('/workspaces');
    const made = await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const repeatable = await server.post('/workspaces', '<workspace><name>other</name></workspace>', {
      headers: { 'idempotency-key': 'k1' },
    });
    await server.post('/workspaces?dryRun=true', '<workspace><name>tried</name></workspace>');
    await server.close();

    const lines = await readLines();
    const number = (reply: typeof made) => Number(reply.headers['graticule-change']);
    expect(lines.map(({ time: _time, requestId: _id, address: _address, ...rest }) => rest)).toEqual([
      {
        event: 'denied',
        user: 'anonymous',
        method: 'GET',
        path: '/geoserver/rest/workspaces',
        status: 401,
        reason: 'credentials-required',
      },
      { event: 'sign-in', result: 'failure', user: 'admin', via: { method: 'basic' } },
      {
        event: 'denied',
        user: '-',
        method: 'GET',
        path: '/geoserver/rest/workspaces',
        status: 401,
        reason: 'credentials-required',
      },
      { event: 'sign-in', result: 'success', user: 'admin', via: { method: 'basic' } },
      {
        event: 'change',
        user: 'admin',
        method: 'POST',
        path: '/geoserver/rest/workspaces',
        status: 201,
        change: number(made),
      },
      {
        event: 'change',
        user: 'admin',
        method: 'POST',
        path: '/geoserver/rest/workspaces',
        status: 201,
        change: number(repeatable),
      },
    ]);
    const text = JSON.stringify(lines);
    expect(text).not.toContain('hush');
    expect(text).not.toContain('wrong-secret');
  });

  it('reports previews with the user who sent the request, and counts those that follow', async () => {
    const { log, readLines } = openLog();
    const server = await startTestServer({ logAudit: log.write });
    const headers = { 'graticule-view-as': 'role=FIELD%20STAFF' };
    for (let each = 0; each < 25; each += 1) await server.get('/security/self', { headers });
    await server.post('/workspaces', '{}', { headers });
    await server.get('/workspaces', { headers: { 'graticule-view-as': 'role=ADMIN' } });
    await server.close();
    await log.close();

    const lines = (await readLines()).filter(({ event }) => event !== 'sign-in');
    const request = { user: 'admin', method: 'GET', path: '/geoserver/rest/security/self' };
    const preview = { event: 'view-as', ...request, status: 200, viewAs: 'role=FIELD+STAFF' };
    expect(lines.map(({ time: _time, requestId: _id, address: _address, ...rest }) => rest)).toEqual([
      ...Array.from({ length: 20 }, () => preview),
      {
        ...{ event: 'denied', user: 'admin', method: 'POST', path: '/geoserver/rest/workspaces', status: 403 },
        reason: 'view-as-read-only',
      },
      { event: 'omitted', of: 'view-as', result: 'admin', count: 5 },
    ]);
  });

  it('reports and counts sign-ins by tokens, identity providers and proxies, and the codes of denials', async () => {
    const { log, readLines } = openLog();
    const server = await startTestServer({ logAudit: log.write, flags: ['--trust-proxy', '127.0.0.1'] });
    const key = createSigningKey('k1');
    const issuer = await startIdentityProvider([key.jwk]);
    const regex = `^${issuer.issuer.replaceAll('.', '[.]')}/.*$`;
    await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'issuer', regex, enabled: true } }));
    const vendor = 'org.geoserver.security.auth';
    for (const authprovider of [
      {
        name: 'kc',
        className: `${vendor}.OpenIdConnectAuthenticationProvider`,
        issuer: issuer.issuer,
        audience: ['maps'],
      },
      { name: 'sso', className: `${vendor}.RequestHeaderAuthenticationProvider`, userHeader: 'X-User' },
    ]) {
      expect((await server.post('/security/authproviders', JSON.stringify({ authprovider }))).status).toBe(201);
    }
    const made = await server.post('/security/self/tokens', '{"token":{"name":"ci"}}');
    const { secret, id } = (made.json() as { token: { secret: string; id: string } }).token;
    const claims = { iss: issuer.issuer, aud: 'maps', exp: 4_000_000_000, sub: 'ann' };
    const send = (headers: Record<string, string>, method = 'GET') =>
      server.request(method, '/workspaces/w', { as: null, headers });
    const bearers = [
      secret,
      `${secret.slice(0, -1)}-`,
      signToken(key, claims),
      signToken(key, { ...claims, aud: 'x' }),
    ];
    for (const each of bearers) {
      await send({ authorization: `Bearer ${each}` });
      await send({ authorization: `Bearer ${each}` });
    }
    for (const name of ['bob', 'bob', 'admin']) await send({ 'x-user': name });
    await send({ authorization: `Bearer ${secret}` }, 'DELETE');
    const metrics = (await server.get('//metrics')).text;
    await server.close();
    await issuer.close();

    const lines = await readLines();
    const signIns = lines.filter(({ event }) => event === 'sign-in');
    expect(signIns.map(({ result, user, via: how }) => [result, user, how])).toEqual([
      ['success', 'admin', { method: 'basic' }],
      ['success', 'admin', { method: 'token', token: id }],
      ['failure', '-', { method: 'token' }],
      ['failure', '-', { method: 'token' }],
      ['success', 'ann', { method: 'oidc', provider: 'kc' }],
      ['failure', '-', { method: 'oidc' }],
      ['failure', '-', { method: 'oidc' }],
      ['success', 'bob', { method: 'proxy', provider: 'sso' }],
      ['failure', '-', { method: 'proxy', provider: 'sso' }],
    ]);
    const denials = lines.filter(({ event }) => event === 'denied');
    expect(denials.map(({ status, reason }) => `${status} ${reason}`)).toEqual([
      ...['403 role-missing', '403 role-missing'],
      ...['401 token-invalid', '401 token-invalid'],
      ...['403 role-missing', '403 role-missing'],
      ...['401 token-invalid', '401 token-invalid'],
      ...['403 role-missing', '403 role-missing'],
      '401 proxy-user-reserved',
      '403 token-scope',
    ]);
    expect(metrics).toContain('graticule_sign_ins_total{result="success"} 4');
    expect(metrics).toContain('graticule_sign_ins_total{result="failure"} 5');
    expect(JSON.stringify(lines)).not.toContain(secret.slice(8));
  });
});
