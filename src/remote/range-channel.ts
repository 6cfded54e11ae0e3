/**
 * Lets a thread read remote files through the main thread, which has the URL gate and the blocks in memory. The thread
 * waits for each reply, because raster files are read synchronously.
 */
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { problem } from '../lib/problems/problem.ts';
import { recordProgress } from '../workers/activity.ts';
import { deserializeProblem, type SerializedProblem, serializeError } from '../workers/serialized-problem.ts';
import type { RangeChannel } from './channel.ts';
import type { FileRange, OpenedRemoteFile, RemoteBlocks } from './remote-blocks.ts';

interface RangeQuery {
  readonly url: string;
  readonly ranges: readonly FileRange[];
}

interface RangeAnswer {
  readonly sizeBytes: number;
  /** Identifies the URL and its content. */
  readonly version: string;
  /** One for each range. */
  readonly parts: readonly Uint8Array[];
}

type Message = RangeAnswer | { readonly problem: SerializedProblem } | { readonly failure: string };

/** The maximum length of the ranges of one query: the largest block of a file, and a portion of others. */
const MAX_QUERY_BYTES = 96 * 1_048_576;

/** Runs work that may read these URLs. All reads of a URL have the same version of its file. */
export async function withRangeChannel<T>(
  blocks: RemoteBlocks,
  urls: readonly string[],
  signal: AbortSignal,
  work: (channel: RangeChannel) => Promise<T>,
): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  const arrival = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const ended = new AbortController();
  const answer = createAnswers(blocks, new Set(urls), AbortSignal.any([signal, ended.signal]));
  port1.on('message', (query: RangeQuery) => {
    void answer(query).then((message) => {
      const buffers = 'parts' in message ? message.parts.map(({ buffer }) => buffer as ArrayBuffer) : [];
      port1.postMessage(message, buffers);
      Atomics.store(new Int32Array(arrival), 0, 1);
      Atomics.notify(new Int32Array(arrival), 0);
    });
  });
  try {
    return await work({ port: port2, arrival });
  } finally {
    ended.abort();
    port1.close();
  }
}

function createAnswers(
  blocks: RemoteBlocks,
  urls: ReadonlySet<string>,
  signal: AbortSignal,
): (query: RangeQuery) => Promise<Message> {
  const opened = new Map<string, OpenedRemoteFile>();
  return async ({ url, ranges }) => {
    try {
      if (!urls.has(url)) throw new Error('A thread requested a URL that is not part of its task.');
      const bytes = ranges.reduce((sum, { length }) => sum + length, 0);
      if (bytes > MAX_QUERY_BYTES) throw new Error(`A thread requested ${bytes} bytes of a remote file.`);
      const file = opened.get(url) ?? (await blocks.open(url, signal));
      opened.set(url, file);
      const { sizeBytes, etag = '', lastModified = '' } = file.version;
      const version = [url, etag, lastModified, sizeBytes].join('\n');
      return { sizeBytes, version, parts: await blocks.read(file, ranges, signal) };
    } catch (error) {
      const found = serializeError(error);
      return found === undefined ? { failure: String(error) } : { problem: found };
    }
  };
}

/** How long a thread waits before it reports that it is not stuck. */
const WAIT_MS = 1_000;

/** Called in a thread: waits for the ranges of a file. */
export function requestRanges({ port, arrival }: RangeChannel, query: RangeQuery): RangeAnswer {
  const arrived = new Int32Array(arrival);
  Atomics.store(arrived, 0, 0);
  port.postMessage(query);
  // Waiting is not computing.
  while (Atomics.wait(arrived, 0, 0, WAIT_MS) === 'timed-out') recordProgress();
  recordProgress();
  const received = receiveMessageOnPort(port)?.message as Message | undefined;
  if (received === undefined) throw problem('draining', {});
  if ('problem' in received) throw deserializeProblem(received.problem);
  if ('failure' in received) throw new Error(received.failure);
  return received;
}
