/** Splits geometries into plain points, lines and polygons in the plane, and joins them again. */
import type { Geometry } from './geometry.ts';

export interface SimplePart {
  /** 0 for a point, 1 for a line, 2 for a polygon. */
  readonly dimension: 0 | 1 | 2;
  /** The position, the line, or the closed rings; alternating x and y. */
  readonly lines: readonly Float64Array[];
}

/** Heights are dropped. Empty parts are left out. */
export function toSimpleParts(geometry: Geometry): readonly SimplePart[] {
  const { type, members, ordinates, ends, parts } = geometry;
  if (members !== undefined) return members.flatMap(toSimpleParts);
  if (type === 'Point' || type === 'MultiPoint') {
    const count = Math.floor(ordinates.length / geometry.dimension.length);
    const points = Array.from({ length: count }, (_, at) => copyPositions(geometry, at, at + 1));
    return points
      .filter(([x = Number.NaN]) => !Number.isNaN(x))
      .map((position) => ({ dimension: 0, lines: [position] }));
  }
  const lines = ends.map((end, index) => copyPositions(geometry, ends[index - 1] ?? 0, end));
  if (type === 'LineString' || type === 'MultiLineString')
    return lines.filter(({ length }) => length > 0).map((line) => ({ dimension: 1, lines: [line] }));
  const ringEnds = type === 'Polygon' ? [lines.length] : parts;
  return ringEnds
    .map(
      (end, index): SimplePart => ({ dimension: 2, lines: lines.slice(ringEnds[index - 1] ?? 0, end).map(closeRing) }),
    )
    .filter((part) => part.lines.some(({ length }) => length > 0));
}

/** Parts of one dimension become one geometry or a multi-geometry, others a collection. */
export function fromSimpleParts(parts: readonly SimplePart[]): Geometry {
  const [first] = parts;
  if (first === undefined) return { ...empty, type: 'GeometryCollection', members: [] };
  if (parts.some(({ dimension }) => dimension !== first.dimension))
    return { ...empty, type: 'GeometryCollection', members: parts.map((part) => fromSimpleParts([part])) };
  const lines = parts.flatMap((part) => part.lines);
  const ordinates = joinLines(lines);
  const isSingle = parts.length === 1;
  if (first.dimension === 0) return { ...empty, type: isSingle ? 'Point' : 'MultiPoint', ordinates };
  const ends = sumUp(lines.map((line) => line.length / 2));
  if (first.dimension === 1) return { ...empty, type: isSingle ? 'LineString' : 'MultiLineString', ordinates, ends };
  if (isSingle) return { ...empty, type: 'Polygon', ordinates, ends };
  return { ...empty, type: 'MultiPolygon', ordinates, ends, parts: sumUp(parts.map((part) => part.lines.length)) };
}

export function createPoint(x: number, y: number): Geometry {
  return fromSimpleParts([{ dimension: 0, lines: [Float64Array.of(x, y)] }]);
}

export function countPositions({ ordinates, dimension, members = [] }: Geometry): number {
  return members.reduce((sum, member) => sum + countPositions(member), ordinates.length / dimension.length);
}

const empty = { dimension: 'XY', ordinates: new Float64Array(), ends: [], parts: [] } as const;

function copyPositions({ ordinates, dimension }: Geometry, from: number, to: number): Float64Array {
  const size = dimension.length;
  if (size === 2) return ordinates.slice(from * 2, to * 2);
  const positions = new Float64Array((to - from) * 2);
  for (let at = from; at < to; at += 1) {
    positions[(at - from) * 2] = ordinates[at * size] ?? Number.NaN;
    positions[(at - from) * 2 + 1] = ordinates[at * size + 1] ?? Number.NaN;
  }
  return positions;
}

/** Features for drawing have rings without the repeated first position. */
function closeRing(ring: Float64Array): Float64Array {
  const last = ring.length - 2;
  if (last < 2 || (ring[0] === ring[last] && ring[1] === ring[last + 1])) return ring;
  const closed = new Float64Array(ring.length + 2);
  closed.set(ring);
  closed.set(ring.subarray(0, 2), ring.length);
  return closed;
}

function joinLines(lines: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(lines.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const line of lines) {
    joined.set(line, at);
    at += line.length;
  }
  return joined;
}

function sumUp(lengths: readonly number[]): readonly number[] {
  let sum = 0;
  return lengths.map((length) => {
    sum += length;
    return sum;
  });
}
