/** Blobs that all nodes share, with a local copy of those that this node has used. Blobs are immutable. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { allSettled } from '../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { type Disk, realDisk } from './disk.ts';
import {
  BlobMissing,
  type BlobState,
  type Blobs,
  type DeleteOptions,
  type Hash,
  type HashedFile,
  hashBytes,
  type IncomingBlob,
  type StoredBlob,
} from './port.ts';
import { saveToFile } from './save-to-file.ts';

/** The shared storage of all nodes; like `Blobs`, but without local files. */
export interface SharedBytes
  extends Pick<Blobs, 'put' | 'putAll' | 'follow' | 'getState' | 'findSize' | 'isIntact' | 'delete' | 'list'> {
  putFile(hash: Hash, file: string, incoming?: IncomingBlob): Promise<void>;
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

export interface CachedBlobsOptions {
  readonly shared: SharedBytes;
  /** The local copies. */
  readonly local: Blobs;
  readonly staging: () => Promise<string>;
  readonly disk?: Disk;
  /** Called when blobs were copied to this node. */
  readonly grown?: () => void;
}

export function openCachedBlobs(options: CachedBlobsOptions): CachedBlobs {
  return new CachedBlobStore(options);
}

class CachedBlobStore implements CachedBlobs {
  readonly #options: CachedBlobsOptions;
  readonly #disk: Disk;
  readonly #grown: () => void;
  readonly #oneAtATime = createKeyedMutex();

  constructor(options: CachedBlobsOptions) {
    this.#options = options;
    this.#disk = this.#options.disk ?? realDisk;
    this.#grown = this.#options.grown ?? (() => undefined);
  }

  async deleteStale(hashes?: readonly Hash[]): Promise<readonly Hash[]> {
    if (hashes !== undefined) return this.#deleteStaleAmong(hashes);
    const gone: Hash[] = [];
    for await (const part of this.#options.local.list())
      gone.push(...(await this.#deleteStaleAmong(part.map(({ hash }) => hash))));
    return gone;
  }

  getState(hash: Hash): Promise<BlobState> {
    return this.#options.shared.getState(hash);
  }

  findSize(hash: Hash): Promise<number | undefined> {
    return this.#options.shared.findSize(hash);
  }

  isIntact(hash: Hash): Promise<boolean> {
    return this.#options.shared.isIntact(hash);
  }

  list(): AsyncIterable<readonly StoredBlob[]> {
    return this.#options.shared.list();
  }

  async put(hash: Hash, bytes: Uint8Array): Promise<void> {
    await this.#options.shared.put(hash, bytes);
    await this.#copyLocally(() => this.#options.local.put(hash, bytes));
  }

  async putAll(contents: ReadonlyMap<Hash, Uint8Array>): Promise<void> {
    await this.#options.shared.putAll(contents);
    await this.#copyLocally(() => this.#options.local.putAll(contents));
  }

  async putFiles(files: readonly HashedFile[]): Promise<void> {
    const atOnce = createConcurrencyLimiter(FILES_AT_ONCE);
    const { shared } = this.#options;
    await allSettled(files.map(({ hash, file, incoming }) => atOnce(() => shared.putFile(hash, file, incoming))));
    await this.#copyLocally(() => this.#options.local.putFiles(files));
  }

  follow(file: string, isStorable: () => Promise<boolean>): IncomingBlob | undefined {
    return this.#options.shared.follow?.(file, isStorable);
  }

  async read(hash: Hash): Promise<Buffer> {
    try {
      await this.#fetchBlob(hash);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      return readIntoMemory(this.#options.shared, hash);
    }
    return this.#options.local.read(hash);
  }

  async linkTo(hash: Hash, file: string): Promise<void> {
    await this.#fetchBlob(hash);
    await this.#options.local.linkTo(hash, file);
  }

  async copyTo(hash: Hash, file: string): Promise<void> {
    await this.#fetchBlob(hash);
    await this.#options.local.copyTo(hash, file);
  }

  async delete(hash: Hash, how: DeleteOptions): Promise<boolean> {
    const isGone = await this.#options.shared.delete(hash, how);
    if (isGone) await this.#options.local.delete(hash, { purged: false });
    return isGone;
  }

  async #fetchBlob(hash: Hash): Promise<void> {
    if ((await this.#options.local.getState(hash)) === 'present') return;
    await this.#oneAtATime(hash, async () => {
      if ((await this.#options.local.getState(hash)) === 'present') return;
      const file = join(await this.#options.staging(), `blob-${randomUUID()}`);
      try {
        if ((await saveToFile(this.#options.shared.read(hash), file)) !== hash) throw new BlobMissing(hash, 'absent');
        await this.#options.local.putFiles([{ hash, file }]);
        this.#grown();
        // The blob was purged during the copy: the announcement may have arrived before there was a copy to delete.
        const state = await this.#options.shared.getState(hash);
        if (state !== 'present') {
          await this.#options.local.delete(hash, { purged: false });
          throw new BlobMissing(hash, state);
        }
      } finally {
        await this.#disk.removeFile(file);
      }
    });
  }

  /** The shared storage already has the bytes. If the local disk is full, only the copy is missing. */
  async #copyLocally(copy: () => Promise<void>): Promise<void> {
    try {
      await copy();
      this.#grown();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  async #deleteStaleAmong(hashes: readonly Hash[]): Promise<readonly Hash[]> {
    const present = await this.#options.shared.findPresent(hashes);
    const gone = hashes.filter((hash) => !present.has(hash));
    for (const hash of gone) await this.#options.local.delete(hash, { purged: false });
    return gone;
  }
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
