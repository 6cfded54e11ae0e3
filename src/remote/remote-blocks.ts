/**
 * Blocks of remote files in memory, shared by all requests. Blocks are kept by the version of their file, so that old
 * and new content are never mixed.
 */
import { problem } from '../lib/problems/problem.ts';
import { createFairSemaphore, type FairSemaphore } from '../workers/fair-semaphore.ts';
import type { RangedSource, RangeReply, RemoteVersion } from './ranged-source.ts';
import { getRemoteFileName } from './remote-url.ts';

/** Small enough for tables of tile offsets, large enough that a tile has few. */
export const BLOCK_BYTES = 32_768;

/** The first request reads this much: the headers of most cloud-optimised files. */
const HEAD_BLOCKS = 2;

/** Blocks between two wanted ones are read as well if there are this few: a request costs more. */
const MAX_GAP_BLOCKS = 2;

/** The size of one request; a damaged response is repeated at this cost. */
const MAX_RUN_BLOCKS = 128;

/** The number of requests of one reading at the same time. */
const MAX_PARALLEL_RUNS = 4;

/** The number of requests at the same time, and of waiting ones, for all remote files. */
const PERMITS = { places: 16, extraPlaces: 8, maxWaiting: 2_000 };

/** How long a file is used without asking its server whether it has changed. */
const FRESH_MS = 60_000;

/** The number of files whose versions are remembered. */
const MAX_FILES = 10_000;

/** A range of bytes in a file. */
export interface FileRange {
  readonly position: number;
  readonly length: number;
}

export interface RemoteBlocksOptions {
  readonly source: RangedSource;
  readonly maxBytes: number;
  readonly clock: () => number;
}

/** A version of a file that was current a short time ago. */
export interface OpenedRemoteFile {
  readonly url: string;
  readonly version: RemoteVersion;
  /** The blocks of the head, if this opening has read them. */
  readonly head: ReadonlyMap<number, Buffer>;
}

interface KnownFile {
  readonly version: RemoteVersion;
  readonly confirmedAtMs: number;
}

export class RemoteBlocks {
  readonly #options: RemoteBlocksOptions;
  readonly #permits: FairSemaphore = createFairSemaphore(PERMITS);
  readonly #closing = new AbortController();
  readonly #files = new Map<string, KnownFile>();
  readonly #opening = new Map<string, Promise<OpenedRemoteFile>>();
  /** In the order of their last use. */
  readonly #blocks = new Map<string, Buffer>();
  readonly #loading = new Map<string, Promise<ReadonlyMap<number, Buffer>>>();
  #bytes = 0;

  constructor(options: RemoteBlocksOptions) {
    this.#options = options;
  }

  /** Returns the current version of a file. Simultaneous openings of a file share one request. */
  async open(url: string, signal: AbortSignal): Promise<OpenedRemoteFile> {
    signal.throwIfAborted();
    const known = this.#files.get(url);
    // The clock of the server can be set back.
    if (known !== undefined && Math.abs(this.#options.clock() - known.confirmedAtMs) < FRESH_MS) {
      return { url, version: known.version, head: new Map() };
    }
    let opening = this.#opening.get(url);
    if (opening === undefined) {
      opening = this.#confirm(url, known?.version).finally(() => this.#opening.delete(url));
      this.#opening.set(url, opening);
    }
    return waitUnlessAborted(opening, signal);
  }

  /** Returns the bytes of the ranges. Throws `remote-file-changed` if the file no longer has that version. */
  async read(file: OpenedRemoteFile, ranges: readonly FileRange[], signal: AbortSignal): Promise<readonly Buffer[]> {
    const blocks = await this.#readBlocks(file, listBlocks(ranges), signal);
    return ranges.map(({ position, length }) => {
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let at = position; at < position + length; ) {
        const number = Math.floor(at / BLOCK_BYTES);
        const start = at - number * BLOCK_BYTES;
        const block = blocks.get(number);
        const count = Math.min((block?.length ?? 0) - start, position + length - at);
        if (block === undefined || count <= 0) throw new Error('A block of a remote file is missing.');
        block.copy(bytes, at - position, start, start + count);
        at += count;
      }
      return bytes;
    });
  }

  /** The bytes in memory. */
  countBytes(): number {
    return this.#bytes;
  }

  /** Ends all requests. */
  close(): void {
    this.#closing.abort(problem('draining', {}));
  }

  /** Reads the head of a new file; of a known file only one byte, if its head is still in memory. */
  async #confirm(url: string, known: RemoteVersion | undefined): Promise<OpenedRemoteFile> {
    const hasHead = known !== undefined && this.#blocks.has(createKey(url, known, 0));
    const last = hasHead ? 0 : HEAD_BLOCKS * BLOCK_BYTES - 1;
    const reply = await this.#request(url, { first: 0, last }, known);
    // The file has changed: its new version is read from the start.
    if (reply === undefined) return this.#confirm(url, undefined);
    const head = hasHead ? new Map<number, Buffer>() : splitBlocks(0, reply.bytes);
    this.#confirmVersion(url, reply.version);
    this.#keep(url, reply.version, head);
    return { url, version: reply.version, head };
  }

  async #readBlocks(
    file: OpenedRemoteFile,
    wanted: readonly number[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, Buffer>> {
    const found = new Map<number, Buffer>();
    const missing: number[] = [];
    const loading = new Set<Promise<ReadonlyMap<number, Buffer>>>();
    for (const number of wanted) {
      const key = createKey(file.url, file.version, number);
      const block = this.#use(key) ?? file.head.get(number);
      const load = this.#loading.get(key);
      if (block !== undefined) found.set(number, block);
      else if (load !== undefined) loading.add(load);
      else missing.push(number);
    }
    const collect = (blocks: ReadonlyMap<number, Buffer>) => {
      for (const [number, block] of blocks) found.set(number, block);
    };
    const runs = joinRuns(missing).values();
    const loadRuns = async () => {
      for (const run of runs) {
        signal.throwIfAborted();
        collect(await waitUnlessAborted(this.#load(file, run), signal));
      }
    };
    await Promise.all([
      ...Array.from(loading, async (load) => collect(await waitUnlessAborted(load, signal))),
      ...Array.from({ length: MAX_PARALLEL_RUNS }, loadRuns),
    ]);
    return found;
  }

  /** Continues if its first reader is gone, because others may wait for the same blocks. */
  #load({ url, version }: OpenedRemoteFile, { first, end }: BlockRun): Promise<ReadonlyMap<number, Buffer>> {
    const keys = Array.from({ length: end - first }, (_, index) => createKey(url, version, first + index));
    const load = async () => {
      const last = Math.min(end * BLOCK_BYTES, version.sizeBytes) - 1;
      const reply = await this.#request(url, { first: first * BLOCK_BYTES, last }, version);
      if (reply === undefined) {
        this.#files.delete(url);
        throw problem('remote-file-changed', { file: getRemoteFileName(url) });
      }
      const blocks = splitBlocks(first, reply.bytes);
      this.#confirmVersion(url, version);
      this.#keep(url, version, blocks);
      return blocks;
    };
    const loading = load().finally(() => {
      for (const key of keys) if (this.#loading.get(key) === loading) this.#loading.delete(key);
    });
    for (const key of keys) if (!this.#loading.has(key)) this.#loading.set(key, loading);
    return loading;
  }

  async #request(
    url: string,
    range: { readonly first: number; readonly last: number },
    known: RemoteVersion | undefined,
  ): Promise<RangeReply | undefined> {
    const { signal } = this.#closing;
    const permit = await this.#permits.acquire({ signal, store: URL.parse(url)?.host, waitsElsewhere: true });
    try {
      return await this.#options.source.readRange(url, range, known, signal);
    } finally {
      permit.release();
    }
  }

  #confirmVersion(url: string, version: RemoteVersion): void {
    this.#files.delete(url);
    this.#files.set(url, { version, confirmedAtMs: this.#options.clock() });
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_FILES && oldest !== undefined) this.#files.delete(oldest);
  }

  #use(key: string): Buffer | undefined {
    const block = this.#blocks.get(key);
    if (block !== undefined) {
      this.#blocks.delete(key);
      this.#blocks.set(key, block);
    }
    return block;
  }

  #keep(url: string, version: RemoteVersion, blocks: ReadonlyMap<number, Buffer>): void {
    for (const [number, block] of blocks) {
      const key = createKey(url, version, number);
      if (this.#use(key) !== undefined) continue;
      this.#blocks.set(key, block);
      this.#bytes += block.length;
    }
    for (const [oldest, { length }] of this.#blocks) {
      if (this.#bytes <= this.#options.maxBytes) break;
      this.#blocks.delete(oldest);
      this.#bytes -= length;
    }
  }
}

interface BlockRun {
  readonly first: number;
  readonly end: number;
}

function createKey(url: string, { sizeBytes, etag = '', lastModified = '' }: RemoteVersion, number: number): string {
  return `${url}\n${etag}\n${lastModified}\n${sizeBytes}\n${number}`;
}

/** Returns the numbers of all blocks of the ranges, in ascending order. */
function listBlocks(ranges: readonly FileRange[]): readonly number[] {
  const numbers = new Set<number>();
  for (const { position, length } of ranges) {
    const last = Math.floor((position + length - 1) / BLOCK_BYTES);
    for (let number = Math.floor(position / BLOCK_BYTES); number <= last; number += 1) numbers.add(number);
  }
  return [...numbers].sort((one, other) => one - other);
}

/** Joins neighbouring blocks to runs of limited length. */
function joinRuns(numbers: readonly number[]): readonly BlockRun[] {
  const runs: { first: number; end: number }[] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    const isNear = run !== undefined && number - run.end <= MAX_GAP_BLOCKS;
    if (isNear && number + 1 - run.first <= MAX_RUN_BLOCKS) run.end = number + 1;
    else runs.push({ first: number, end: number + 1 });
  }
  return runs;
}

/** Copies the blocks: a part of a larger buffer would keep all of it in memory. */
function splitBlocks(first: number, bytes: Buffer): ReadonlyMap<number, Buffer> {
  const count = Math.ceil(bytes.length / BLOCK_BYTES);
  return new Map(
    Array.from({ length: count }, (_, index) => [
      first + index,
      Buffer.from(bytes.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES)),
    ]),
  );
}

async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const rejectAborted = () => reject(signal.reason);
  signal.addEventListener('abort', rejectAborted, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', rejectAborted);
    work.catch(() => {});
  }
}
