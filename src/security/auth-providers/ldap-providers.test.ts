import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Attribute, Change, Client } from 'ldapts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../../test/support/services/free-port.ts';
import {
  CLOSED_BASE,
  closedUser,
  OPEN_BASE,
  passwords,
  READER_PASSWORD,
  ROOT_PASSWORD,
} from '../../../test/support/services/slapd-entries.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { describeWithSlapd } from '../../../test/support/with-slapd.ts';

const className = 'org.geoserver.security.auth.LdapAuthenticationProvider';
const annLogin = `ann:${passwords.ann}`;
const bobLogin = `bob:${passwords.bob}`;

/** A resource that only administrators can read. */
const forAdministrators = '/security/authproviders';

describeWithSlapd('login with a directory', (slapd) => {
  let nowMs = Date.parse('2030-01-01');
  let server: TestServer;
  beforeAll(async () => {
    const certificate = join(tmpdir(), `graticule-ldap-ca-${process.pid}.pem`);
    await writeFile(certificate, slapd().certificate);
    server = await startTestServer({
      flags: ['--ldap-ca-file', certificate, '--ldap-timeout-ms', '60000', '--ldap-memory-ms', '5000'],
      clock: () => nowMs,
    });
  });
  afterAll(() => server?.close());

  const settings = () => ({
    serverURL: `${slapd().url}/${OPEN_BASE}`,
    userDnPattern: 'uid={0},ou=people',
    groupSearchBase: 'ou=groups',
  });

  async function provide(name: string, more: object): Promise<void> {
    await server.delete(`/security/authproviders/${name}`);
    const reply = await server.post('/security/authproviders', JSON.stringify({ name, className, ...more }));
    expect(reply.status).toBe(201);
  }

  async function statusFor(as: string, path = forAdministrators): Promise<number> {
    return (await server.get(path, { as })).status;
  }

  const warnings = () => server.log.filter((line) => line.includes('could not be queried'));

  it('works from the request after the provider is created until the provider is disabled', async () => {
    expect(await statusFor(annLogin)).toBe(401);

    await provide('acme', settings());
    expect(await statusFor(annLogin)).toBe(403);
    expect(await statusFor('ann:wrong')).toBe(401);
    expect(await statusFor('ann:')).toBe(401);
    expect(await statusFor('stranger:x')).toBe(401);

    await server.put('/security/authproviders/order', '["default"]');
    expect(await statusFor(annLogin)).toBe(401);
    await server.put('/security/authproviders/order', '["acme","default"]');
    expect(await statusFor(annLogin)).toBe(403);
    await server.delete('/security/authproviders/acme');
    expect(await statusFor(annLogin)).toBe(401);
  });

  it('can be tested without a user: the connection, and the account of the provider', async () => {
    const run = async (more: object) => {
      const authprovider = { name: 'tried', className, ...settings(), ...more };
      const reply = await server.post('/security/authproviders/test', JSON.stringify({ authprovider }));
      return (reply.json() as { test: { steps: readonly object[] } }).test.steps;
    };
    const user = `uid=bob,ou=people,${OPEN_BASE}`;

    expect(await run({})).toEqual([{ step: 'connection', ok: true }]);
    expect(await run({ user, password: passwords.bob })).toEqual([
      { step: 'connection', ok: true },
      { step: 'bind', ok: true },
    ]);
    expect(await run({ user, password: 'wrong' })).toMatchObject([
      { step: 'connection', ok: true },
      { step: 'bind', ok: false, code: 'credentials' },
    ]);
    expect(await run({ serverURL: 'ldap://127.0.0.1:9/dc=x' })).toMatchObject([
      { step: 'connection', ok: false, code: 'unreachable', message: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect(await run({ serverURL: undefined })).toMatchObject([{ step: 'connection', code: 'unreachable' }]);
  });

  it('creates tokens that keep the roles of the sign-in, and end with the provider', async () => {
    await provide('acme', { ...settings(), adminGroup: 'surveyors' });
    await server.put('/security/authproviders/order', '["acme","default"]');
    const create = (expires?: string) =>
      server.post('/security/self/tokens', JSON.stringify({ token: { name: 'ci', expires } }), { as: annLogin });
    const self = (secret: string) =>
      server.get('/security/self', { as: null, headers: { authorization: `Bearer ${secret}` } });
    expect((await create(new Date(nowMs + 31 * 86_400_000).toISOString())).status).toBe(400);
    const made = await create();
    const { secret, expires } = (made.json() as { token: { secret: string; expires: string } }).token;

    expect(Date.parse(expires)).toBe(nowMs + 30 * 86_400_000);
    const { self: found } = (await self(secret)).json() as { self: { name: string; signedInBy: object } };
    expect(found).toMatchObject({ name: 'ann', signedInBy: { method: 'token' } });
    await server.put('/security/authproviders/order', '["default"]');
    expect((await self(secret)).status).toBe(401);
    await server.put('/security/authproviders/order', '["acme","default"]');
    expect((await self(secret)).status).toBe(200);
    await server.delete('/security/authproviders/acme');
    expect((await self(secret)).status).toBe(401);
  });

  it('makes the members of one group administrators', async () => {
    await provide('acme', settings());
    expect(await statusFor(bobLogin)).toBe(403);

    await server.put('/security/authproviders/acme', '{"adminGroup":"Chiefs"}');
    expect(await statusFor(bobLogin)).toBe(200);
    expect(await statusFor(annLogin)).toBe(403);
    await server.put('/security/authproviders/acme', '{"adminGroup":null}');
    expect(await statusFor(bobLogin)).toBe(403);
  });

  it('grants roles that have two names under both names', async () => {
    const rule = (role: string) =>
      server.post('/security/acl/rest', JSON.stringify({ '/rest/about/version:GET': role }));
    await provide('acme', { ...settings(), groupAdminGroup: 'chiefs' });

    for (const role of ['GROUP_ADMIN', 'ROLE_GROUP_ADMIN']) {
      await rule(role);
      expect(await statusFor(bobLogin, '/about/version')).toBe(200);
      expect(await statusFor(annLogin, '/about/version')).toBe(403);
      await server.delete('/security/acl/rest?rule=/rest/about/version:GET');
    }
  });

  it('grants the roles that the role service assigns to the name and to the directory groups', async () => {
    await provide('acme', settings());
    expect(await statusFor(annLogin)).toBe(403);

    await server.request('POST', '/security/roles/role/ADMIN/user/ann');
    expect(await statusFor(annLogin)).toBe(200);
    await server.delete('/security/roles/role/ADMIN/user/ann');
    expect(await statusFor(annLogin)).toBe(403);
    await server.request('POST', '/security/roles/role/ADMIN/group/writers');
    expect(await statusFor(annLogin)).toBe(200);
    await server.delete('/security/roles/role/ADMIN/group/writers');
    expect(await statusFor(annLogin)).toBe(403);
  });

  it('refuses a user who is disabled in the service that the provider names', async () => {
    await server.post('/security/usergroup/users', '{"userName":"ann","enabled":false}');
    await provide('acme', settings());
    expect(await statusFor(annLogin)).toBe(403);

    await server.put('/security/authproviders/acme', '{"userGroupServiceName":"default"}');
    expect(await statusFor(annLogin)).toBe(401);
    for (const spelling of ['ANN', 'Ann', '\uFF41nn']) {
      expect(await statusFor(`${spelling}:${passwords.ann}`)).toBe(401);
    }
    await server.post('/security/usergroup/user/ann', '{"enabled":true}');
    expect(await statusFor(`ANN:${passwords.ann}`)).toBe(403);
    expect(await statusFor(annLogin)).toBe(403);
    await server.delete('/security/usergroup/user/ann');
  });

  it('works over TLS with a trusted certificate', async () => {
    await provide('acme', { ...settings(), useTLS: true });
    expect(await statusFor(annLogin)).toBe(403);

    await server.put(
      '/security/authproviders/acme',
      JSON.stringify({ serverURL: `${slapd().secureUrl}/${OPEN_BASE}` }),
    );
    expect(await statusFor(annLogin)).toBe(403);
  });

  it('keeps the bind password until a change sends another one', async () => {
    const reader = { user: `cn=reader,${CLOSED_BASE}`, password: READER_PASSWORD };
    const serverURL = `${slapd().secureUrl}/${CLOSED_BASE}`;
    await provide('closed', { serverURL, userFilter: 'uid={0}', groupSearchBase: 'ou=groups', ...reader });
    const as = `${closedUser.name}:${closedUser.password}`;
    expect(await statusFor(as)).toBe(403);

    await server.put('/security/authproviders/closed', '{"adminGroup":"guests"}');
    expect(await statusFor(as)).toBe(200);
    await server.put('/security/authproviders/closed', '{"password":"another"}');
    expect(await statusFor(as)).toBe(401);
    expect(warnings().at(-1)).toContain('rejects the bind credentials');
    await server.delete('/security/authproviders/closed');
  });

  it('queries the next provider when a server is down, with one line in the log', async () => {
    await provide('acme', settings());
    await provide('down', { ...settings(), serverURL: `ldap://127.0.0.1:${await freePort('127.0.0.1')}` });
    await server.put('/security/authproviders/order', '["down","acme","default"]');
    const before = warnings().length;

    for (let times = 0; times < 3; times += 1) {
      nowMs += 10_000;
      expect(await statusFor(annLogin)).toBe(403);
    }

    expect(warnings().slice(before)).toHaveLength(1);
    expect(JSON.parse(warnings().at(-1) ?? '')).toMatchObject({ provider: 'down', reason: /ECONNREFUSED/ });
    await server.delete('/security/authproviders/down');
  });

  it("does not treat a directory user with the administrator's name as the built-in administrator", async () => {
    await provide('acme', settings());
    const as = `admin:${passwords.admin}`;

    expect(await statusFor(as)).toBe(403);
    expect((await server.put('/security/self/password', '{"newPassword":"x"}', { as })).status).toBe(422);
    expect(await statusFor(bobLogin)).toBe(403);
    expect((await server.get(forAdministrators)).status).toBe(200);
  });

  it('caches a directory login for a few seconds at most', async () => {
    await provide('acme', settings());
    const dn = `uid=cy,ou=people,${OPEN_BASE}`;
    expect(await statusFor(`cy:${passwords.cy}`)).toBe(403);

    await setPassword(slapd().url, dn, 'changed in the directory');
    nowMs += 4_999;
    expect(await statusFor(`cy:${passwords.cy}`)).toBe(403);
    nowMs += 1;
    expect(await statusFor(`cy:${passwords.cy}`)).toBe(401);
    expect(await statusFor('cy:changed in the directory')).toBe(403);
    await setPassword(slapd().url, dn, passwords.cy);
  });
});

async function setPassword(url: string, dn: string, password: string): Promise<void> {
  const client = new Client({ url });
  try {
    await client.bind(`cn=root,${OPEN_BASE}`, ROOT_PASSWORD);
    const modification = new Attribute({ type: 'userPassword', values: [password] });
    await client.modify(dn, new Change({ operation: 'replace', modification }));
  } finally {
    await client.unbind();
  }
}
