/** The first start, later starts, and the administrator password. */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../support/find-program.ts';
import { projectFolder, runToEnd } from './server-process.ts';
import { ADMIN_PASSWORD, launchServer, type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

const ignoredPassword = /the configured password of the built-in admin was ignored.+--reset-admin-password/;

async function statusFor(server: StartedServer, credentials: string | null): Promise<number> {
  const reply = await server.request('GET', '/workspaces', { as: credentials });
  return reply.status;
}

function readScryptCost(dataDir: string): unknown {
  const database = new DatabaseSync(join(dataDir, 'graticule.sqlite'), { readOnly: true });
  const sql = "SELECT body ->> '$.closed.scrypt.cost' AS cost FROM records WHERE kind = 'keystore'";
  const row = database.prepare(sql).get();
  database.close();
  return row?.['cost'];
}

describe('The first start', () => {
  test('prints the addresses of the server and its data, and a password that works and is stored nowhere', async () => {
    const server = await startServer({ password: null });

    expect(server.process.stdout()).toMatch(/^Graticule \d+\.\d+\.\d+\S* is ready\.\n/);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/geoserver\/rest$/);
    expect(server.process.stdout()).toContain(`  Data:  ${server.dataDir}\n`);
    const [, page = ''] = /^ {2}Console: {2}(\S+)$/m.exec(server.process.stdout()) ?? [];
    expect(page).toBe(server.url.replace(/rest$/, 'console/'));
    expect(await (await fetch(page)).text()).toContain('<title>Graticule</title>');
    expect(server.generatedPassword).toMatch(/^[\w-]{24}$/);
    expect(await statusFor(server, `admin:${server.generatedPassword}`)).toBe(200);
    expect(await statusFor(server, `admin:${server.generatedPassword}x`)).toBe(401);
    expect(await statusFor(server, null)).toBe(401);
    const password = server.generatedPassword ?? '';
    await server.stop();

    const found = await filesWith(server.dataDir, [password, Buffer.from(`admin:${password}`).toString('base64')]);

    expect(found).toEqual([]);
    expect(server.process.stderr()).not.toContain(password);
    // Servers inside test processes have a lower cost.
    expect(readScryptCost(server.dataDir)).toBe(16_384);
  });

  test('prints a curl command that works in a shell', async ({ skip }) => {
    skip(findProgram(['curl']) === undefined, 'curl is missing; to get it: apt-get install curl');
    const server = await startServer({ password: null });

    const line = /^ {2}(curl .+)$/m.exec(server.process.stdout())?.[1] ?? '';
    const { stdout } = await run('bash', ['-c', line], { env: { ...process.env, NO_PROXY: '*', no_proxy: '*' } });

    expect(JSON.parse(stdout)).toEqual({ workspaces: { workspace: [] } });
  });

  test.each([[[]], [['--compat', 'geoserver']]])(
    'prints a command that restricts reading and works in a shell, with %j',
    async (flags) => {
      const server = await startServer({ flags });
      const rules = () => server.request('GET', '/security/acl/layers.json');
      expect(server.process.stdout()).toContain(
        '\nAll users can read published layers. To restrict reading to administrators, run:\n',
      );
      expect((await rules()).text).not.toContain('"*.*.r":"ROLE_ADMINISTRATOR"');

      const line = /^ {2}(curl .+\/security\/acl\/layers')$/m.exec(server.process.stdout())?.[1] ?? '';
      const withPassword = line.replace('-u admin ', `-u 'admin:${ADMIN_PASSWORD}' `);
      await run('bash', ['-c', withPassword], { env: { ...process.env, NO_PROXY: '*', no_proxy: '*' } });

      expect((await rules()).json()).toMatchObject({ '*.*.r': 'ROLE_ADMINISTRATOR' });
    },
  );

  test('a first start after a port conflict replaces the unprinted password by a printed one', async () => {
    const other = await startServer();
    const dataDir = join(await temporaryFolder(), 'data');
    const failed = await runToEnd(['--port', new URL(other.url).port, '--data-dir', dataDir]);

    const server = await startServer({ dataDir, password: null });

    expect(failed.code).toBe(1);
    expect(failed.stdout).toBe('');
    expect(server.generatedPassword).toBeDefined();
    expect(await statusFor(server, `admin:${server.generatedPassword}`)).toBe(200);
  });

  test('a first start after a kill always leaves a printed password that works', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const killed = launchServer({ dataDir, password: null });
    await killed.waitFor('stderr', /listening/);
    killed.signal('SIGKILL');
    const { stdout } = await killed.ended();
    const shownThen = /shown only this once:\n {2}(\S+)\n/.exec(stdout)?.[1];

    const server = await startServer({ dataDir, password: null });

    const shown = server.generatedPassword ?? shownThen;
    expect(shown).toBeDefined();
    expect(await statusFor(server, `admin:${shown}`)).toBe(200);
  });
});

describe('A later start', () => {
  test('prints no password, and the password of the first start still works', async () => {
    const first = await startServer({ password: null });
    await first.stop();

    const second = await startServer({ dataDir: first.dataDir, password: null });

    expect(second.process.stdout()).toBe(
      `${first.process.stdout().split('\n')[0]}\n  REST:  ${second.url}\n  Data:  ${second.dataDir}\n  Console:  ${second.url.replace(/rest$/, 'console/')}\n`,
    );
    expect(await statusFor(second, `admin:${first.generatedPassword}`)).toBe(200);
  });

  test('keeps the password that the administrator chose, and logs that the given one is ignored', async () => {
    const first = await startServer({ password: 'the first password' });
    const change = { body: '{"newPassword":"chosen by hand"}' };
    expect((await first.request('PUT', '/security/self/password', change)).status).toBe(200);
    await first.stop();

    const second = await startServer({
      dataDir: first.dataDir,
      password: 'the first password',
      expectedLog: [ignoredPassword],
    });

    expect(await statusFor(second, 'admin:chosen by hand')).toBe(200);
    expect(await statusFor(second, 'admin:the first password')).toBe(401);
    expect(second.process.stderr()).toMatch(ignoredPassword);
    expect(second.process.stderr()).not.toContain('the first password');
  });

  test('replaces the password with --reset-admin-password by a given or a generated one', async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'data');
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, 'from a file: ünïcode\n', { mode: 0o600 });
    const file = ['--admin-password-file', passwordFile];
    const reset = '--reset-admin-password';

    const first = await startServer({ dataDir, password: 'from the environment' });
    expect(await statusFor(first, 'admin:from the environment')).toBe(200);
    await first.stop();

    const second = await startServer({ dataDir, password: null, flags: [...file, reset] });
    expect(second.generatedPassword).toBeUndefined();
    expect(await statusFor(second, 'admin:from a file: ünïcode')).toBe(200);
    expect(await statusFor(second, 'admin:from the environment')).toBe(401);
    expect(second.process.stderr()).toContain('the password of the built-in admin was reset');
    await second.stop();

    const third = await startServer({
      dataDir,
      password: null,
      environment: { GRATICULE_RESET_ADMIN_PASSWORD: 'true' },
    });
    expect(third.generatedPassword).toMatch(/^[\w-]{24}$/);
    expect(await statusFor(third, `admin:${third.generatedPassword}`)).toBe(200);
    expect(await statusFor(third, 'admin:from a file: ünïcode')).toBe(401);
    await third.stop();

    const fourth = await startServer({ dataDir, flags: file, password: null, expectedLog: [ignoredPassword] });
    expect(fourth.generatedPassword).toBeUndefined();
    expect(await statusFor(fourth, `admin:${third.generatedPassword}`)).toBe(200);
    await fourth.stop();

    expect(await filesWith(dataDir, ['from the environment', 'from a file'])).toEqual([]);
  });

  test('keeps all existing data', async () => {
    const first = await startServer();
    await first.request('POST', '/workspaces', { body: '{"workspace":{"name":"kept"}}' });
    const before = await first.request('GET', '/workspaces/kept.json');
    await first.stop();

    const second = await startServer({ dataDir: first.dataDir });
    const after = await second.request('GET', '/workspaces/kept.json');

    expect(after.status).toBe(200);
    expect(after.headers['etag']).toBe(before.headers['etag']);
    expect(after.text).toBe(before.text.replaceAll(first.url, second.url));
  });
});

describe('The command line', () => {
  test('prints its version', async () => {
    const manifest = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as { version: string };

    expect(await runToEnd(['--version'])).toEqual({
      code: 0,
      signal: null,
      stdout: `${manifest.version}\n`,
      stderr: '',
    });
  });

  test('prints help despite other errors', async () => {
    const { code, stdout, stderr } = await runToEnd(['--port', 'nonsense', '--help']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('--data-dir DIR');
    expect(stdout).toContain('GRATICULE_DATA_DIR');
  });
});

/** The files below a folder that contain any of these texts. */
async function filesWith(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return files.filter((_file, index) => texts.some((text) => contents[index]?.includes(text)));
}
