/** Moves lines and rings to their side, and by a displacement. */

/** Corners go so far that the distance to both of their sides is right, though not beyond so many times of it. */
const MAX_STRETCH = 3;

/** To the left, seen along the line (y goes downwards), or to the right if the distance is negative. */
export function offsetToSide(
  places: Float64Array,
  isClosed: boolean,
  distance: number,
  shiftX: number,
  shiftY: number,
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
    const stretch = Math.min(2 / squared, MAX_STRETCH / Math.sqrt(squared)) * distance;
    moved[index * 2] = x + sumX * stretch + shiftX;
    moved[index * 2 + 1] = y + sumY * stretch + shiftY;
  }
  return moved;
}

/** Away from the inside of a polygon: outer rings grow, and holes get smaller; and by a displacement. */
export function offsetOutwards(
  ring: Float64Array,
  isOuter: boolean,
  distance: number,
  shiftX: number,
  shiftY: number,
): Float64Array {
  // Left of a ring that goes round with the clock (y downwards) is outside of it.
  const isLeft = computeRingArea(ring, 0, ring.length) > 0 === isOuter;
  return offsetToSide(ring, true, isLeft ? distance : -distance, shiftX, shiftY);
}

/** Twice the area of a ring between two places of an array; above zero where it goes round with the clock, y downwards. */
export function computeRingArea(places: Float64Array, start: number, end: number): number {
  let sum = 0;
  // From the first place, so that far away from the origin nothing is lost.
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

/** The next place that differs; undefined at the end of a line. */
function findNeighbour(places: Float64Array, index: number, step: 1 | -1, isClosed: boolean): number | undefined {
  const count = places.length / 2;
  for (let other = index + step, tried = 0; tried < count; other += step, tried += 1) {
    if (!isClosed && (other < 0 || other >= count)) return undefined;
    const at = (other + count) % count;
    if (places[at * 2] !== places[index * 2] || places[at * 2 + 1] !== places[index * 2 + 1]) return at;
  }
  return undefined;
}

/** A step of length one to the left of the way from one place to another. */
function computeLeftNormal(places: Float64Array, from: number, to: number): readonly [number, number] {
  const x = (places[to * 2] ?? 0) - (places[from * 2] ?? 0);
  const y = (places[to * 2 + 1] ?? 0) - (places[from * 2 + 1] ?? 0);
  const length = Math.hypot(x, y);
  return length > 0 ? [y / length, -x / length] : [0, 0];
}
