/** Contour: lines of equal value, by marching squares between the centres of cells. */
import { contour as process } from '../../../styling/transformations/processes.ts';
import { LINES } from '../../../vector/port/packed-features.ts';
import { createAreaMask, getBand, readBandNumbers } from '../model/coverage-data.ts';
import { FeatureWriter } from '../model/feature-data.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';
import { type CoverageData, createDescription, createNumberAttribute } from '../model/transformed-data.ts';
import { ContourTracer } from './contour-tracer.ts';

/** More levels are unreadable, and each costs time. */
const MAX_LEVELS = 1_000;

/** The share of a cell by which a simplified line may deviate. */
const SIMPLIFIED_CELLS = 0.05;

const describe = (crs: CoverageData['crs']) =>
  createDescription({ name: 'the_geom', type: 'LineString', crs }, [createNumberAttribute('value')]);

export const contour = transformCoverages(process, {
  describe: (_, __, { dataCrs }) => ({ kind: 'features', description: describe(dataCrs) }),
  reach: () => ({ pixels: 2 }),
  readsCells: true,
  async run([data], { band, levels, interval, simplify: isSimplified, smooth, roi }, map) {
    if (levels === undefined && interval === undefined)
      throw rejectTransformation(process, "parameter 'levels' or 'interval' is required");
    const writer = new FeatureWriter(describe(data?.crs ?? {}), false);
    if (data === undefined) return writer.finish();
    const heights = readBandNumbers(getBand(process, data, band));
    if (roi !== undefined) {
      const mask = await createAreaMask(roi, data, map);
      for (let cell = 0; cell < heights.length; cell += 1) if (mask[cell] === 0) heights[cell] = Number.NaN;
    }
    const { bounds, width, height } = data;
    const [cellWidth, cellHeight] = [(bounds.maxX - bounds.minX) / width, (bounds.maxY - bounds.minY) / height];
    const tolerance = Math.min(cellWidth, cellHeight) * SIMPLIFIED_CELLS;
    const tracer = new ContourTracer(heights, width, height);
    const reject = (reason: string) => rejectTransformation(process, reason);
    tracer.trace(listLevels(heights, levels, interval), reject, (level, cells) => {
      const line = smooth ? smoothLine(cells) : cells;
      const places = new Float64Array(line.length);
      for (let at = 0; at < line.length; at += 2) {
        places[at] = bounds.minX + ((line[at] ?? 0) + 0.5) * cellWidth;
        places[at + 1] = bounds.maxY - ((line[at + 1] ?? 0) + 0.5) * cellHeight;
      }
      writer.addPositions(LINES, [level], isSimplified && !smooth ? simplifyLine(places, tolerance) : places);
    });
    return writer.finish();
  },
});

function listLevels(
  heights: Float64Array,
  levels: readonly number[] | undefined,
  interval: number | undefined,
): readonly number[] {
  if (levels !== undefined && levels.length > 0) return [...new Set(levels)].sort((a, b) => a - b);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of heights) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (interval === undefined || !(most > least)) return [];
  const [first, last] = [Math.ceil(least / interval), Math.floor(most / interval)];
  const count = last - first + 1;
  if (!(count <= MAX_LEVELS))
    throw rejectTransformation(
      process,
      `parameter 'interval' makes ${count} levels from ${least} to ${most}, more than ${MAX_LEVELS}`,
    );
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * interval);
}

/** At most this many positions are left out in a row, so that gentle curves keep their form. */
const MAX_OMITTED = 8;

/** Omits positions near the line between their neighbours, in one pass: contours have a position at every cell. */
function simplifyLine(places: Float64Array, tolerance: number): Float64Array {
  const kept = new Float64Array(places.length);
  kept.set(places.subarray(0, 2));
  let count = 2;
  let omitted = 0;
  const limit = tolerance * tolerance;
  for (let at = 2; at + 3 < places.length; at += 2) {
    const fromX = kept[count - 2] ?? 0;
    const fromY = kept[count - 1] ?? 0;
    const x = (places[at] ?? 0) - fromX;
    const y = (places[at + 1] ?? 0) - fromY;
    const toX = (places[at + 2] ?? 0) - fromX;
    const toY = (places[at + 3] ?? 0) - fromY;
    const cross = x * toY - y * toX;
    omitted += 1;
    if (cross * cross <= limit * (toX * toX + toY * toY) && x * toX + y * toY > 0 && omitted <= MAX_OMITTED) continue;
    kept[count] = places[at] ?? 0;
    kept[count + 1] = places[at + 1] ?? 0;
    count += 2;
    omitted = 0;
  }
  kept.set(places.subarray(places.length - 2), count);
  return kept.subarray(0, count + 2);
}

/** Cuts the corners twice, as Chaikin describes it. Closed lines stay closed. */
function smoothLine(line: readonly number[]): readonly number[] {
  let current = line;
  for (let pass = 0; pass < 2; pass += 1) {
    const last = current.length - 2;
    const isClosed = current[0] === current[last] && current[1] === current[last + 1];
    const cut: number[] = isClosed ? [] : [current[0] ?? 0, current[1] ?? 0];
    for (let at = 0; at < last; at += 2) {
      const [x = 0, y = 0, toX = 0, toY = 0] = current.slice(at, at + 4);
      cut.push(x * 0.75 + toX * 0.25, y * 0.75 + toY * 0.25, x * 0.25 + toX * 0.75, y * 0.25 + toY * 0.75);
    }
    if (isClosed) cut.push(cut[0] ?? 0, cut[1] ?? 0);
    else cut.push(current[last] ?? 0, current[last + 1] ?? 0);
    current = cut;
  }
  return current;
}
