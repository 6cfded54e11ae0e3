/** The interface of an object store. Keys are written once: a key that names bytes never names others. */
import type { Hash } from '../blobs/port.ts';

/** The bytes of an upload, in a file or in memory. */
export type ObjectContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly hash: Hash }
  | { readonly kind: 'file'; readonly file: string; readonly bytes: number; readonly hash: Hash };

export interface PutObjectOptions {
  /** Called with the identifier of an upload in parts before its first part is sent. */
  readonly onUpload?: (uploadId: string) => Promise<void>;
}

/** An upload in parts of equal size, except the last one. */
export interface PartUpload {
  readonly uploadId: string;
  /** Sends the part with this number, from 1, and this SHA-256. The signal ends the request. */
  send(part: number, body: Uint8Array, hash: Hash, signal?: AbortSignal): Promise<void>;
  /** Resolves when the store has confirmed all bytes. */
  complete(bytes: number): Promise<void>;
}

export interface ObjectStore {
  /** The size of the parts of uploads whose size is unknown. */
  readonly partBytes: number;
  /** The number of parts that an upload may have. */
  readonly maxParts: number;
  /** For messages, without secrets. */
  readonly shown: string;
  /** Resolves when the store has confirmed all bytes. */
  put(key: string, content: ObjectContent, options?: PutObjectOptions): Promise<void>;
  beginParts(key: string): Promise<PartUpload>;
  /** Creates a small object; returns false if it exists. Stores without conditional writes replace it. */
  create(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Reads a small object; undefined if it does not exist. */
  readSmall(key: string): Promise<Buffer | undefined>;
  /** Reads the expected number of bytes, also across lost connections. Throws `ObjectMissing`. */
  read(key: string, bytes: number): AsyncIterable<Buffer>;
  /** Succeeds if the object does not exist. */
  delete(key: string): Promise<void>;
  /** Discards the parts of an upload. Succeeds if it does not exist. */
  abortUpload(key: string, uploadId: string): Promise<void>;
  close(): void;
}

export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
  constructor(key: string) {
    super(`The object store has no object '${key}'.`);
  }
}

/** The store cannot be used. The message is for the operator. */
export class ObjectStoreFailure extends Error {
  override readonly name = 'ObjectStoreFailure';
  /** The code in the response or of the connection. */
  readonly code: string | undefined;
  constructor(message: string, options: { readonly cause?: unknown; readonly code?: string | undefined } = {}) {
    super(message, options);
    this.code = options.code;
  }
}
