/** A start that fails prints one line that names the wrong setting, and returns a non-zero exit code. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../src/server/settings/settings.ts';
import { readVersion } from '../../src/server/settings/version.ts';
import { environmentName, listedSettings } from './listed-settings.ts';
import { type Environment, runToEnd, spawnServer } from './server-process.ts';
import { startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function expectRefusal(flags: readonly string[], environment: Environment, line: RegExp): Promise<void> {
  const { code, signal, stdout, stderr } = await runToEnd(flags, environment);

  expect(stderr).toMatch(/^graticule: [^\n]+\n$/);
  expect(stderr).toMatch(line);
  expect({ code, signal, stdout }).toEqual({ code: 1, signal: null, stdout: '' });
}

describe('An invalid command line', () => {
  test.each<[what: string, flags: readonly string[], line: RegExp]>([
    ['an unknown flag', ['--prot', '8080'], /'--prot'/],
    ['an unknown flag with a line break', ['--prot\nx'], /--prot/],
    ['an argument without a flag', ['8080'], /'8080'/],
    ['a flag without its value', ['--port'], /--port/],
    ['a flag followed by another one', ['--port', '--host', 'localhost'], /--port/],
    ['a flag that occurs twice', ['--port', '8080', '--port', '8081'], /--port is set 2 times/],
    ['a password that all users of the machine could read', ['--admin-password', 'open'], /'--admin-password'/],
    ['a key that all users of the machine could read', ['--server-key', 'open'], /'--server-key'/],
  ])('%s stops the start', (_what, flags, line) => expectRefusal(flags, {}, line));
});

/** By the placeholder of the value in --help. */
const badValues: Readonly<Record<string, string>> = {
  TEXT: '',
  'DIR|URL': 's3://',
  DIR: '',
  FILE: '',
  N: 'many',
  PATH: 'geoserver?x',
  URL: 'ftp://example.org',
  LIST: 'everybody',
  HOSTS: 'db.example.org:5432',
};

describe('A flag that npm consumed', () => {
  test('stops the start with a hint', async () => {
    const { code, stdout, stderr } = await spawnServer({ command: ['npm', 'start', '--port', '1'] }).ended();

    expect(stderr).toContain(
      'graticule: npm consumed --port as its own option. Write two dashes before it: npm start -- --port …\n',
    );
    expect(code).toBe(1);
    expect(stdout).not.toContain('is ready');
  });
});

describe('An administrator password', () => {
  const rule = 'Expected a password of at least 8 characters';

  test('a password that is too short stops the start with the rule', () =>
    expectRefusal(
      [],
      { GRATICULE_ADMIN_PASSWORD: 'x' },
      new RegExp(`Invalid value for GRATICULE_ADMIN_PASSWORD\\. ${rule}\\.`),
    ));

  test('a password reset while the built-in administrator is disabled stops the start', () =>
    expectRefusal(
      ['--reset-admin-password', '--builtin-admin', 'off'],
      {},
      /--reset-admin-password requires the built-in admin\. Remove --builtin-admin off\./,
    ));

  test('a password file with a password that is too short stops the start with the rule', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'password');
    await writeFile(file, 'seven77\n');

    await expectRefusal(
      ['--port', '0', '--data-dir', join(folder, 'data'), '--admin-password-file', file],
      {},
      new RegExp(`--admin-password-file '.*password' is invalid\\. ${rule}\\.`),
    );
  });
});

/** The value may contain a password. */
const neverShown: ReadonlySet<string> = new Set(['storage']);

/** The settings are read in this process, because a start for each takes a minute in total. */
function expectInvalid(flags: readonly string[], environment: Environment, message: RegExp): void {
  expect(() => readSettings(flags, environment)).toThrow(message);
}

describe('An invalid value', () => {
  test.each(listedSettings())('an invalid value for --$flag stops the start', ({ flag, placeholder }) => {
    const value = badValues[placeholder] ?? 'none of these';
    const shown = neverShown.has(flag) ? '' : " '.*'";
    if (placeholder === '') {
      const name = environmentName(flag);
      expectInvalid([], { [name]: value }, new RegExp(`^Invalid value${shown} for ${name}\\. Expected `));
    } else {
      expectInvalid([`--${flag}=${value}`], {}, new RegExp(`^Invalid value${shown} for --${flag}\\. Expected `));
    }
  });

  test.each([
    ['port', '65536'],
    ['port', '-1'],
    ['context-path', '/../admin'],
    ['public-url', 'example.org'],
    ['public-url', 'https://user:password@example.org'],
    ['drain-timeout-ms', '1.5'],
  ])('the value of --%s %j stops the start', (flag, value) =>
    expectInvalid([`--${flag}=${value}`], {}, new RegExp(`^Invalid value '.*' for --${flag}\\. `)),
  );

  test('the error of a value with a line break is one line', () =>
    expectRefusal(['--port=80\n80'], {}, /Invalid value '.*' for --port\. /));

  test('the error names the environment variable with the invalid value', () =>
    expectRefusal([], { GRATICULE_PORT: 'http' }, /Invalid value 'http' for GRATICULE_PORT\./));

  test('the error does not show the password', async () => {
    const { code, stderr } = await runToEnd([], { GRATICULE_ADMIN_PASSWORD: '' });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^graticule: Invalid value for GRATICULE_ADMIN_PASSWORD\. [^\n]+\n$/);
  });

  test('the error does not show the server key', async () => {
    const { code, stderr } = await runToEnd([], { GRATICULE_SERVER_KEY: 'too-short-a-key' });

    expect(code).toBe(1);
    expect(stderr).toBe('graticule: Invalid value for GRATICULE_SERVER_KEY. Expected a key of 32 bytes in base64.\n');
  });
});

describe('An unusable resource', () => {
  test('a port in use stops the start', async () => {
    const other = await startServer();
    const { port } = new URL(other.url);
    const dataDir = join(await temporaryFolder(), 'data');

    await expectRefusal(['--port', port, '--data-dir', dataDir], {}, new RegExp(`--port ${port}.*in use`));
  });

  test('an address of another machine stops the start', async () => {
    const dataDir = join(await temporaryFolder(), 'data');

    // An address from the range for documentation, which no machine has.
    await expectRefusal(['--host', '192.0.2.1', '--port', '0', '--data-dir', dataDir], {}, /--host 192\.0\.2\.1/);
  });

  test('a data directory in use by another server stops the start, and the other server keeps running', async () => {
    const other = await startServer();

    await expectRefusal(['--port', '0', '--data-dir', other.dataDir], {}, /--data-dir.* in use by another server/);
    expect((await other.request('POST', '/workspaces', { body: '{"workspace":{"name":"on"}}' })).status).toBe(201);
  });

  test('a data directory with files of another program stops the start, and the files stay unchanged', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'thesis.odt'), 'mine');

    await expectRefusal(
      ['--port', '0', '--data-dir', folder],
      {},
      /Cannot use --data-dir '.*': it contains 'thesis.odt' but no Graticule data\. Use an empty or a new directory\./,
    );
    expect(await readdir(folder)).toEqual(['thesis.odt']);
  });

  test('a data directory in which no folder can be created stops the start', () =>
    expectRefusal(
      ['--port', '0', '--data-dir', '/proc/graticule/data'],
      {},
      /Cannot use --data-dir '\/proc\/graticule\/data': no directory can be created in '\/proc'\. Use another directory\./,
    ));

  test('a data directory that is a file stops the start', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, 'mine');

    await expectRefusal(['--port', '0', '--data-dir', file], {}, /--data-dir.*'[^']*file'/);
    await expectRefusal(['--port', '0', '--data-dir', join(file, 'below')], {}, /--data-dir.*'[^']*file/);
  });

  test('a data directory with an invalid database stops the start', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'graticule.sqlite'), 'This is not a database, whatever its name says. '.repeat(20));

    await expectRefusal(
      ['--port', '0', '--data-dir', folder],
      {},
      /Cannot open '[^']*graticule\.sqlite' in --data-dir: file is not a database/,
    );
  });

  test('a data directory of a newer version stops the start with the version to use', async () => {
    const first = await startServer();
    await first.stop();
    const database = new DatabaseSync(join(first.dataDir, 'graticule.sqlite'));
    const { text: version } = database.prepare("SELECT text FROM notes WHERE name = 'program version'").get() ?? {};
    database.exec("PRAGMA user_version = 999; UPDATE notes SET text = '9.1.0' WHERE name = 'program version'");
    database.close();

    expect(version).toBe(readVersion());
    await expectRefusal(
      ['--port', '0', '--data-dir', first.dataDir],
      {},
      /schema version 999, .*: start Graticule 9\.1\.0 or later, or restore a backup made before the upgrade\.\n$/,
    );
  });

  test.each<[what: string, prepare: (file: string) => Promise<unknown>]>([
    ['does not exist', async () => undefined],
    ['is a folder', (file) => mkdir(file)],
    ['is empty', (file) => writeFile(file, '\n')],
  ])('a password file that %s stops the start', async (_what, prepare) => {
    const folder = await temporaryFolder();
    const file = join(folder, 'password');
    await prepare(file);

    const flags = ['--port', '0', '--data-dir', join(folder, 'data'), '--admin-password-file', file];

    await expectRefusal(flags, {}, /--admin-password-file.*'[^']*password'/);
  });

  test.each<[what: string, prepare: (file: string) => Promise<unknown>]>([
    ['does not exist', async () => undefined],
    ['is a folder', (file) => mkdir(file)],
    ['is empty', (file) => writeFile(file, '\n')],
    ['contains no key', (file) => writeFile(file, 'The key is under the mat.')],
  ])('a server key file that %s stops the start', async (_what, prepare) => {
    const folder = await temporaryFolder();
    const file = join(folder, 'server.key');
    await prepare(file);

    const flags = ['--port', '0', '--data-dir', join(folder, 'data'), '--server-key-file', file];

    await expectRefusal(flags, {}, /--server-key-file.*'[^']*server\.key'/);
  });

  test('a server key that does not match the keystore stops the start, and the correct one does not', async () => {
    const key = (byte: number) => ({ GRATICULE_SERVER_KEY: Buffer.alloc(32, byte).toString('base64url') });
    const first = await startServer({ environment: key(1) });
    await first.stop();

    await expectRefusal(
      ['--port', '0', '--data-dir', first.dataDir],
      key(2),
      /the server key does not match the keystore/,
    );
    await startServer({ dataDir: first.dataDir, environment: key(1) });
  });
});
