/** BarnesSurface: a surface through observations, by Barnes interpolation with several passes. */
import { barnesSurface as process } from '../../../styling/transformations/processes.ts';
import { createOutputGrid, type OutputGrid } from '../model/coverage-data.ts';
import { projectCentroids, readNumbers } from '../model/feature-data.ts';
import { transformFeatures } from '../model/transformation.ts';
import { createFloatBand, type FeatureData, type TransformedMap } from '../model/transformed-data.ts';

const band = createFloatBand('surface');

/** Observations beyond this many lengths have no visible weight. */
const REACH_LENGTHS = 4;

/** Each cell adds up the observations around it; larger cells are used beyond this number of additions. */
const MAX_ADDITIONS = 2e8;

export const barnesSurface = transformFeatures(process, {
  describe: () => ({ kind: 'coverage', bands: [band] }),
  reach: ({ queryBuffer }) => ({ units: queryBuffer }),
  listAttributes: ({ valueAttr }) => [valueAttr],
  async run([data], values, map) {
    const { valueAttr, dataLimit = Number.POSITIVE_INFINITY, outputBBOX, outputWidth, outputHeight } = values;
    const observations = data === undefined ? [] : await listObservations(data, valueAttr, dataLimit, map);
    const length = values.scale * map.mapUnitsPerDataUnit;
    const createSizedGrid = (pixelsPerCell: number) =>
      createOutputGrid(process, { box: outputBBOX, width: outputWidth, height: outputHeight, pixelsPerCell }, map);
    const finest = createSizedGrid(values.pixelsPerCell);
    const additions = finest.columns * finest.rows * observations.length * values.passes;
    const coarser = Math.ceil(Math.sqrt(Math.max(1, additions / MAX_ADDITIONS)));
    const pixelsPerCell = values.pixelsPerCell * coarser;
    const grid = coarser === 1 ? finest : createSizedGrid(pixelsPerCell);
    const surface = interpolate(observations, grid, length, values);
    const near = values.maxObservationDistance * map.mapUnitsPerDataUnit;
    const mask = maskUnsupported(observations, grid, near, values.minObservations);
    const samples = Float32Array.from(surface, (value, cell) =>
      mask[cell] === 0 || Number.isNaN(value) ? values.noDataValue : value,
    );
    for (let cell = 0; cell < mask.length; cell += 1) if (Number.isNaN(surface[cell])) mask[cell] = 0;
    return {
      kind: 'coverage',
      width: grid.columns,
      height: grid.rows,
      bounds: grid.bounds,
      crs: map.crs,
      bands: [{ band, samples, mask }],
      isSmooth: pixelsPerCell > 1,
    };
  },
});

interface Observation {
  readonly x: number;
  readonly y: number;
  readonly value: number;
}

async function listObservations(
  data: FeatureData,
  valueAttr: string,
  limit: number,
  map: TransformedMap,
): Promise<readonly Observation[]> {
  const places = await projectCentroids(data, map);
  const numbers = readNumbers(data, valueAttr);
  const found: Observation[] = [];
  for (const shift of map.shifts) {
    for (let index = 0; index < numbers.length && found.length < limit; index += 1) {
      const [x = Number.NaN, y = Number.NaN, value = Number.NaN] = [
        places[index * 2],
        places[index * 2 + 1],
        numbers[index],
      ];
      if (Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(value)) found.push({ x: x + shift, y, value });
    }
  }
  return found;
}

/** The first pass interpolates the values, each further one the errors that remain at the observations. */
function interpolate(
  observations: readonly Observation[],
  grid: OutputGrid,
  length: number,
  { passes, convergence }: { readonly passes: number; readonly convergence: number },
): Float64Array {
  const surface = new Float64Array(grid.columns * grid.rows);
  let rest = observations;
  let square = length * length;
  for (let pass = 0; pass < passes; pass += 1) {
    addPass(surface, rest, grid, square);
    rest = observations.map((each) => ({ ...each, value: each.value - readSurface(surface, grid, each) }));
    square *= convergence;
  }
  return surface;
}

/** Cells that no observation reaches in the first pass become NaN. */
function addPass(surface: Float64Array, observations: readonly Observation[], grid: OutputGrid, square: number): void {
  const { columns, rows, bounds, cellWidth, cellHeight } = grid;
  const [sums, weights] = [new Float64Array(surface.length), new Float64Array(surface.length)];
  const reach = REACH_LENGTHS * Math.sqrt(square);
  for (const { x, y, value } of observations) {
    const [left, right] = [(x - reach - bounds.minX) / cellWidth, (x + reach - bounds.minX) / cellWidth];
    const [top, bottom] = [(bounds.maxY - y - reach) / cellHeight, (bounds.maxY - y + reach) / cellHeight];
    const lastRow = Math.min(rows - 1, Math.ceil(bottom));
    const lastColumn = Math.min(columns - 1, Math.ceil(right));
    for (let row = Math.max(0, Math.floor(top)); row <= lastRow; row += 1) {
      const dy = bounds.maxY - (row + 0.5) * cellHeight - y;
      for (let column = Math.max(0, Math.floor(left)); column <= lastColumn; column += 1) {
        const dx = bounds.minX + (column + 0.5) * cellWidth - x;
        const weight = Math.exp(-(dx * dx + dy * dy) / square);
        const cell = row * columns + column;
        sums[cell] = (sums[cell] ?? 0) + weight * value;
        weights[cell] = (weights[cell] ?? 0) + weight;
      }
    }
  }
  const isFirst = surface.every((value) => value === 0);
  for (let cell = 0; cell < surface.length; cell += 1) {
    const weight = weights[cell] ?? 0;
    if (weight > 0) surface[cell] = (surface[cell] ?? 0) + (sums[cell] ?? 0) / weight;
    else if (isFirst) surface[cell] = Number.NaN;
  }
}

/** Returns the value of the cell at an observation, or of the nearest one for observations around the map. */
function readSurface(
  surface: Float64Array,
  { columns, rows, bounds, cellWidth, cellHeight }: OutputGrid,
  { x, y }: Observation,
): number {
  const column = Math.min(columns - 1, Math.max(0, Math.floor((x - bounds.minX) / cellWidth)));
  const row = Math.min(rows - 1, Math.max(0, Math.floor((bounds.maxY - y) / cellHeight)));
  const value = surface[row * columns + column] ?? 0;
  return Number.isNaN(value) ? 0 : value;
}

/** Returns 0 for cells with too few observations nearby; 0 as distance counts all. */
function maskUnsupported(
  observations: readonly Observation[],
  { columns, rows, bounds, cellWidth, cellHeight }: OutputGrid,
  distance: number,
  least: number,
): Uint8Array {
  const mask = new Uint8Array(columns * rows);
  if (distance === 0) return observations.length < least ? mask : mask.fill(1);
  const counts = new Uint32Array(columns * rows);
  for (const { x, y } of observations) {
    const top = Math.max(0, Math.floor((bounds.maxY - y - distance) / cellHeight));
    const bottom = Math.min(rows - 1, Math.ceil((bounds.maxY - y + distance) / cellHeight));
    const left = Math.max(0, Math.floor((x - distance - bounds.minX) / cellWidth));
    const right = Math.min(columns - 1, Math.ceil((x + distance - bounds.minX) / cellWidth));
    for (let row = top; row <= bottom; row += 1) {
      for (let column = left; column <= right; column += 1) {
        const dx = bounds.minX + (column + 0.5) * cellWidth - x;
        const dy = bounds.maxY - (row + 0.5) * cellHeight - y;
        const cell = row * columns + column;
        if (dx * dx + dy * dy <= distance * distance) counts[cell] = (counts[cell] ?? 0) + 1;
      }
    }
  }
  for (let cell = 0; cell < mask.length; cell += 1) mask[cell] = (counts[cell] ?? 0) >= Math.max(1, least) ? 1 : 0;
  return mask;
}
