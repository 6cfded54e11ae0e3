/** A map that is painted in a thread, while this one reads the next features. */
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import { transferredParts } from '../data/vector/packed-features.ts';
import { createInterruption } from '../lib/interruption.ts';
import { type Lane, type Lanes, SetBack } from '../workers/lanes.ts';
import { messagesOf } from '../workers/messages.ts';
import type { RunOptions, WorkerPool } from '../workers/pool.ts';
import type { DocumentKind, DocumentSurface } from './document-painter.ts';
import type { LayerSurface, OpenSurface, SurfaceSettings, SurfaceTurn } from './map-surface.ts';
import {
  type PainterSays,
  type Painting,
  type PaintingStep,
  type PaintingSteps,
  paintingDocument,
  paintingMap,
} from './painting-task.ts';

/** Messages on their way: one is done while the next is made. */
const MESSAGES_AHEAD = 2;

/** Less than this is held back until there is more to be sent with it: a small map goes to its thread in one message. */
const LEAST_BYTES = 262_144;

/** What a level of an order is counted as. */
const LEVEL_BYTES = 64;

/** How long a thread has to stop by itself, before it is ended. */
const GRACE_MS = 2_000;

/** Where maps are painted. */
export interface MapThreads {
  readonly pools: Readonly<Record<Lane, WorkerPool>>;
  /** For maps that are under way, in a thread or not yet: some are read while others are painted. */
  readonly lanes: Lanes;
}

/** Waits for a place: `work-refused` where too many wait already. Nothing should be read for a map before it has one. */
export function paintInThreads({ pools, lanes }: MapThreads): OpenSurface {
  return async (settings, signal, turn) => {
    const surface = await openThreadSurface({ settings, signal, turn }, lanes, (lane, painting, options) =>
      pools[lane].run(paintingMap, painting, options),
    );
    return {
      ...surface,
      isDirect: false,
      async finish() {
        const pixels = await surface.finish(false);
        if ('png' in pixels) throw new Error('A map is a file that nobody wanted as one.');
        return pixels;
      },
      finishAsPng: () => surface.finish(true),
    };
  };
}

export function paintDocumentsInThreads(
  { pools, lanes }: MapThreads,
  document: DocumentKind,
): OpenSurface<DocumentSurface> {
  return async (settings, signal, turn) => {
    const surface = await openThreadSurface({ settings, signal, turn }, lanes, (lane, painting, options) =>
      pools[lane].run(paintingDocument, { ...painting, document }, options),
    );
    return { ...surface, isDirect: true, finish: () => surface.finish(false) };
  };
}

/** A surface in a thread, whatever it gives in the end. */
interface ThreadSurface<T> extends Omit<LayerSurface, 'isDirect'> {
  finish(isPng: boolean): Promise<T>;
}

interface Opening {
  readonly settings: SurfaceSettings;
  readonly signal: AbortSignal;
  readonly turn: SurfaceTurn;
}

async function openThreadSurface<T>(
  { settings, signal, turn: { wasSetBack, mayBeSetBack } }: Opening,
  lanes: Lanes,
  run: (lane: Lane, painting: Painting, options: RunOptions) => Promise<T | undefined>,
): Promise<ThreadSurface<T>> {
  const killed = new AbortController();
  const failure = createInterruption();
  const whenSetBack = () => {
    failure.interrupt(new SetBack('A map has made room for others.'));
    killed.abort();
  };
  const turn = await lanes.begin({ signal, wasSetBack, mayBeSetBack, whenSetBack });
  let painted: Promise<T | undefined> | undefined;
  let channel: { readonly mine: MessagePort; readonly said: ReturnType<typeof messagesOf<PainterSays>> } | undefined;
  let hasThread = false;
  let grace: NodeJS.Timeout | undefined;
  let isOver = false;
  let held = nothingHeld();
  let [sent, done] = [0, 0];

  const end = (): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener('abort', stop);
    clearTimeout(grace);
    channel?.mine.close();
    turn.leave();
  };
  const close = (): void => {
    if (painted === undefined) {
      end();
      return;
    }
    channel?.mine.postMessage([{ kind: 'stop' }] satisfies PaintingSteps);
    if (!isOver) grace ??= setTimeout(() => killed.abort(), GRACE_MS).unref();
  };
  const stop = (): void => {
    failure.interrupt(signal.reason);
    // Whoever has no thread yet waits for one no longer.
    if (!hasThread) killed.abort(signal.reason);
    close();
  };
  signal.addEventListener('abort', stop);

  const begin = (steps: PaintingSteps, parts: readonly Transferable[], port: MessagePort | undefined) => {
    const transfer = port === undefined ? parts : [...parts, port];
    const begun = turn.thread(killed.signal).then((lane) => {
      hasThread = true;
      return run(lane, { settings, steps, port }, { signal: killed.signal, deadlineMs: null, transfer });
    });
    begun.then(end, (error: unknown) => {
      failure.interrupt(error);
      end();
    });
    painted = begun;
    return begun;
  };

  /** Goes on as soon as not more than so many messages are under way. */
  const send = async (): Promise<void> => {
    const { steps, parts } = held;
    held = nothingHeld();
    sent += 1;
    if (channel === undefined) {
      const { port1: mine, port2: theirs } = new MessageChannel();
      channel = { mine, said: messagesOf<PainterSays>(mine) };
      begin(steps, parts, theirs);
    } else {
      channel.mine.postMessage(steps, parts);
    }
    while (sent - done > MESSAGES_AHEAD) done = await failure.guard(channel.said.next());
  };
  const add = async (step: PaintingStep, bytes = 0, parts: readonly Transferable[] = []): Promise<void> => {
    held.steps.push(step);
    held.parts.push(...parts);
    held.bytes += bytes;
    if (held.bytes >= LEAST_BYTES) await send();
  };

  return {
    startLayer: (layer) => add({ kind: 'layer', layer }),
    paint: (batch) => add({ kind: 'batch', batch }, batch.ordinates.byteLength, transferredParts(batch)),
    startTogether: (layers) => add({ kind: 'layers', layers }),
    hold: (part, batch) => add({ kind: 'held', part, batch }, batch.ordinates.byteLength, transferredParts(batch)),
    paintLevel: (level) => add({ kind: 'level', level }, LEVEL_BYTES),
    // Copied rather than given away: samples may lie beside others in their memory. There are many of them.
    paintRaster: (painting) => add({ kind: 'raster', painting }, LEAST_BYTES),
    lay: (straight) => add({ kind: 'picture', straight }, straight.byteLength, [straight.buffer as ArrayBuffer]),
    async finish(isPng) {
      const { steps, parts } = held;
      steps.push({ kind: 'finish', isPng });
      channel?.mine.postMessage(steps, parts);
      const finished = await failure.guard(painted ?? begin(steps, parts, undefined));
      if (finished === undefined) throw new Error('A map was stopped that nobody has stopped.');
      return finished;
    },
    close,
  };
}

function nothingHeld(): { readonly steps: PaintingStep[]; readonly parts: Transferable[]; bytes: number } {
  return { steps: [], parts: [], bytes: 0 };
}
