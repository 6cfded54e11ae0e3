/** Blobs that all nodes share, with a local copy of those that this node has used. Blobs are immutable. */
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { allSettled } from '../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { type Disk, realDisk } from './disk.ts';
import { createHasher } from './hash-thread.ts';
import { BlobMissing, type Blobs, type Hash, hashBytes } from './port.ts';

/** The shared storage of all nodes; like `Blobs`, but without local files. */
export interface SharedBytes
  extends Pick<Blobs, 'put' | 'putAll' | 'getState' | 'findSize' | 'isIntact' | 'delete' | 'list'> {
  putFile(hash: Hash, file: string): Promise<void>;
  /** Reads in pieces; throws `BlobMissing` if the blob does not exist. */
  read(hash: Hash): AsyncIterable<Uint8Array>;
  /** Returns the hashes that exist. */
  findPresent(hashes: readonly Hash[]): Promise<ReadonlySet<Hash>>;
}

export interface CachedBlobs extends Blobs {
  /** Deletes copies of deleted blobs, of the given ones or of all. Returns the deleted hashes. */
  deleteStale(hashes?: readonly Hash[]): Promise<readonly Hash[]>;
}

/** The number of concurrent uploads. Each needs a connection. */
const FILES_AT_ONCE = 2;

export function openCachedBlobs(options: {
  readonly shared: SharedBytes;
  /** The local copies. */
  readonly local: Blobs;
  readonly staging: () => Promise<string>;
  readonly disk?: Disk;
  /** Called when blobs were copied to this node. */
  readonly grown?: () => void;
}): CachedBlobs {
  const { shared, local, staging, disk = realDisk, grown = () => undefined } = options;
  const oneAtATime = createKeyedMutex();

  async function fetchBlob(hash: Hash): Promise<void> {
    if ((await local.getState(hash)) === 'present') return;
    await oneAtATime(hash, async () => {
      if ((await local.getState(hash)) === 'present') return;
      const file = join(await staging(), `blob-${randomUUID()}`);
      try {
        if ((await saveToFile(shared.read(hash), file)) !== hash) throw new BlobMissing(hash, 'absent');
        await local.putFiles([{ hash, file }]);
        grown();
        // The blob was purged during the copy: the announcement may have arrived before there was a copy to delete.
        const state = await shared.getState(hash);
        if (state !== 'present') {
          await local.delete(hash, { purged: false });
          throw new BlobMissing(hash, state);
        }
      } finally {
        await disk.removeFile(file);
      }
    });
  }

  /** The shared storage already has the bytes. If the local disk is full, only the copy is missing. */
  async function copyLocally(copy: () => Promise<void>): Promise<void> {
    try {
      await copy();
      grown();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  async function deleteStaleAmong(hashes: readonly Hash[]): Promise<readonly Hash[]> {
    const present = await shared.findPresent(hashes);
    const gone = hashes.filter((hash) => !present.has(hash));
    for (const hash of gone) await local.delete(hash, { purged: false });
    return gone;
  }

  return {
    async deleteStale(hashes) {
      if (hashes !== undefined) return deleteStaleAmong(hashes);
      const gone: Hash[] = [];
      for await (const part of local.list()) gone.push(...(await deleteStaleAmong(part.map(({ hash }) => hash))));
      return gone;
    },

    getState: (hash) => shared.getState(hash),
    findSize: (hash) => shared.findSize(hash),
    isIntact: (hash) => shared.isIntact(hash),
    list: () => shared.list(),

    async put(hash, bytes) {
      await shared.put(hash, bytes);
      await copyLocally(() => local.put(hash, bytes));
    },

    async putAll(contents) {
      await shared.putAll(contents);
      await copyLocally(() => local.putAll(contents));
    },

    async putFiles(files) {
      const atOnce = createConcurrencyLimiter(FILES_AT_ONCE);
      await allSettled(files.map(({ hash, file }) => atOnce(() => shared.putFile(hash, file))));
      await copyLocally(() => local.putFiles(files));
    },

    async read(hash) {
      try {
        await fetchBlob(hash);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        return readIntoMemory(shared, hash);
      }
      return local.read(hash);
    },

    async linkTo(hash, file) {
      await fetchBlob(hash);
      await local.linkTo(hash, file);
    },

    async copyTo(hash, file) {
      await fetchBlob(hash);
      await local.copyTo(hash, file);
    },

    async delete(hash, how) {
      const isGone = await shared.delete(hash, how);
      if (isGone) await local.delete(hash, { purged: false });
      return isGone;
    },
  };
}

function isDiskFull(error: unknown): boolean {
  return findDiskProblem(error)?.code === 'storage-full';
}

async function readIntoMemory(shared: SharedBytes, hash: Hash): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of shared.read(hash)) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  if (hashBytes(bytes) !== hash) throw new BlobMissing(hash, 'absent');
  return bytes;
}

/** Writes a file and returns the hash of its contents. */
async function saveToFile(pieces: AsyncIterable<Uint8Array>, file: string): Promise<Hash> {
  const handle = await open(file, 'wx', 0o600);
  const hasher = createHasher(Number.POSITIVE_INFINITY);
  try {
    for await (const piece of pieces) {
      await Promise.all([hasher.update(piece), handle.writeFile(piece)]);
    }
    return await hasher.digest();
  } catch (error) {
    hasher.discard();
    throw error;
  } finally {
    await handle.close();
  }
}
