/** The levels of a grid set that correspond to the zooms of stored tiles. */
import type { ZoomRange } from '../lib/tile-archive/zoom-range.ts';
import { computeScaleDenominator, getFinestLevel, PIXEL_METRES, type TileMatrixSet } from './tile-matrix-set.ts';

export interface LevelRange {
  readonly minLevel: number;
  readonly maxLevel: number;
}

/** The side of the square of Web Mercator, in metres. */
const WORLD_METRES = 40_075_016.685_578_49;

/** Sets are defined with rounded numbers. */
const TOLERANCE = 0.001;

/**
 * Returns the zooms themselves in Web Mercator. In other sets, tiles are compared by their width: the range begins at
 * the finest level that shows all of a tile of the coarsest zoom, and ends at the first level with all details.
 */
export function findStoredLevels(set: TileMatrixSet, { min, max }: ZoomRange): LevelRange {
  const zooms = set.matrices.map((matrix) => {
    const widthMetres = computeScaleDenominator(set, matrix) * PIXEL_METRES * matrix.tileWidth;
    return Math.log2(WORLD_METRES / widthMetres);
  });
  const minLevel = zooms.findLastIndex((zoom) => zoom <= min + TOLERANCE);
  const maxLevel = zooms.findIndex((zoom) => zoom >= max - TOLERANCE);
  return { minLevel: Math.max(minLevel, 0), maxLevel: maxLevel < 0 ? getFinestLevel(set) : maxLevel };
}
