/**
 * A few threads that encode the features of all documents: a slow client or source does not occupy a thread. This
 * thread reads and packs the features and passes on the encoded bytes.
 */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createInterruption } from '../../lib/async/interruption.ts';
import { measureItems } from '../../lib/measure/measure-work.ts';
import { problem } from '../../lib/problems/problem.ts';
import { BatchPacker, listTransferables } from '../../vector/port/packed-batch.ts';
import type { Feature } from '../../vector/port/port.ts';
import { createMessageReader } from '../../workers/messages.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { getCurrentScope, runForServer } from '../../workers/request-scope.ts';
import { deserializeProblem } from '../../workers/serialized-problem.ts';
import type { CollectionEvent, CollectionHead } from '../collection-events.ts';
import type { OutputFormat } from '../formats.ts';
import type { ScratchFolders } from '../writing/scratch.ts';
import {
  type EncodingReply,
  type EncodingRequest,
  type HostMessage,
  hostingEncodings,
  type NewEncoding,
  PIECES_AHEAD,
} from './encode-task.ts';
import { measureValue } from './measure-value.ts';

/** A document that is encoded in a thread. */
export interface EncodedDocument {
  readonly format: OutputFormat;
  readonly head: CollectionHead;
  readonly events: AsyncIterable<CollectionEvent>;
  /** For formats that write files. */
  readonly folders: ScratchFolders;
}

export interface EncodeThreads {
  /** Yields the document in chunks. The encoding ends when the caller stops reading or the signal aborts. */
  encode(document: EncodedDocument, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** The number of encodings in progress. */
  countEncodings(): number;
}

export interface EncodeLimits {
  readonly threads: number;
  /**
   * Encodings per thread. Each uses about a megabyte for batches and chunks in flight. Further encodings are
   * rejected.
   */
  readonly encodings: number;
  /** The time limit for one batch or chunk. These take milliseconds, and seconds for the largest geometries. */
  readonly stepMs: number;
}

const RETRY_AFTER_SECONDS = 5;

/** Features per message: a message costs as much as reading fifty features. */
const SENT_FEATURES = 1_000;
const SENT_POSITIONS = 16_384;

/** The maximum delay for features of a slow source. */
const GATHERED_MS = 20;

export function createEncodeThreads(pool: WorkerPool, limits: EncodeLimits): EncodeThreads {
  const hosts: Host[] = [];
  const maxOfClient = Math.ceil((limits.threads * limits.encodings) / 2);

  /** Reserves capacity for other clients. */
  const refuseBeyondShare = (client: string): void => {
    const held = hosts.reduce((sum, host) => sum + host.countEncodings(client), 0);
    if (held >= maxOfClient) throw createBusyProblem();
  };

  /** Returns the thread with the fewest encodings, or a new one below the limit. */
  const chooseHost = (): Host => {
    const [least] = hosts.toSorted((one, other) => one.encodings - other.encodings);
    if (least !== undefined && (least.encodings === 0 || hosts.length >= limits.threads)) {
      if (least.encodings >= limits.encodings) throw createBusyProblem();
      return least;
    }
    const host = new Host(pool, () => hosts.splice(hosts.indexOf(host), 1));
    hosts.push(host);
    return host;
  };

  return {
    async *encode({ format, head, events, folders }, signal) {
      signal.throwIfAborted();
      const folder = format.hasFiles === true ? await folders.createFolder() : undefined;
      try {
        const { client } = getCurrentScope();
        refuseBeyondShare(client);
        const encoding = new Encoding(chooseHost(), {
          client,
          events: mergeBatches(events),
          stepMs: limits.stepMs,
        });
        const pieces = encoding.readPieces({ format: format.name, head, folder: folder?.path }, signal);
        yield* measureItems({ stage: 'encode', kind: format.name }, pieces);
      } finally {
        await folder?.discard();
      }
    },
    countEncodings: () => hosts.reduce((sum, host) => sum + host.encodings, 0),
  };
}

function createBusyProblem() {
  return problem('work-refused', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

async function* mergeBatches(events: AsyncIterable<CollectionEvent>): AsyncGenerator<CollectionEvent, undefined> {
  let gathered: Feature[] = [];
  let positions = 0;
  let startedAt = 0;
  for await (const event of events) {
    if ('batch' in event) {
      if (gathered.length === 0) startedAt = performance.now();
      for (const feature of event.batch) {
        gathered.push(feature);
        for (const value of feature.values) positions += measureValue(value);
      }
      const isFull = gathered.length >= SENT_FEATURES || positions >= SENT_POSITIONS;
      if (!isFull && performance.now() - startedAt < GATHERED_MS) continue;
    }
    if (gathered.length > 0) yield { batch: gathered };
    gathered = [];
    positions = 0;
    // Node delivers up to a thousand messages of a port in the same turn.
    await othersFirst();
    if ('end' in event) yield event;
  }
}

/** A thread, from its first encoding to the end of its last. */
class Host {
  readonly #port: MessagePort;
  readonly #killed = new AbortController();
  readonly #encodings = new Set<Encoding>();
  readonly #ended: () => void;

  constructor(pool: WorkerPool, ended: () => void) {
    const { port1: mine, port2: theirs } = new MessageChannel();
    this.#port = mine;
    this.#ended = ended;
    const options = { signal: this.#killed.signal, deadlineMs: null, transfer: [theirs] };
    // The thread serves all clients, so it runs on behalf of the server.
    runForServer(() => pool.run(hostingEncodings, { port: theirs }, options)).catch((error: unknown) => {
      for (const encoding of this.#encodings) encoding.handleThreadLoss(error);
    });
  }

  get encodings(): number {
    return this.#encodings.size;
  }

  countEncodings(client: string): number {
    let count = 0;
    for (const encoding of this.#encodings) if (encoding.client === client) count += 1;
    return count;
  }

  start(encoding: Encoding, document: NewEncoding): void {
    this.#encodings.add(encoding);
    this.#port.postMessage(document satisfies HostMessage, [document.port]);
  }

  /** The thread ends with its last encoding. */
  release(encoding: Encoding): void {
    if (!this.#encodings.delete(encoding) || this.#encodings.size > 0) return;
    this.#ended();
    this.#port.postMessage('close' satisfies HostMessage);
    this.#port.close();
  }

  /** Stops the thread and all its encodings. */
  kill(reason: unknown): void {
    this.#killed.abort(reason);
  }
}

interface EncodingOptions {
  /** The client of the document. */
  readonly client: string;
  readonly events: AsyncIterator<CollectionEvent, undefined>;
  readonly stepMs: number;
}

class Encoding {
  readonly client: string;
  readonly #host: Host;
  readonly #events: AsyncIterator<CollectionEvent, undefined>;
  readonly #failure = createInterruption();
  readonly #threadLost = createInterruption();
  readonly #packer = new BatchPacker();
  readonly #port: MessagePort;
  readonly #theirs: MessagePort;
  readonly #closed: Promise<void>;
  readonly #watch: StepTimer;
  /** Features that the thread has requested but not received. */
  #wanted = 0;
  /** Chunks that have arrived but are not yet consumed. */
  #untaken = 0;

  constructor(host: Host, { client, events, stepMs }: EncodingOptions) {
    const { port1: mine, port2: theirs } = new MessageChannel();
    this.client = client;
    this.#host = host;
    this.#events = events;
    this.#port = mine;
    this.#theirs = theirs;
    this.#closed = new Promise((resolve) => mine.once('close', resolve));
    this.#watch = new StepTimer(stepMs, () =>
      host.kill(
        problem('work-too-slow', { seconds: Math.ceil(stepMs / 1_000), retryAfterSeconds: RETRY_AFTER_SECONDS }),
      ),
    );
  }

  async *readPieces(document: Omit<NewEncoding, 'port'>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const messages = createMessageReader<Exclude<EncodingReply, 'more'>>(this.#port, {
      filter: (message: EncodingReply) => this.#receive(message),
    });
    const giveUp = (): void => this.#failure.interrupt(signal.reason);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    this.#host.start(this, { ...document, port: this.#theirs });
    try {
      for (;;) {
        const message = await this.#failure.guard(messages.next());
        if (message === 'end') return;
        if ('problem' in message) throw deserializeProblem(message.problem);
        if ('fault' in message) throw message.fault;
        yield message.piece;
        this.#untaken -= 1;
        this.#send('taken');
      }
    } finally {
      signal.removeEventListener('abort', giveUp);
      await this.#end();
    }
  }

  /** Handles a thread that ended before the encoding. */
  handleThreadLoss(reason: unknown): void {
    this.#failure.interrupt(reason);
    this.#threadLost.interrupt(reason);
  }

  #receive(message: EncodingReply): boolean {
    if (message === 'more') {
      this.#wanted += 1;
      this.#events.next().then((result) => this.#sendEvent(result), this.#failure.interrupt);
    } else if (typeof message === 'object' && 'piece' in message) {
      this.#untaken += 1;
    }
    this.#updateTimer();
    return message !== 'more';
  }

  /** After the last event the thread needs no further input. */
  #sendEvent({ done, value }: IteratorResult<CollectionEvent, undefined>): void {
    this.#wanted -= 1;
    if (done === true) this.#updateTimer();
    else if ('end' in value) this.#send(value);
    else {
      const batch = this.#packer.pack(value.batch);
      this.#send({ batch }, listTransferables(batch));
    }
  }

  #send(message: EncodingRequest, transfer: ReturnType<typeof listTransferables> = []): void {
    this.#port.postMessage(message, transfer);
    this.#updateTimer();
  }

  /** The timer runs while the thread is not waiting for input. */
  #updateTimer(): void {
    if (this.#wanted > 0 || this.#untaken >= PIECES_AHEAD) this.#watch.stop();
    else this.#watch.restart();
  }

  /** Waits until the thread finishes; a thread that does not stop is killed. */
  async #end(): Promise<void> {
    this.#port.postMessage('stop' satisfies EncodingRequest);
    this.#watch.restart();
    try {
      await this.#threadLost.guard(this.#closed);
    } catch {
      // A thread that is gone has stopped.
    } finally {
      this.#watch.stop();
      this.#port.close();
      this.#host.release(this);
    }
  }
}

/** Fires when a step takes too long. */
class StepTimer {
  readonly #stepMs: number;
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(stepMs: number, ring: () => void) {
    this.#stepMs = stepMs;
    this.#ring = ring;
  }

  restart(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(this.#ring, this.#stepMs).unref();
    else this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
