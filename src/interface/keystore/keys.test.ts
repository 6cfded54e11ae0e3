import { describe, expect, it, onTestFinished } from 'vitest';
import { isOnPostgres } from '../../../test/support/shared-storage.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';

async function startTrial(): Promise<TestServer> {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  return server;
}

interface Keys {
  readonly dataKey: string;
  readonly previousDataKeys: { readonly key: readonly string[] };
}

async function readKeys(server: TestServer): Promise<Keys> {
  return ((await server.get('/security/keystore.json')).json() as { keystore: Keys }).keystore;
}

async function createHook(server: TestServer): Promise<void> {
  const check = { name: 'all', regex: '^https://example\\.org/.*$', enabled: true };
  await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: check }));
  const hook = { name: 'hook', url: 'https://example.org/', secret: 'a signing secret', enabled: false };
  expect((await server.post('/webhooks', JSON.stringify({ webhook: hook }))).status).toBe(201);
}

const readDoctor = async (server: TestServer) => (await server.get('/doctor')).json();

describe('keys of the keystore', () => {
  it('are listed by their ids, as JSON, XML and HTML', async () => {
    const server = await startTrial();
    const id = expect.stringMatching(/^[0-9a-f]{16}$/);

    const json = await server.get('/security/keystore.json');

    expect(json.json()).toEqual({
      keystore: {
        serverKey: id,
        serverKeyInDataDirectory: !isOnPostgres,
        previousServerKeys: { key: [] },
        dataKey: id,
        previousDataKeys: { key: [] },
        nodes: { node: [{ name: expect.any(String), here: true, serverKey: id, dataKey: id }] },
      },
    });
    const { dataKey } = await readKeys(server);
    expect((await server.get('/security/keystore.xml')).text).toContain(`<dataKey>${dataKey}</dataKey>`);
    expect((await server.get('/security/keystore.html')).text).toContain(dataKey);
  });

  it('are rotated online: secrets, the password and restored states stay readable', async () => {
    const server = await startTrial();
    await createHook(server);
    const created = server.server.storage.position();
    await server.put('/webhooks/hook', '{"webhook":{"secret":"another secret"}}');
    const password = await server.get('/security/masterpw.json');
    const before = await readKeys(server);

    expect((await server.post('/security/keystore/data-key?dryRun=true', '')).status).toBe(200);
    expect(await readKeys(server)).toEqual(before);
    expect((await server.post('/security/keystore/data-key', '')).status).toBe(200);

    const after = await readKeys(server);
    expect(after.previousDataKeys).toEqual({ key: [before.dataKey] });
    const now = await server.get('/security/masterpw.json');
    expect([now.text, now.headers['etag']]).toEqual([password.text, password.headers['etag']]);
    expect(await readDoctor(server)).toMatchObject({ healthy: true });
    // The keystore is no part of a restored state, and secrets of the history need previous data keys.
    expect((await server.post(`/history/${created}/restore`, '')).status).toBe(200);
    expect(await readKeys(server)).toEqual(after);
    expect(await readDoctor(server)).toMatchObject({
      problems: [{ code: 'secret-key-outdated', path: '/webhooks/hook' }],
    });
    expect((await server.post('/security/keystore/secrets', '')).status).toBe(200);
    expect(await readDoctor(server)).toMatchObject({ healthy: true });
  });

  it('are rotated once for an idempotency key', async () => {
    const server = await startTrial();
    const send = () =>
      server.request('POST', '/security/keystore/data-key', { headers: { 'idempotency-key': 'once' } });

    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);

    expect((await readKeys(server)).previousDataKeys.key).toHaveLength(1);
  });

  it('cannot be undone, and their encrypted values are not in the history, events and logs', async () => {
    const server = await startTrial();
    const before = server.server.storage.position();
    await server.post('/security/keystore/data-key', '');

    expect((await server.post(`/history/${before + 1}/undo`, '')).status).toBe(409);
    const shown = [(await server.get(`/history/${before + 1}`)).text, ...server.log].join('\n');
    expect(shown).toContain('prepare a new data key');
    expect(shown).toContain('replaced the data key of the keystore');
    expect(shown).not.toMatch(/sealedDataKey|wrappedDataKey|sealedPassword/);
  });

  it('that the operator provides are not replaced by the server', async () => {
    const key = Buffer.alloc(32, 1).toString('base64');
    const server = await startTestServer({ environment: { GRATICULE_SERVER_KEY: key } });
    onTestFinished(() => server.close());

    const refusal = await server.post('/security/keystore/server-key', '', { accept: 'application/json' });

    expect(refusal.status).toBe(409);
    expect(refusal.text).toContain('--previous-server-keys-file');
  });
});
