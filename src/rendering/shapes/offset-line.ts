/** Offsets lines and rings sideways, and by a displacement. */

/** Corners keep the distance to both of their sides, up to this multiple of the distance. */
const MAX_STRETCH = 3;

/** Moves the positions of a line or ring. Lengths are in pixels. */
export interface SidewaysMove {
  /** The distance to the left of a line in its direction, or outwards from a polygon. */
  readonly offset: number;
  /** The displacement to the right and down. */
  readonly shiftX: number;
  readonly shiftY: number;
}

/** Offsets to the left in the direction of the line (y downwards), or to the right for a negative offset. */
export function offsetToSide(
  places: Float64Array,
  isClosed: boolean,
  { offset, shiftX, shiftY }: SidewaysMove,
): Float64Array {
  const count = places.length / 2;
  const moved = new Float64Array(places.length);
  for (let index = 0; index < count; index += 1) {
    const x = places[index * 2] ?? 0;
    const y = places[index * 2 + 1] ?? 0;
    const before = findNeighbour(places, index, -1, isClosed);
    const after = findNeighbour(places, index, 1, isClosed);
    const [beforeX, beforeY] = computeLeftNormal(
      places,
      before ?? index,
      before === undefined ? (after ?? index) : index,
    );
    const [afterX, afterY] = computeLeftNormal(places, after === undefined ? (before ?? index) : index, after ?? index);
    const [sumX, sumY] = [beforeX + afterX, beforeY + afterY];
    const squared = Math.max(sumX * sumX + sumY * sumY, Number.EPSILON);
    const stretch = Math.min(2 / squared, MAX_STRETCH / Math.sqrt(squared)) * offset;
    moved[index * 2] = x + sumX * stretch + shiftX;
    moved[index * 2 + 1] = y + sumY * stretch + shiftY;
  }
  return moved;
}

/** Offsets away from the inside of a polygon, so that outer rings grow and holes shrink, and by a displacement. */
export function offsetOutwards(ring: Float64Array, isOuter: boolean, move: SidewaysMove): Float64Array {
  // The left side of a clockwise ring (y downwards) is outside.
  const isLeft = computeRingArea(ring, 0, ring.length) > 0 === isOuter;
  return offsetToSide(ring, true, isLeft ? move : { ...move, offset: -move.offset });
}

/**
 * Returns twice the signed area of a ring between two positions of an array; positive for clockwise rings, with y
 * downwards.
 */
export function computeRingArea(places: Float64Array, start: number, end: number): number {
  let sum = 0;
  // Use coordinates relative to the first position, to keep precision far from the origin.
  const originX = places[start] ?? 0;
  const originY = places[start + 1] ?? 0;
  let lastX = 0;
  let lastY = 0;
  for (let at = start + 2; at < end; at += 2) {
    const x = (places[at] ?? 0) - originX;
    const y = (places[at + 1] ?? 0) - originY;
    sum += lastX * y - x * lastY;
    lastX = x;
    lastY = y;
  }
  return sum;
}

/** Returns the next different position; undefined at the end of a line. */
function findNeighbour(places: Float64Array, index: number, step: 1 | -1, isClosed: boolean): number | undefined {
  const count = places.length / 2;
  for (let other = index + step, tried = 0; tried < count; other += step, tried += 1) {
    if (!isClosed && (other < 0 || other >= count)) return undefined;
    const at = (other + count) % count;
    if (places[at * 2] !== places[index * 2] || places[at * 2 + 1] !== places[index * 2 + 1]) return at;
  }
  return undefined;
}

/** Returns the unit normal to the left of the segment between two positions. */
function computeLeftNormal(places: Float64Array, from: number, to: number): readonly [number, number] {
  const x = (places[to * 2] ?? 0) - (places[from * 2] ?? 0);
  const y = (places[to * 2 + 1] ?? 0) - (places[from * 2 + 1] ?? 0);
  const length = Math.hypot(x, y);
  return length > 0 ? [y / length, -x / length] : [0, 0];
}
