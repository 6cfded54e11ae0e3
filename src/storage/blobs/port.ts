/**
 * What the server needs of a place that keeps bytes under their hash. What is kept never changes, so a record that names
 * a hash names those bytes for as long as they are kept.
 */
import { hash } from 'node:crypto';

/** SHA-256 of the bytes, in hexadecimal digits. */
export type Hash = string;

/** `purged`: they were here, and somebody wanted them gone. */
export type BlobState = 'present' | 'purged' | 'absent';

export interface StoredBlob {
  readonly hash: Hash;
  readonly bytes: number;
  /** When it was last put. */
  readonly putAtMs: number;
  /** Whether it was to be purged, and that was cut off. */
  readonly isHalfPurged: boolean;
}

/** A file whose hash is known. */
export interface HashedFile {
  readonly hash: Hash;
  readonly file: string;
}

export interface DeleteOptions {
  /** Whether it is to be remembered that they were here. */
  readonly purged: boolean;
  /** Asked when nobody can put the bytes any more before they are gone, with what they are by then: with true they stay. */
  readonly unless?: (now: StoredBlob) => Promise<boolean>;
}

export interface Blobs {
  /** Resolved means durable. Bytes that were purged are there again. */
  put(hash: Hash, bytes: Uint8Array): Promise<void>;
  /** The same for many small ones, which takes hardly longer than one; nobody may write into them any more. */
  putAll(contents: ReadonlyMap<Hash, Uint8Array>): Promise<void>;
  /** The same for files of this server, without copying them where that can be done: nobody may write into them any more. */
  putFiles(files: readonly HashedFile[]): Promise<void>;
  getState(hash: Hash): Promise<BlobState>;
  /** How many bytes there are; undefined where there are none. */
  findSize(hash: Hash): Promise<number | undefined>;
  /** Reads them, and tells whether they are those of the hash; false too where there are none. */
  isIntact(hash: Hash): Promise<boolean>;
  /** A `BlobMissing` error where there are none. */
  read(hash: Hash): Promise<Buffer>;
  /** Gives the bytes a name of a file that is not there yet and that nobody may write into; `BlobMissing` as for read. */
  linkTo(hash: Hash, file: string): Promise<void>;
  /** The same with a copy, which may be written. */
  copyTo(hash: Hash, file: string): Promise<void>;
  /** Takes the bytes away, and tells whether they were there. */
  delete(hash: Hash, options: DeleteOptions): Promise<boolean>;
  /** All there are, in parts, so that a reader can stop in between. */
  list(): AsyncIterable<readonly StoredBlob[]>;
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
  readonly state: BlobState;
  constructor(hash: Hash, state: BlobState) {
    super(`Blob ${hash} is ${state}.`);
    this.state = state;
  }
}

const hashPattern = /^[0-9a-f]{64}$/;

/** What is no hash never becomes part of a path. */
export function checkHash(hash: string): void {
  if (!hashPattern.test(hash)) {
    throw new Error(`'${hash}' is not a valid hash.`);
  }
}

export function isHash(text: string): boolean {
  return hashPattern.test(text);
}

export function hashBytes(bytes: Uint8Array): Hash {
  return hash('sha256', bytes);
}
