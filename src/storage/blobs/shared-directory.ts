/** Blobs in a directory that all nodes have mounted. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allSettled } from '../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import type { KeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { createFolder } from '../../lib/files/create-folder.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import type { SharedBytes } from './cached.ts';
import { openBlobDirectory } from './directory.ts';
import { BlobMissing, type Hash } from './port.ts';

/** Partial files of dead nodes are deleted after a day. */
const LEFTOVER_MAX_AGE_MS = 86_400_000;

/** The number of concurrent puts. Each lock needs a connection. */
const LOCKS_AT_ONCE = 2;

export interface SharedDirectoryOptions {
  readonly directory: string;
  /** Distinguishes these blobs from others in the same directory. */
  readonly shelf: string;
  /** A put must not rely on a blob that another node is deleting. */
  readonly runExclusive: KeyedMutex;
}

export function openSharedDirectory({ directory, shelf, runExclusive: inTurn }: SharedDirectoryOptions): SharedBytes {
  const folder = join(directory, shelf);
  let made: Promise<string> | undefined;
  const openStagingOnce = () => {
    made ??= createStagingFolder(join(directory, 'staging'));
    return made;
  };
  const blobs = openBlobDirectory({ folder, staging: openStagingOnce });
  const runLocked = <T>(hash: Hash, work: () => Promise<T>) =>
    inTurn(`bytes ${shelf} ${hash}`, async (held) => {
      const result = await work();
      // If the lock was lost, another node may have deleted blobs that were found here.
      await held.confirm();
      return result;
    });
  return {
    getState: (hash) => blobs.getState(hash),
    findSize: (hash) => blobs.findSize(hash),
    isIntact: (hash) => blobs.isIntact(hash),
    list: () => blobs.list(),
    put: (hash, bytes) => runLocked(hash, () => blobs.put(hash, bytes)),
    async putAll(contents) {
      const atOnce = createConcurrencyLimiter(LOCKS_AT_ONCE);
      await allSettled(
        [...contents].map(([hash, bytes]) => atOnce(() => runLocked(hash, () => blobs.put(hash, bytes)))),
      );
    },
    putFile: (hash, file) => runLocked(hash, () => blobs.putFiles([{ hash, file }])),
    delete: (hash, how) => runLocked(hash, () => blobs.delete(hash, how)),
    async findPresent(hashes) {
      const present = new Set<Hash>();
      for (const hash of hashes) if ((await blobs.getState(hash)) === 'present') present.add(hash);
      return present;
    },
    async *read(hash) {
      if ((await blobs.findSize(hash)) === undefined) throw new BlobMissing(hash, await blobs.getState(hash));
      yield* createReadStream(join(folder, hash.slice(0, 2), hash), { highWaterMark: 1024 * 1024 });
    },
  };
}

async function createStagingFolder(folder: string): Promise<string> {
  await createFolder(folder);
  const nowMs = await readFileSystemTime(folder);
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    await deleteLeftover(file, nowMs).catch((error: unknown) => {
      // Another node removed it first.
      if (findErrorCode(error) !== 'ENOENT') throw error;
    });
  }
  return folder;
}

/** Uses the clock of the file system: with a wrong clock of this node, uploads of other nodes would be removed. */
async function readFileSystemTime(folder: string): Promise<number> {
  const file = join(folder, `time-${randomUUID()}`);
  await writeFile(file, '', { flag: 'wx', mode: 0o600 });
  try {
    return (await stat(file)).mtimeMs;
  } finally {
    await unlink(file);
  }
}

async function deleteLeftover(file: string, nowMs: number): Promise<void> {
  if (nowMs - (await stat(file)).mtimeMs > LEFTOVER_MAX_AGE_MS) await unlink(file);
}
