/** Chooses the zoom of an archive for a query. */
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import { MERCATOR_EDGE } from '../../crs/web-mercator.ts';
import type { TileArchiveInfo } from './model/tile-archive.ts';
import { findTilesOfMercatorBox, type TileRange } from './tile-pixels.ts';

/** The usual side of a tile on a screen, in pixels. */
const TILE_PIXELS = 256;

/** The tiles that one query reads at most, unless the coarsest zoom has more: some thousand pixels of a map. */
const MAX_QUERY_TILES = 256;

export interface ChosenTiles {
  readonly zoom: number;
  /** May overlap. */
  readonly ranges: readonly TileRange[];
}

/**
 * Returns the zoom whose pixels are nearest to the resolution, in metres of Web Mercator; without a resolution, the
 * finest one. A coarser one is chosen if the boxes contain too many tiles.
 */
export function chooseTiles(
  { minZoom, maxZoom }: Pick<TileArchiveInfo, 'minZoom' | 'maxZoom'>,
  extent: Bounds,
  { boxes = [extent], resolution }: { readonly boxes?: readonly Bounds[]; readonly resolution?: number },
): ChosenTiles {
  const within = boxes.map((box) => intersectBounds(box, extent)).filter((box) => box !== undefined);
  const wanted =
    resolution === undefined ? maxZoom : Math.round(Math.log2((2 * MERCATOR_EDGE) / (TILE_PIXELS * resolution)));
  for (let zoom = Math.min(maxZoom, Math.max(minZoom, wanted)); ; zoom -= 1) {
    const ranges = within.map((box) => findTilesOfMercatorBox(box, zoom));
    const count = ranges.reduce((sum, range) => sum + countTiles(range), 0);
    if (count <= MAX_QUERY_TILES || zoom <= minZoom) return { zoom, ranges };
  }
}

function countTiles({ minColumn, maxColumn, minRow, maxRow }: TileRange): number {
  return (maxColumn - minColumn + 1) * (maxRow - minRow + 1);
}
