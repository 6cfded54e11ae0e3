/** Selects the nearest samples of an image or of one of its overviews for a response. */
import { problem } from '../../lib/problems/problem.ts';
import { MAX_WINDOW_BYTES } from '../port/limits.ts';
import type { CoverageDimension, GridPositions, RasterSize, WindowRequest } from '../port/port.ts';
import { getBytesPerSample, type SampleType } from '../port/samples.ts';

/** A complete request that was validated against the coverage and the size limit. */
export interface CheckedRequest {
  readonly positions: GridPositions;
  readonly size: RasterSize;
  readonly bands: readonly number[];
}

export interface SampledCoverage extends RasterSize {
  readonly name: string;
  readonly dimensions?: readonly Pick<CoverageDimension, 'name' | 'values'>[];
  readonly bands: readonly { readonly type: SampleType }[];
}

export function checkRequest(coverage: SampledCoverage, request: WindowRequest): CheckedRequest {
  const { name, width, height } = coverage;
  const createRefusal = (reason: string) => problem('raster-window-invalid', { name, reason });
  const window = request.positions
    ? findPositionWindow(request.positions)
    : (request.window ?? { column: 0, row: 0, width, height });
  const size = findResponseSize(request, window);
  const bands = request.bands ?? coverage.bands.map((_, index) => index);
  const numbers = [window.column, window.row, window.width, window.height, size.width, size.height];
  if (!numbers.every(Number.isSafeInteger)) throw createRefusal('positions and sizes must be integers');
  if (window.width < 1 || window.height < 1 || size.width < 1 || size.height < 1)
    throw createRefusal('it has no pixels');
  if (
    window.column < 0 ||
    window.row < 0 ||
    window.column + window.width > width ||
    window.row + window.height > height
  ) {
    throw createRefusal(`it exceeds the coverage, which has ${width} by ${height} pixels`);
  }
  if (bands.length === 0) throw createRefusal('at least one band is required');
  const unknown = bands.find((band) => coverage.bands[band] === undefined);
  if (unknown !== undefined)
    throw createRefusal(`band ${unknown} does not exist; use 0 to ${coverage.bands.length - 1}`);
  for (const [dimension, place] of Object.entries(request.slice ?? {})) {
    const found = coverage.dimensions?.find((each) => each.name === dimension);
    if (found === undefined) throw createRefusal(`the dimension '${dimension}' does not exist`);
    if (!Number.isInteger(place) || place < 0 || place >= found.values.length) {
      throw createRefusal(`the dimension '${dimension}' has no value ${place}; use 0 to ${found.values.length - 1}`);
    }
  }
  // The mask adds one byte per sample.
  const bytesPerPixel = bands.reduce(
    (sum, band) => sum + getBytesPerSample(coverage.bands[band]?.type ?? 'float64') + 1,
    0,
  );
  if (size.width * size.height * bytesPerPixel > MAX_WINDOW_BYTES) {
    throw problem('raster-window-too-large', { name, megabytes: MAX_WINDOW_BYTES / 1024 / 1024 });
  }
  return { positions: resolvePositions(request, { width, height }), size, bands };
}

function findResponseSize({ positions, size }: WindowRequest, window: RasterSize): RasterSize {
  if (positions !== undefined) return { width: positions.columns.length, height: positions.rows.length };
  return size ?? { width: window.width, height: window.height };
}

/** Returns the smallest window that contains all positions; without pixels if there are none. */
function findPositionWindow({ columns, rows }: GridPositions): NonNullable<WindowRequest['window']> {
  const [column, width] = findSpan(columns);
  const [row, height] = findSpan(rows);
  return { column, row, width, height };
}

function findSpan(positions: Float64Array): readonly [first: number, length: number] {
  if (positions.length === 0) return [0, 0];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const position of positions) {
    low = Math.min(low, position);
    high = Math.max(high, position);
  }
  return [Math.floor(low), Math.floor(high) - Math.floor(low) + 1];
}

/** Returns the positions of a request on a grid of the given size. */
export function resolvePositions(
  { window, size, positions }: Pick<WindowRequest, 'window' | 'size' | 'positions'>,
  { width, height }: RasterSize,
): GridPositions {
  if (positions !== undefined) return positions;
  const from = window ?? { column: 0, row: 0, width, height };
  const to = size ?? from;
  const [across, down] = [from.width / to.width, from.height / to.height];
  return {
    columns: Float64Array.from({ length: to.width }, (_, index) => from.column + (index + 0.5) * across),
    rows: Float64Array.from({ length: to.height }, (_, index) => from.row + (index + 0.5) * down),
    reduction: Math.min(across, down),
  };
}

/** An overview may be coarser than requested by this factor before the next finer one is used. */
const MAX_COARSENING = 1.2;

/** Returns the index of the coarsest sufficient level; the first level is the image itself. */
export function chooseLevel({ reduction: wanted }: GridPositions, levels: readonly RasterSize[]): number {
  const [full] = levels;
  if (full === undefined) return 0;
  let best = 0;
  let bestReduction = 1;
  for (const [index, level] of levels.entries()) {
    const reduction = Math.min(full.width / level.width, full.height / level.height);
    if (reduction < wanted * MAX_COARSENING && reduction > bestReduction) {
      best = index;
      bestReduction = reduction;
    }
  }
  return best;
}

/** The column of a level for each column of the response, and likewise for rows. */
export interface SamplePositions {
  readonly columns: Int32Array;
  readonly rows: Int32Array;
}

export function computeSamplePositions(
  level: RasterSize,
  full: RasterSize,
  { columns, rows }: Pick<GridPositions, 'columns' | 'rows'>,
): SamplePositions {
  return {
    columns: toLevel(columns, full.width / level.width, level.width),
    rows: toLevel(rows, full.height / level.height, level.height),
  };
}

function toLevel(positions: Float64Array, reduction: number, length: number): Int32Array {
  return Int32Array.from(positions, (position) =>
    // A small offset, so that a centre that is an integer except for rounding falls on the pixel that starts there.
    Math.min(length - 1, Math.floor(position / reduction + 1e-9)),
  );
}

/** Neighbouring pixels of a response from the same block. */
export interface Run {
  readonly block: number;
  readonly start: number;
  readonly end: number;
  /** Whether each position is that of the pixel before plus one. */
  readonly isDense: boolean;
}

export function splitRuns(positions: Int32Array, blockLength: number): readonly Run[] {
  const runs: Run[] = [];
  let start = 0;
  let isDense = true;
  let block = Math.floor((positions[0] ?? 0) / blockLength);
  for (let index = 1; index <= positions.length; index += 1) {
    const next = index < positions.length ? Math.floor((positions[index] ?? 0) / blockLength) : -1;
    if (next === block) {
      isDense &&= positions[index] === (positions[index - 1] ?? 0) + 1;
      continue;
    }
    runs.push({ block, start, end: index, isDense });
    start = index;
    block = next;
    isDense = true;
  }
  return runs;
}
