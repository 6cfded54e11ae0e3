import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../support/services/free-port.ts';
import { type RequestOptions, startTestServer } from '../support/test-server.ts';

const users = '/security/usergroup';
const providers = '/security/authproviders';
const passwordClass = 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider';
const ldapClass = 'org.geoserver.security.auth.LdapAuthenticationProvider';

/** A password that is found wherever it appears, also inside JSON or XML. */
const canary = (what: string) => `canary-${what}-7f3a`;
const anyCanary = /canary-[\w-]+-7f3a/;

describe('passwords', () => {
  it('no reply, log line, change or file contains a password that was sent anywhere', async () => {
    const server = await startTestServer();
    const seen: string[] = [];
    const ask = async (method: string, path: string, body?: string, how: RequestOptions = {}) => {
      const type = body === undefined ? {} : { type: body.startsWith('<') ? 'xml' : 'json', body };
      const reply = await server.request(method, path, { ...type, ...how });
      seen.push(`${method} ${path} ${reply.status} ${JSON.stringify(reply.headers)} ${reply.text}`);
      return reply.status;
    };

    const created = JSON.stringify({ userName: 'ann', password: canary('created') });
    expect(await ask('POST', `${users}/users`, created)).toBe(201);
    expect(await ask('POST', `${users}/users`, created)).toBe(409);
    expect(await ask('POST', `${users}/user/ann`, `<user><password>${canary('changed')}</password></user>`)).toBe(200);
    const own = `<userPassword><newPassword>${canary('own')}</newPassword></userPassword>`;
    expect(await ask('PUT', '/security/self/password', own, { as: `ann:${canary('changed')}` })).toBe(200);
    expect(await ask('GET', '/workspaces', undefined, { as: `ann:${canary('wrong')}` })).toBe(401);
    expect(await ask('GET', '/workspaces', undefined, { as: `${canary('name')}:x` })).toBe(401);

    const directory = {
      name: 'ldap',
      className: ldapClass,
      serverURL: `ldap://127.0.0.1:${await freePort('127.0.0.1')}/dc=a`,
      userFilter: '(uid={0})',
      user: 'cn=reader',
      password: canary('bind'),
    };
    expect(await ask('POST', providers, JSON.stringify(directory))).toBe(201);
    expect(await ask('PUT', `${providers}/ldap`, JSON.stringify({ password: canary('rebind') }))).toBe(200);
    expect(await ask('PUT', `${providers}/ldap?position=0`, '{"adminGroup":"x"}')).toBe(200);
    expect(await ask('GET', '/workspaces', undefined, { as: `bob:${canary('to-ldap')}` })).toBe(401);
    expect(await ask('POST', providers, JSON.stringify({ ...directory, className: 'x' }))).toBe(400);
    expect(
      await ask('POST', providers, JSON.stringify({ name: 'p', className: passwordClass, password: canary('extra') })),
    ).toBe(201);

    for (const body of [
      `{"userName":"x","password":"${canary('cut')}`,
      `<user><userName>x</userName><password>${canary('torn')}</pass></user>`,
      `{"userName":"x","password":{"value":"${canary('object')}"}}`,
      `{"userName":"x","password":["${canary('list')}","${canary('list')}"]}`,
      `{"userName":"x","password":"${canary('control')}\\u0007"}`,
      `{"userName":"x","password":"${canary('long')}${'x'.repeat(2000)}"}`,
      `{"password":"${canary('nameless')}"}`,
      `"${canary('bare')}"`,
      `["${canary('array')}"]`,
    ]) {
      expect(await ask('POST', `${users}/users`, body)).toBeGreaterThanOrEqual(400);
      expect(await ask('PUT', '/security/self/password', body)).toBeGreaterThanOrEqual(400);
      expect(await ask('PUT', `${providers}/ldap`, body.replace('"userName":"x",', ''))).toBeDefined();
    }

    for (const path of [
      `${users}/users`,
      `${users}/user/ann`,
      providers,
      `${providers}/ldap`,
      '/security/usergroupservices',
    ]) {
      for (const extension of ['.xml', '.json', '']) {
        expect(await ask('GET', `${path}${extension}`)).toBe(200);
      }
    }
    const filesWhileStored = await filesIn(server.dataDir);
    expect(await ask('DELETE', `${providers}/ldap`)).toBe(200);
    expect(await ask('DELETE', `${users}/user/ann`)).toBe(200);

    const changes = await server.server.storage.listChanges(0, 10_000);
    await server.server.close();
    const files = [...filesWhileStored, ...(await filesIn(server.dataDir))];

    expect(seen.filter((line) => anyCanary.test(line))).toEqual([]);
    expect(server.log.filter((line) => anyCanary.test(line))).toEqual([]);
    expect(changes.length).toBeGreaterThan(10);
    expect(changes.filter((change) => anyCanary.test(JSON.stringify(change)))).toEqual([]);
    expect(changes.map((change) => JSON.stringify(change)).join('')).not.toMatch(/\$argon2|sealed:1:/);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(({ content }) => anyCanary.test(content)).map(({ path }) => path)).toEqual([]);
    await server.close();
  });
});

async function filesIn(folder: string): Promise<readonly { path: string; content: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path, content: await readFile(path, 'latin1') })));
}
