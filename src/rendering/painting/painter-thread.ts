/** Sends the steps of a map to a worker, which paints them while this thread reads the next features. */
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import { createInterruption } from '../../lib/async/interruption.ts';
import type { FairSemaphore, SemaphorePermit } from '../../workers/fair-semaphore.ts';
import { createMessageReader } from '../../workers/messages.ts';
import type { RunOptions } from '../../workers/pool.ts';
import { Preempted, type SurfaceAttempt, type SurfaceSettings } from '../layers/map-surface.ts';
import type { PainterMessage, PaintingStep, PaintingSteps, PaintMapInput } from './painting-task.ts';

/** The number of unfinished messages: one is painted while the next is filled. */
const MESSAGES_AHEAD = 2;

/** Smaller messages are held back and merged: a small map takes a single message. */
export const MIN_MESSAGE_BYTES = 262_144;

/** The time a worker has to stop by itself before it is terminated. */
const GRACE_MS = 2_000;

export interface SurfaceOpening {
  readonly settings: SurfaceSettings;
  readonly signal: AbortSignal;
  readonly turn: SurfaceAttempt;
}

/** Limits the maps that paint or wait. */
export interface MapLimits {
  /** Limits the active maps, painting or not: some read while others paint. */
  readonly underWay: FairSemaphore;
  readonly threads: FairSemaphore;
}

/** Runs the painting task of a pool. */
export type RunPainting<T> = (painting: PaintMapInput, options: RunOptions) => Promise<T | undefined>;

interface PainterChannel {
  readonly localPort: MessagePort;
  readonly replies: ReturnType<typeof createMessageReader<PainterMessage>>;
}

export class PainterThread<T> {
  readonly #opening: SurfaceOpening;
  readonly #threads: FairSemaphore;
  readonly #slot: SemaphorePermit;
  readonly #run: RunPainting<T>;
  readonly #killed = new AbortController();
  readonly #failure = createInterruption();
  #thread: SemaphorePermit | undefined;
  #painted: Promise<T | undefined> | undefined;
  #channel: PainterChannel | undefined;
  #hasThread = false;
  #grace: NodeJS.Timeout | undefined;
  #isOver = false;
  #held = createStepBuffer();
  #sent = 0;
  #done = 0;

  /** Waits for a slot among the active maps. */
  static async open<T>(opening: SurfaceOpening, limits: MapLimits, run: RunPainting<T>): Promise<PainterThread<T>> {
    const { signal, turn } = opening;
    // A server that does not answer must not occupy the slots of all maps.
    const { remoteStore } = turn;
    const waiting = remoteStore === undefined ? {} : { store: remoteStore, waitsElsewhere: true };
    turn.slot ??= await limits.underWay.acquire({ signal, ...waiting });
    const painter = new PainterThread(opening, limits.threads, turn.slot, run);
    // A preempted map waits for a thread before it reads again.
    if (turn.wasPreempted) painter.#thread = await painter.#acquireThread(signal);
    signal.addEventListener('abort', painter.#stop);
    return painter;
  }

  private constructor(opening: SurfaceOpening, threads: FairSemaphore, slot: SemaphorePermit, run: RunPainting<T>) {
    this.#opening = opening;
    this.#threads = threads;
    this.#slot = slot;
    this.#run = run;
  }

  /** Sends the step, or holds it back until a message is large enough. Resolves when the next step is accepted. */
  async add(step: PaintingStep, bytes = 0, parts: readonly Transferable[] = []): Promise<void> {
    this.#held.steps.push(step);
    this.#held.parts.push(...parts);
    this.#held.bytes += bytes;
    if (this.#held.bytes >= MIN_MESSAGE_BYTES) await this.#send();
  }

  /** Sends the step at once, and returns the addresses that it asks for. */
  async ask(step: PaintingStep, parts: readonly Transferable[]): Promise<readonly string[]> {
    this.#held.steps.push(step);
    this.#held.parts.push(...parts);
    return this.#send(0);
  }

  async finish(isPng: boolean): Promise<T> {
    const { steps, parts } = this.#held;
    steps.push({ kind: 'finish', isPng });
    this.#channel?.localPort.postMessage(steps, parts);
    const finished = await this.#failure.guard(this.#painted ?? this.#startPainting(steps, parts, undefined));
    if (finished === undefined) throw new Error('The worker stopped the map without a request.');
    return finished;
  }

  close(): void {
    if (this.#painted === undefined) {
      this.#end();
      return;
    }
    this.#channel?.localPort.postMessage([{ kind: 'stop' }] satisfies PaintingSteps);
    if (!this.#isOver) this.#grace ??= setTimeout(() => this.#killed.abort(), GRACE_MS).unref();
  }

  #acquireThread(signal: AbortSignal): Promise<SemaphorePermit> {
    const { wasPreempted, canBePreempted } = this.#opening.turn;
    const onPreempted = (): void => {
      this.#failure.interrupt(new Preempted('The map was preempted.'));
      this.#killed.abort();
    };
    return this.#threads.acquire({ signal, wasPreempted, ...(canBePreempted ? { onPreempted } : {}) });
  }

  #startPainting(
    steps: PaintingSteps,
    parts: readonly Transferable[],
    port: MessagePort | undefined,
  ): Promise<T | undefined> {
    const running = this.#runInThread({ settings: this.#opening.settings, steps, port }, parts);
    running.then(
      () => this.#end(),
      (error: unknown) => {
        this.#failure.interrupt(error);
        this.#end();
      },
    );
    this.#painted = running;
    return running;
  }

  async #runInThread(input: PaintMapInput, parts: readonly Transferable[]): Promise<T | undefined> {
    // The time spent waiting for a thread does not count towards a long map.
    this.#slot.pauseClock();
    this.#thread ??= await this.#acquireThread(this.#killed.signal);
    this.#slot.resumeClock();
    this.#hasThread = true;
    return this.#run(input, {
      signal: this.#killed.signal,
      deadlineMs: null,
      transfer: input.port === undefined ? parts : [...parts, input.port],
      onFree: () => this.#thread?.release(),
    });
  }

  /** Resolves when at most `ahead` messages are unfinished, with the addresses of the last finished one. */
  async #send(ahead = MESSAGES_AHEAD): Promise<readonly string[]> {
    const { steps, parts } = this.#held;
    this.#held = createStepBuffer();
    this.#sent += 1;
    let channel = this.#channel;
    if (channel === undefined) {
      const { port1: localPort, port2: remotePort } = new MessageChannel();
      channel = { localPort, replies: createMessageReader<PainterMessage>(localPort) };
      this.#channel = channel;
      this.#startPainting(steps, parts, remotePort);
    } else {
      channel.localPort.postMessage(steps, parts);
    }
    let addresses: readonly string[] = [];
    while (this.#sent - this.#done > ahead)
      ({ done: this.#done, addresses } = await this.#failure.guard(channel.replies.next()));
    return addresses;
  }

  /** Handles the abort of the map. */
  readonly #stop = (): void => {
    const { reason } = this.#opening.signal;
    this.#failure.interrupt(reason);
    // Stop waiting for a thread.
    if (!this.#hasThread) this.#killed.abort(reason);
    this.close();
  };

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#opening.signal.removeEventListener('abort', this.#stop);
    clearTimeout(this.#grace);
    this.#channel?.localPort.close();
    // A running thread is released by `onFree`.
    if (!this.#hasThread) this.#thread?.release();
  }
}

function createStepBuffer(): { readonly steps: PaintingStep[]; readonly parts: Transferable[]; bytes: number } {
  return { steps: [], parts: [], bytes: 0 };
}
