/** Finds the features of a batch whose symbols are at a point. */
import type { MapPointQuery } from '../request/found-features.ts';
import { PixelShape } from '../shapes/pixel-shape.ts';
import { type BatchSearch, createSearchWork, type SearchBatch, visitFeatures } from './batch-search.ts';
import { createSymbolVisitor, type PlacedLayer } from './drawn-symbols.ts';
import { isWithin } from './shape-distance.ts';

/** The distance within which users hit a thin line. */
export const MIN_RADIUS_PIXELS = 3;

export interface PointSearch extends PlacedLayer {
  readonly point: MapPointQuery;
}

export const searchPoint = createSearchWork(openPointSearch);

/** Returns the indexes of the features, at most as many as requested. */
export const pointSearch: BatchSearch<PointSearch, Uint32Array> = {
  open: openPointSearch,
  task: { module: import.meta.url, name: 'searchPoint', work: searchPoint },
};

async function openPointSearch(query: PointSearch): Promise<SearchBatch<Uint32Array>> {
  const { x, y, radiusPixels, count } = query.point;
  const shape = new PixelShape();
  const visitSymbols = await createSymbolVisitor(query, shape);
  const isHit = (radius: number): boolean => isWithin(shape, x, y, radiusPixels ?? Math.max(MIN_RADIUS_PIXELS, radius));
  return async (batch, signal) => {
    const found: number[] = [];
    await visitFeatures(
      batch,
      (feature, range) => {
        if (visitSymbols(batch, feature, range, isHit)) found.push(feature);
        return found.length >= count;
      },
      signal,
    );
    return Uint32Array.from(found);
  };
}
