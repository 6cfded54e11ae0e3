/** Levels of grid sets for the zooms of stored tiles. */
import { describe, expect, it } from 'vitest';
import { webMercatorQuad, worldCrs84Quad } from './default-sets.ts';
import { findStoredLevels } from './stored-levels.ts';
import type { TileMatrixSet } from './tile-matrix-set.ts';

describe('levels of a grid set for stored tiles', () => {
  it.each([
    [
      { min: 0, max: 0 },
      { minLevel: 0, maxLevel: 0 },
    ],
    [
      { min: 3, max: 14 },
      { minLevel: 3, maxLevel: 14 },
    ],
    [
      { min: 24, max: 30 },
      { minLevel: 24, maxLevel: 24 },
    ],
    [
      { min: 28, max: 30 },
      { minLevel: 24, maxLevel: 24 },
    ],
  ])('are the zooms in Web Mercator: %o', (zooms, expected) => {
    expect(findStoredLevels(webMercatorQuad, zooms)).toEqual(expected);
  });

  it.each([
    [
      { min: 0, max: 0 },
      { minLevel: 0, maxLevel: 0 },
    ],
    [
      { min: 3, max: 14 },
      { minLevel: 2, maxLevel: 13 },
    ],
  ])('have tiles of the same width in degrees: %o', (zooms, expected) => {
    expect(findStoredLevels(worldCrs84Quad, zooms)).toEqual(expected);
  });

  it('include the zooms if no level has their width', () => {
    const matrices = webMercatorQuad.matrices.map((matrix) => ({ ...matrix, cellSize: matrix.cellSize * 1.5 }));
    const set: TileMatrixSet = { ...webMercatorQuad, matrices };

    expect(findStoredLevels(set, { min: 3, max: 5 })).toEqual({ minLevel: 3, maxLevel: 6 });
  });
});
