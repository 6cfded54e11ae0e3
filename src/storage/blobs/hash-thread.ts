/**
 * Hashes of large files, worked out in a thread of their own: a gigabyte takes more than a second of a processor, which
 * the event loop has no time for. Small ones are not worth the way there.
 */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Hash } from './port.ts';

/** Takes the bytes of a file piece by piece. One of `digest` and `discard` must be called. */
export interface Hasher {
  /** The piece may be used again at once. To be waited for before the next, so that no more than a little is under way. */
  update(piece: Uint8Array): Promise<void> | undefined;
  digest(): Promise<Hash>;
  discard(): void;
}

export type HashRequest =
  | { readonly id: number; readonly buffer: ArrayBuffer; readonly bytes: number }
  | { readonly id: number; readonly end: 'digest' | 'discard' };

/** A buffer comes back to be filled again. */
export type HashReply =
  | { readonly id: number; readonly buffer: ArrayBuffer; readonly bytes: number }
  | { readonly id: number; readonly hash: Hash };

/** Below this it is done in place: about a millisecond. */
const SMALL_BYTES = 1_048_576;

/** Fewer and larger pieces lose less time on their way. */
const BUFFER_BYTES = 262_144;

/** What may be on its way to the thread for one file. */
const MAX_IN_FLIGHT_BYTES = 4_194_304;

/** `expectedBytes` need not be exact. */
export type CreateHasher = (expectedBytes: number) => Hasher;

export const createHasher: CreateHasher = (expectedBytes) =>
  expectedBytes < SMALL_BYTES ? createInlineHasher() : createThreadHasher();

/** For who is not in anybody's way. */
export function createInlineHasher(): Hasher {
  const hash = createHash('sha256');
  return {
    update(piece) {
      hash.update(piece);
      return undefined;
    },
    digest: async () => hash.digest('hex'),
    discard: () => undefined,
  };
}

interface PendingHash {
  inFlightBytes: number;
  /** Of whoever waits until there is room, or until the hash is there. */
  room: PromiseWithResolvers<void> | undefined;
  readonly result: PromiseWithResolvers<Hash>;
}

interface HashThread {
  readonly worker: Worker;
  readonly waiting: Map<number, PendingHash>;
  /** Buffers that are not under way. */
  readonly free: ArrayBuffer[];
}

/** One for all, started with the first large file. */
let thread: HashThread | undefined;
let lastId = 0;

function createThreadHasher(): Hasher {
  thread ??= startThread();
  const own = thread;
  const { worker, waiting, free } = own;
  lastId += 1;
  const id = lastId;
  const file: PendingHash = { inFlightBytes: 0, room: undefined, result: Promise.withResolvers() };
  // Whoever has given it up does not ask any more.
  file.result.promise.catch(() => undefined);
  waiting.set(id, file);
  worker.ref();
  const send = (request: HashRequest, transferred: readonly ArrayBuffer[] = []) =>
    worker.postMessage(request, [...transferred]);
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
  // Beside this file, which has another ending when it is built.
  const worker = new Worker(new URL(import.meta.url.replace(/hash-thread(\.\w+)$/, 'hash-thread-worker$1')), {
    // It keeps nothing but a few buffers.
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 },
  });
  const waiting = new Map<number, PendingHash>();
  const free: ArrayBuffer[] = [];
  const started: HashThread = { worker, waiting, free };
  worker.on('message', (reply: HashReply) => {
    const file = waiting.get(reply.id);
    if ('hash' in reply) {
      deletePending(started, reply.id);
      file?.result.resolve(reply.hash);
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
    for (const { room, result } of waiting.values()) {
      room?.reject(error);
      result.reject(error);
    }
  });
  return started;
}

/** The process may end beside a thread that has nothing to do. */
function deletePending({ worker, waiting }: HashThread, id: number): boolean {
  const isKnown = waiting.delete(id);
  if (waiting.size === 0) worker.unref();
  return isKnown;
}
