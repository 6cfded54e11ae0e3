import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer } from '../../test/support/test-server.ts';

async function startTwice(): Promise<{ readonly server: TestServer; readonly restart: () => Promise<TestServer> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'graticule-server-key-'));
  const server = await startTestServer({ dataDir });
  let last = server;
  onTestFinished(async () => {
    await last.close();
    await rm(dataDir, { recursive: true });
  });
  const restart = async () => {
    await server.close();
    last = await startTestServer({ dataDir });
    return last;
  };
  return { server, restart };
}

async function readServerKey(server: TestServer): Promise<string> {
  return (await readFile(join(server.dataDir, 'security', 'server.key'), 'utf8')).trim();
}

it('replaces the server key in the data directory, and a restarted server reads all secrets', async () => {
  const { server, restart } = await startTwice();
  await server.post(
    '/webhooks',
    '{"webhook":{"name":"hook","url":"https://example.org/","secret":"a signing secret"}}',
  );
  const password = (await server.get('/security/masterpw.json')).text;
  const before = await readServerKey(server);

  expect((await server.post('/security/keystore/server-key?dryRun=true', '')).status).toBe(200);
  expect(await readServerKey(server)).toBe(before);
  expect((await server.post('/security/keystore/server-key', '')).status).toBe(200);

  const after = await readServerKey(server);
  expect(after).not.toBe(before);
  expect(await readdir(join(server.dataDir, 'security'))).toEqual(['server.key']);
  expect((await server.get('/security/keystore.json')).text).toContain('"previousServerKeys":{"key":[]}');
  expect(server.log.join('')).toContain('removed previous server keys from the keystore');
  for (const key of [before, after]) expect(server.log.join('')).not.toContain(key);
  const restarted = await restart();
  expect((await restarted.get('/security/masterpw.json')).text).toBe(password);
  expect((await restarted.get('/doctor')).json()).toMatchObject({ healthy: true });
});

it('concurrent rotations leave one key that opens the keystore', async () => {
  const { server, restart } = await startTwice();
  const statuses = await Promise.all(Array.from({ length: 4 }, () => server.post('/security/keystore/server-key', '')));

  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await server.post('/security/keystore/finish', '');
  const restarted = await restart();
  expect((await restarted.get('/doctor')).json()).toMatchObject({ healthy: true });
});
