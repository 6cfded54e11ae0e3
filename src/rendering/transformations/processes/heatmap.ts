/** Heatmap: the density of points, from 0 to 1 for the densest cell of the map. */
import { heatmap as process } from '../../../styling/transformations/processes.ts';
import { checkCells, createOutputGrid, type OutputGrid } from '../model/coverage-data.ts';
import { projectCentroids, readNumbers } from '../model/feature-data.ts';
import { transformFeatures } from '../model/transformation.ts';
import { createFloatBand } from '../model/transformed-data.ts';

const band = createFloatBand('heatmap');

export const heatmap = transformFeatures(process, {
  describe: () => ({ kind: 'coverage', bands: [band] }),
  reach: ({ radiusPixels }) => ({ pixels: radiusPixels }),
  listAttributes: ({ weightAttr }) => (weightAttr === undefined ? [] : [weightAttr]),
  async run([data], { radiusPixels, weightAttr, pixelsPerCell, outputBBOX, outputWidth, outputHeight }, map) {
    const options = { box: outputBBOX, width: outputWidth, height: outputHeight, pixelsPerCell };
    const grid = createOutputGrid(process, options, map);
    // Features outside the map spread into it, so the grid has a margin of the radius.
    const margin = Math.ceil(radiusPixels / pixelsPerCell);
    const [width, height] = [grid.columns + 2 * margin, grid.rows + 2 * margin];
    checkCells(process, width, height);
    const cells = new Float64Array(width * height);
    if (data !== undefined) {
      const weights = weightAttr === undefined ? undefined : readNumbers(data, weightAttr);
      addWeights(cells, await projectCentroids(data, map), weights, {
        grid,
        margin,
        width,
        height,
        shifts: map.shifts,
      });
    }
    for (const radius of splitRadius(margin)) {
      blurRows(cells, width, height, radius);
      blurColumns(cells, width, height, radius);
    }
    return {
      kind: 'coverage',
      width: grid.columns,
      height: grid.rows,
      bounds: grid.bounds,
      crs: map.crs,
      bands: [{ band, samples: normalize(cells, grid, margin) }],
      isSmooth: pixelsPerCell > 1,
    };
  },
});

interface Accumulation {
  readonly grid: OutputGrid;
  readonly margin: number;
  readonly width: number;
  readonly height: number;
  readonly shifts: readonly number[];
}

function addWeights(
  cells: Float64Array,
  places: Float64Array,
  weights: Float64Array | undefined,
  { grid, margin, width, height, shifts }: Accumulation,
): void {
  const { bounds, cellWidth, cellHeight } = grid;
  for (const shift of shifts) {
    for (let index = 0; index * 2 < places.length; index += 1) {
      const column = Math.floor(((places[index * 2] ?? Number.NaN) + shift - bounds.minX) / cellWidth) + margin;
      const row = Math.floor((bounds.maxY - (places[index * 2 + 1] ?? Number.NaN)) / cellHeight) + margin;
      const weight = weights === undefined ? 1 : (weights[index] ?? 0);
      if (!(column >= 0 && column < width && row >= 0 && row < height) || Number.isNaN(weight)) continue;
      const cell = row * width + column;
      cells[cell] = (cells[cell] ?? 0) + weight;
    }
  }
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

function normalize(cells: Float64Array, { columns, rows }: OutputGrid, margin: number): Float32Array {
  const samples = new Float32Array(columns * rows);
  const width = columns + 2 * margin;
  let largest = 0;
  for (let row = 0; row < rows; row += 1) {
    const start = (row + margin) * width + margin;
    for (let column = 0; column < columns; column += 1) largest = Math.max(largest, cells[start + column] ?? 0);
  }
  if (largest <= 0) return samples;
  for (let row = 0; row < rows; row += 1) {
    const start = (row + margin) * width + margin;
    for (let column = 0; column < columns; column += 1) {
      const share = (cells[start + column] ?? 0) / largest;
      samples[row * columns + column] = share > ROUNDING ? share : 0;
    }
  }
  return samples;
}
