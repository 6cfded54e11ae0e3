/** Backups of a data directory while its server is used, and what they restore. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { get as getSecure } from 'node:https';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../src/cli/run.ts';
import { StoredFileChecks } from '../../src/lib/backup/stored-file-checks.ts';
import { readChecksums, saveNewChecksums } from '../../src/server/backup/object-lists.ts';
import { recordKinds } from '../../src/server/storage/record-kinds.ts';
import { isHash } from '../../src/storage/blobs/port.ts';
import type { JsonObject } from '../../src/storage/port/port.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { damageFile } from '../support/damage-file.ts';
import { addTown, townsOf, uploadTowns } from '../support/edited-stores.ts';
import { fillStorage, readEverything } from '../support/filled-storages.ts';
import { readBackupId, runRestore, saveBackup, writeFixtureBackup } from '../support/restored-servers.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../support/test-server.ts';

/** The number of clients that write during a backup. */
const WRITERS = Number(process.env['BACKUP_WRITERS'] ?? 16);

const addWorkspace = (server: TestServer, name: string) =>
  server.post('/workspaces', JSON.stringify({ workspace: { name } }));

async function countWorkspaces(server: TestServer, beginning: string): Promise<number> {
  const { text } = await server.get('/workspaces.json');
  return text.split(`"name":"${beginning}`).length - 1;
}

async function readHash(server: TestServer): Promise<unknown> {
  return ((await server.get('/configuration')).json() as { readonly hash: unknown }).hash;
}

const trustAny = { rejectUnauthorized: false };

/** Waits after every piece until the server has had a turn. */
async function saveSlowly(body: Readable, file: string): Promise<void> {
  await pipeline(
    body,
    async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        for (let turn = 0; turn < 3; turn += 1) await nextTurn();
        yield piece;
      }
    },
    createWriteStream(file),
  );
}

/** Saves a backup with the command line. */
async function runBackup(server: TestServer, file: string) {
  const url = `${await server.server.app.listen({ host: '127.0.0.1', port: 0 })}${server.server.restRoot}`;
  let errors = '';
  const code = await runCommand(['backup', file], {
    environment: { GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD },
    print: () => undefined,
    printError: (text) => {
      errors += text;
    },
    readFile: (name) => readFile(name),
    listFiles: async () => undefined,
    removeFile: async () => undefined,
    resolvePath: (name) => name,
    async writeFile(name, pieces, options) {
      await writeFile(name, pieces);
      await options?.check?.(name);
    },
    prompt: undefined,
    wait: async () => undefined,
  });
  return { code, errors };
}

/** Returns the beginnings of the hashes in a list of checksums. */
function splitEntries(list: Buffer): readonly string[] {
  return Array.from({ length: list.length / 20 }, (_, index) => list.toString('hex', 20 * index, 20 * index + 16));
}

describe('a backup of a data directory', () => {
  test('restores everything that clients can read, and the server key', async () => {
    const folder = await temporaryFolder();
    const [single, restored, file] = ['single', 'restored', 'file'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const first = await startTestServer({ dataDir: single });
    await fillStorage(first);
    await uploadTowns(first, 'edited');
    await first.put('/resource/data/notes/a.txt', 'of the harbour', { type: 'text/plain' });
    await writeFile(join(single, 'data', 'back\\slash.txt'), 'not a folder');
    const [before, hash] = [await readEverything(first), await readHash(first)];
    await saveBackup(first, file);
    await first.close();

    const { code, printed, errors } = await runRestore([file, '--data-dir', restored]);

    expect(code, errors).toBe(0);
    expect(printed).toMatch(
      /\nRestored \d+ records, \d+ stored files, 1 granules and \d+ data files up to change \d+ to '/,
    );
    const second = await startTestServer({ dataDir: restored });
    expect(await readEverything(second)).toEqual(before);
    expect(await readHash(second)).toBe(hash);
    expect((await second.get('/resource/data/notes/a.txt')).text).toBe('of the harbour');
    expect((await second.get('/doctor')).json()).toMatchObject({ healthy: true, problems: [] });
    await second.close();
    expect(await readFile(join(restored, 'data', 'back\\slash.txt'), 'utf8')).toBe('not a folder');
    expect(await readFile(join(restored, 'security', 'server.key'))).toEqual(
      await readFile(join(single, 'security', 'server.key')),
    );
    expect((await readdir(restored)).filter((name) => name.startsWith('restore'))).toEqual([]);
  });

  test('has the state of one moment while clients change records and features', async () => {
    const folder = await temporaryFolder();
    const [file, restored] = [join(folder, 'file'), join(folder, 'restored')];
    const server = await startTestServer({ dataDir: join(folder, 'single') });
    await uploadTowns(server);
    await addTown(server, 'first');
    const until = { isOver: false };
    // A feature, then a workspace: at every moment there are as many of both, or one more feature.
    const paired = (async () => {
      for (let n = 0; !until.isOver; n += 1) {
        await addTown(server, `town ${n}`);
        await addWorkspace(server, `paired${n}`);
      }
    })();
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !until.isOver; n += 1) await addWorkspace(server, `writer${writer}n${n}`);
    });
    await vi.waitUntil(async () => (await countWorkspaces(server, 'paired')) > 1, { timeout: 60_000 });

    await saveBackup(server, file);
    until.isOver = true;
    await Promise.all([paired, ...writers]);

    const { code, errors } = await runRestore([file, '--data-dir', restored]);
    expect(code, errors).toBe(0);
    const copy = await startTestServer({ dataDir: restored });
    const pairs = await countWorkspaces(copy, 'paired');
    const extra = (await townsOf(copy)).length - 2 - pairs;
    expect([0, 1], `${pairs} workspaces`).toContain(extra);
    // The history up to that moment is the history of the server.
    const listChanges = async (each: TestServer, before = '') =>
      ((await each.get(`/history?limit=1000${before}`)).json() as { changes: readonly { sequence: number }[] }).changes;
    const changes = await listChanges(copy);
    expect(changes).toEqual(await listChanges(server, `&before=${(changes[0]?.sequence ?? 0) + 1}`));
    expect((await copy.get('/doctor')).json()).toMatchObject({ healthy: true });
    await Promise.all([copy.close(), server.close()]);
  });

  test('can be continued by incremental backups, which a restore requires completely', async () => {
    const folder = await temporaryFolder();
    const [full, next, third, restored] = ['full', 'next', 'third', 'restored'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    const server = await startTestServer({ dataDir: join(folder, 'single') });
    await fillStorage(server);
    await server.put('/resource/data/large.bin', 'x'.repeat(5_000_000), { type: 'text/plain' });
    await saveBackup(server, full);
    await addWorkspace(server, 'second');
    await saveBackup(server, next, { query: `?since=${readBackupId(full)}` });
    await addWorkspace(server, 'third');
    await saveBackup(server, third, { query: `?since=${readBackupId(next)}` });
    const before = await readEverything(server);
    await server.close();

    const gap = await runRestore([full, third, '--data-dir', restored]);
    const alone = await runRestore([next, '--data-dir', restored]);
    const chain = await runRestore([third, full, next, '--data-dir', restored]);

    expect((await stat(next)).size).toBeLessThan((await stat(full)).size - 5_000_000);
    expect(gap).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`continues the backup with the id ${readBackupId(next)}, which is missing`),
    });
    expect(alone).toMatchObject({ code: 1, errors: expect.stringContaining('Name that file as well.') });
    expect(chain.code, chain.errors).toBe(0);
    const copy = await startTestServer({ dataDir: restored });
    expect(await readEverything(copy)).toEqual(before);
    expect(await countWorkspaces(copy, 'third')).toBe(1);
    await copy.close();
  });

  test('is readable only with its passphrase, and only if it is complete and unchanged', async () => {
    const folder = await temporaryFolder();
    const [plain, sealed, restored] = ['plain', 'sealed', 'restored'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const server = await startTestServer({ dataDir: join(folder, 'single') });
    await addWorkspace(server, 'secret-harbour');
    await saveBackup(server, plain);
    await saveBackup(server, sealed, { passphrase: 'größer als nötig' });
    await server.close();
    const restore = (file: string, passphrase = 'größer als nötig') =>
      runRestore([file, '--data-dir', restored], { GRATICULE_BACKUP_PASSPHRASE: passphrase });

    expect((await readFile(plain)).includes('secret-harbour')).toBe(true);
    expect((await readFile(sealed)).includes('secret-harbour')).toBe(false);
    expect(await runRestore([sealed, '--data-dir', restored])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('it is encrypted. Set its passphrase.'),
    });
    expect(await restore(sealed, 'another')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('the passphrase is wrong.'),
    });
    expect(await restore(sealed, '')).toMatchObject({ code: 1, errors: 'graticule: The passphrase is empty.\n' });
    for (const file of [plain, sealed]) {
      const bytes = await readFile(file);
      const broken = `${file}.broken`;
      await writeFile(broken, bytes);
      await damageFile(broken);
      expect(await restore(broken)).toMatchObject({
        code: 1,
        errors: expect.stringMatching(/damaged|no valid header/),
      });
      await writeFile(broken, bytes);
      await truncate(broken, bytes.length - 2_000);
      expect(await restore(broken)).toMatchObject({ code: 1, errors: expect.stringMatching(/incomplete/) });
    }
    await expect(stat(restored)).rejects.toThrow();
    expect(await restore(sealed)).toMatchObject({ code: 0 });
    expect((await runRestore([plain, '--check'])).code).toBe(0);
  });

  test('replaces the contents of a directory only on request, and never under a running server', async () => {
    const folder = await temporaryFolder();
    const [single, file] = [join(folder, 'single'), join(folder, 'file')];
    const server = await startTestServer({ dataDir: single });
    await addWorkspace(server, 'early');
    await saveBackup(server, file);
    await addWorkspace(server, 'late');

    const running = await runRestore([file, '--data-dir', single, '--replace']);
    await server.close();
    const refused = await runRestore([file, '--data-dir', single]);
    const foreign = join(folder, 'foreign');
    await mkdir(foreign);
    await writeFile(join(foreign, 'notes.txt'), 'something else');
    expect(await runRestore([file, '--data-dir', foreign])).toEqual({ ...refused, errors: expect.any(String) });
    expect(await readdir(foreign)).toEqual(['notes.txt']);
    const replaced = await runRestore([file, '--data-dir', single, '--replace']);

    if (process.platform === 'linux') {
      expect(await runRestore([file, '--data-dir', '/proc/graticule'])).toMatchObject({
        code: 1,
        errors: `graticule: Cannot restore to '/proc/graticule': no directory can be created in '/proc'. Use another directory. Nothing was restored.\n`,
      });
    }
    expect(running).toMatchObject({ code: 1, errors: expect.stringContaining('is in use by another server') });
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringContaining('it is not empty. Use another directory, or --replace'),
    });
    expect(replaced).toMatchObject({ code: 0, printed: expect.stringContaining('The previous contents are in') });
    const again = await startTestServer({ dataDir: single });
    expect([await countWorkspaces(again, 'early'), await countWorkspaces(again, 'late')]).toEqual([1, 0]);
    await again.close();
  });

  test('a restore that fails leaves nothing, not even the directories that it created', async () => {
    const folder = await temporaryFolder();
    const [file, parent] = [join(folder, 'fixture'), join(folder, 'parent')];
    await writeFixtureBackup(file);
    const database = 'postgres://127.0.0.1:1/none';

    const below = await runRestore([file, '--database', database, '--data-dir', join(parent, 'data')]);
    await expect(stat(parent)).rejects.toThrow('ENOENT');
    await mkdir(parent);
    const existing = await runRestore([file, '--database', database, '--data-dir', parent]);

    expect([below.code, existing.code]).toEqual([1, 1]);
    expect(below.errors).toContain('Nothing was restored.');
    expect(await readdir(parent)).toEqual([]);
  });

  test('leaves nothing when the client disconnects, and the next one can start', async () => {
    const server = await startTestServer();
    await server.put('/resource/data/large.bin', 'x'.repeat(60_000_000), { type: 'text/plain' });
    const url = `${await server.server.app.listen({ host: '127.0.0.1', port: 0 })}${server.server.restRoot}/backup`;
    const request = get(url, { auth: `admin:${ADMIN_PASSWORD}` });
    const [response] = await once(request, 'response');
    await once(response, 'data');

    expect(await readdir(join(server.dataDir, 'staging'))).toHaveLength(1);
    expect((await server.get('/backup')).status).toBe(409);
    request.destroy();

    await vi.waitUntil(async () => (await readdir(join(server.dataDir, 'staging'))).length === 0, { timeout: 60_000 });
    await vi.waitFor(async () => expect((await server.get('/backup')).status).toBe(200), { timeout: 60_000 });
    expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
    await server.close();
  });

  test('is complete for clients that read slowly, over HTTP/1.1 and HTTP/2', async () => {
    const folder = await temporaryFolder();
    const certificate = join(import.meta.dirname, '../fixtures/tls/first');
    const flags = ['--tls-cert', `${certificate}.cert.pem`, '--tls-key', `${certificate}.key.pem`];
    const server = await startTestServer({ flags });
    await server.put('/resource/data/large.txt', randomBytes(6_000_000).toString('hex'), { type: 'text/plain' });
    const origin = await server.server.app.listen({ host: '127.0.0.1', port: 0 });
    const path = `${server.server.restRoot}/backup`;
    const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;

    const [response] = await once(
      getSecure(`${origin}${path}`, { auth: `admin:${ADMIN_PASSWORD}`, ...trustAny }),
      'response',
    );
    await saveSlowly(response, join(folder, 'http1'));
    const session = connectHttp2(origin, trustAny);
    await saveSlowly(session.request({ ':path': path, authorization }), join(folder, 'http2'));
    session.close();
    await server.close();

    for (const name of ['http1', 'http2']) {
      expect(await runRestore([join(folder, name), '--check']), name).toMatchObject({ code: 0, errors: '' });
    }
  });

  test('is not started by a request for the headers', async () => {
    const server = await startTestServer();

    const head = await server.request('HEAD', '/backup');

    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-type']).toBe('application/vnd.graticule.backup');
    expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
    expect((await server.get('/backup')).status).toBe(200);
    await server.close();
  });

  test('names a GeoPackage that another program keeps locked, and the next one can start', async () => {
    const server = await startTestServer();
    await mkdir(join(server.dataDir, 'data'), { recursive: true });
    const other = new DatabaseSync(join(server.dataDir, 'data', 'edited.gpkg'));
    other.exec('CREATE TABLE towns (name TEXT); BEGIN EXCLUSIVE');

    expect(await server.get('/backup')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
      text: expect.stringContaining("the file 'data/edited.gpkg' of the data directory locked"),
    });

    other.close();
    expect((await server.get('/backup')).status).toBe(200);
    await server.close();
  });

  test('compares the checksums that files had when they were stored', async () => {
    const folder = await temporaryFolder();
    const [dataDir, file] = [join(folder, 'single'), join(folder, 'file')];
    const storing = await startTestServer({ dataDir });
    await fillStorage(storing);
    await storing.close();

    const server = await startTestServer({ dataDir });
    const { notes } = server.server.storage;
    const known = await readChecksums(notes);
    const paths = (
      await Promise.all(['blobs', 'sets'].map((shelf) => readdir(join(dataDir, shelf), { recursive: true })))
    ).flatMap((names, index) => names.map((name) => join(dataDir, index === 0 ? 'blobs' : 'sets', name)));
    const stored = paths.filter((path) => isHash(basename(path)));
    const checks = new StoredFileChecks(known.checksums, () => expect.unreachable());
    for (const path of stored) {
      const check = checks.start(basename(path));
      check.add(await readFile(path));
      expect(check.finish(), path).toBe(true);
    }
    const [damaged = ''] = stored.map((path) => basename(path));
    await saveNewChecksums(notes, new Map([[damaged, 1]]), Date.now());
    await saveBackup(server, file);
    const after = await readChecksums(notes);
    await server.close();

    expect(new Set(splitEntries(known.checksums))).toEqual(new Set(stored.map((path) => basename(path).slice(0, 32))));
    expect(await runRestore([file, '--check'])).toMatchObject({ errors: expect.stringContaining(damaged) });
    // The list of the backup replaces those of new files.
    expect(after).toMatchObject({ newLists: [], checksums: { length: 20 * (stored.length - 1) } });
  });

  test('contains damaged files as they are, which a restore reports, and a later backup repairs', async () => {
    const folder = await temporaryFolder();
    const [broken, repaired, restored] = ['broken', 'repaired', 'restored'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const server = await startTestServer({ dataDir: join(folder, 'single') });
    await fillStorage(server);
    // Later backups compare the checksums of this one.
    await saveBackup(server, join(folder, 'intact'));
    const blobs = join(server.dataDir, 'blobs');
    const [start = ''] = await readdir(blobs);
    const [hash = ''] = await readdir(join(blobs, start));
    const stored = join(blobs, start, hash);
    const intact = await readFile(stored);
    await damageFile(stored);

    const saved = await runBackup(server, broken);
    await writeFile(stored, intact);
    await saveBackup(server, repaired, { query: `?since=${readBackupId(broken)}` });
    await server.close();

    expect(saved).toMatchObject({
      code: 2,
      errors: expect.stringContaining(`Damaged files in the backup: blobs/${start}/${hash}. `),
    });
    const warning = `already damaged when the backup was made: blobs/${start}/${hash}. `;
    expect(await runRestore([broken, '--check'])).toMatchObject({ code: 0, errors: expect.stringContaining(warning) });
    expect(await runRestore([broken, '--data-dir', `${restored}1`])).toMatchObject({ code: 0 });
    expect((await readFile(join(`${restored}1`, 'blobs', start, hash))).equals(intact)).toBe(false);
    expect(await runRestore([broken, repaired, '--data-dir', `${restored}2`])).toMatchObject({ code: 0, errors: '' });
    expect(await readFile(join(`${restored}2`, 'blobs', start, hash))).toEqual(intact);
  });

  test('is rejected for other users, unknown bases and malformed parameters', async () => {
    const server = await startTestServer();

    expect((await server.get('/backup', { as: null })).status).toBe(401);
    expect(await server.get(`/backup?since=${'0'.repeat(64)}`)).toMatchObject({
      status: 404,
      text: expect.stringContaining('Make a full backup'),
    });
    expect((await server.get('/backup?since=last')).status).toBe(400);
    expect((await server.get('/backup', { headers: { 'graticule-passphrase': '%' } })).status).toBe(400);
    await server.close();
  });
});

describe('a backup of the first format', () => {
  const passwords = { GRATICULE_ADMIN_PASSWORD: ADMIN_PASSWORD };

  async function restoreFixture(): Promise<string> {
    const folder = await temporaryFolder();
    const file = join(folder, 'file');
    await writeFixtureBackup(file);
    const restored = join(folder, 'restored');
    const { code, errors } = await runRestore([file, '--data-dir', restored]);
    expect(code, errors).toBe(0);
    return restored;
  }

  test('is restored with its records, edited features and passwords', async () => {
    const server = await startTestServer({ dataDir: await restoreFixture(), environment: passwords });

    expect(await townsOf(server)).toEqual(['Bern', 'Thun']);
    expect((await server.get('/doctor')).json()).toMatchObject({ healthy: true });
    await server.close();
  });

  test('opens in a build whose records have the next version, which upgrades them', async () => {
    const directory = await restoreFixture();
    const upgraded = new Set<string>();
    const kinds = recordKinds.map((rules) => ({
      ...rules,
      bodyVersion: rules.bodyVersion + 1,
      upgrade: (body: JsonObject, from: number) => {
        upgraded.add(rules.kind);
        return { ...(from === rules.bodyVersion ? body : rules.upgrade(body, from)), isUpgraded: true };
      },
    }));

    const storage = await openSqliteStorage({ file: join(directory, 'graticule.sqlite'), clock: Date.now, kinds });
    const names = await storage.listNames('workspace', null);
    await storage.close();

    expect(upgraded).toContain('workspace');
    expect(names).toContain('acme');
    // This build is older than that one.
    await expect(startTestServer({ dataDir: directory, environment: passwords })).rejects.toThrow(/newer version/);
  });
});
