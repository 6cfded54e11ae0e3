/** Tile matrix sets by any of their names. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worldCrs84Quad as degrees, findDefaultSet, webMercatorQuad as mercator } from './default-sets.ts';
import {
  computeMatrixBounds,
  computeTileBounds,
  findTilesInBounds,
  getMatrix,
  isInMatrix,
  parseLevel,
} from './tile-matrix-set.ts';

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
    expect(findDefaultSet(name)?.id).toBe(id);
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

  it('parses the names of levels before their numbers', () => {
    const name = (...names: readonly string[]) => ({
      ...mercator,
      matrices: mercator.matrices
        .slice(0, names.length)
        .map((matrix, level) => ({ ...matrix, name: names[level] ?? '' })),
    });

    expect(
      ['coarse', 'EPSG:900913:fine', '1', 'EPSG:900913:1', '2'].map((each) => parseLevel(name('coarse', 'fine'), each)),
    ).toEqual([0, 1, 1, 1, undefined]);
    expect(['5', '6', '0'].map((each) => parseLevel(name('5', '6'), each))).toEqual([0, 1, undefined]);
  });

  it('computes tiles of any size, corner and scale', () => {
    const set = {
      ...mercator,
      matrices: [
        { name: '0', cellSize: 10, origin: [100, 5000], columns: 2, rows: 1, tileWidth: 512, tileHeight: 256 },
        { name: '1', cellSize: 3, origin: [0, 5200], columns: 8, rows: 9, tileWidth: 200, tileHeight: 300 },
      ] as const,
    };

    expect(computeTileBounds(set, { level: 0, row: 0, column: 1 })).toEqual({
      minX: 5220,
      minY: 2440,
      maxX: 10_340,
      maxY: 5000,
    });
    expect(computeTileBounds(set, { level: 1, row: 1, column: 2 })).toEqual({
      minX: 1200,
      minY: 3400,
      maxX: 1800,
      maxY: 4300,
    });
    expect(findTilesInBounds(set, 1, { minX: 1200, minY: 3400, maxX: 1800, maxY: 4300 })).toEqual({
      minColumn: 2,
      maxColumn: 2,
      minRow: 1,
      maxRow: 1,
    });
    expect(computeMatrixBounds(getMatrix(set, 1))).toEqual({ minX: 0, minY: -2900, maxX: 4800, maxY: 5200 });
    expect(isInMatrix(set, { level: 1, row: 8, column: 7 })).toBe(true);
    expect(isInMatrix(set, { level: 2, row: 0, column: 0 })).toBe(false);
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
          const { columns, rows } = getMatrix(set, level);
          const column = Math.floor(across * columns);
          const row = Math.floor(down * rows);
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
