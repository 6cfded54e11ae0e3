/** Measures the rings of a shape to determine their nesting. */

/** Consecutive positions of `stride` numbers, the first two of which are x and y. */
export interface RingPositions {
  readonly ordinates: Float64Array;
  readonly stride: number;
}

export interface Ring {
  /** Its first position, and the one after its last. */
  readonly start: number;
  readonly end: number;
  /** Negative for a clockwise ring with y pointing up. */
  readonly signedArea: number;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** If a ring touches another with some positions, further positions decide. */
const POSITIONS_TO_ASK = 8;

export function measureRings({ ordinates, stride }: RingPositions, ends: readonly number[]): readonly Ring[] {
  const rings: Ring[] = [];
  let start = 0;
  for (const end of ends) {
    rings.push(measureRing(ordinates, stride, start, end));
    start = end;
  }
  return rings;
}

/** Whether the box of one ring is in that of the other. */
export function canContain(outer: Ring, inner: Ring): boolean {
  return inner.minX >= outer.minX && inner.maxX <= outer.maxX && inner.minY >= outer.minY && inner.maxY <= outer.maxY;
}

/** Whether a ring is inside another; rings of one shape are completely inside or outside. */
export function hasRingInside(outer: Ring, inner: Ring, { ordinates, stride }: RingPositions): boolean {
  const last = Math.min(inner.end, inner.start + POSITIONS_TO_ASK);
  for (let position = inner.start; position < last; position += 1) {
    const x = ordinates[position * stride] ?? Number.NaN;
    const y = ordinates[position * stride + 1] ?? Number.NaN;
    const side = findSide(outer, x, y, ordinates, stride);
    if (side !== 'on') return side === 'inside';
  }
  return true;
}

function measureRing(ordinates: Float64Array, stride: number, start: number, end: number): Ring {
  let minX = Number.POSITIVE_INFINITY;
  let minY = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  let twiceArea = 0;
  // Relative to the first position, because products are large far from the origin and their differences small.
  const originX = ordinates[start * stride] ?? 0;
  const originY = ordinates[start * stride + 1] ?? 0;
  let beforeX = 0;
  let beforeY = 0;
  for (let at = start * stride; at < end * stride; at += stride) {
    const x = ordinates[at] ?? Number.NaN;
    const y = ordinates[at + 1] ?? Number.NaN;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    const relativeX = x - originX;
    const relativeY = y - originY;
    twiceArea += beforeX * relativeY - relativeX * beforeY;
    beforeX = relativeX;
    beforeY = relativeY;
  }
  return { start, end, signedArea: twiceArea / 2, minX, minY, maxX, maxY };
}

/** Counts the edges that a ray to the right of the point crosses. */
function findSide(
  ring: Ring,
  x: number,
  y: number,
  ordinates: Float64Array,
  stride: number,
): 'inside' | 'outside' | 'on' {
  let isInside = false;
  let beforeX = ordinates[(ring.end - 1) * stride] ?? Number.NaN;
  let beforeY = ordinates[(ring.end - 1) * stride + 1] ?? Number.NaN;
  for (let at = ring.start * stride; at < ring.end * stride; at += stride) {
    const atX = ordinates[at] ?? Number.NaN;
    const atY = ordinates[at + 1] ?? Number.NaN;
    if (beforeY > y !== atY > y) {
      const crossing = beforeX + ((y - beforeY) * (atX - beforeX)) / (atY - beforeY);
      if (crossing === x) return 'on';
      if (crossing > x) isInside = !isInside;
    } else if (atX === x && atY === y) {
      return 'on';
    }
    beforeX = atX;
    beforeY = atY;
  }
  return isInside ? 'inside' : 'outside';
}
