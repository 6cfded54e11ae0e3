import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordDraft, Storage } from '../port/port.ts';
import { openSqliteStorage } from './open.ts';

const author = { who: 'admin', what: 'test' };

function workspace(name: string, keys: RecordDraft['keys'] = {}): RecordDraft {
  return { kind: 'workspace', parent: null, name, body: {}, keys };
}

async function freshFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-sqlite-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'graticule.sqlite');
}

async function open(file: string): Promise<Storage> {
  const storage = await openSqliteStorage({ file, clock: () => 1_000, kinds: [] });
  onTestFinished(() => storage.close());
  return storage;
}

/** Changes the database without the storage. */
function tamper(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

describe('SQLite storage', () => {
  test('ids contain the kind, the change number and the position in it, and nothing random', async () => {
    const storage = await open(await freshFile());
    for (let count = 1; count < 36; count++) {
      await storage.write(author, (transaction) => transaction.insert(workspace(`w${count}`)));
    }

    const { result: ids } = await storage.write(author, async (transaction) => [
      (await transaction.insert(workspace('a'))).id,
      (await transaction.insert(workspace('b'))).id,
    ]);

    expect(ids).toEqual(['workspace-10-0', 'workspace-10-1']);
  });

  test('only the owner can read the database and its log', async () => {
    const file = await freshFile();
    await open(file);

    for (const suffix of ['', '-wal', '-shm']) expect((await stat(file + suffix)).mode & 0o777).toBe(0o600);
  });

  test('closing without waiting leaves the log to the next start, which recovers everything', async () => {
    const file = await freshFile();
    const storage = await open(file);
    const { result } = await storage.write(author, (transaction) => transaction.insert(workspace('a')));

    await storage.close(AbortSignal.abort());

    expect((await stat(`${file}-wal`)).size).toBeGreaterThan(0);
    expect(await (await open(file)).get(result.id)).toMatchObject({ name: 'a' });
  });

  test('closing without waiting ends a write and a read in progress with the problem that the server is shutting down', async () => {
    const storage = await open(await freshFile());
    await storage.write(author, (transaction) => transaction.insert(workspace('a')));
    const begun = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const attempts = Promise.withResolvers<readonly unknown[]>();
    const snapshot = storage.snapshot();
    const write = Promise.allSettled([
      storage.write(author, async (transaction) => {
        begun.resolve();
        await closed.promise;
        const steps = [
          () => transaction.find('workspace', null, 'a'),
          () => transaction.insert(workspace('b')),
          () => snapshot.find('workspace', null, 'a'),
          () => storage.find('workspace', null, 'a'),
        ];
        attempts.resolve(await Promise.all(steps.map((step) => step().catch((error: unknown) => error))));
      }),
    ]);
    await begun.promise;

    await storage.close(AbortSignal.abort());
    closed.resolve();

    const draining = { code: 'draining', status: 503 };
    expect(await attempts.promise).toMatchObject([draining, draining, draining, draining]);
    expect(await write).toMatchObject([{ reason: draining }]);
  });

  test('closing leaves a single file', async () => {
    const file = await freshFile();
    const storage = await open(file);
    await storage.write(author, (transaction) => transaction.insert(workspace('acme')));

    await storage.close();

    expect(await readdir(join(file, '..'))).toEqual(['graticule.sqlite']);
  });

  test('closing empties the write-ahead log even while another program reads', async () => {
    const file = await freshFile();
    const storage = await open(file);
    await storage.write(author, (transaction) => transaction.insert(workspace('acme')));
    const watcher = new DatabaseSync(file);
    onTestFinished(() => watcher.close());
    const count = watcher.prepare('SELECT count(*) FROM records', { returnArrays: true });
    expect(count.get()?.[0]).toBe(1);

    await storage.close();

    expect((await stat(`${file}-wal`)).size).toBe(0);
    expect(count.get()?.[0]).toBe(1);
  });

  test('the write-ahead log stays small during continuous reads', async () => {
    const file = await freshFile();
    const storage = await open(file);
    let isOver = false;
    const reading = (async () => {
      let snapshot = storage.snapshot();
      while (!isOver) {
        await snapshot.find('workspace', null, 'a1');
        await nextTurn();
        // The next reader starts before the last one ends.
        const next = storage.snapshot();
        snapshot.release();
        snapshot = next;
      }
      snapshot.release();
    })();
    let largest = 0;

    for (let count = 0; count < 1_500; count += 1) {
      await storage.write(author, async (transaction) => {
        for (const part of ['a', 'b', 'c']) {
          await transaction.insert(workspace(`${part}${count}`, { uri: [`${part}${count}`] }));
        }
      });
      largest = Math.max(largest, (await stat(`${file}-wal`)).size);
    }
    isOver = true;
    await reading;

    // Without a restart the log would exceed a hundred megabytes.
    expect(largest / 1_048_576).toBeLessThan(60);
  });

  test('a database of a newer version is rejected and closed', async () => {
    const file = await freshFile();
    await (await open(file)).close();
    tamper(file, 'PRAGMA user_version = 999');

    await expect(open(file)).rejects.toThrow('It was written by a newer version. Start that version, or restore');
    tamper(file, "INSERT INTO notes VALUES ('program version', '9.1.0')");
    await expect(open(file)).rejects.toThrow('start Graticule 9.1.0 or later, or restore a backup');

    expect(await readdir(join(file, '..'))).toEqual(['graticule.sqlite']);
  });

  test('a file that is not a database is rejected', async () => {
    const file = await freshFile();
    await writeFile(file, 'this is a text and has always been one'.repeat(100));

    await expect(open(file)).rejects.toThrow('not a database');
  });

  test('a write that the database aborts cannot be committed, even if the work continues', async () => {
    const file = await freshFile();
    const storage = await open(file);
    tamper(
      file,
      `CREATE TRIGGER half BEFORE INSERT ON record_keys WHEN new.value = 'half' BEGIN SELECT RAISE(FAIL, 'no'); END;
       CREATE TRIGGER full BEFORE INSERT ON record_keys WHEN new.value = 'full' BEGIN SELECT RAISE(ROLLBACK, 'no'); END`,
    );

    for (const value of ['half', 'full']) {
      const write = storage.write(author, async (transaction) => {
        await transaction.insert(workspace('before'));
        await expect(transaction.insert(workspace('acme', { uri: [value] }))).rejects.toThrow('no');
        await expect(transaction.insert(workspace('after'))).rejects.toThrow('aborted this transaction');
      });
      await expect(write).rejects.toThrow('aborted this transaction');
    }

    expect(await storage.list('workspace', null)).toEqual([]);
    expect(await storage.position()).toBe(0);
    await storage.write(author, (transaction) => transaction.insert(workspace('next')));
    expect(await storage.count('workspace')).toBe(1);
  });

  test('acknowledged writes survive SIGKILL, and other writes are complete or absent', async () => {
    const file = await freshFile();
    const program = `
      import { openSqliteStorage } from ${JSON.stringify(new URL('./open.ts', import.meta.url).href)};
      const file = ${JSON.stringify(file)};
      const storage = await openSqliteStorage({ file, clock: () => 1, kinds: [] });
      for (let count = 1; ; count++) {
        await storage.write({ who: 'child', what: 'write' }, async (transaction) => {
          await transaction.insert({ kind: 'a', parent: null, name: 'n' + count, body: {}, keys: {} });
          await transaction.insert({ kind: 'b', parent: null, name: 'n' + count, body: {}, keys: {} });
        });
        console.log(count);
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    onTestFinished(() => void child.kill('SIGKILL'));
    let acknowledged = 0;
    for await (const line of createInterface(child.stdout)) {
      acknowledged = Number(line);
      if (acknowledged === 50) child.kill('SIGKILL');
    }
    if (child.signalCode === null) await once(child, 'exit');

    const storage = await open(file);

    expect(child.signalCode).toBe('SIGKILL');
    expect(acknowledged).toBeGreaterThanOrEqual(50);
    expect(await storage.position()).toBeGreaterThanOrEqual(acknowledged);
    expect(await storage.count('a')).toBe(await storage.position());
    expect(await storage.count('b')).toBe(await storage.position());
    expect(await storage.findIntegrityProblems()).toEqual([]);
  });
});
