/**
 * Uploads a file to an object store while it is written, so that an upload takes little longer than its reception. Parts
 * are read from the file: a slow or silent store delays no client, and only the parts in flight are in memory. The key of
 * the object does not contain the hash, which is known at the end.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { allSettled } from '../../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../../lib/async/concurrency-limiter.ts';
import { createPartHasher, type PartHasher } from '../../blobs/hash-thread.ts';
import type { HashedContent, IncomingBlob } from '../../blobs/port.ts';
import type { PartMemory } from '../../objects/part-memory.ts';
import type { PartUpload } from '../../objects/port.ts';
import { readPart } from '../../objects/read-part.ts';

/** While two parts are sent, the next one is read and hashed. */
const PARTS_AT_ONCE = 3;

/** The time for requests in progress after a rejected upload. Its client waits. */
const DISCARD_MS = 2_000;

interface FilledPart {
  readonly part: number;
  readonly body: Uint8Array;
  readonly hash: string;
  readonly held: SharedArrayBuffer;
}

export interface IncomingObjectOptions {
  readonly object: string;
  readonly file: string;
  readonly partBytes: number;
  /** Larger files need larger parts: they are stored when their size is known. */
  readonly maxParts: number;
  readonly memory: PartMemory;
  /** Called once, when the first part is written. */
  readonly isStorable: () => Promise<boolean>;
  /** Notes the object and begins its upload. */
  readonly begin: () => Promise<PartUpload>;
  /** Removes the parts. After a failure, late requests can still arrive at the store. */
  readonly remove: (uploadId: string, hasFailed: boolean) => Promise<void>;
}

export class IncomingObject implements IncomingBlob {
  readonly object: string;
  readonly #options: IncomingObjectOptions;
  #writtenBytes = 0;
  #isComplete = false;
  #isStopped = false;
  /** Whether `complete` or `discard` was called. */
  #isEnded = false;
  #hasFailedEarly = false;
  readonly #sendingStop = new AbortController();
  #change = Promise.withResolvers<void>();
  #upload: PartUpload | undefined;
  readonly #content = Promise.withResolvers<HashedContent | undefined>();
  /** Resolves when all parts are sent; undefined if the file is not stored in parts. */
  readonly #sending: Promise<PartUpload | undefined>;

  constructor(options: IncomingObjectOptions) {
    this.object = options.object;
    this.#options = options;
    this.#sending = this.#send();
    // `complete` reports a failure.
    this.#sending.catch(() => undefined).finally(() => this.#content.resolve(undefined));
  }

  advance(bytes: number): void {
    this.#writtenBytes = bytes;
    this.#wake();
  }

  end(): void {
    this.#isComplete = true;
    this.#wake();
  }

  readContent(): Promise<HashedContent | undefined> {
    return this.#content.promise;
  }

  /**
   * Resolves when the store has confirmed all bytes. Returns false if the file must be uploaded again, because the store
   * failed before the file was complete, or because this upload was already used.
   */
  async complete(): Promise<boolean> {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    try {
      const upload = await this.#sending;
      await upload?.complete(this.#writtenBytes);
      return upload !== undefined;
    } catch (error) {
      await this.#remove(true);
      if (this.#hasFailedEarly) return false;
      throw error;
    }
  }

  async discard(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#isStopped = true;
    this.#wake();
    const ended = await Promise.race([
      this.#sending.then(
        () => 'sent' as const,
        () => 'failed' as const,
      ),
      wait(DISCARD_MS, 'silent' as const, { ref: false }),
    ]);
    // The collector removes what was sent to a silent store.
    if (ended === 'silent') this.#sendingStop.abort(new Error('The upload is not needed any more'));
    else await this.#remove(ended === 'failed');
  }

  /** The collector removes what cannot be removed now. */
  async #remove(hasFailed: boolean): Promise<void> {
    if (this.#upload !== undefined) await this.#options.remove(this.#upload.uploadId, hasFailed).catch(() => undefined);
  }

  async #send(): Promise<PartUpload | undefined> {
    const { file, partBytes, isStorable, begin } = this.#options;
    await this.#waitFor(partBytes + 1);
    // A single part needs one request and no upload in parts.
    if (this.#isStopped || this.#writtenBytes <= partBytes || !(await isStorable())) return undefined;
    const handle = await open(file);
    const hasher = createPartHasher();
    try {
      this.#upload = await begin();
      await this.#sendParts(this.#upload, handle, hasher);
      return this.#upload;
    } catch (error) {
      this.#hasFailedEarly = !this.#isComplete;
      throw error;
    } finally {
      hasher.discard();
      await handle.close();
    }
  }

  async #sendParts(upload: PartUpload, handle: FileHandle, hasher: PartHasher): Promise<void> {
    const { partBytes, maxParts, memory } = this.#options;
    const inOrder = createConcurrencyLimiter(1);
    let parts = 0;
    let hasContent = false;
    /** Parts are read and hashed one after the other, because the hash of the file needs their order. */
    const fillPart = async (): Promise<FilledPart | undefined> => {
      const start = parts * partBytes;
      await this.#waitFor(start + partBytes);
      const bytes = Math.min(partBytes, this.#writtenBytes - start);
      if (this.#isStopped) return undefined;
      if (bytes <= 0) {
        if (!hasContent) this.#content.resolve(await hasher.digest());
        hasContent = true;
        return undefined;
      }
      if (parts === maxParts) throw new Error('A file has too many parts.');
      parts += 1;
      const part = parts;
      const held = await memory.take();
      try {
        const body = await readPart(handle, Buffer.from(held, 0, bytes), start);
        return { part, body, hash: await hasher.hashPart(held, bytes), held };
      } catch (error) {
        memory.giveBack(held);
        throw error;
      }
    };
    const runLane = async () => {
      for (let next = await inOrder(fillPart); next !== undefined; next = await inOrder(fillPart)) {
        try {
          await upload.send(next.part, next.body, next.hash, this.#sendingStop.signal);
        } finally {
          memory.giveBack(next.held);
        }
      }
    };
    await allSettled(
      Array.from({ length: PARTS_AT_ONCE }, () =>
        runLane().catch((error: unknown) => {
          this.#isStopped = true;
          this.#wake();
          throw error;
        }),
      ),
    );
  }

  /** Resolves when the file has so many bytes, is complete, or is not needed any more. */
  async #waitFor(bytes: number): Promise<void> {
    while (this.#writtenBytes < bytes && !this.#isComplete && !this.#isStopped) await this.#change.promise;
  }

  #wake(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }
}
