/** A map that is painted in a thread, while this one reads the next features. */
import { MessageChannel, type Transferable } from 'node:worker_threads';
import { transferredParts } from '../data/vector/packed-features.ts';
import { createInterruption } from '../lib/interruption.ts';
import { messagesOf } from '../workers/messages.ts';
import type { RunOptions, WorkerPool } from '../workers/pool.ts';
import type { DocumentKind, DocumentSurface } from './document-painter.ts';
import type { LayerSurface, OpenSurface, PaintedLayer, SurfaceSettings } from './map-surface.ts';
import { type PainterSays, type Painting, type PaintingStep, paintingDocument, paintingMap } from './painting-task.ts';

/** Steps on their way: one is done while the next is made. */
const STEPS_AHEAD = 2;

/** How long a thread has to stop by itself, before it is ended. */
const GRACE_MS = 2_000;

/** Waits for a thread: `work-refused` where too many wait already. Nothing should be read for a map before it has one. */
export function paintInThreads(pool: WorkerPool): OpenSurface {
  return async (settings, signal) => {
    const surface = await openThreadSurface(settings, signal, (painting, options) =>
      pool.run(paintingMap, painting, options),
    );
    return {
      ...surface,
      async finish() {
        const pixels = await surface.finish(false);
        if ('png' in pixels) throw new Error('A map is a file that nobody wanted as one.');
        return pixels;
      },
      finishAsPng: () => surface.finish(true),
    };
  };
}

export function paintDocumentsInThreads(pool: WorkerPool, document: DocumentKind): OpenSurface<DocumentSurface> {
  return async (settings, signal) => {
    const surface = await openThreadSurface(settings, signal, (painting, options) =>
      pool.run(paintingDocument, { ...painting, document }, options),
    );
    return { ...surface, finish: () => surface.finish(false) };
  };
}

/** A surface in a thread, whatever it gives in the end. */
interface ThreadSurface<T> extends LayerSurface {
  finish(isPng: boolean): Promise<T>;
}

async function openThreadSurface<T>(
  settings: SurfaceSettings,
  signal: AbortSignal,
  run: (painting: Painting, options: RunOptions) => Promise<T | undefined>,
): Promise<ThreadSurface<T>> {
  signal.throwIfAborted();
  const { port1: mine, port2: theirs } = new MessageChannel();
  const said = messagesOf<PainterSays>(mine);
  const killed = new AbortController();
  const painted = run({ settings, port: theirs }, { signal: killed.signal, deadlineMs: null, transfer: [theirs] });
  const failure = createInterruption();
  let grace: NodeJS.Timeout | undefined;
  let [sent, done] = [0, 0];
  // A layer goes with its first features: each message wakes a thread, and most maps are small.
  let begun: PaintedLayer | undefined;

  const say = (step: PaintingStep, transfer: readonly Transferable[] = []): void => mine.postMessage(step, transfer);
  const close = (): void => {
    say({ kind: 'stop' });
    grace ??= setTimeout(() => killed.abort(), GRACE_MS).unref();
  };
  const stop = (): void => {
    failure.interrupt(signal.reason);
    // Whoever has no thread yet waits for one no longer.
    if (!hasBegun) killed.abort(signal.reason);
    close();
  };
  let hasBegun = false;
  signal.addEventListener('abort', stop);
  const ended = (): void => {
    signal.removeEventListener('abort', stop);
    clearTimeout(grace);
    mine.close();
  };
  painted.then(ended, (error: unknown) => {
    failure.interrupt(error);
    ended();
  });

  /** Goes on as soon as not more than so many steps are under way. */
  const send = async (step: PaintingStep, transfer: readonly Transferable[] = []): Promise<void> => {
    say(step, transfer);
    sent += 1;
    while (sent - done > STEPS_AHEAD) done = await failure.guard(said.next());
  };
  const sendBegun = async (): Promise<void> => {
    if (begun !== undefined) await send({ kind: 'layer', layer: begun });
    begun = undefined;
  };

  const finish = async (isPng: boolean): Promise<T> => {
    await sendBegun();
    say({ kind: 'finish', isPng });
    const finished = await failure.guard(painted);
    if (finished === undefined) throw new Error('A map was stopped that nobody has stopped.');
    return finished;
  };

  await failure.guard(said.next());
  hasBegun = true;
  return {
    async startLayer(layer) {
      await sendBegun();
      begun = layer;
    },
    async paint(batch) {
      const layer = begun;
      begun = undefined;
      await send({ kind: 'batch', batch, layer }, transferredParts(batch));
    },
    async paintRaster(painting) {
      await sendBegun();
      // Copied rather than given away: samples may lie beside others in their memory.
      await send({ kind: 'raster', painting });
    },
    async lay(straight) {
      await sendBegun();
      await send({ kind: 'picture', straight }, [straight.buffer as ArrayBuffer]);
    },
    finish,
    close,
  };
}
