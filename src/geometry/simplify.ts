/** Simplifies lines and rings with the Douglas-Peucker algorithm. */
import type { Geometry } from './geometry.ts';

/** A ring with fewer positions has no area, a line with fewer no length. */
const leastPositions = { LineString: 2, MultiLineString: 2, Polygon: 4, MultiPolygon: 4 } as const;

/**
 * No removed position is farther than the tolerance from the simplified line. A part that would collapse stays
 * unchanged.
 */
export function simplify(geometry: Geometry, tolerance: number): Geometry {
  const { type, members } = geometry;
  if (members !== undefined) return { ...geometry, members: members.map((member) => simplify(member, tolerance)) };
  if (type !== 'LineString' && type !== 'MultiLineString' && type !== 'Polygon' && type !== 'MultiPolygon')
    return geometry;
  const { ordinates, dimension, ends } = geometry;
  const size = dimension.length;
  const kept: number[] = [];
  const newEnds: number[] = [];
  let start = 0;
  for (const end of ends) {
    const places = selectPositions(geometry, start, end, tolerance);
    if (places.length >= leastPositions[type]) for (const place of places) kept.push(place);
    else for (let place = start; place < end; place += 1) kept.push(place);
    newEnds.push(kept.length);
    start = end;
  }
  const thinned = new Float64Array(kept.length * size);
  for (const [index, place] of kept.entries())
    thinned.set(ordinates.subarray(place * size, (place + 1) * size), index * size);
  return { ...geometry, ordinates: thinned, ends: newEnds };
}

/** A zigzag costs one scan per corner, so lines are split into pieces of this length, which keep their ends. */
const STRETCH = 250;

/** Uses an explicit stack: recursion would overflow on long lines. */
function selectPositions(
  { ordinates, dimension }: Geometry,
  start: number,
  end: number,
  tolerance: number,
): readonly number[] {
  const size = dimension.length;
  const isKept = new Uint8Array(end - start);
  isKept[end - start - 1] = 1;
  const open: [number, number][] = [];
  for (let from = start; from < end; from += STRETCH) {
    isKept[from - start] = 1;
    open.push([from, Math.min(from + STRETCH, end - 1)]);
  }
  for (let stretch = open.pop(); stretch !== undefined; stretch = open.pop()) {
    const [from, to] = stretch;
    let [farthest, place] = [tolerance, -1];
    for (let each = from + 1; each < to; each += 1) {
      const distance = computeDistance(ordinates, size, each, from, to);
      if (distance > farthest) [farthest, place] = [distance, each];
    }
    if (place < 0) continue;
    isKept[place - start] = 1;
    open.push([from, place], [place, to]);
  }
  return Array.from({ length: end - start }, (_, index) => start + index).filter((each) => isKept[each - start] === 1);
}

/** Returns the distance of a position from the segment between two others, which may be equal. */
function computeDistance(ordinates: Float64Array, size: number, place: number, from: number, to: number): number {
  const getOrdinate = (index: number, axis: number): number => ordinates[index * size + axis] ?? 0;
  const [x, y] = [getOrdinate(place, 0) - getOrdinate(from, 0), getOrdinate(place, 1) - getOrdinate(from, 1)];
  const [dx, dy] = [getOrdinate(to, 0) - getOrdinate(from, 0), getOrdinate(to, 1) - getOrdinate(from, 1)];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, (x * dx + y * dy) / length));
  return Math.hypot(x - along * dx, y - along * dy);
}
