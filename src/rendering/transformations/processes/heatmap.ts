/**
 * Heatmap: the density of points, from 0 to 1 for the densest cell of the map. In tiles, 1 is the density that is
 * interpolated between the corners of a block, each with the highest density of the four blocks around it. So adjacent
 * blocks, which are drawn separately, have the same colours at their edge.
 */
import { heatmap as process } from '../../../styling/transformations/processes.ts';
import { checkCells, createOutputGrid, type OutputGrid } from '../model/coverage-data.ts';
import { projectCentroids, readNumbers } from '../model/feature-data.ts';
import { transformFeatures } from '../model/transformation.ts';
import { createFloatBand } from '../model/transformed-data.ts';

const band = createFloatBand('heatmap');

export const heatmap = transformFeatures(process, {
  describe: () => ({ kind: 'coverage', bands: [band] }),
  reach: ({ radiusPixels }, { isTiled, width, height }) => ({
    pixels: radiusPixels + (isTiled ? Math.max(width, height) : 0),
  }),
  listAttributes: ({ weightAttr }) => (weightAttr === undefined ? [] : [weightAttr]),
  async run([data], { radiusPixels, weightAttr, pixelsPerCell, outputBBOX, outputWidth, outputHeight }, map) {
    const options = { box: outputBBOX, width: outputWidth, height: outputHeight, pixelsPerCell };
    const grid = createOutputGrid(process, options, map);
    // Features outside the map spread into it, so the grid has a margin of the radius.
    const margin = Math.ceil(radiusPixels / pixelsPerCell);
    const [width, height] = [grid.columns + 2 * margin, grid.rows + 2 * margin];
    checkCells(process, width, height);
    const points = {
      places: data === undefined ? new Float64Array() : await projectCentroids(data, map),
      weights: data === undefined || weightAttr === undefined ? undefined : readNumbers(data, weightAttr),
      shifts: map.shifts,
    };
    const cells = spread(points, { grid, radius: margin, marginX: margin, marginY: margin });
    const highest = map.isTiled
      ? computeCorners(points, grid, radiusPixels / pixelsPerCell)
      : createConstantScale(findHighest(cells, grid, margin));
    return {
      kind: 'coverage',
      width: grid.columns,
      height: grid.rows,
      bounds: grid.bounds,
      crs: map.crs,
      bands: [{ band, samples: normalize(cells, grid, { margin, highest }) }],
      isSmooth: pixelsPerCell > 1,
    };
  },
});

interface WeightedPoints {
  /** In units of the map, alternating x and y. */
  readonly places: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly shifts: readonly number[];
}

interface Spreading {
  readonly grid: OutputGrid;
  /** The radius of a point, in cells. */
  readonly radius: number;
  /** Cells around the grid that are computed too. */
  readonly marginX: number;
  readonly marginY: number;
}

/** Returns the densities of the cells of a grid and its margin. */
function spread(points: WeightedPoints, { grid, radius, marginX, marginY }: Spreading): Float64Array {
  const [width, height] = [grid.columns + 2 * marginX, grid.rows + 2 * marginY];
  const cells = new Float64Array(width * height);
  addWeights(cells, points, { grid, marginX, marginY, width, height });
  for (const each of splitRadius(radius)) {
    blurRows(cells, width, height, each);
    blurColumns(cells, width, height, each);
  }
  return cells;
}

function addWeights(
  cells: Float64Array,
  { places, weights, shifts }: WeightedPoints,
  area: Omit<Spreading, 'radius'> & { readonly width: number; readonly height: number },
): void {
  const { grid, marginX, marginY, width, height } = area;
  const { bounds, cellWidth, cellHeight } = grid;
  for (const shift of shifts) {
    for (let index = 0; index * 2 < places.length; index += 1) {
      const column = Math.floor(((places[index * 2] ?? Number.NaN) + shift - bounds.minX) / cellWidth) + marginX;
      const row = Math.floor((bounds.maxY - (places[index * 2 + 1] ?? Number.NaN)) / cellHeight) + marginY;
      const weight = weights === undefined ? 1 : (weights[index] ?? 0);
      if (!(column >= 0 && column < width && row >= 0 && row < height) || Number.isNaN(weight)) continue;
      const cell = row * width + column;
      cells[cell] = (cells[cell] ?? 0) + weight;
    }
  }
}

/** The density that has the value 1, at the four corners of a block. */
interface CornerScale {
  readonly topLeft: number;
  readonly topRight: number;
  readonly bottomLeft: number;
  readonly bottomRight: number;
}

function createConstantScale(density: number): CornerScale {
  return { topLeft: density, topRight: density, bottomLeft: density, bottomRight: density };
}

/** The side of a cell of the coarse grid, in cells of the map; blocks of tiles have a multiple of it. */
const COARSE_CELLS = 4;

/** Computes the highest densities of the block and of the eight around it on a coarse grid. */
function computeCorners(points: WeightedPoints, grid: OutputGrid, radiusCells: number): CornerScale {
  const coarse = {
    ...grid,
    columns: Math.ceil(grid.columns / COARSE_CELLS),
    rows: Math.ceil(grid.rows / COARSE_CELLS),
    cellWidth: grid.cellWidth * COARSE_CELLS,
    cellHeight: grid.cellHeight * COARSE_CELLS,
  };
  const [fineRadius, radius] = [Math.ceil(radiusCells), Math.ceil(radiusCells / COARSE_CELLS)];
  const [marginX, marginY] = [coarse.columns + radius, coarse.rows + radius];
  const cells = spread(points, { grid: coarse, radius, marginX, marginY });
  const width = coarse.columns + 2 * marginX;
  // Both grids count the points of a cell, spread over a square of cells.
  const factor = computeSpreadCells(fineRadius) / computeSpreadCells(radius) / COARSE_CELLS ** 2;
  const findInBlock = (column: number, row: number): number => {
    const [left, top] = [radius + column * coarse.columns, radius + row * coarse.rows];
    let highest = 0;
    for (let y = top; y < top + coarse.rows; y += 1) {
      for (let x = left; x < left + coarse.columns; x += 1) highest = Math.max(highest, cells[y * width + x] ?? 0);
    }
    return highest * factor;
  };
  const blocks = Array.from({ length: 9 }, (_, index) => findInBlock(index % 3, Math.floor(index / 3)));
  const findAround = (column: number, row: number): number =>
    Math.max(...[0, 1, 3, 4].map((offset) => blocks[row * 3 + column + offset] ?? 0));
  return {
    topLeft: findAround(0, 0),
    topRight: findAround(1, 0),
    bottomLeft: findAround(0, 1),
    bottomRight: findAround(1, 1),
  };
}

/** Returns the product of the sizes of the squares that the blurs add up. */
function computeSpreadCells(radius: number): number {
  return splitRadius(radius).reduce((product, each) => product * (2 * each + 1) ** 2, 1);
}

/** Three box blurs are close to a Gaussian; their radii add up to the whole. */
function splitRadius(radius: number): readonly number[] {
  return [Math.floor((radius + 2) / 3), Math.floor((radius + 1) / 3), Math.floor(radius / 3)].filter(
    (each) => each > 0,
  );
}

function blurRows(cells: Float64Array, width: number, height: number, radius: number): void {
  const line = new Float64Array(width);
  for (let row = 0; row < height; row += 1) {
    const start = row * width;
    line.set(cells.subarray(start, start + width));
    let sum = 0;
    for (let column = 0; column < Math.min(radius, width); column += 1) sum += line[column] ?? 0;
    for (let column = 0; column < width; column += 1) {
      sum += line[column + radius] ?? 0;
      cells[start + column] = sum;
      sum -= line[column - radius] ?? 0;
    }
  }
}

/** Runs along the rows with one sum for each column, because memory is read fastest in order. */
function blurColumns(cells: Float64Array, width: number, height: number, radius: number): void {
  const sums = new Float64Array(width);
  const source = cells.slice();
  const add = (row: number, sign: number): void => {
    if (row < 0 || row >= height) return;
    const start = row * width;
    for (let column = 0; column < width; column += 1)
      sums[column] = (sums[column] ?? 0) + sign * (source[start + column] ?? 0);
  };
  for (let row = 0; row < radius; row += 1) add(row, 1);
  for (let row = 0; row < height; row += 1) {
    add(row + radius, 1);
    cells.set(sums, row * width);
    add(row - radius, -1);
  }
}

/** Sums that should be 0 have errors of rounding, which a style would show. */
const ROUNDING = 1e-9;

function findHighest(cells: Float64Array, { columns, rows }: OutputGrid, margin: number): number {
  const width = columns + 2 * margin;
  let highest = 0;
  for (let row = 0; row < rows; row += 1) {
    const start = (row + margin) * width + margin;
    for (let column = 0; column < columns; column += 1) highest = Math.max(highest, cells[start + column] ?? 0);
  }
  return highest;
}

function normalize(
  cells: Float64Array,
  { columns, rows }: OutputGrid,
  { margin, highest }: { readonly margin: number; readonly highest: CornerScale },
): Float32Array {
  const samples = new Float32Array(columns * rows);
  const width = columns + 2 * margin;
  const { topLeft, topRight, bottomLeft, bottomRight } = highest;
  for (let row = 0; row < rows; row += 1) {
    const start = (row + margin) * width + margin;
    const down = (row + 0.5) / rows;
    const left = topLeft + (bottomLeft - topLeft) * down;
    const right = topRight + (bottomRight - topRight) * down;
    const step = (right - left) / columns;
    for (let column = 0; column < columns; column += 1) {
      const share = (cells[start + column] ?? 0) / (left + step * (column + 0.5));
      samples[row * columns + column] = share > ROUNDING ? Math.min(1, share) : 0;
    }
  }
  return samples;
}
