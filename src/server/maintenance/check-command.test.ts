import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { placeIn, postgresAddress } from '../../../test/support/postgres-places.ts';
import { startTestServer } from '../../../test/support/test-server.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';
import { lockDataDirectory } from '../../storage/data-directory-lock.ts';
import { recordProgramVersion } from '../../storage/port/program-version.ts';
import { openPostgresStorage } from '../../storage/postgres/open.ts';
import { openWriter } from '../../storage/sqlite/connection.ts';
import { migrate, migrations } from '../../storage/sqlite/migrations.ts';
import { runCheckCommand } from './check-command.ts';
import type { Check } from './checks.ts';

interface Outcome {
  readonly code: number;
  readonly ready: boolean;
  readonly checks: readonly Check[];
}

async function check(flags: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const printed: string[] = [];
  const words = ['--json', '--port', '0', ...flags];
  const code = await runCheckCommand(words, { environment, print: (text) => printed.push(text) });
  return { code, ...(JSON.parse(printed.join('')) as Omit<Outcome, 'code'>) };
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-check-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A data directory whose catalog was changed by this SQL. */
async function createCatalog(sql: string): Promise<string> {
  const folder = await createFolder();
  const database = new DatabaseSync(join(folder, 'graticule.sqlite'));
  migrate(database);
  database.exec(sql);
  database.close();
  return folder;
}

const findCheck = ({ checks }: Outcome, name: string) => checks.find((each) => each.check === name);

describe('graticule check', () => {
  it('succeeds for a new data directory, and creates nothing', async () => {
    const folder = await createFolder();

    const outcome = await check(['--data-dir', join(folder, 'new', 'data')]);

    expect(outcome).toMatchObject({ code: 0, ready: true });
    expect(outcome.checks.map((each) => `${each.check}: ${each.status}`)).toEqual([
      'settings: ok',
      'memory: ok',
      'data directory: ok',
      expect.stringMatching(/^disk space: (?:ok|warning)$/),
      'database: ok',
      'other files: ok',
      'address: ok',
    ]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('states the number of threads, and warns about more workers than the memory budget permits', async () => {
    const checkWorkers = async (workers: string) =>
      findCheck(await check(['--data-dir', await createFolder(), '--memory', '4GB', '--workers', workers]), 'memory');

    expect(await checkWorkers('3')).toMatchObject({
      status: 'ok',
      message: 'The memory budget is 4096 MB, with threads of each kind: 3.',
    });
    expect(await checkWorkers('6')).toMatchObject({
      status: 'warning',
      message:
        'The memory budget is 4096 MB, with threads of each kind: 4. It is too small for --workers 6: each needs 1 GB.',
    });
  });

  it('prints one line for each check, and its usage', async () => {
    const printed: string[] = [];
    const world = { environment: {}, print: (text: string) => printed.push(text) };

    expect(await runCheckCommand(['--data-dir', await createFolder(), '--port', '0'], world)).toBe(0);
    expect(await runCheckCommand(['--help'], world)).toBe(0);

    expect(printed.join('')).toMatch(/^ok {7}settings: All settings are valid\.\nok {7}memory: /);
    expect(printed.join('')).toContain('graticule check [settings] [--json]');
  });

  it.each<[what: string, flags: readonly string[], name: string, message: RegExp]>([
    ['an unknown option', ['--prot', '1'], 'settings', /'--prot'/],
    ['an invalid value', ['--history-days', 'many'], 'settings', /--history-days/],
    ['a node without a key', ['--storage', 'postgres://u@127.0.0.1:9/d'], 'settings', /requires a server key/],
    ['a missing key file', ['--server-key-file', '/nowhere/server.key'], 'settings', /Cannot read --server-key-file/],
    [
      'a data directory that cannot be created',
      ['--data-dir', '/proc/version/data'],
      'data directory',
      /is not a directory/,
    ],
    ['a directory of fonts that is missing', ['--fonts', '/nowhere/fonts'], 'other files', /'\/nowhere\/fonts'/],
    [
      'a certificate that is missing',
      ['--tls-cert', '/nowhere/cert.pem', '--tls-key', '/nowhere/key.pem'],
      'settings',
      /Cannot read --tls-cert/,
    ],
    [
      'a certificate without a key',
      ['--tls-cert', '/nowhere/cert.pem'],
      'settings',
      /requires both --tls-cert and --tls-key/,
    ],
    [
      'a missing file of the passphrase',
      ['--backup-schedule', '6h', '--backup-passphrase-file', '/nowhere/phrase'],
      'settings',
      /Cannot read --backup-passphrase-file/,
    ],
    [
      'backups that cannot be written',
      ['--backup-schedule', '6h', '--backup-dir', '/proc/version/backups'],
      'other files',
      /is not a directory/,
    ],
    ['a log in a missing directory', ['--audit-log', '/nowhere/audit.log'], 'other files', /directory of --audit-log/],
    ['a log that is a directory', ['--access-log', tmpdir()], 'other files', /--access-log '.*' is a directory/],
    ['an address of another machine', ['--host', '192.0.2.1'], 'address', /Cannot listen on 192\.0\.2\.1:/],
    ['a database that does not answer', ['--storage', 'postgres://u@127.0.0.1:9/d'], 'database', /ECONNREFUSED/],
  ])('fails for %s', async (_what, flags, name, message) => {
    const dataDir = flags[0] === '--data-dir' ? [] : ['--data-dir', join(await createFolder(), 'data')];

    const outcome = await check([...dataDir, ...flags]);

    expect(outcome).toMatchObject({ code: 1, ready: false });
    expect(findCheck(outcome, name)).toMatchObject({ status: 'failed', message: expect.stringMatching(message) });
  });

  it.each(['data', 'security/backups', 'fonts', 'purges'])(
    'fails for backups in the folder %s, as a start does',
    async (inner) => {
      const dataDir = join(await createFolder(), 'data');
      const flags = ['--data-dir', dataDir, '--backup-schedule', '6h', '--backup-dir', join(dataDir, inner)];
      const message = expect.stringMatching(/--backup-dir '.*' is inside the folder '\w+' of --data-dir/);

      expect(findCheck(await check(flags), 'settings')).toMatchObject({ status: 'failed', message });
      await expect(startTestServer({ flags: flags.slice(2), dataDir })).rejects.toMatchObject({ message });
    },
  );

  it('accepts other directories of backups inside and outside the data directory', async () => {
    const dataDir = await createFolder();

    for (const directory of [join(dataDir, 'backups'), join(dataDir, 'data-backups'), `${dataDir}-backups`]) {
      const flags = ['--data-dir', dataDir, '--backup-schedule', '6h', '--backup-dir', directory];
      expect(await check(flags)).toMatchObject({ code: 0 });
    }
  });

  it('fails for the directory of another program, and for a file that is not a catalog', async () => {
    const [foreign, broken] = [await createFolder(), await createFolder()];
    await writeFile(join(foreign, 'thesis.odt'), '');
    await writeFile(join(broken, 'graticule.sqlite'), 'This is not a database. '.repeat(99));

    expect(findCheck(await check(['--data-dir', foreign]), 'data directory')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining("it contains 'thesis.odt' but no Graticule data"),
    });
    expect(findCheck(await check(['--data-dir', broken]), 'database')).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/^Cannot open '.*graticule\.sqlite': file is not a database\.$/),
    });
  });

  it('announces the upgrade of an older catalog, and names the version that a newer one needs', async () => {
    const older = await createCatalog('PRAGMA user_version = 3');
    const newer = await createCatalog(
      "PRAGMA user_version = 999; INSERT INTO notes VALUES ('program version', '9.1.0')",
    );

    const [current, upgrade, downgrade] = [
      await check(['--data-dir', await createCatalog('')]),
      await check(['--data-dir', older]),
      await check(['--data-dir', newer]),
    ];

    expect(findCheck(current, 'database')?.message).toBe(`The schema version is ${migrations.length}.`);
    expect(upgrade.code).toBe(0);
    expect(findCheck(upgrade, 'database')?.message).toBe(
      `The schema will be upgraded from version 3 to ${migrations.length}. Make a backup first.`,
    );
    expect(downgrade.code).toBe(1);
    expect(findCheck(downgrade, 'database')?.message).toContain('start Graticule 9.1.0 or later');
    expect(await readdir(older)).toEqual(['graticule.sqlite']);
  });

  it('reads the version of a catalog that a server has just created', async () => {
    const folder = await createFolder();
    const database = openWriter(join(folder, 'graticule.sqlite'));
    onTestFinished(() => database.close());
    migrate(database);

    const outcome = await check(['--data-dir', folder]);

    expect(findCheck(outcome, 'database')?.message).toBe(`The schema version is ${migrations.length}.`);
  });

  it('warns about a server that uses the data directory, and about a port in use', async () => {
    const folder = await createCatalog('');
    const lock = await lockDataDirectory(folder);
    onTestFinished(() => lock.release());
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { readonly port: number };
    const printed: string[] = [];

    const code = await runCheckCommand(['--data-dir', folder, '--port', String(port)], {
      environment: {},
      print: (text) => printed.push(text),
    });

    expect(code).toBe(0);
    expect(printed.join('')).toContain(`WARNING  data directory: A server uses '${folder}'.`);
    expect(printed.join('')).toContain(`WARNING  address: Another program listens on 127.0.0.1:${port}.`);
  });
});

describeWithPostgis('graticule check with --storage', (postgis) => {
  const key = { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') };

  it('connects to the database, and changes nothing in it', async () => {
    const flags = ['--data-dir', await createFolder(), '--storage', postgresAddress(postgis, 'to_check')];

    expect(findCheck(await check(flags, key), 'database')).toEqual({
      check: 'database',
      status: 'ok',
      message: 'The first start creates the catalog.',
    });
    const rows = await postgis.query("SELECT 1 FROM pg_namespace WHERE nspname = 'to_check'");
    expect(rows).toHaveLength(0);
  });

  it('rejects a schema of a newer version with the version to start', async () => {
    const place = placeIn(postgis, 'newer_to_check');
    const storage = await openPostgresStorage({ location: place, kinds: [] });
    await recordProgramVersion(storage.notes, '9.1.0');
    await storage.close();
    const flags = ['--data-dir', await createFolder(), '--storage', postgresAddress(postgis, place.schema)];
    expect(findCheck(await check(flags, key), 'database')?.message).toMatch(/^The schema version is \d+\.$/);
    await postgis.query(`UPDATE ${place.schema}.head SET schema_version = 999`);

    const outcome = await check(flags, key);

    expect(outcome.code).toBe(1);
    expect(findCheck(outcome, 'database')?.message).toMatch(
      /^Cannot use --storage .*, schema newer_to_check: .*start Graticule 9\.1\.0 or later/,
    );
  });
});
