/** Reads and writes when the disk fails, hangs, or another program holds the lock. */
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordDraft, Storage } from '../port/port.ts';
import { openSqliteStorage, type SqliteStorageOptions } from './open.ts';

const author = { who: 'admin', what: 'test' };
const done = async () => undefined;

async function freshFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-failing-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'graticule.sqlite');
}

async function open(file: string, options: Partial<SqliteStorageOptions> = {}): Promise<Storage> {
  const storage = await openSqliteStorage({ file, clock: () => 1_000, kinds: [], ...options });
  onTestFinished(() => storage.close());
  return storage;
}

function insert(storage: Storage, name: string) {
  const draft: RecordDraft = { kind: 'workspace', parent: null, name, body: {}, keys: {} };
  return storage.write(author, (transaction) => transaction.insert(draft));
}

async function namesIn(storage: Storage): Promise<readonly string[]> {
  return (await storage.list('workspace', null)).map(({ name }) => name);
}

/** Copies the database with its log, as a power failure would leave them. */
async function copyOf(file: string): Promise<string> {
  const copy = await freshFile();
  for (const name of await readdir(dirname(file))) await copyFile(join(dirname(file), name), join(dirname(copy), name));
  return copy;
}

describe('disk that fails to persist a change', () => {
  test('hides the change from readers and accepts no further changes', async () => {
    const file = await freshFile();
    let sync: () => Promise<void> = done;
    const storage = await open(file, { sync: () => sync() });
    await insert(storage, 'kept');
    expect(storage.isWritable()).toBe(true);

    sync = () => Promise.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    const lost = insert(storage, 'doubtful');

    await expect(lost).rejects.toMatchObject({ code: 'storage-unavailable', status: 503 });
    await expect(lost).rejects.toHaveProperty('cause.cause.code', 'EIO');
    expect(storage.isWritable()).toBe(false);
    expect(await namesIn(storage)).toEqual(['kept']);
    expect(await storage.find('workspace', null, 'doubtful')).toBeUndefined();
    expect(storage.position()).toBe(1);

    sync = done;
    await expect(insert(storage, 'later')).rejects.toMatchObject({ code: 'storage-unavailable' });
    expect(await namesIn(storage)).toEqual(['kept']);
  });

  test('rejects every change in the same commit', async () => {
    let sync: () => Promise<void> = done;
    const storage = await open(await freshFile(), { sync: () => sync() });
    sync = () => Promise.reject(new Error('no'));

    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((name) => insert(storage, name)));

    expect(outcomes).toMatchObject(['a', 'b', 'c'].map(() => ({ reason: { code: 'storage-unavailable' } })));
    expect(await namesIn(storage)).toEqual([]);
  });

  test('leaves a valid database with every acknowledged change', async () => {
    const file = await freshFile();
    let sync: () => Promise<void> = done;
    const storage = await open(file, { sync: () => sync() });
    await insert(storage, 'kept');
    sync = () => Promise.reject(new Error('no'));
    await expect(insert(storage, 'doubtful')).rejects.toThrow();

    const afterPowerCut = await open(await copyOf(file));
    await storage.close();
    // Writes that the disk has not confirmed are not moved into the database.
    expect(await readdir(dirname(file))).toContain('graticule.sqlite-wal');
    const again = await open(file);

    for (const each of [afterPowerCut, again]) {
      expect(await namesIn(each)).toContain('kept');
      expect(await each.findIntegrityProblems()).toEqual([]);
      await insert(each, 'next');
      expect(each.isWritable()).toBe(true);
    }
  });
});

describe('disk that never responds', () => {
  test('does not prevent the storage from closing after the timeout', async () => {
    const file = await freshFile();
    let sync: () => Promise<void> = done;
    const called = Promise.withResolvers<void>();
    const storage = await open(file, { sync: () => sync() });
    await insert(storage, 'kept');
    sync = () => {
      called.resolve();
      return new Promise(() => undefined);
    };
    const outcome = Promise.allSettled([insert(storage, 'hung')]);
    await called.promise;

    await storage.close(AbortSignal.abort());

    expect(await outcome).toMatchObject([{ reason: { code: 'draining' } }]);
    const again = await open(file);
    expect(await namesIn(again)).toContain('kept');
    expect(await again.findIntegrityProblems()).toEqual([]);
  });
});

describe('database lock held by another program', () => {
  test('is waited for until the timeout while reads continue', async () => {
    const file = await freshFile();
    const storage = await open(file, { busyTimeoutMs: 1_000 });
    await insert(storage, 'before');
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    let turns = 0;
    let reads = 0;
    let isWaiting = true;

    const outcomes = Promise.allSettled(['a', 'b', 'c'].map((name) => insert(storage, name))).finally(() => {
      isWaiting = false;
    });
    while (isWaiting) {
      reads += (await namesIn(storage)).length;
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }

    const busy = { reason: { code: 'storage-busy', status: 503, details: { retryAfterSeconds: 5 } } };
    expect(await outcomes).toMatchObject([busy, busy, busy]);
    expect(turns).toBeGreaterThan(1);
    expect(reads).toBe(turns);
    expect(storage.isWritable()).toBe(true);

    other.exec('ROLLBACK');
    await insert(storage, 'after');
    expect(await namesIn(storage)).toEqual(['after', 'before']);
  });

  test('delays writes only until it is released', async () => {
    const file = await freshFile();
    const storage = await open(file, { busyTimeoutMs: 60_000 });
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');

    const written = insert(storage, 'acme');
    await new Promise((resolve) => setImmediate(resolve));
    other.exec('ROLLBACK');
    await written;

    expect(await namesIn(storage)).toEqual(['acme']);
  });
});
