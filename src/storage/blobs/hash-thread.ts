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
  | { readonly id: number; readonly piece: Uint8Array }
  | { readonly id: number; readonly piece: 'end' | 'discard' };

export type HashReply =
  | { readonly id: number; readonly takenBytes: number }
  | { readonly id: number; readonly hash: Hash };

/** Below this it is done in place: about a millisecond. */
const SMALL_BYTES = 1_048_576;

/** What may be on its way to the thread for one file. */
const MAX_UNDER_WAY_BYTES = 8_388_608;

/** `expectedBytes` need not be exact. */
export type CreateHasher = (expectedBytes: number) => Hasher;

export const createHasher: CreateHasher = (expectedBytes) =>
  expectedBytes < SMALL_BYTES ? hasherInPlace() : hasherInThread();

function hasherInPlace(): Hasher {
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

interface Waiting {
  underWayBytes: number;
  /** Of whoever waits until there is room, or until the hash is there. */
  room: PromiseWithResolvers<void> | undefined;
  readonly result: PromiseWithResolvers<Hash>;
}

interface HashThread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

/** One for all, started with the first large file. */
let thread: HashThread | undefined;
let lastId = 0;

function hasherInThread(): Hasher {
  thread ??= startThread();
  const { worker, waiting } = thread;
  lastId += 1;
  const id = lastId;
  const own: Waiting = { underWayBytes: 0, room: undefined, result: Promise.withResolvers() };
  // Whoever has given it up does not ask any more.
  own.result.promise.catch(() => undefined);
  waiting.set(id, own);
  const send = (request: HashRequest, transferred: readonly ArrayBuffer[] = []) =>
    worker.postMessage(request, [...transferred]);
  return {
    update(piece) {
      const copy = new Uint8Array(piece);
      own.underWayBytes += copy.length;
      send({ id, piece: copy }, [copy.buffer]);
      if (own.underWayBytes <= MAX_UNDER_WAY_BYTES) return undefined;
      own.room = Promise.withResolvers();
      own.room.promise.catch(() => undefined);
      return own.room.promise;
    },
    digest() {
      send({ id, piece: 'end' });
      return own.result.promise;
    },
    discard() {
      if (waiting.delete(id)) send({ id, piece: 'discard' });
    },
  };
}

function startThread(): HashThread {
  // Beside this file, which has another ending when it is built.
  const worker = new Worker(new URL(import.meta.url.replace(/hash-thread(\.\w+)$/, 'hash-thread-worker$1')));
  const waiting = new Map<number, Waiting>();
  worker.unref();
  worker.on('message', (reply: HashReply) => {
    const own = waiting.get(reply.id);
    if (own === undefined) return;
    if ('hash' in reply) {
      waiting.delete(reply.id);
      own.result.resolve(reply.hash);
      return;
    }
    own.underWayBytes -= reply.takenBytes;
    if (own.underWayBytes <= MAX_UNDER_WAY_BYTES) {
      own.room?.resolve();
      own.room = undefined;
    }
  });
  worker.on('error', (error) => {
    thread = undefined;
    for (const { room, result } of waiting.values()) {
      room?.reject(error);
      result.reject(error);
    }
  });
  return { worker, waiting };
}
