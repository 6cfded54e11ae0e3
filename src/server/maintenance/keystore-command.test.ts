import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../../../test/support/test-server.ts';
import { runKeystoreCommand } from './keystore-command.ts';

async function run(words: readonly string[], folder: string) {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const code = await runKeystoreCommand(words, { folder, environment: {}, print, printError: print });
  return { code, text: printed.join('') };
}

it('a lost server key is replaced with the keystore password, and the server reads its secrets again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-recover-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  const server = await startTestServer({ dataDir });
  const directory = {
    className: 'org.geoserver.security.auth.LdapAuthenticationProvider',
    ...{ name: 'ldap', serverURL: 'ldap://127.0.0.1:1/dc=a', userFilter: '(uid={0})', user: 'cn=reader' },
    password: 'a bind password',
  };
  expect((await server.post('/security/authproviders', JSON.stringify(directory))).status).toBe(201);
  const { oldMasterPassword: password } = (await server.get('/security/masterpw.json')).json() as {
    oldMasterPassword: string;
  };
  const files = { right: join(folder, 'right'), wrong: join(folder, 'wrong') };
  await writeFile(files.right, `${password}\n`);
  await writeFile(files.wrong, 'no idea');
  const recover = (file: string) => run(['recover', '--keystore-password-file', file, '--data-dir', dataDir], folder);
  expect(await recover(files.right)).toMatchObject({
    code: 1,
    text: expect.stringContaining('is in use by another server'),
  });
  await server.close();
  await writeFile(join(dataDir, 'security', 'server.key'), Buffer.alloc(32, 9).toString('base64'));

  expect(await recover(files.wrong)).toEqual({ code: 1, text: 'graticule: The keystore password is wrong.\n' });
  expect(await run(['recover'], folder)).toMatchObject({ code: 1, text: expect.stringContaining('is required') });
  const done = await recover(files.right);

  expect(done).toEqual({ code: 0, text: expect.stringMatching(/^The server key [0-9a-f]{16} opens the keystore\./) });
  expect(await readdir(join(dataDir, 'security'))).toEqual(['server.key', 'server.key.unusable']);
  const [replaced, first] = await Promise.all(
    ['server.key', 'server.key.unusable'].map((name) => readFile(join(dataDir, 'security', name), 'utf8')),
  );
  // A second recovery keeps both previous keys.
  expect(await recover(files.right)).toMatchObject({ code: 0 });
  const kept = ['server.key.unusable', 'server.key.unusable.2'];
  expect(await Promise.all(kept.map((name) => readFile(join(dataDir, 'security', name), 'utf8')))).toEqual([
    first,
    replaced,
  ]);
  const again = await startTestServer({ dataDir });
  onTestFinished(() => again.close());
  expect((await again.get('/security/masterpw.json')).text).toContain(password);
  expect((await again.get('/doctor')).json()).toMatchObject({ healthy: true });
});
