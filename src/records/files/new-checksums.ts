/**
 * The CRC-32 of files that this server has stored, until they are written to a note. They are computed together with
 * the hash, so that a backup need not hash the file again. A list that a crash loses only costs that time.
 */
import type { Hash, HashedFile } from '../../storage/blobs/port.ts';

/** The limit of the memory that they take: a later file is hashed by the next backup. */
const MAX_FILES = 100_000;

export class NewChecksums {
  #known = new Map<Hash, number>();

  /** Ignores files whose checksum is unknown. */
  add(files: Iterable<Pick<HashedFile, 'hash' | 'checksum'>>): void {
    for (const { hash, checksum } of files) {
      if (checksum !== undefined && this.#known.size < MAX_FILES) this.#known.set(hash, checksum);
    }
  }

  /** Returns all that were added since the last call. */
  take(): ReadonlyMap<Hash, number> {
    const taken = this.#known;
    this.#known = new Map();
    return taken;
  }
}
