/** The matrices that follow from the extent and the scales of a definition. */
import { describe, expect, it } from 'vitest';
import { computeMatrixBounds } from '../tile-matrix-set.ts';
import { createMatrices, findGridFaults, type GridDefinition, gridDefaults } from './grid-definition.ts';

const base: GridDefinition = {
  ...gridDefaults,
  name: 'own',
  epsg: 2056,
  extent: { minX: 0, minY: 0, maxX: 1000, maxY: 600 },
  scales: { kind: 'resolutions', values: [2, 1] },
};

describe('grid definition', () => {
  it('covers its extent from the lower left or the upper left corner', () => {
    const [coarse, fine] = createMatrices(base, 1);
    const [aligned] = createMatrices({ ...base, alignTopLeft: true }, 1);

    expect(coarse).toEqual({
      name: 'own:0',
      cellSize: 2,
      origin: [0, 1024],
      columns: 2,
      rows: 2,
      tileWidth: 256,
      tileHeight: 256,
    });
    expect(fine).toMatchObject({ name: 'own:1', origin: [0, 768], columns: 4, rows: 3 });
    expect(aligned).toMatchObject({ origin: [0, 600], columns: 2, rows: 2 });
  });

  it('converts scale denominators with the pixel size and the unit', () => {
    const scales = { kind: 'scaleDenominators', values: [10_000] } as const;
    const convert = (changed: Partial<GridDefinition>) =>
      createMatrices({ ...base, scales, ...changed }, 0.3048)[0]?.cellSize;

    expect(convert({})).toBeCloseTo(2.8 / 0.3048, 12);
    expect(convert({ metersPerUnit: 1 })).toBeCloseTo(2.8, 12);
    expect(convert({ metersPerUnit: 1, pixelSize: 0.000_1 })).toBeCloseTo(1, 12);
  });

  it('widens its extent to whole tiles if only the number of levels is given', () => {
    const cover = (maxX: number, maxY: number, tileWidth = 256) => {
      const extent = { minX: 0, minY: 0, maxX, maxY };
      const [first, second] = createMatrices({ ...base, extent, tileWidth, scales: { kind: 'levels', count: 2 } }, 1);
      if (first === undefined || second === undefined) throw new Error('two levels are missing');
      expect(second.cellSize).toBe(first.cellSize / 2);
      return [first.columns, first.rows, computeMatrixBounds(first).maxX, computeMatrixBounds(first).maxY];
    };

    expect(cover(360, 180)).toEqual([2, 1, 360, 180]);
    expect(cover(1000, 600)).toEqual([1, 1, 1000, 1000]);
    expect(cover(100, 300)).toEqual([1, 3, 100, 300]);
    expect(cover(512, 256, 512)).toEqual([1, 1, 512, 256]);
  });

  it.each([
    ['extent', { extent: { minX: 0, minY: 0, maxX: 0, maxY: 1 } }],
    ['extent', { extent: { minX: Number.NaN, minY: 0, maxX: 1, maxY: 1 } }],
    ['resolutions', { scales: { kind: 'resolutions', values: [1, 2] } }],
    ['resolutions', { scales: { kind: 'resolutions', values: [1, 0] } }],
    ['resolutions', { scales: { kind: 'resolutions', values: [] } }],
    ['resolutions', { scales: { kind: 'resolutions', values: [1e-10] } }],
    ['scaleDenominators', { scales: { kind: 'scaleDenominators', values: [Number.POSITIVE_INFINITY] } }],
    ['levels', { scales: { kind: 'levels', count: 101 } }],
    ['levels', { scales: { kind: 'levels', count: 40 } }],
    ['tileWidth', { tileWidth: 2049 }],
    ['tileHeight', { tileHeight: 0.5 }],
    ['pixelSize', { pixelSize: 0 }],
    ['metersPerUnit', { metersPerUnit: -1 }],
    ['scaleNames', { scaleNames: ['only one'] }],
    ['scaleNames', { scaleNames: ['same', 'same'] }],
    ['scaleNames', { scaleNames: ['a/b', ''] }],
    ['tileMatrices', { matrices: [] }],
    [
      'tileMatrices',
      { matrices: [0, 1].map(() => ({ originX: 0, originY: 0, columns: 0, rows: 1, tileWidth: 1, tileHeight: 1 })) },
    ],
  ] as const)('has a fault in %s: %j', (field, changed) => {
    expect(findGridFaults(base, 1)).toEqual([]);
    expect(findGridFaults({ ...base, ...changed }, 1).map((fault) => fault.field)).toEqual([field]);
  });
});
