/** The numbers of tiles in PMTiles: all tiles of coarser zooms, then the position on a Hilbert curve. */
import type { ArchivedTilePosition } from '../model/tile-archive.ts';

/** Numbers of finer zooms are not exact. */
export const MAX_PMTILES_ZOOM = 26;

/** The number of the first tile of a zoom. */
export function computeFirstTileId(zoom: number): number {
  return (4 ** zoom - 1) / 3;
}

export function computeTileId({ zoom, column, row }: ArchivedTilePosition): number {
  let [x, y] = [column, row];
  let distance = 0;
  for (let side = 2 ** (zoom - 1); side >= 1; side /= 2) {
    const right = (x & side) === 0 ? 0 : 1;
    const lower = (y & side) === 0 ? 0 : 1;
    distance += side * side * ((3 * right) ^ lower);
    if (lower === 0) {
      if (right === 1) [x, y] = [side - 1 - x, side - 1 - y];
      [x, y] = [y, x];
    }
  }
  return computeFirstTileId(zoom) + distance;
}
