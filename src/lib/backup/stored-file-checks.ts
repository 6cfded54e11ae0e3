/**
 * Checks whether stored files match their hash. SHA-256 costs more than all other work of a backup, so a backup
 * compares the CRC-32 that a file had when it was stored, or in an earlier backup. It computes the SHA-256 of other
 * files. A restore checks every SHA-256.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Half of a hash identifies a file. */
const SHORT_HASH_BYTES = 16;
const CHECKSUM_BYTES = 4;
const ENTRY_BYTES = SHORT_HASH_BYTES + CHECKSUM_BYTES;

/** The check of one file, whose bytes are added in order. */
export interface FileCheck {
  add(bytes: Uint8Array): void;
  /** Returns whether the file is intact. */
  finish(): boolean;
}

export interface HashedContent {
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** CRC-32. */
  readonly checksum: number;
}

/** Starts to hash an open file in another thread, and returns a function that waits for the result. */
export type StartHashing = (descriptor: number, bytes: number) => () => HashedContent;

/** Smaller files are hashed in place, because the transfer costs more. */
const MIN_THREAD_BYTES = 1_048_576;

export class StoredFileChecks {
  readonly #startHashing: StartHashing | undefined;
  /** The checksums of files that were intact, by short hash. */
  readonly #known: ReadonlyMap<string, number>;
  readonly #intact = new Map<string, number>();

  /** `known` is a list of `encodeChecksums`, or several, one after the other. */
  constructor(known: Uint8Array = new Uint8Array(), startHashing?: StartHashing) {
    this.#known = new Map(parseChecksums(known));
    this.#startHashing = startHashing;
  }

  /** The file must stay open until `finish` is called. */
  startFile(hash: string, descriptor: number, bytes: number): FileCheck {
    const startHashing = bytes < MIN_THREAD_BYTES || this.#known.has(shorten(hash)) ? undefined : this.#startHashing;
    if (startHashing === undefined) return this.start(hash);
    const waitForResult = startHashing(descriptor, bytes);
    let checksum = 0;
    return {
      add(part) {
        checksum = crc32(part, checksum);
      },
      finish: () => {
        const read = waitForResult();
        // The copied bytes are those that were hashed.
        const isIntact = read.hash === hash && read.checksum === checksum;
        if (isIntact) this.#intact.set(shorten(hash), checksum);
        return isIntact;
      },
    };
  }

  start(hash: string): FileCheck {
    const known = this.#known.get(shorten(hash));
    const sha256 = known === undefined ? createHash('sha256') : undefined;
    let checksum = 0;
    return {
      add(bytes) {
        checksum = crc32(bytes, checksum);
        sha256?.update(bytes);
      },
      finish: () => {
        const isIntact = sha256 === undefined ? checksum === known : sha256.digest('hex') === hash;
        if (isIntact) this.#intact.set(shorten(hash), checksum);
        return isIntact;
      },
    };
  }

  /** Keeps the checksum of a file that an incremental backup omits. */
  keep(hash: string): void {
    const known = this.#known.get(shorten(hash));
    if (known !== undefined) this.#intact.set(shorten(hash), known);
  }

  /** Returns the checksums of the intact files of this backup. */
  listChecksums(): Uint8Array {
    return encodeChecksums(this.#intact);
  }
}

/** Encodes checksums by hash in the form that `StoredFileChecks` reads. */
export function encodeChecksums(checksums: ReadonlyMap<string, number>): Buffer {
  const all = Buffer.alloc(checksums.size * ENTRY_BYTES);
  let at = 0;
  for (const [hash, checksum] of checksums) {
    at += all.write(shorten(hash), at, 'hex');
    at = all.writeUInt32BE(checksum, at);
  }
  return all;
}

function shorten(hash: string): string {
  return hash.slice(0, 2 * SHORT_HASH_BYTES);
}

function* parseChecksums(list: Uint8Array): Generator<[string, number]> {
  const bytes = Buffer.from(list.buffer, list.byteOffset, list.byteLength);
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    yield [bytes.toString('hex', at, at + SHORT_HASH_BYTES), bytes.readUInt32BE(at + SHORT_HASH_BYTES)];
  }
}
