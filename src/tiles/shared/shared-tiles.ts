/**
 * Reads and writes the tiles of all nodes. A slow or failing store delays a request only for a moment: the tile is drawn
 * instead, and after some failures the store is not used for a while.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import type { SharedTier, SharedTierCounts } from '../cache/shared-tier.ts';
import type { TileStore } from './tile-store.ts';

export interface SharedTilesOptions {
  readonly store: TileStore;
  /** Returns the beginning of all keys of this installation. */
  readonly readPrefix: () => Promise<string>;
  readonly clock: () => number;
  readonly maxBytes: number;
  /** Called when the store is not used for a while because of failures. */
  readonly onPause: (reason: unknown) => void;
  /** Shorter in tests. */
  readonly readMs?: number;
}

/** Object stores answer within 100 ms as a rule. A longer wait would delay a tile more than drawing it. */
const READ_MS = 1_000;

/** No request waits for it. Longer than a store needs in an overload that passes. */
const WRITE_MS = 30_000;

/** Each holds a connection. Further lookups are misses. */
const MAX_READS = 64;

/** Enough for the tiles that a node with 16 threads draws, at 50 ms for each write. */
const MAX_WRITES_AT_ONCE = 8;

/** Some seconds of drawing. Seed jobs wait before that. */
const MAX_PENDING_WRITES = 1_000;

/** Pending tiles are in memory, beside the budget of the caches. */
const MAX_PENDING_BYTES = 33_554_432;

/** A single lost connection is usual; three in a row are a failure of the store. */
const FAILURES_UNTIL_PAUSE = 3;

/** Short enough to use the store again soon, and long enough that few requests wait for a silent one. */
const PAUSE_MS = 10_000;

/** Pending tiles of a stopping node; the drain of requests has its own time. */
const CLOSE_MS = 5_000;

export class SharedTiles implements SharedTier {
  readonly #options: SharedTilesOptions;
  readonly #reads = new Map<string, Promise<Buffer | undefined>>();
  readonly #writes = new Set<Promise<void>>();
  readonly #limitWrites = createConcurrencyLimiter(MAX_WRITES_AT_ONCE);
  readonly #closed = new AbortController();
  #prefix: Promise<string> | undefined;
  #pendingBytes = 0;
  #failures = 0;
  #pausedUntilMs = 0;
  #failedWrites = 0;
  #writesPausedUntilMs = 0;
  #usedBytes = 0;
  #writtenBytes = 0;
  #failedReads = 0;
  #skippedWrites = 0;
  #isClosing = false;

  constructor(options: SharedTilesOptions) {
    this.#options = options;
  }

  find(key: string): Promise<Buffer | undefined> {
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    if (this.#isPaused() || this.#reads.size >= MAX_READS) return Promise.resolve(undefined);
    const reading = this.#read(key).finally(() => this.#reads.delete(key));
    this.#reads.set(key, reading);
    return reading;
  }

  write(key: string, content: Buffer): void {
    const isBehind = this.#writes.size >= MAX_PENDING_WRITES || this.#pendingBytes + content.length > MAX_PENDING_BYTES;
    if (this.#isClosing || isBehind || this.isFull() || this.#areWritesPaused()) {
      this.#skippedWrites += 1;
      return;
    }
    this.#pendingBytes += content.length;
    const written = this.#limitWrites(() => this.#write(key, content)).finally(() => {
      this.#pendingBytes -= content.length;
      this.#writes.delete(written);
    });
    this.#writes.add(written);
  }

  async waitForWrites(most: number): Promise<void> {
    while (this.#writes.size > most) await Promise.race(this.#writes);
  }

  /** Whether the tiles reach the limit, as far as this node knows. */
  isFull(): boolean {
    return this.#usedBytes + this.#writtenBytes >= this.#options.maxBytes;
  }

  /** Sets the size that was measured for all nodes. */
  setUsage(bytes: number): void {
    this.#usedBytes = bytes;
    this.#writtenBytes = 0;
  }

  count(): SharedTierCounts {
    return {
      bytes: this.#usedBytes + this.#writtenBytes,
      maxBytes: this.#options.maxBytes,
      failedReads: this.#failedReads,
      skippedWrites: this.#skippedWrites,
    };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const ended = new AbortController();
    await Promise.race([
      this.waitForWrites(0).finally(() => ended.abort()),
      wait(CLOSE_MS, undefined, { signal: ended.signal }).catch(() => undefined),
    ]);
    this.#closed.abort(new Error('The server is closing'));
    await Promise.all([this.waitForWrites(0), ...this.#reads.values()]);
    this.#options.store.close();
  }

  async #read(key: string): Promise<Buffer | undefined> {
    const { store, readMs = READ_MS } = this.#options;
    try {
      const content = await this.#runWithDeadline(readMs, async (signal) =>
        store.read(`${await this.#loadPrefix()}${key}`, signal),
      );
      this.#failures = 0;
      return content;
    } catch (error) {
      this.#failedReads += 1;
      this.#countFailedRead(error);
      return undefined;
    }
  }

  async #write(key: string, content: Buffer): Promise<void> {
    // The store may have failed while the tile was waiting.
    if (this.#areWritesPaused() || this.#closed.signal.aborted) {
      this.#skippedWrites += 1;
      return;
    }
    try {
      await this.#runWithDeadline(WRITE_MS, async (signal) =>
        this.#options.store.write(`${await this.#loadPrefix()}${key}`, content, signal),
      );
      this.#failedWrites = 0;
      this.#writtenBytes += content.length;
    } catch (error) {
      this.#skippedWrites += 1;
      this.#countFailedWrite(error);
    }
  }

  /** Does not wait for operations of a silent file system, which cannot be cancelled. */
  async #runWithDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ended = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, ended.signal]);
    const expiry = Promise.withResolvers<never>();
    const fail = () => expiry.reject(signal.reason);
    signal.addEventListener('abort', fail, { once: true });
    const timer = setTimeout(() => ended.abort(new Error(`no answer within ${ms} ms`)), ms).unref();
    try {
      if (signal.aborted) fail();
      return await Promise.race([work(signal), expiry.promise]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', fail);
    }
  }

  #loadPrefix(): Promise<string> {
    this.#prefix ??= this.#options.readPrefix();
    // A failed read is not cached.
    this.#prefix.catch(() => {
      this.#prefix = undefined;
    });
    return this.#prefix;
  }

  #isPaused(): boolean {
    return this.#options.clock() < this.#pausedUntilMs;
  }

  #areWritesPaused(): boolean {
    return this.#isPaused() || this.#options.clock() < this.#writesPausedUntilMs;
  }

  /** Separate from lookups, which succeed in a read-only or deleted directory and on a full disk. */
  #countFailedWrite(reason: unknown): void {
    if (this.#closed.signal.aborted) return;
    this.#failedWrites += 1;
    if (this.#failedWrites < FAILURES_UNTIL_PAUSE || this.#areWritesPaused()) return;
    this.#writesPausedUntilMs = this.#options.clock() + PAUSE_MS;
    this.#options.onPause(reason);
  }

  #countFailedRead(reason: unknown): void {
    if (this.#closed.signal.aborted) return;
    this.#failures += 1;
    if (this.#failures < FAILURES_UNTIL_PAUSE || this.#isPaused()) return;
    this.#pausedUntilMs = this.#options.clock() + PAUSE_MS;
    this.#options.onPause(reason);
  }
}
