/** A map that a worker paints while this thread reads the next features. */
import { listTransferableArrays } from '../../vector/port/packed-features.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { LayerSurface, OpenSurface } from '../layers/map-surface.ts';
import type { RunTransformation } from '../layers/transformed-layers.ts';
import type { RunSearch } from '../query/batch-search.ts';
import { splitLayer } from '../rules/chunked-style.ts';
import { listBuffers, transformDataTask } from '../transformations/transformation-task.ts';
import type { DocumentKind, DocumentSurface } from './document-painter.ts';
import {
  type MapLimits,
  MIN_MESSAGE_BYTES,
  PainterThread,
  type RunPainting,
  type SurfaceOpening,
} from './painter-thread.ts';
import { paintDocumentTask, paintMapTask } from './painting-task.ts';

/** The assumed size of a level step. */
const LEVEL_BYTES = 64;

/** The workers and limits for painting maps. */
export interface MapThreads extends MapLimits {
  /** Runs the tasks that hold a permit of `threads`. */
  readonly pool: WorkerPool;
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

/** Runs transformations in the threads that paint maps, with the same permits. */
export function createThreadTransformer(where: MapThreads): RunTransformation {
  return async (input, signal) => {
    const thread = await where.threads.acquire({ signal });
    return where.pool.run(transformDataTask, input, {
      signal,
      deadlineMs: null,
      // Samples of a coverage may share their buffer with others.
      transfer: input.data.kind === 'features' ? listBuffers(input.data) : [],
      onFree: () => thread.release(),
    });
  };
}

/** Searches batches of features in the threads that paint maps, with the same permits. */
export function createThreadSearcher(where: MapThreads): RunSearch {
  return async (task, input, signal) => {
    const thread = await where.threads.acquire({ signal });
    return where.pool.run(task, input, {
      signal,
      deadlineMs: null,
      transfer: listTransferableArrays(input.batch),
      onFree: () => thread.release(),
    });
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

async function openThreadSurface<T>(
  opening: SurfaceOpening,
  limits: MapLimits,
  run: RunPainting<T>,
): Promise<ThreadSurface<T>> {
  const painter = await PainterThread.open(opening, limits, run);
  return {
    expandAddresses: (templates, batch) =>
      painter.ask({ kind: 'addresses', templates, batch }, listTransferableArrays(batch)),
    startLayer: async (layer) => painter.add({ kind: 'layer', layer: await splitLayer(layer) }),
    paint: (batch) => painter.add({ kind: 'batch', batch }, batch.ordinates.byteLength, listTransferableArrays(batch)),
    startOrderedLayers: async (layers) =>
      painter.add({ kind: 'layers', layers: await Promise.all(layers.map(splitLayer)) }),
    bufferBatch: (part, batch) =>
      painter.add({ kind: 'held', part, batch }, batch.ordinates.byteLength, listTransferableArrays(batch)),
    paintLevel: (level) => painter.add({ kind: 'level', level }, LEVEL_BYTES),
    // Rasters are copied, not transferred: samples may share their buffer with others.
    paintRaster: (painting) => painter.add({ kind: 'raster', painting }, MIN_MESSAGE_BYTES),
    overlay: (straight) =>
      painter.add({ kind: 'picture', straight }, straight.byteLength, [straight.buffer as ArrayBuffer]),
    finish: (isPng) => painter.finish(isPng),
    close: () => painter.close(),
  };
}
