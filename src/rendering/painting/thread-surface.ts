/** A map that a worker paints while this thread reads the next features. */
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import { createInterruption } from '../../lib/async/interruption.ts';
import { listTransferableArrays } from '../../vector/port/packed-features.ts';
import type { FairSemaphore, SemaphorePermit } from '../../workers/fair-semaphore.ts';
import { createMessageReader } from '../../workers/messages.ts';
import type { RunOptions, WorkerPool } from '../../workers/pool.ts';
import {
  type LayerSurface,
  type OpenSurface,
  Preempted,
  type SurfaceAttempt,
  type SurfaceSettings,
} from '../layers/map-surface.ts';
import type { DocumentKind, DocumentSurface } from './document-painter.ts';
import {
  type PainterMessage,
  type PaintingStep,
  type PaintingSteps,
  type PaintMapInput,
  paintDocumentTask,
  paintMapTask,
} from './painting-task.ts';

/** The number of unfinished messages: one is painted while the next is filled. */
const MESSAGES_AHEAD = 2;

/** Smaller messages are held back and merged: a small map takes a single message. */
const MIN_MESSAGE_BYTES = 262_144;

/** The assumed size of a level step. */
const LEVEL_BYTES = 64;

/** The time a worker has to stop by itself before it is terminated. */
const GRACE_MS = 2_000;

/** The workers and limits for painting maps. */
export interface MapThreads {
  /** Runs the tasks that hold a permit of `threads`. */
  readonly pool: WorkerPool;
  /** Limits the active maps, painting or not: some read while others paint. */
  readonly underWay: FairSemaphore;
  readonly threads: FairSemaphore;
}

/**
 * Waits for a slot, and throws `work-refused` if too many maps are waiting. Acquire the slot before any data is read.
 */
export function createThreadSurfaceOpener(where: MapThreads): OpenSurface {
  return async (settings, signal, turn) => {
    const surface = await openThreadSurface({ settings, signal, turn }, where, (painting, options) =>
      where.pool.run(paintMapTask, painting, options),
    );
    return {
      ...surface,
      isDirect: false,
      async finish() {
        const pixels = await surface.finish(false);
        if ('png' in pixels) throw new Error('The worker returned a PNG file instead of pixels.');
        return pixels;
      },
      finishAsPng: () => surface.finish(true),
    };
  };
}

export function createThreadDocumentOpener(where: MapThreads, document: DocumentKind): OpenSurface<DocumentSurface> {
  return async (settings, signal, turn) => {
    const surface = await openThreadSurface({ settings, signal, turn }, where, (painting, options) =>
      where.pool.run(paintDocumentTask, { ...painting, document }, options),
    );
    return { ...surface, isDirect: true, finish: () => surface.finish(false) };
  };
}

/** A surface in a worker, with any type of result. */
interface ThreadSurface<T> extends Omit<LayerSurface, 'isDirect'> {
  finish(isPng: boolean): Promise<T>;
}

interface SurfaceOpening {
  readonly settings: SurfaceSettings;
  readonly signal: AbortSignal;
  readonly turn: SurfaceAttempt;
}

async function openThreadSurface<T>(
  { settings, signal, turn }: SurfaceOpening,
  { underWay, threads }: Pick<MapThreads, 'underWay' | 'threads'>,
  run: (painting: PaintMapInput, options: RunOptions) => Promise<T | undefined>,
): Promise<ThreadSurface<T>> {
  const killed = new AbortController();
  const failure = createInterruption();
  const { wasPreempted, canBePreempted } = turn;
  const place = turn.slot ?? (await underWay.acquire({ signal }));
  turn.slot = place;
  const onPreempted = () => {
    failure.interrupt(new Preempted('The map was preempted.'));
    killed.abort();
  };
  const acquireThread = (until: AbortSignal): Promise<SemaphorePermit> =>
    threads.acquire({ signal: until, wasPreempted, ...(canBePreempted ? { onPreempted } : {}) });
  // A preempted map waits for a thread before it reads again.
  let thread = wasPreempted ? await acquireThread(signal) : undefined;
  let painted: Promise<T | undefined> | undefined;
  let channel:
    | { readonly localPort: MessagePort; readonly replies: ReturnType<typeof createMessageReader<PainterMessage>> }
    | undefined;
  let hasThread = false;
  let grace: NodeJS.Timeout | undefined;
  let isOver = false;
  let held = createStepBuffer();
  let [sent, done] = [0, 0];

  const end = (): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener('abort', stop);
    clearTimeout(grace);
    channel?.localPort.close();
    // A running thread is released by `onFree`.
    if (!hasThread) thread?.release();
  };
  const close = (): void => {
    if (painted === undefined) {
      end();
      return;
    }
    channel?.localPort.postMessage([{ kind: 'stop' }] satisfies PaintingSteps);
    if (!isOver) grace ??= setTimeout(() => killed.abort(), GRACE_MS).unref();
  };
  const stop = (): void => {
    failure.interrupt(signal.reason);
    // Stop waiting for a thread.
    if (!hasThread) killed.abort(signal.reason);
    close();
  };
  signal.addEventListener('abort', stop);

  const startPainting = (steps: PaintingSteps, parts: readonly Transferable[], port: MessagePort | undefined) => {
    const transfer = port === undefined ? parts : [...parts, port];
    // The time spent waiting for a thread does not count towards a long map.
    place.pauseClock();
    const running = (async () => {
      thread ??= await acquireThread(killed.signal);
      place.resumeClock();
      hasThread = true;
      const onFree = () => thread?.release();
      return run({ settings, steps, port }, { signal: killed.signal, deadlineMs: null, transfer, onFree });
    })();
    running.then(end, (error: unknown) => {
      failure.interrupt(error);
      end();
    });
    painted = running;
    return running;
  };

  /** Resolves when at most `MESSAGES_AHEAD` messages are unfinished. */
  const send = async (): Promise<void> => {
    const { steps, parts } = held;
    held = createStepBuffer();
    sent += 1;
    if (channel === undefined) {
      const { port1: localPort, port2: remotePort } = new MessageChannel();
      channel = { localPort, replies: createMessageReader<PainterMessage>(localPort) };
      startPainting(steps, parts, remotePort);
    } else {
      channel.localPort.postMessage(steps, parts);
    }
    while (sent - done > MESSAGES_AHEAD) done = await failure.guard(channel.replies.next());
  };
  const add = async (step: PaintingStep, bytes = 0, parts: readonly Transferable[] = []): Promise<void> => {
    held.steps.push(step);
    held.parts.push(...parts);
    held.bytes += bytes;
    if (held.bytes >= MIN_MESSAGE_BYTES) await send();
  };

  return {
    startLayer: (layer) => add({ kind: 'layer', layer }),
    paint: (batch) => add({ kind: 'batch', batch }, batch.ordinates.byteLength, listTransferableArrays(batch)),
    startOrderedLayers: (layers) => add({ kind: 'layers', layers }),
    bufferBatch: (part, batch) =>
      add({ kind: 'held', part, batch }, batch.ordinates.byteLength, listTransferableArrays(batch)),
    paintLevel: (level) => add({ kind: 'level', level }, LEVEL_BYTES),
    // Rasters are copied, not transferred: samples may share their buffer with others.
    paintRaster: (painting) => add({ kind: 'raster', painting }, MIN_MESSAGE_BYTES),
    overlay: (straight) => add({ kind: 'picture', straight }, straight.byteLength, [straight.buffer as ArrayBuffer]),
    async finish(isPng) {
      const { steps, parts } = held;
      steps.push({ kind: 'finish', isPng });
      channel?.localPort.postMessage(steps, parts);
      const finished = await failure.guard(painted ?? startPainting(steps, parts, undefined));
      if (finished === undefined) throw new Error('The worker stopped the map without a request.');
      return finished;
    },
    close,
  };
}

function createStepBuffer(): { readonly steps: PaintingStep[]; readonly parts: Transferable[]; bytes: number } {
  return { steps: [], parts: [], bytes: 0 };
}
