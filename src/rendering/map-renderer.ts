/** Draws maps and finds features in them, for the map services. The implementation is loaded with the first map. */

import { type MeasuredWork, measureWork } from '../lib/measure/measure-work.ts';
import type { FeatureTypeDescription } from '../vector/port/port.ts';
import type { DocumentKind } from './painting/document-painter.ts';
import type { MapThreads } from './painting/thread-surface.ts';
import type { QueryThreads } from './query/batch-search.ts';
import type { KeyGrid } from './query/key-grid.ts';
import type { PlacemarkOptions, PlacemarkStyler } from './query/placemark-styler.ts';
import type { RuleCounts } from './query/rule-counts.ts';
import type { FoundFeatures, MapPointQuery } from './request/found-features.ts';
import type { MapBudget, MapRequest, Pixels, VectorLayer } from './request/map-request.ts';
import type { MapSettings } from './request/map-settings.ts';

export interface MapRenderer {
  /**
   * Throws a Problem if the map is too large or takes too long, too many maps are waiting, or its CRS cannot be drawn.
   */
  draw(request: MapRequest, budget: MapBudget, signal: AbortSignal): Promise<Pixels>;
  /** Draws a map as a PNG file. */
  drawPng(request: MapRequest, budget: MapBudget, signal: AbortSignal): Promise<Uint8Array>;
  /** Draws a map as a vector document. */
  drawDocument(request: MapRequest, kind: DocumentKind, budget: MapBudget, signal: AbortSignal): Promise<Uint8Array>;
  /** Finds only painted features. Returns one result for each layer, in order. */
  find(
    request: MapRequest,
    place: MapPointQuery,
    budget: Pick<MapBudget, 'milliseconds'>,
    signal: AbortSignal,
  ): Promise<readonly FoundFeatures[]>;
  /** Finds the uppermost feature of each pixel of a map. */
  findOnGrid(request: MapRequest, budget: Pick<MapBudget, 'milliseconds'>, signal: AbortSignal): Promise<KeyGrid>;
  /** Counts the features of the map that each rule of its styles draws. */
  countRules(request: MapRequest, budget: Pick<MapBudget, 'milliseconds'>, signal: AbortSignal): Promise<RuleCounts>;
  /** `description` describes the features. */
  createPlacemarkStyler(
    layer: VectorLayer,
    description: FeatureTypeDescription,
    settings: MapSettings,
    options: Omit<PlacemarkOptions, 'runInThread'>,
  ): Promise<PlacemarkStyler>;
}

/** What is drawn differently for compatibility. */
export type RendererHabits = Pick<MapRequest, 'displacesDownwards'>;

const picture: MeasuredWork = { stage: 'render', kind: 'picture' };

export function openMapRenderer(where: MapThreads, habits: RendererHabits = {}): MapRenderer {
  // Importing a module again takes as long as a small read.
  let loaded: ReturnType<typeof loadPainting> | undefined;
  const getPainting = () => {
    loaded ??= loadPainting();
    return loaded;
  };
  const getQueryThreads = async (): Promise<QueryThreads> => {
    const { createThreadTransformer, createThreadSearcher } = await getPainting();
    return { transform: createThreadTransformer(where), search: createThreadSearcher(where) };
  };
  return {
    draw: (request, budget, signal) =>
      measureWork(picture, async () => {
        const { drawMap, createThreads } = await getPainting();
        return drawMap({ ...request, ...habits }, budget, signal, createThreads(where));
      }),
    async drawPng(request, budget, signal) {
      const { drawMapAsPng, createThreads } = await getPainting();
      const drawn = await measureWork(picture, () =>
        drawMapAsPng({ ...request, ...habits }, budget, signal, createThreads(where)),
      );
      if ('png' in drawn) return drawn.png;
      const { encodePicture } = await import('./output/encode-picture.ts');
      return encodePicture(drawn, 'png', { isOpaque: !request.isTransparent });
    },
    async drawDocument(request, kind, budget, signal) {
      const { createThreadDocumentOpener, createThreads } = await getPainting();
      const { openSurface, transform } = createThreads(where);
      const { drawDocument } = await import('./draw-document.ts');
      return measureWork({ stage: 'render', kind: 'document' }, () =>
        drawDocument({ ...request, ...habits }, budget, signal, {
          document: createThreadDocumentOpener(where, kind),
          pixels: openSurface,
          transform,
        }),
      );
    },
    async findOnGrid(request, budget, signal) {
      const { findOnGrid } = await import('./query/key-grid.ts');
      return findOnGrid(request, budget, signal, await getQueryThreads());
    },
    async countRules(request, budget, signal) {
      const { countRules } = await import('./query/rule-counts.ts');
      return countRules(request, budget, signal, await getQueryThreads());
    },
    async find(request, place, budget, signal) {
      const { findDrawnFeatures: findDrawn } = await import('./query/find-drawn-features.ts');
      const { milliseconds } = budget;
      return findDrawn(request, place, { milliseconds, ...(await getQueryThreads()) }, signal);
    },
    async createPlacemarkStyler(layer, description, settings, options) {
      const { createPlacemarkStyler } = await import('./query/placemark-styler.ts');
      const { search } = await getQueryThreads();
      return createPlacemarkStyler(layer, description, settings, { ...options, runInThread: search });
    },
  };
}

async function loadPainting() {
  const [maps, threads] = await Promise.all([import('./draw-map.ts'), import('./painting/thread-surface.ts')]);
  const createThreads = (where: MapThreads) => ({
    openSurface: threads.createThreadSurfaceOpener(where),
    transform: threads.createThreadTransformer(where),
  });
  return { ...maps, ...threads, createThreads };
}
