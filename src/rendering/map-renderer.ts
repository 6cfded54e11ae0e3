/** Draws maps and finds what is in them: what services of maps are given. All that is behind it is loaded with the first map. */
import type { WorkerPool } from '../workers/pool.ts';
import type { FoundFeatures, PlaceOnMap } from './found-features.ts';
import type { MapBudget, MapRequest, Pixels } from './map-request.ts';

export interface MapRenderer {
  /** A Problem where it is too large or takes too long, where too many maps wait already, or nothing can be drawn in that system. */
  draw(request: MapRequest, budget: MapBudget, signal: AbortSignal): Promise<Pixels>;
  /** The same as a PNG file. */
  drawPng(request: MapRequest, budget: MapBudget, signal: AbortSignal): Promise<Uint8Array>;
  /** Only features that are painted there; one answer for each layer, in their order. */
  find(
    request: MapRequest,
    place: PlaceOnMap,
    budget: Pick<MapBudget, 'milliseconds'>,
    signal: AbortSignal,
  ): Promise<readonly FoundFeatures[]>;
}

export function openMapRenderer(pool: WorkerPool): MapRenderer {
  return {
    async draw(request, budget, signal) {
      const [{ drawMap }, { paintInThreads }] = await Promise.all([
        import('./draw-map.ts'),
        import('./thread-surface.ts'),
      ]);
      return drawMap(request, budget, signal, paintInThreads(pool));
    },
    async drawPng(request, budget, signal) {
      const [{ drawMapAsPng }, { paintInThreads }, { encodePicture }] = await Promise.all([
        import('./draw-map.ts'),
        import('./thread-surface.ts'),
        import('./encode-picture.ts'),
      ]);
      const drawn = await drawMapAsPng(request, budget, signal, paintInThreads(pool));
      return 'png' in drawn ? drawn.png : encodePicture(drawn, 'png', { isOpaque: !request.isTransparent });
    },
    async find(request, place, budget, signal) {
      const { findDrawn } = await import('./find-drawn.ts');
      return findDrawn(request, place, budget, signal);
    },
  };
}
