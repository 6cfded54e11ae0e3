/** Areas as texts: their place and bounds in other coordinate reference systems. */
import type { Bounds } from '../crs/bounds.ts';
import { type Convert, createConversion } from '../crs/conversion.ts';
import { parseCrsCode } from '../crs/model/crs-code.ts';
import type { CrsReference } from '../crs/model/crs-reference.ts';
import type { Position } from '../crs/transformer.ts';
import { Problem } from '../lib/problems/problem.ts';
import type { Task } from '../workers/task.ts';
import { convertBounds } from './convert-box.ts';
import type { Geometry } from './geometry.ts';
import { computeGeometryBounds, mergeBounds } from './geometry-bounds.ts';
import { loadGeometryOperations } from './geometry-operations.ts';
import { fromSimpleParts, toSimpleParts } from './simple-parts.ts';
import { decodeWkt } from './wkt-decode.ts';

/** A polygon or multipolygon as WKT, x before y. */
export interface WrittenArea {
  readonly geometry: string;
  readonly crs: string;
}

/** Texts up to this length are read and transformed in a few milliseconds. */
const MAX_CHARACTERS_AT_ONCE = 4_096;

/** Returns whether areas need no thread. */
export function areShort(areas: readonly WrittenArea[]): boolean {
  return areas.reduce((sum, { geometry }) => sum + geometry.length, 0) <= MAX_CHARACTERS_AT_ONCE;
}

const module = import.meta.url;

export const placingArea: Task<PlacingInput, Geometry | null> = { module, name: 'placeArea', work: placeArea };

export const measuringAreas: Task<MeasuringInput, Bounds | undefined> = {
  module,
  name: 'measureAreas',
  work: measureAreas,
};

export interface PlacingInput {
  readonly area: WrittenArea;
  readonly to: CrsReference;
}

/** Edges are straight in the CRS of the area. Returns null if the area has no place in the other CRS. */
export async function placeArea({ area, to }: PlacingInput): Promise<Geometry | null> {
  const geometry = decodeWkt(area.geometry);
  const convert = await findConversion(area, to);
  if (convert === undefined) return geometry;
  const placed = convert === 'unknown' ? null : convertWithEdges(geometry, convert);
  // A ring around a pole crosses itself in some projections.
  return placed !== null && (await loadGeometryOperations()).isValid(placed) ? placed : null;
}

export interface MeasuringInput {
  readonly areas: readonly WrittenArea[];
  readonly to: CrsReference;
}

/** Returns a box around all areas; undefined if none of them has a place in the other CRS. */
export async function measureAreas({ areas, to }: MeasuringInput): Promise<Bounds | undefined> {
  let all: Bounds | undefined;
  for (const area of areas) {
    const own = computeGeometryBounds(decodeWkt(area.geometry));
    const convert = await findConversion(area, to);
    if (own === undefined || convert === 'unknown') continue;
    all = mergeBounds(all, convert === undefined ? own : convertBounds(own, convert));
  }
  return all;
}

/** Returns undefined if both systems are the same. */
async function findConversion({ crs }: WrittenArea, to: CrsReference): Promise<Convert | 'unknown' | undefined> {
  try {
    // The short code has the axis order of areas: x before y.
    return await createConversion({ code: parseCrsCode(crs) ?? crs }, to);
  } catch (error) {
    if (error instanceof Problem) return 'unknown';
    throw error;
  }
}

/** The positions of an area with curved edges; more would make every comparison with it slow. */
const MAX_POSITIONS = 20_000;
/** An edge is divided at most this many times in halves. */
const MAX_HALVINGS = 10;
/** The maximum distance of an edge from the curve that it replaces, as a fraction of the area: a metre in a country. */
const TOLERANCE = 1e-6;

function convertWithEdges(geometry: Geometry, convert: Convert): Geometry | null {
  const parts = toSimpleParts(geometry);
  const corners = parts.flatMap(({ lines }) => lines.map((line) => convertLine(line, convert)));
  if (!corners.every((line) => line !== undefined)) return null;
  const tolerance = TOLERANCE * measureDiagonal(corners);
  const edges = corners.reduce((sum, line) => sum + line.length / 2, 0);
  const halvings = Math.min(MAX_HALVINGS, Math.max(0, Math.floor(Math.log2(MAX_POSITIONS / edges))));
  let isPlaced = true;
  const placed = parts.map(({ dimension, lines }) => ({
    dimension,
    lines: lines.map((line) => {
      const positions = divideEdges(line, convert, { tolerance, halvings });
      isPlaced &&= positions !== undefined;
      return positions ?? line;
    }),
  }));
  return isPlaced ? fromSimpleParts(placed) : null;
}

function convertLine(line: Float64Array, convert: Convert): Float64Array | undefined {
  const converted = new Float64Array(line.length);
  for (let at = 0; at < line.length; at += 2) {
    const position = convert(line[at] ?? Number.NaN, line[at + 1] ?? Number.NaN);
    if (position === undefined) return undefined;
    converted.set(position, at);
  }
  return converted;
}

function measureDiagonal(lines: readonly Float64Array[]): number {
  const bounds = computeGeometryBounds(fromSimpleParts([{ dimension: 2, lines }]));
  return bounds === undefined ? 0 : Math.hypot(bounds.maxX - bounds.minX, bounds.maxY - bounds.minY);
}

interface Division {
  readonly tolerance: number;
  readonly halvings: number;
}

interface EdgeEnd {
  readonly x: number;
  readonly y: number;
  readonly placed: Position;
}

/** Divides edges until they are near the curve. Returns undefined if a position is outside the domain. */
function divideEdges(
  line: Float64Array,
  convert: Convert,
  { tolerance, halvings }: Division,
): Float64Array | undefined {
  const positions: number[] = [];
  const place = (x: number, y: number): EdgeEnd | undefined => {
    const placed = convert(x, y);
    return placed && { x, y, placed };
  };
  const placeBetween = (from: EdgeEnd, to: EdgeEnd, share: number) =>
    place(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
  const divide = (from: EdgeEnd, to: EdgeEnd, left: number): boolean => {
    const middle = placeBetween(from, to, 1 / 2);
    if (middle === undefined) return false;
    if (left > 0) {
      // The middle of a curve with a turning point can be on the straight line.
      const quarter = placeBetween(from, to, 1 / 4);
      if (quarter === undefined) return false;
      const isStraight =
        measureDeviation(from, to, 1 / 2, middle) <= tolerance &&
        measureDeviation(from, to, 1 / 4, quarter) <= tolerance;
      if (!isStraight) return divide(from, middle, left - 1) && divide(middle, to, left - 1);
    }
    positions.push(...to.placed);
    return true;
  };
  let from = place(line[0] ?? Number.NaN, line[1] ?? Number.NaN);
  if (from === undefined) return undefined;
  positions.push(...from.placed);
  for (let at = 2; at < line.length; at += 2) {
    const to = place(line[at] ?? Number.NaN, line[at + 1] ?? Number.NaN);
    if (to === undefined || !divide(from, to, halvings)) return undefined;
    from = to;
  }
  return Float64Array.from(positions);
}

function measureDeviation(from: EdgeEnd, to: EdgeEnd, share: number, { placed: [x, y] }: EdgeEnd): number {
  const [[x1, y1], [x2, y2]] = [from.placed, to.placed];
  return Math.hypot(x - (x1 + (x2 - x1) * share), y - (y1 + (y2 - y1) * share));
}
