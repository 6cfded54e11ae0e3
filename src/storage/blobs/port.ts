/**
 * The interface of content-addressed storage. Blobs are immutable: a record that refers to a hash refers to the same
 * bytes as long as they are stored.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The SHA-256 of the bytes in hexadecimal digits. */
export type Hash = string;

/** `purged`: the bytes existed and were deleted on request. */
export type BlobState = 'present' | 'purged' | 'absent';

export interface StoredBlob {
  readonly hash: Hash;
  readonly bytes: number;
  /** The time of the last put. */
  readonly putAtMs: number;
  /** Whether a purge was started and interrupted. */
  readonly isHalfPurged: boolean;
}

/** The hash of bytes and their CRC-32, computed together. */
export interface HashedContent {
  readonly hash: Hash;
  readonly checksum: number;
}

/** A file that is stored while it is written. The blob exists only after `putFiles`. */
export interface IncomingBlob {
  /** Called with the number of bytes that were written so far. Never waits for the storage. */
  advance(bytes: number): void;
  /** Called when the file is complete. */
  end(): void;
  /** Waits for the end. Returns undefined if the bytes were not hashed, because the file is stored when it is complete. */
  readContent(): Promise<HashedContent | undefined>;
  /** Removes the bytes from the storage, unless `putFiles` was called. Succeeds if the storage fails. */
  discard(): Promise<void>;
}

/** A file with a known hash. */
export interface HashedFile {
  readonly hash: Hash;
  /** The CRC-32 of the hashed bytes, if it is known. */
  readonly checksum?: number;
  readonly file: string;
  /** Its bytes in the storage. */
  readonly incoming?: IncomingBlob;
}

export interface DeleteOptions {
  /** Whether the deletion is remembered as a purge. */
  readonly purged: boolean;
  /**
   * Called with the current state once the bytes can no longer be stored concurrently. The bytes are kept if it returns
   * true.
   */
  readonly unless?: (now: StoredBlob) => Promise<boolean>;
}

export interface Blobs {
  /** Resolves when the bytes are durable. Purged bytes exist again. */
  put(hash: Hash, bytes: Uint8Array): Promise<void>;
  /** Stores many small blobs in about the time of one. The arrays must not be modified any more. */
  putAll(contents: ReadonlyMap<Hash, Uint8Array>): Promise<void>;
  /** Stores local files, without a copy if possible. The files must not be modified any more. */
  putFiles(files: readonly HashedFile[]): Promise<void>;
  /**
   * Begins to store a file that is being written. `isStorable` is called once after the first bytes; the file is not
   * stored if it returns false. Returns undefined if the storage needs complete files.
   */
  follow?(file: string, isStorable: () => Promise<boolean>): IncomingBlob | undefined;
  getState(hash: Hash): Promise<BlobState>;
  /** Returns the number of bytes; undefined if the blob does not exist. */
  findSize(hash: Hash): Promise<number | undefined>;
  /** Reads the bytes and returns whether they match the hash; false if the blob does not exist. */
  isIntact(hash: Hash): Promise<boolean>;
  /** Throws `BlobMissing` if the blob does not exist. */
  read(hash: Hash): Promise<Buffer>;
  /** Creates a read-only file with the bytes at a new path; throws `BlobMissing` like `read`. */
  linkTo(hash: Hash, file: string): Promise<void>;
  /** Creates a writable copy of the bytes. */
  copyTo(hash: Hash, file: string): Promise<void>;
  /** Deletes the bytes and returns whether they existed. */
  delete(hash: Hash, options: DeleteOptions): Promise<boolean>;
  /** Lists all blobs in batches, so that a reader can stop in between. */
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

/** Prevents path traversal: only a valid hash may become part of a path. */
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

export function hashContent(bytes: Uint8Array): HashedContent {
  return { hash: hashBytes(bytes), checksum: crc32(bytes) };
}
