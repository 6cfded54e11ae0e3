/** Tile matrix sets by any of their names. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  computeTileBounds,
  findTileMatrixSet,
  findTilesInBounds,
  parseLevel,
  tileMatrixSets,
} from './tile-matrix-set.ts';

const [mercator, degrees] = tileMatrixSets;
if (mercator === undefined || degrees === undefined) throw new Error('there are no grids');

describe('tile matrix set', () => {
  it.each([
    ['WebMercatorQuad', 'WebMercatorQuad'],
    ['EPSG:900913', 'WebMercatorQuad'],
    ['EPSG:3857', 'WebMercatorQuad'],
    ['GoogleMapsCompatible', 'WebMercatorQuad'],
    ['WorldCRS84Quad', 'WorldCRS84Quad'],
    ['GlobalCRS84Quad', 'WorldCRS84Quad'],
    ['EPSG:4326', 'WorldCRS84Quad'],
  ])('has the name %s', (name, id) => {
    expect(findTileMatrixSet(name)?.id).toBe(id);
  });

  it.each([
    ['7', 7],
    ['EPSG:900913:7', 7],
    ['WebMercatorQuad:0', 0],
    ['EPSG:4326:7', undefined],
    ['25', undefined],
    ['-1', undefined],
    ['1e1', undefined],
    [':1', undefined],
    ['', undefined],
  ])('parses the level %j', (written, level) => {
    expect(parseLevel(mercator, written)).toBe(level);
  });

  it('finds the tiles that intersect a box', () => {
    expect(findTilesInBounds(degrees, 0, { minX: -10, minY: -10, maxX: 10, maxY: 10 })).toEqual({
      minColumn: 0,
      maxColumn: 1,
      minRow: 0,
      maxRow: 0,
    });
    expect(findTilesInBounds(degrees, 1, { minX: 1, minY: 1, maxX: 1, maxY: 1 })).toEqual({
      minColumn: 2,
      maxColumn: 2,
      minRow: 0,
      maxRow: 0,
    });
    expect(findTilesInBounds(degrees, 1, { minX: 200, minY: 1, maxX: 210, maxY: 2 })).toBeUndefined();
  });

  it('finds a tile by its own box, and no other', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(mercator, degrees),
        fc.integer({ min: 0, max: 20 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (set, level, across, down) => {
          const column = Math.floor(across * set.firstColumns * 2 ** level);
          const row = Math.floor(down * set.firstRows * 2 ** level);
          const { minX, minY, maxX, maxY } = computeTileBounds(set, { level, row, column });
          const [x, y] = [(maxX - minX) / 4, (maxY - minY) / 4];

          expect(
            findTilesInBounds(set, level, { minX: minX + x, minY: minY + y, maxX: maxX - x, maxY: maxY - y }),
          ).toEqual({
            minColumn: column,
            maxColumn: column,
            minRow: row,
            maxRow: row,
          });
        },
      ),
    );
  });
});
