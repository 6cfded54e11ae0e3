/** Exact tests on segments and points in the plane, with the same results as JTS. */

/** Computes the orientation of three points if rounding could change its sign. */
export type ExactOrientation = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number) => number;

/** The relative error bound up to which the sign of the determinant is certain; the same as in JTS. */
const SAFE_EPSILON = 1e-15;

export interface SegmentTests {
  /** Whether two segments share a point; a segment of zero length is a point. The caller has compared their boxes. */
  doCross(a: Float64Array, atA: number, b: Float64Array, atB: number): boolean;
  /** Counts where a ray from a point to the right crosses a segment: 0 or 1, or -1 if the point is on the segment. */
  countCrossings(x: number, y: number, segment: Float64Array, at: number): number;
}

export function createSegmentTests(exact: ExactOrientation): SegmentTests {
  const computeOrientation: ExactOrientation = (ax, ay, bx, by, cx, cy) => {
    const left = (ax - cx) * (by - cy);
    const right = (ay - cy) * (bx - cx);
    const determinant = left - right;
    const isCertain =
      left === 0 ||
      (left > 0 && right <= 0) ||
      (left < 0 && right >= 0) ||
      Math.abs(determinant) >= SAFE_EPSILON * Math.abs(left + right);
    return isCertain ? Math.sign(determinant) : exact(ax, ay, bx, by, cx, cy);
  };
  return {
    doCross(a, atA, b, atB) {
      const ax = a[atA] ?? 0;
      const ay = a[atA + 1] ?? 0;
      const bx = a[atA + 2] ?? 0;
      const by = a[atA + 3] ?? 0;
      const cx = b[atB] ?? 0;
      const cy = b[atB + 1] ?? 0;
      const dx = b[atB + 2] ?? 0;
      const dy = b[atB + 3] ?? 0;
      if (computeOrientation(ax, ay, bx, by, cx, cy) * computeOrientation(ax, ay, bx, by, dx, dy) > 0) return false;
      return computeOrientation(cx, cy, dx, dy, ax, ay) * computeOrientation(cx, cy, dx, dy, bx, by) <= 0;
    },
    countCrossings(x, y, segment, at) {
      const ax = segment[at] ?? 0;
      const ay = segment[at + 1] ?? 0;
      const bx = segment[at + 2] ?? 0;
      const by = segment[at + 3] ?? 0;
      if (ax < x && bx < x) return 0;
      if (x === bx && y === by) return -1;
      if (ay === y && by === y) return x >= Math.min(ax, bx) && x <= Math.max(ax, bx) ? -1 : 0;
      if (!((ay > y && by <= y) || (by > y && ay <= y))) return 0;
      const side = computeOrientation(ax, ay, bx, by, x, y);
      if (side === 0) return -1;
      return (by < ay ? -side : side) > 0 ? 1 : 0;
    },
  };
}

/** Computes the distance like JTS, so that limits are decided identically. */
export function computeSegmentDistance(a: Float64Array, atA: number, b: Float64Array, atB: number): number {
  const [ax, ay, bx, by] = [a[atA] ?? 0, a[atA + 1] ?? 0, a[atA + 2] ?? 0, a[atA + 3] ?? 0];
  const [cx, cy, dx, dy] = [b[atB] ?? 0, b[atB + 1] ?? 0, b[atB + 2] ?? 0, b[atB + 3] ?? 0];
  if (ax === bx && ay === by) return computePointDistance(ax, ay, b, atB);
  if (cx === dx && cy === dy) return computePointDistance(dx, dy, a, atA);
  const areBoxesApart =
    Math.min(ax, bx) > Math.max(cx, dx) ||
    Math.max(ax, bx) < Math.min(cx, dx) ||
    Math.min(ay, by) > Math.max(cy, dy) ||
    Math.max(ay, by) < Math.min(cy, dy);
  if (!areBoxesApart) {
    const denominator = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
    const r = ((ay - cy) * (dx - cx) - (ax - cx) * (dy - cy)) / denominator;
    const s = ((ay - cy) * (bx - ax) - (ax - cx) * (by - ay)) / denominator;
    if (denominator !== 0 && r >= 0 && r <= 1 && s >= 0 && s <= 1) return 0;
  }
  return Math.min(
    computePointDistance(ax, ay, b, atB),
    computePointDistance(bx, by, b, atB),
    computePointDistance(cx, cy, a, atA),
    computePointDistance(dx, dy, a, atA),
  );
}

function computePointDistance(x: number, y: number, segment: Float64Array, at: number): number {
  const [ax, ay] = [segment[at] ?? 0, segment[at + 1] ?? 0];
  const [bx, by] = [segment[at + 2] ?? 0, segment[at + 3] ?? 0];
  const squared = (bx - ax) * (bx - ax) + (by - ay) * (by - ay);
  const along = squared === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared;
  if (along <= 0) return Math.sqrt((x - ax) * (x - ax) + (y - ay) * (y - ay));
  if (along >= 1) return Math.sqrt((x - bx) * (x - bx) + (y - by) * (y - by));
  const across = ((ay - y) * (bx - ax) - (ax - x) * (by - ay)) / squared;
  return Math.abs(across) * Math.sqrt(squared);
}
