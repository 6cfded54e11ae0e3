/** Lessons 20 and 23: store passwords are never returned, and dangerous connection parameters are rejected. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

const stores = '/workspaces/acme/datastores';
const postgis = { dbtype: 'postgis', host: 'localhost', port: '1', database: 'd', user: 'u' };
const storeOf = (name: string, parameters: object) =>
  JSON.stringify({ dataStore: { name, connectionParameters: parameters } });

describe('lesson 20: the password of a store', () => {
  it('shows the password in no reply, log line, change or file', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.close());
    const canary = 'canary-7f3a';
    const seen: string[] = [];
    const ask = async (method: string, path: string, body?: string) => {
      const reply = await server.request(method, path, body === undefined ? {} : { type: 'json', body });
      seen.push(`${JSON.stringify(reply.headers)} ${reply.text}`);
      return reply.status;
    };
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');

    expect(await ask('POST', stores, storeOf('s', { ...postgis, passwd: canary }))).toBe(201);
    expect(await ask('POST', stores, storeOf('s', { ...postgis, passwd: canary }))).toBe(409);
    expect(await ask('POST', `${stores}?validate=connect`, storeOf('t', { ...postgis, passwd: canary }))).toBe(400);
    expect(await ask('PUT', `${stores}/s`, storeOf('s', { ...postgis, passwd: `${canary}-2` }))).toBe(200);
    expect(await ask('PUT', `${stores}/s`, '{"dataStore":{"description":"d"}}')).toBe(200);
    expect(await ask('POST', stores, storeOf('u', { ...postgis, host: 'a b', passwd: canary }))).toBe(400);
    expect(await ask('POST', stores, storeOf('u', { ...postgis, passwd: { deep: canary } }))).toBe(400);
    expect(await ask('POST', stores, storeOf('u', { dbtype: 'x', passwd: canary }))).toBe(400);
    expect(await ask('POST', stores, storeOf('u', { ...postgis, passwd: `jndi:${canary}` }))).toBe(400);
    expect(await ask('GET', `${stores}/s/featuretypes?list=all`)).toBe(502);
    for (const extension of ['', '.xml', '.json', '.html']) {
      expect(await ask('GET', `${stores}/s${extension}`)).toBe(200);
      expect(await ask('GET', `${stores}${extension}`)).toBe(200);
    }
    const changes = await server.server.storage.listChanges(0, 1000);
    await server.server.close();
    const files = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
    const contents = files
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1'));

    expect(seen.filter((line) => line.includes(canary) || line.includes('sealed:'))).toEqual([]);
    expect(server.log.filter((line) => line.includes(canary))).toEqual([]);
    expect(JSON.stringify(changes)).not.toMatch(/canary|sealed:/);
    expect((await Promise.all(contents)).filter((content) => content.includes(canary))).toEqual([]);
  });

  it('does not send the password to another host for a user who may change the store but not read the password', async () => {
    const server = await startTestServer({ flags: ['--database-hosts', 'other.example'] });
    onTestFinished(() => server.close());
    const ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
    await server.post(stores, storeOf('s', { ...postgis, passwd: 'hunter2' }));
    const sealed = async () => {
      const [workspace] = await server.server.storage.list('workspace', null);
      return (await server.server.storage.find('dataStore', workspace?.id ?? '', 's'))?.body['sealedParameters'];
    };

    await server.put(`${stores}/s`, storeOf('s', { ...postgis, database: 'other' }), { as: ann });
    expect(Object.keys((await sealed()) ?? {})).toEqual(['passwd']);
    const evil = await server.put(`${stores}/s`, storeOf('s', { ...postgis, host: 'evil.example' }), { as: ann });
    expect(evil.status).toBe(403);
    expect(Object.keys((await sealed()) ?? {})).toEqual(['passwd']);
    await server.put(`${stores}/s`, storeOf('s', { ...postgis, host: 'other.example' }), { as: ann });
    expect(await sealed()).toEqual({});
  });
});

describe('lesson 23: dangerous connection parameters', () => {
  const server = useTestServer();

  it.each([
    ['a JNDI name as host', { ...postgis, host: 'jndi:ldap://evil/x' }],
    ['an LDAP URL as database', { ...postgis, database: 'ldap://evil/x' }],
    ['a JNDI reference to another server', { dbtype: 'postgis', jndiReferenceName: 'ldap://evil/x' }],
    ['a JNDI reference that is opened', { ...postgis, jndiReferenceName: 'java:comp/env/x' }],
    ['a JNDI reference and a driver class', { dbtype: 'postgis', jndiReferenceName: 'java:x', driver: 'evil.Driver' }],
    ['an RMI URL as schema', { ...postgis, schema: 'rmi://evil/x' }],
    ['a driver class', { ...postgis, driver: 'evil.Driver' }],
    ['a driver class in another parameter', { ...postgis, driverClassName: 'evil.Driver' }],
    ['session startup SQL', { ...postgis, 'Session startup SQL': 'DROP TABLE x' }],
    ['options in the host', { ...postgis, host: 'localhost/x?options=-c' }],
    ['options in the database', { ...postgis, database: "d host=evil password='x'" }],
    ['a URL as host', { ...postgis, host: 'http://evil/' }],
    ['a socket path as host', { ...postgis, host: '/var/run/postgresql' }],
    ['another host in the URL', { url: 'file://evil/share/roads.shp' }],
    ['a remote URL', { url: 'http://evil/roads.shp' }],
    ['a nested URL', { url: 'jar:file:/x.jar!/y' }],
    ['a remote database file', { dbtype: 'geopkg', database: 'http://evil/x.gpkg' }],
    ['a database file with options', { dbtype: 'geopkg', database: 'file:data/x.gpkg?mode=memory' }],
    ['a NUL character', { ...postgis, user: 'a\0b' }],
    ['an invalid port', { ...postgis, port: '5432; x' }],
  ])('rejects a store with %s and does not save it', async (_what, parameters) => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');

    const reply = await server.post(`${stores}?validate=connect`, storeOf('dangerous', parameters));

    expect(reply.status).toBe(400);
    expect((await server.get(`${stores}/dangerous.xml`)).status).toBe(404);
  });

  it('saves a store with a JNDI reference disabled, and never opens it', async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const parameters = { ...postgis, jndiReferenceName: 'java:comp/env/jdbc/data' };

    const reply = await server.post(stores, storeOf('pool', parameters));
    const saved = (await server.get(`${stores}/pool.json`)).json();
    const types = await server.get(`${stores}/pool/featuretypes.json?list=available`);
    const enabling = await server.put(`${stores}/pool`, '{"dataStore":{"enabled":true}}');
    const enabled = (await server.get(`${stores}/pool.json`)).json();
    await server.put(`${stores}/pool`, storeOf('pool', parameters));

    expect([reply.status, reply.headers['warning']]).toEqual([201, expect.stringContaining('this server has no JNDI')]);
    expect(saved).toMatchObject({ dataStore: { type: 'PostGIS (JNDI)', enabled: false } });
    expect(types.status).toBeGreaterThanOrEqual(400);
    expect([enabling.status, enabling.headers['warning']]).toEqual([200, reply.headers['warning']]);
    expect(enabled).toMatchObject({ dataStore: { enabled: false } });
    expect((await server.get(`${stores}/pool.json`)).json()).toMatchObject({ dataStore: { enabled: false } });
  });
});
