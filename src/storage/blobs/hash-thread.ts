/**
 * Hashes large files in a thread: a gigabyte takes more than a second of processor time, which would block the event
 * loop. Small files are hashed in place, because the transfer costs more.
 */
import { Worker } from 'node:worker_threads';
import { ContentHash } from './content-hash.ts';
import type { Hash, HashedContent } from './port.ts';

/** Hashes a file piece by piece. Either `digest` or `discard` must be called. */
export interface Hasher {
  /** The piece may be reused immediately. Callers must wait before the next one, which bounds the bytes in flight. */
  update(piece: Uint8Array): Promise<void> | undefined;
  digest(): Promise<HashedContent>;
  discard(): void;
}

/** Hashes a file part by part, and each part. Either `digest` or `discard` must be called. */
export interface PartHasher {
  /** Reads the first bytes of the memory, which must not be modified before the hash of the part is returned. */
  hashPart(memory: SharedArrayBuffer, bytes: number): Promise<Hash>;
  digest(): Promise<HashedContent>;
  discard(): void;
}

export type HashRequest =
  | { readonly id: number; readonly buffer: ArrayBuffer; readonly bytes: number }
  | { readonly id: number; readonly part: SharedArrayBuffer; readonly bytes: number }
  | { readonly id: number; readonly end: 'digest' | 'discard' };

/** A reply returns a buffer for reuse. */
export type HashReply =
  | { readonly id: number; readonly buffer: ArrayBuffer; readonly bytes: number }
  | { readonly id: number; readonly partHash: Hash }
  | { readonly id: number; readonly content: HashedContent };

/** Smaller files are hashed in place, which takes about a millisecond. */
const SMALL_BYTES = 1_048_576;

/** Fewer and larger pieces reduce the transfer overhead. */
const BUFFER_BYTES = 262_144;

/** The limit of bytes in flight for one file. */
const MAX_IN_FLIGHT_BYTES = 4_194_304;

/** `expectedBytes` may be an estimate. */
export type CreateHasher = (expectedBytes: number) => Hasher;

export const createHasher: CreateHasher = (expectedBytes) =>
  expectedBytes < SMALL_BYTES ? createInlineHasher() : createThreadHasher();

/** For threads without an event loop to protect. */
export function createInlineHasher(): Hasher {
  const hash = new ContentHash();
  return {
    update(piece) {
      hash.update(piece);
      return undefined;
    },
    digest: async () => hash.digest(),
    discard: () => undefined,
  };
}

interface PendingHash {
  inFlightBytes: number;
  /** Resolves when there is room for more pieces. */
  room: PromiseWithResolvers<void> | undefined;
  /** The part that is being hashed. */
  part?: PromiseWithResolvers<Hash> | undefined;
  readonly result: PromiseWithResolvers<HashedContent>;
}

interface HashThread {
  readonly worker: Worker;
  readonly waiting: Map<number, PendingHash>;
  /** Buffers that are not in flight. */
  readonly free: ArrayBuffer[];
}

/** One thread for all files, started with the first large file. */
let thread: HashThread | undefined;
let lastId = 0;

/** Shares the memory of each part with the thread: copies of large parts would cost as much as a hash. */
export function createPartHasher(): PartHasher {
  const { id, file, send, digest, discard } = beginHash();
  return {
    async hashPart(memory, bytes) {
      file.part = Promise.withResolvers();
      send({ id, part: memory, bytes });
      return file.part.promise;
    },
    digest,
    discard,
  };
}

function createThreadHasher(): Hasher {
  const { id, file, free, send, digest, discard } = beginHash();
  return {
    update(piece) {
      for (let at = 0; at < piece.length; at += BUFFER_BYTES) {
        const part = piece.subarray(at, at + BUFFER_BYTES);
        const buffer = free.pop() ?? new ArrayBuffer(BUFFER_BYTES);
        new Uint8Array(buffer).set(part);
        file.inFlightBytes += part.length;
        send({ id, buffer, bytes: part.length }, [buffer]);
      }
      if (file.inFlightBytes <= MAX_IN_FLIGHT_BYTES) return undefined;
      file.room = Promise.withResolvers();
      file.room.promise.catch(() => undefined);
      return file.room.promise;
    },
    digest,
    discard,
  };
}

interface BegunHash extends Pick<Hasher, 'digest' | 'discard'>, Pick<HashThread, 'free'> {
  readonly id: number;
  readonly file: PendingHash;
  readonly send: (request: HashRequest, transferred?: readonly ArrayBuffer[]) => void;
}

function beginHash(): BegunHash {
  thread ??= startThread();
  const own = thread;
  const { worker, waiting, free } = own;
  lastId += 1;
  const id = lastId;
  const file: PendingHash = { inFlightBytes: 0, room: undefined, result: Promise.withResolvers() };
  // After a discard, nothing handles this rejection.
  file.result.promise.catch(() => undefined);
  waiting.set(id, file);
  worker.ref();
  const send = (request: HashRequest, transferred: readonly ArrayBuffer[] = []) =>
    worker.postMessage(request, [...transferred]);
  return {
    ...{ id, file, free, send },
    digest() {
      send({ id, end: 'digest' });
      return file.result.promise;
    },
    discard() {
      if (deletePending(own, id)) send({ id, end: 'discard' });
    },
  };
}

function startThread(): HashThread {
  // The worker is in the same folder. Its extension differs after the build.
  const worker = new Worker(new URL(import.meta.url.replace(/hash-thread(\.\w+)$/, 'hash-thread-worker$1')), {
    // The thread keeps only a few buffers.
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 },
  });
  const waiting = new Map<number, PendingHash>();
  const free: ArrayBuffer[] = [];
  const started: HashThread = { worker, waiting, free };
  worker.on('message', (reply: HashReply) => {
    const file = waiting.get(reply.id);
    if ('content' in reply) {
      deletePending(started, reply.id);
      file?.result.resolve(reply.content);
      return;
    }
    if ('partHash' in reply) {
      file?.part?.resolve(reply.partHash);
      return;
    }
    free.push(reply.buffer);
    if (file === undefined) return;
    file.inFlightBytes -= reply.bytes;
    if (file.inFlightBytes <= MAX_IN_FLIGHT_BYTES) {
      file.room?.resolve();
      file.room = undefined;
    }
  });
  worker.on('error', (error) => {
    thread = undefined;
    for (const { room, part, result } of waiting.values()) {
      room?.reject(error);
      part?.reject(error);
      result.reject(error);
    }
  });
  return started;
}

/** An idle thread must not keep the process running. */
function deletePending({ worker, waiting }: HashThread, id: number): boolean {
  const isKnown = waiting.delete(id);
  if (waiting.size === 0) worker.unref();
  return isKnown;
}
