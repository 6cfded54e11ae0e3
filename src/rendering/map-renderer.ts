/** Draws maps and finds what is in them: what services of maps are given. All that is behind it is loaded with the first map. */
import type { DocumentKind } from './painting/document-painter.ts';
import type { MapThreads } from './painting/thread-surface.ts';
import type { KeyGrid } from './query/key-grid.ts';
import type { RuleCounts } from './query/rule-counts.ts';
import type { FoundFeatures, MapPointQuery } from './request/found-features.ts';
import type { MapBudget, MapRequest, Pixels } from './request/map-request.ts';

export interface MapRenderer {
  /** A Problem where it is too large or takes too long, where too many maps wait already, or nothing can be drawn in that system. */
  draw(request: MapRequest, budget: MapBudget, signal: AbortSignal): Promise<Pixels>;
  /** The same as a PNG file. */
  drawPng(request: MapRequest, budget: MapBudget, signal: AbortSignal): Promise<Uint8Array>;
  /** As a document that stays sharp at any size. */
  drawDocument(request: MapRequest, kind: DocumentKind, budget: MapBudget, signal: AbortSignal): Promise<Uint8Array>;
  /** Only features that are painted there; one answer for each layer, in their order. */
  find(
    request: MapRequest,
    place: MapPointQuery,
    budget: Pick<MapBudget, 'milliseconds'>,
    signal: AbortSignal,
  ): Promise<readonly FoundFeatures[]>;
  /** Which feature is uppermost in each pixel of a map, of which a pixel is a cell then. */
  findOnGrid(request: MapRequest, budget: Pick<MapBudget, 'milliseconds'>, signal: AbortSignal): Promise<KeyGrid>;
  /** How many features of the map each rule of its styles draws. */
  countRules(request: MapRequest, budget: Pick<MapBudget, 'milliseconds'>, signal: AbortSignal): Promise<RuleCounts>;
}

export function openMapRenderer(where: MapThreads): MapRenderer {
  // To look a module up again takes as long as a small read.
  let loaded: ReturnType<typeof loadPainting> | undefined;
  const getPainting = () => {
    loaded ??= loadPainting();
    return loaded;
  };
  return {
    async draw(request, budget, signal) {
      const { drawMap, createThreadSurfaceOpener: paintInThreads } = await getPainting();
      return drawMap(request, budget, signal, paintInThreads(where));
    },
    async drawPng(request, budget, signal) {
      const { drawMapAsPng, createThreadSurfaceOpener: paintInThreads } = await getPainting();
      const drawn = await drawMapAsPng(request, budget, signal, paintInThreads(where));
      if ('png' in drawn) return drawn.png;
      const { encodePicture } = await import('./output/encode-picture.ts');
      return encodePicture(drawn, 'png', { isOpaque: !request.isTransparent });
    },
    async drawDocument(request, kind, budget, signal) {
      const { createThreadDocumentOpener: paintDocumentsInThreads, createThreadSurfaceOpener: paintInThreads } =
        await getPainting();
      const { drawDocument } = await import('./draw-document.ts');
      return drawDocument(request, budget, signal, {
        document: paintDocumentsInThreads(where, kind),
        pixels: paintInThreads(where),
      });
    },
    async findOnGrid(request, budget, signal) {
      const { findOnGrid } = await import('./query/key-grid.ts');
      return findOnGrid(request, budget, signal);
    },
    async countRules(request, budget, signal) {
      const { countRules } = await import('./query/rule-counts.ts');
      return countRules(request, budget, signal);
    },
    async find(request, place, budget, signal) {
      const { findDrawnFeatures: findDrawn } = await import('./query/find-drawn-features.ts');
      return findDrawn(request, place, budget, signal);
    },
  };
}

async function loadPainting() {
  const [maps, threads] = await Promise.all([import('./draw-map.ts'), import('./painting/thread-surface.ts')]);
  return { ...maps, ...threads };
}
