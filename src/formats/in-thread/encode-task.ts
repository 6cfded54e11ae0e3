/** Thread task that encodes several documents concurrently, each as far as input is available. */
import type { MessagePort } from 'node:worker_threads';
import { type PackedBatch, unpackBatch } from '../../vector/port/packed-batch.ts';
import { createMessageReader } from '../../workers/messages.ts';
import { type SerializedProblem, serializeError } from '../../workers/serialized-problem.ts';
import type { Task } from '../../workers/task.ts';
import {
  buildCollection,
  type CollectionEvent,
  type CollectionHead,
  type TrailingValues,
} from '../collection-events.ts';
import { findOutputFormat } from '../formats.ts';

/** A document for the thread to encode. */
export interface NewEncoding {
  readonly format: string;
  readonly head: CollectionHead;
  /** For formats that write files; the other side deletes it. */
  readonly folder: string | undefined;
  readonly port: MessagePort;
}

/** Message to the thread on its own port: a new encoding, or the end. */
export type HostMessage = NewEncoding | 'close';

/** Message to an encoding: features, the end of a set, the receipt of a chunk, or cancellation. */
export type EncodingRequest = { readonly batch: PackedBatch } | { readonly end: TrailingValues } | 'taken' | 'stop';

/** Message from an encoding: a request for features, a chunk, or the result. */
export type EncodingReply =
  | 'more'
  | { readonly piece: Uint8Array }
  | { readonly problem: SerializedProblem }
  | { readonly fault: unknown }
  | 'end';

/** Batches in flight: one is packed while the other is encoded. */
const EVENTS_AHEAD = 2;

/** Chunks of tens of kilobytes that can wait for the client, so that the thread does not wait for each. */
export const PIECES_AHEAD = 4;

export const hostingEncodings: Task<{ readonly port: MessagePort }, void> = {
  module: import.meta.url,
  name: 'hostEncodings',
  work: hostEncodings,
};

/** Ends when the other side closes or disappears. */
export async function hostEncodings({ port }: { readonly port: MessagePort }): Promise<void> {
  const closed = Promise.withResolvers<void>();
  port.on('message', (message: HostMessage) => {
    if (message === 'close') closed.resolve();
    else void encode(message);
  });
  port.on('close', closed.resolve);
  await closed.promise;
  port.close();
}

async function encode({ format: name, head, folder, port }: NewEncoding): Promise<void> {
  const stopped = new AbortController();
  const sendReply = (message: EncodingReply): void => port.postMessage(message);
  const credit = createCredit(PIECES_AHEAD);
  const messages = createMessageReader<EncodingRequest>(port, {
    filter(message) {
      if (message === 'taken') credit.give();
      if (message === 'stop') {
        stopped.abort();
        credit.give();
      }
      return message !== 'taken';
    },
    whenClosed: 'stop',
  });
  try {
    const format = findOutputFormat(name);
    if (format === undefined) throw new Error(`Unknown output format '${name}'.`);
    const encoder = await format.load({
      createFolder: async () => ({ path: folder ?? '', discard: async () => undefined }),
    });
    const collection = buildCollection(head, receiveEvents(messages, sendReply));
    for await (const piece of encoder.encode(collection, stopped.signal)) {
      await credit.take();
      stopped.signal.throwIfAborted();
      const own = toOwnBuffer(piece);
      port.postMessage({ piece: own } satisfies EncodingReply, [own.buffer as ArrayBuffer]);
    }
    sendReply('end');
  } catch (error) {
    const problem = serializeError(error);
    if (!stopped.signal.aborted) sendReply(problem === undefined ? { fault: error } : { problem });
  } finally {
    port.close();
  }
}

async function* receiveEvents(
  messages: { next(): Promise<EncodingRequest> },
  say: (message: EncodingReply) => void,
): AsyncGenerator<CollectionEvent, undefined> {
  for (let pendingRequests = 0; ; pendingRequests -= 1) {
    for (; pendingRequests < EVENTS_AHEAD; pendingRequests += 1) say('more');
    const message = await messages.next();
    if (typeof message === 'string') throw new DOMException('The client has closed the response.', 'AbortError');
    yield 'batch' in message ? { batch: unpackBatch(message.batch) } : message;
  }
}

/** Limits the number of chunks in flight. */
function createCredit(pieces: number) {
  let left = pieces;
  let wake: (() => void) | undefined;
  return {
    give(): void {
      left += 1;
      wake?.();
      wake = undefined;
    },
    async take(): Promise<void> {
      while (left <= 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      left -= 1;
    },
  };
}

/** Copies the chunk to a transferable buffer, because small chunks share a buffer with others. */
function toOwnBuffer(piece: Uint8Array): Uint8Array {
  const isAlone = piece.byteLength === piece.buffer.byteLength;
  return isAlone ? piece : new Uint8Array(piece);
}
