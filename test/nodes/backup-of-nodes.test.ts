/** Backups of several nodes on PostgreSQL while they are used, and what they restore. */
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { fillStorage, readEverything } from '../support/filled-storages.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { readBackupId, runRestore, saveBackup, writeFixtureBackup } from '../support/restored-servers.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

/** The number of clients that write during a backup. */
const WRITERS = Number(process.env['BACKUP_WRITERS'] ?? 8);

const STYLE_TYPE = 'application/vnd.graticule.geocss+css';

interface History {
  readonly changes: readonly { readonly sequence: number; readonly items: readonly { readonly path: string }[] }[];
}

const listChanges = async (server: TestServer) => ((await server.get('/history?limit=1000')).json() as History).changes;

const readHash = async (server: TestServer) =>
  ((await server.get('/configuration')).json() as { readonly hash: string }).hash;

describeWithPostgis('a backup of several nodes', (postgis) => {
  const environment = { GRATICULE_SERVER_KEY: Buffer.alloc(32, 3).toString('base64') };

  test('of a data directory restores its data files only with --data-dir, and counts the others', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFixtureBackup(file);

    const restored = await runRestore([file, '--database', postgresAddress(postgis, 'without_files')]);

    expect(restored).toMatchObject({
      code: 0,
      errors: expect.stringMatching(/^graticule: Data files in the backup that were not restored: [1-9]\d*\. /),
    });
  });

  test('restores into a database or a data directory while nodes run', async () => {
    const folder = await temporaryFolder();
    const [file, single, back] = ['file', 'single', 'back'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const [origin, target] = [postgresAddress(postgis, 'backed_up'), postgresAddress(postgis, 'restored')];
    const node = await startTestServer({ flags: ['--storage', origin], environment });
    await fillStorage(node);
    const before = await readEverything(node);
    await saveBackup(node, file);

    const intoDatabase = await runRestore([file, '--database', target]);
    expect(intoDatabase.code, intoDatabase.errors).toBe(0);
    const copy = await startTestServer({ flags: ['--storage', target], environment });
    expect(await readEverything(copy)).toEqual(before);
    const full = await runRestore([file, '--database', origin]);
    expect(full).toMatchObject({ code: 1, errors: expect.stringContaining('Nothing was restored') });
    await saveBackup(copy, back);
    const intoDirectory = await runRestore([back, '--data-dir', single]);
    expect(intoDirectory.code, intoDirectory.errors).toBe(0);
    const last = await startTestServer({ dataDir: single, environment });
    expect(await readEverything(last)).toEqual(before);
    await Promise.all([node, copy, last].map((each) => each.close()));
  });

  test('has the state of one moment while clients of two nodes change records and stored files', async () => {
    const file = join(await temporaryFolder(), 'file');
    const [origin, target] = [postgresAddress(postgis, 'one_moment'), postgresAddress(postgis, 'moment_restored')];
    const start = async (storage: string) => {
      const server = await startTestServer({ flags: ['--storage', storage], environment });
      onTestFinished(() => server.close());
      return server;
    };
    const nodes = [await start(origin), await start(origin)] as const;
    const until = { isOver: false };
    let written = 0;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !until.isOver; n += 1) {
        const node = nodes[(writer + n) % 2] ?? nodes[0];
        const name = `w${writer}n${n}`;
        // Every other change has a stored file.
        const reply =
          n % 2 === 0
            ? await node.post(`/styles?name=${name}`, `* { stroke: red; stroke-width: ${writer}.${n} }`, {
                type: STYLE_TYPE,
              })
            : await node.post('/workspaces', JSON.stringify({ workspace: { name } }));
        expect(reply.status, reply.text).toBe(201);
        written += 1;
      }
    });
    await Promise.race([...writers, vi.waitUntil(() => written > WRITERS, { timeout: 60_000 })]);

    await saveBackup(nodes[0], file);
    until.isOver = true;
    await Promise.all(writers);

    const { code, errors } = await runRestore([file, '--database', target]);
    expect(code, errors).toBe(0);
    const copy = await start(target);
    const [changes, all] = [await listChanges(copy), await listChanges(nodes[1])];
    const last = changes[0]?.sequence ?? 0;
    expect(changes).toEqual(all.filter(({ sequence }) => sequence <= last));
    expect((await copy.get('/doctor')).json()).toMatchObject({ healthy: true });
    // Without the later changes, the server has the configuration of the backup.
    const later = all.filter(({ sequence }) => sequence > last).flatMap(({ items }) => items.map(({ path }) => path));
    for (const path of new Set(later)) await nodes[1].delete(`${path}?recurse=true&purge=true`);
    expect(await readHash(copy)).toBe(await readHash(nodes[1]));
  });

  test('contains damaged files as they are, which a restore reports, and a later backup repairs', async () => {
    const folder = await temporaryFolder();
    const [broken, repaired] = [join(folder, 'broken'), join(folder, 'repaired')];
    const storage = postgresAddress(postgis, 'damaged');
    const node = await startTestServer({ flags: ['--storage', storage], environment });
    await fillStorage(node);
    const invert = async () => {
      const [row] = await postgis.query(
        `UPDATE damaged.blob_pieces SET bytes = set_byte(bytes, 0, get_byte(bytes, 0) # 255)
         WHERE (shelf, hash, n) = (SELECT shelf, hash, n FROM damaged.blob_pieces ORDER BY shelf, hash, n LIMIT 1)
         RETURNING shelf, hash`,
      );
      return `${row?.['shelf']}/${String(row?.['hash']).slice(0, 2)}/${row?.['hash']}`;
    };

    const path = await invert();
    await saveBackup(node, broken);
    await invert();
    await saveBackup(node, repaired, { query: `?since=${readBackupId(broken)}` });
    await node.close();

    const warning = `already damaged when the backup was made: ${path}. `;
    expect(await runRestore([broken, '--check'])).toMatchObject({ code: 0, errors: expect.stringContaining(warning) });
    const target = postgresAddress(postgis, 'repaired');
    expect(await runRestore([broken, repaired, '--database', target])).toMatchObject({ code: 0, errors: '' });
    const copy = await startTestServer({ flags: ['--storage', target], environment });
    expect((await copy.get('/doctor')).json()).toMatchObject({ healthy: true });
    await copy.close();
  });
});
