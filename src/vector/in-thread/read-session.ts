/** Reads features of a source in a thread, batch by batch. */
import { MessageChannel, type Transferable } from 'node:worker_threads';
import { createInterruption } from '../../lib/async/interruption.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { withRangeChannel } from '../../remote/range-channel.ts';
import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import { createMessageReader } from '../../workers/messages.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { unpackBatch } from '../port/packed-batch.ts';
import type { Feature } from '../port/port.ts';
import {
  type NewReading,
  type ReaderMessage,
  type ReadingMessage,
  readingSource,
  type SourceAddress,
} from './source-tasks.ts';

/** Batches in flight: one is created while the reader processes the other. */
const BATCHES_AHEAD = 2;

export interface ReadSession {
  /** Returns the next message of the thread; rejects if the thread failed. */
  receive(): Promise<ReadingMessage>;
  send(message: ReaderMessage): void;
  /** Lets the thread end and waits for it; rejects if it failed. */
  close(): Promise<void>;
}

export interface Readers {
  readonly pool: WorkerPool;
  readonly blocks: RemoteBlocks | undefined;
}

export function startReading({ pool, blocks }: Readers, what: NewReading, signal: AbortSignal): ReadSession {
  const { port1: mine, port2: theirs } = new MessageChannel();
  const messages = createMessageReader<ReadingMessage>(mine);
  const sendMessage = (message: ReaderMessage): void => mine.postMessage(message);
  const run = (source: SourceAddress, channelPorts: readonly Transferable[]) =>
    pool.run(
      readingSource,
      { ...what, source, port: theirs },
      { ...createRunOptions(source, signal), transfer: [theirs, ...channelPorts] },
    );
  const { url } = what.source;
  const ended =
    blocks === undefined || url === undefined
      ? run(what.source, [])
      : withRangeChannel(blocks, [url], signal, (channel) => run({ ...what.source, channel }, [channel.port]));
  const failure = createInterruption();
  ended.catch((error: unknown) => {
    failure.interrupt(error);
    // The reader can be gone, and an open port would keep the process alive.
    mine.close();
  });
  return {
    receive: () => failure.guard(messages.next()),
    send: sendMessage,
    async close() {
      sendMessage('stop');
      try {
        await ended;
      } finally {
        mine.close();
      }
    },
  };
}

/** A remote file that changes during each of so many attempts is being written. */
const MAX_ATTEMPTS = 3;

/** Starts again if a remote file has changed and nothing of the old version was returned. */
export async function* readUnchanged(start: () => ReadSession, first = start()): AsyncGenerator<readonly Feature[]> {
  let reading = first;
  for (let attempt = 1; ; attempt += 1) {
    let hasReturned = false;
    try {
      for await (const batch of readBatches(reading)) {
        hasReturned = true;
        yield batch;
      }
      return;
    } catch (error) {
      const hasChanged = error instanceof Problem && error.code === 'remote-file-changed';
      if (!hasChanged || hasReturned || attempt === MAX_ATTEMPTS) throw error;
      reading = start();
    }
  }
}

async function* readBatches(reading: ReadSession): AsyncGenerator<readonly Feature[]> {
  let isOver = false;
  try {
    for (let ahead = 0; ahead < BATCHES_AHEAD; ahead += 1) reading.send('more');
    for (;;) {
      const message = await reading.receive();
      if (message === 'end') break;
      if ('remainder' in message) continue;
      yield unpackBatch(message.batch);
      reading.send('more');
    }
    isOver = true;
    await reading.close();
  } finally {
    if (!isOver) await reading.close().catch(() => undefined);
  }
}

/** The caller of a source enforces its own deadline. */
export function createRunOptions(source: SourceAddress, signal: AbortSignal) {
  return { signal, deadlineMs: null, store: formatStoreKey(source) };
}

/** Stores of the same files share their threads. */
export function formatStoreKey({ type, paths, url }: SourceAddress): string {
  // Slow servers hold only their share of the threads.
  if (url !== undefined) return `remote\n${URL.parse(url)?.host ?? ''}`;
  return [type, ...paths.values()].join('\n');
}
