/** Copies of whole storages from a data directory to PostgreSQL and back preserve everything. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runStorageCommand } from '../../src/server/maintenance/storage-command.ts';
import { openSource, parseStorageLocation } from '../../src/server/maintenance/storage-locations.ts';
import { copyStorage } from '../../src/storage/copy/copy-storage.ts';
import { openPostgresTarget } from '../../src/storage/copy/postgres-storage.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { addTown, uploadTowns } from '../support/edited-stores.ts';
import { fillStorage, readEverything } from '../support/filled-storages.ts';
import { placeIn, postgresAddress } from '../support/postgres-places.ts';
import { startRelay } from '../support/relay.ts';
import { runRestore, saveBackup } from '../support/restored-servers.ts';
import { startTestServer } from '../support/test-server.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

/** The number of kill points in each direction. */
const KILLS = Number(process.env['COPY_KILLS'] ?? 2);

const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

const GRATICULE_SERVER_KEY = Buffer.alloc(32, 3).toString('base64');

async function run(...words: readonly string[]): Promise<{ code: number; printed: string; said: string }> {
  let [printed, said] = ['', ''];
  const code = await runStorageCommand(words, {
    folder: '/',
    environment: {},
    print: (text) => {
      printed += text;
    },
    printError: (text) => {
      said += text;
    },
  });
  return { code, printed, said };
}

describeWithPostgis('storage copy', (postgis) => {
  test('and a restore preserve secrets after the data key and the server key were replaced', async () => {
    const folder = await temporaryFolder();
    const [single, restored, file] = ['single', 'restored', 'file'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const server = await startTestServer({ dataDir: single });
    const provider = {
      className: 'org.geoserver.security.auth.LdapAuthenticationProvider',
      ...{ name: 'ldap', serverURL: 'ldap://127.0.0.1:1/dc=a', userFilter: '(uid={0})', user: 'cn=reader' },
      password: 'a bind password',
    };
    expect((await server.post('/security/authproviders', JSON.stringify(provider))).status).toBe(201);
    for (const key of ['data-key', 'server-key', 'data-key']) {
      expect((await server.post(`/security/keystore/${key}`, '')).status).toBe(200);
    }
    const password = (await server.get('/security/masterpw.json')).text;
    await saveBackup(server, file);
    await server.close();

    const restore = await runRestore([file, '--data-dir', restored]);
    expect(restore.code, restore.errors).toBe(0);
    const address = postgresAddress(postgis, 'after_rotation');
    const copy = await run('copy', '--from', restored, '--to', address);
    expect(copy.code, copy.said).toBe(0);

    const key = (await readFile(join(restored, 'security', 'server.key'), 'utf8')).trim();
    const environment = { GRATICULE_SERVER_KEY: key };
    for (const options of [{ dataDir: restored }, { flags: ['--storage', address], environment }]) {
      const again = await startTestServer(options);
      expect((await again.get('/security/masterpw.json')).text).toBe(password);
      expect((await again.get('/doctor')).json()).toMatchObject({
        checks: expect.arrayContaining([expect.objectContaining({ check: 'keystore', ok: true })]),
      });
      await again.close();
    }
  });

  test('preserves numbers, ETags, history, files and granules into a database and back', async () => {
    const folder = await temporaryFolder();
    const [single, back] = ['single', 'back'].map((name) => join(folder, name)) as [string, string];
    const address = postgresAddress(postgis, 'copied');
    const environment = { GRATICULE_SERVER_KEY };
    const first = await startTestServer({ dataDir: single, environment });
    await fillStorage(first);
    const before = await readEverything(first);
    expect(before.map(([path, status]) => [path, status])).toEqual(before.map(([path]) => [path, 200]));
    await first.close();

    const there = await run('copy', '--from', single, '--to', address);
    expect(there.code, there.said).toBe(0);
    expect(there.printed).toMatch(/^Copied \d+ records?, .* and 1 granule up to .* The copy was verified\.\n/);
    const node = await startTestServer({ flags: ['--storage', address], environment });
    expect(await readEverything(node)).toEqual(before);
    await node.close();
    const again = await run('copy', '--from', address, '--to', back);
    expect(again.code, again.said).toBe(0);
    const last = await startTestServer({ dataDir: back, environment });

    expect(await readEverything(last)).toEqual(before);
    await last.close();
  });

  test('warns by name about edited features, which are outside the storage', async () => {
    const single = join(await temporaryFolder(), 'single');
    const server = await startTestServer({ dataDir: single, environment: { GRATICULE_SERVER_KEY } });
    await uploadTowns(server);
    await addTown(server, 'Basel');
    await server.close();

    const { code, said } = await run('copy', '--from', single, '--to', postgresAddress(postgis, 'edited'));

    expect(code, said).toBe(0);
    expect(said).toContain(
      "Warning: The edited features of the store 'roads' were not copied. They are in file:data/acme/roads/1/roads.gpkg of the data directory. Upload that file to the store on the new server.\n",
    );
  });

  test('reads one moment of a running server, from a directory and from a database', async () => {
    const folder = await temporaryFolder();
    const [single, copy, back] = ['single', 'copy', 'back'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const address = postgresAddress(postgis, 'running');
    const environment = { GRATICULE_SERVER_KEY };
    const server = await startTestServer({ dataDir: single, environment });
    await fillStorage(server);
    const before = await readEverything(server);

    for (const [from, to] of [
      [single, copy],
      [single, address],
    ] as const) {
      const { code, said } = await run('copy', '--from', from, '--to', to);
      expect(code, said).toBe(0);
    }
    await server.close();
    const node = await startTestServer({ flags: ['--storage', address], environment });
    const { code, said } = await run('copy', '--from', address, '--to', back);
    expect(code, said).toBe(0);
    await node.close();

    for (const dataDir of [copy, back]) {
      const copied = await startTestServer({ dataDir, environment });
      expect(await readEverything(copied)).toEqual(before);
      await copied.close();
    }
  });

  test('requires an empty target that no node is using', async () => {
    const folder = await temporaryFolder();
    const address = postgresAddress(postgis, 'busy');
    const single = join(folder, 'single');
    await (await startTestServer({ dataDir: single, environment: { GRATICULE_SERVER_KEY } })).close();
    const node = await startTestServer({ flags: ['--storage', address], environment: { GRATICULE_SERVER_KEY } });

    const busy = await run('copy', '--from', single, '--to', address);
    await node.close();
    const missing = await run('copy', '--from', join(folder, 'nowhere'), '--to', address);
    const taken = await run('copy', '--from', address, '--to', address);

    expect(busy).toMatchObject({
      code: 1,
      said: expect.stringContaining('1 node is using the database; stop every node first'),
    });
    expect(missing).toMatchObject({ code: 1, said: expect.stringContaining('it contains no catalog') });
    expect(taken).toMatchObject({ code: 1, said: expect.stringContaining('the database is not empty') });
    expect(await readdir(folder)).toEqual(['single']);
  });

  test('leaves no storage when it is interrupted', async () => {
    const folder = await temporaryFolder();
    const single = join(folder, 'single');
    await (await startTestServer({ dataDir: single })).close();
    const origin = parseStorageLocation(single, '/');
    if (origin === undefined) throw new Error('it is a directory');
    const source = await openSource(origin);
    const target = await openPostgresTarget(placeIn(postgis, 'cut'));

    const cut = copyStorage(
      source.opened,
      { ...target, commit: () => Promise.reject(new Error('cut off')) },
      () => undefined,
    );
    await expect(cut).rejects.toThrow('cut off');
    await target.close();
    await source.release();

    expect(await postgis.query('SELECT count(*)::int AS count FROM cut.records')).toEqual([{ count: 0 }]);
    expect((await run('copy', '--from', single, '--to', postgresAddress(postgis, 'cut'))).code).toBe(0);
  });

  test.each(['into a database', 'into a directory'])(
    'leaves no storage when the copy %s is killed, and can be repeated to the same target',
    async (way) => {
      const folder = await temporaryFolder();
      const single = join(folder, 'single');
      const server = await startTestServer({ dataDir: single, environment: { GRATICULE_SERVER_KEY } });
      await fillStorage(server);
      await server.close();
      const relay = await startRelay(postgis.connection);
      const through = (schema: string) =>
        postgresAddress({ connection: { ...postgis.connection, host: '127.0.0.1', port: relay.port } }, schema);
      const isIntoDatabase = way === 'into a database';
      if (!isIntoDatabase) expect((await run('copy', '--from', single, '--to', through('kept'))).code).toBe(0);
      relay.mend();
      const [from, to] = isIntoDatabase
        ? [single, (name: string) => through(name)]
        : [through('kept'), (name: string) => join(folder, name)];
      const whole = await run('copy', '--from', from, '--to', to('whole'));
      expect(whole.code, whole.said).toBe(0);
      const bytes = relay.passed();

      for (let kill = 1; kill <= KILLS; kill += 1) {
        relay.mend();
        const target = `killed_${kill}`;
        const isHalfWay = relay.swallowAfter((bytes * kill) / (KILLS + 1));
        const child = spawn(
          process.execPath,
          ['src/start.cjs', 'storage', 'copy', '--from', from, '--to', to(target)],
          { cwd: projectFolder, stdio: 'ignore' },
        );
        const ended = once(child, 'exit');
        await Promise.race([isHalfWay, ended]);
        child.kill('SIGKILL');
        expect(await ended).toEqual([null, 'SIGKILL']);
        relay.mend();

        if (isIntoDatabase) expect(await recordsIn(target)).toBe(0);
        else expect(await readdir(folder)).not.toContain(target);
        const again = await run('copy', '--from', from, '--to', to(target));

        expect(again).toMatchObject({ code: 0, printed: whole.printed });
        if (!isIntoDatabase) expect(await readdir(folder)).not.toContain(`${target}.unfinished`);
      }
    },
  );

  /** Returns 0 if the schema was not created yet. */
  async function recordsIn(schema: string): Promise<unknown> {
    const [row] = await postgis.query(`SELECT to_regclass('${schema}.records') IS NOT NULL AS made`);
    if (row?.['made'] !== true) return 0;
    const sql = `SELECT (SELECT count(*) FROM ${schema}.records) + (SELECT count(*) FROM ${schema}.blobs) AS count`;
    return Number((await postgis.query(sql))[0]?.['count']);
  }

  test('is available after an upgrade command, and errors are reported in one line', async () => {
    const migrated = await run('migrate', '--storage', postgresAddress(postgis, 'migrated'));
    const wrong = await run('migrate', '--storage', 'mysql://somewhere/else');
    const unknown = await run('remove');

    expect(migrated).toMatchObject({
      code: 0,
      printed: expect.stringContaining('is up to date at change 0.'),
    });
    expect(wrong).toMatchObject({
      code: 1,
      said: 'graticule: Invalid --storage. Expected a directory or a PostgreSQL address.\n',
    });
    expect(unknown).toMatchObject({ code: 1, said: expect.stringContaining("Unknown command 'storage remove'") });
  });
});
