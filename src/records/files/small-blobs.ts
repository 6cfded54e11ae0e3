/** Keeps small bytes that were recently stored or read in memory. */
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import type { Blobs, Hash } from '../../storage/blobs/port.ts';

/** The total size of cached small bytes, and the size limit of each. */
const CACHED_BYTES = 8_388_608;
const MAX_CACHED_BLOB_BYTES = 16_384;

export class SmallBlobs {
  readonly #blobs: Blobs;
  readonly #cached = createLruCache<Uint8Array>(CACHED_BYTES);

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async read(hash: Hash): Promise<Buffer> {
    const known = this.#cached.get(hash);
    if (known !== undefined) return Buffer.from(known);
    const bytes = await this.#blobs.read(hash);
    this.remember(hash, Buffer.from(bytes));
    return bytes;
  }

  remember(hash: Hash, bytes: Uint8Array): void {
    if (bytes.length <= MAX_CACHED_BLOB_BYTES) this.#cached.set(hash, bytes, bytes.length);
  }

  forget(hashes: Iterable<Hash>): void {
    for (const hash of hashes) this.#cached.delete(hash);
  }
}
