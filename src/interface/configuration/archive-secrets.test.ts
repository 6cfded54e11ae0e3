/** Archives with secrets that are encrypted with a passphrase. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const headers = { 'graticule-passphrase': encodeURIComponent('vier Wörter') };

const store = {
  dataStore: {
    name: 'db',
    enabled: false,
    connectionParameters: {
      dbtype: 'postgis',
      host: 'db.example',
      database: 'd',
      user: 'u',
      passwd: 'of the database',
    },
  },
};

describe('an archive with secrets', () => {
  let one: TestServer;
  let other: TestServer;
  let archive: Buffer;
  let ann: string;
  const apply = (how: Readonly<Record<string, string>>, query = '') =>
    other.request('POST', `/configuration/apply?mode=mirror${query}`, {
      type: 'application/zip',
      accept: 'application/problem+json, application/json',
      body: archive,
      headers: how,
    });

  beforeAll(async () => {
    [one, other] = await Promise.all([startTestServer(), startTestServer()]);
    ann = await addUser(one, 'ann', 'READER');
    await one.post('/workspaces', '{"workspace":{"name":"acme"}}');
    const created = await one.post('/workspaces/acme/datastores', JSON.stringify(store));
    expect(created.status, created.text).toBe(201);
    ({ bytes: archive } = await one.get('/configuration', { accept: 'application/zip', headers }));
  });
  afterAll(() => Promise.all([one?.close(), other?.close()]));

  it('shows no secret, and is rejected with a wrong passphrase or without one', async () => {
    const wrong = await apply({ 'graticule-passphrase': 'another' });
    const without = await apply({});

    expect(archive.includes('of the database')).toBe(false);
    expect(archive.includes('argon2id')).toBe(false);
    expect([wrong.status, wrong.json()]).toMatchObject([
      400,
      { code: 'archive-refused', detail: expect.stringContaining('the passphrase is wrong') },
    ]);
    expect([without.status, without.text]).toEqual([422, expect.stringContaining('secret-needed')]);
  });

  it('moves the passwords of users and stores to another server', async () => {
    const reply = await apply(headers);
    const again = await apply(headers);

    expect(reply.status, reply.text).toBe(200);
    expect(again.json()).toMatchObject({ change: null, steps: [] });
    expect((await other.get('/about/version', { as: ann })).status).toBe(403);
    const secret = async (server: TestServer) => {
      const { bytes } = await server.get('/configuration?path=/workspaces/acme/datastores/db', {
        accept: 'application/zip',
        headers,
      });
      const same = await one.request('POST', '/configuration/diff', { type: 'application/zip', body: bytes, headers });
      return same.json();
    };
    expect(await secret(other)).toMatchObject({ steps: [] });
  });

  it('rejects a password hash with another cost, which could take long to verify', async () => {
    const password = `$argon2id$v=19$m=4000000,t=90,p=1$${'a'.repeat(22)}$${'b'.repeat(43)}`;
    const reply = await one.post('/security/usergroup/users', JSON.stringify({ user: { userName: 'eve', password } }));

    // It is an ordinary password.
    expect(reply.status, reply.text).toBe(201);
    expect((await one.get('/about/version', { as: `eve:${password}` })).status).toBe(403);
  });
});
