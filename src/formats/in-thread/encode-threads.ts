/**
 * Threads that encode features, a few for all documents: one that a slow client reads, or a slow source gives, keeps no
 * thread from others. This thread reads the features, packs them, and passes on the bytes that come back.
 */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createInterruption } from '../../lib/async/interruption.ts';
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
import { countPositions } from '../writing/writable-geometry.ts';
import {
  type EncodingReply,
  type EncodingRequest,
  type HostMessage,
  hostingEncodings,
  type NewEncoding,
  PIECES_AHEAD,
} from './encode-task.ts';

/** A document that is encoded in a thread. */
export interface EncodedDocument {
  readonly format: OutputFormat;
  readonly head: CollectionHead;
  readonly events: AsyncIterable<CollectionEvent>;
  /** For the files of formats that have some. */
  readonly folders: ScratchFolders;
}

export interface EncodeThreads {
  /** The document in pieces. Whoever stops asking, or gives the signal, ends the encoding. */
  encode(document: EncodedDocument, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** The documents that are under way. */
  countEncodings(): number;
}

export interface EncodeLimits {
  readonly threads: number;
  /** In one thread. Each takes about a megabyte: batches and pieces on their way. One more is refused. */
  readonly encodings: number;
  /** How long a thread may work on one batch or piece. These take milliseconds; the largest geometries some seconds. */
  readonly stepMs: number;
}

const RETRY_AFTER_SECONDS = 5;

/** What is sent to a thread at once: a message costs as much as the reading of fifty features. */
const SENT_FEATURES = 1_000;
const SENT_POSITIONS = 16_384;

/** Features of a slow source are not kept back for longer. */
const GATHERED_MS = 20;

export function createEncodeThreads(pool: WorkerPool, limits: EncodeLimits): EncodeThreads {
  const hosts: Host[] = [];
  const maxOfClient = Math.ceil((limits.threads * limits.encodings) / 2);

  /** Leaves room for other clients. */
  const refuseBeyondShare = (client: string): void => {
    const held = hosts.reduce((sum, host) => sum + host.countEncodings(client), 0);
    if (held >= maxOfClient) throw createBusyProblem();
  };

  /** The thread with the fewest encodings, or a new one while there may be more. */
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
        yield* encoding.readPieces({ format: format.name, head, folder: folder?.path }, signal);
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
        for (const value of feature.values) positions += countPositions(value);
      }
      const isFull = gathered.length >= SENT_FEATURES || positions >= SENT_POSITIONS;
      if (!isFull && performance.now() - startedAt < GATHERED_MS) continue;
    }
    if (gathered.length > 0) yield { batch: gathered };
    gathered = [];
    positions = 0;
    // Node delivers messages of a port that come while others are delivered in the same turn, up to a thousand of them.
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
    // The thread serves all clients, whichever of them came first.
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

  /** The thread has nothing to do behind the last one. */
  release(encoding: Encoding): void {
    if (!this.#encodings.delete(encoding) || this.#encodings.size > 0) return;
    this.#ended();
    this.#port.postMessage('close' satisfies HostMessage);
    this.#port.close();
  }

  /** Ends the thread with all that it does. */
  kill(reason: unknown): void {
    this.#killed.abort(reason);
  }
}

interface EncodingOptions {
  /** The client that it is done for. */
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
  /** Features that the thread has asked for and not got. */
  #wanted = 0;
  /** Pieces that are here and were not taken. */
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

  /** The thread ended before the encoding did. */
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

  /** Behind the last event the thread has all it needs, whatever it has asked for. */
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

  /** Time runs while the thread waits for nothing from here. */
  #updateTimer(): void {
    if (this.#wanted > 0 || this.#untaken >= PIECES_AHEAD) this.#watch.stop();
    else this.#watch.restart();
  }

  /** Waits until the thread is done with it; one that does not stop is ended. */
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

/** Rings when a step takes too long. */
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
