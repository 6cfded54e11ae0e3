/** Converts circular arcs to line segments, because the geometry model has no curves. */

/** The number of segments in a full circle: their distance from it is less than a 512th of the radius. */
const LINES_PER_CIRCLE = 128;

const FULL_TURN = 2 * Math.PI;

/**
 * `points` contains start, via, end, via, end ... with `size` ordinates each; the result contains the points of the
 * lines. Ordinates besides x and y are interpolated between the given points.
 */
export function straightenArcs(points: Float64Array, size: number): Float64Array {
  const count = points.length / size;
  const line: number[] = Array.from(points.subarray(0, size));
  for (let start = 0; start + 2 < count; start += 2) {
    addArc(line, points.subarray(start * size, (start + 3) * size), size);
  }
  return Float64Array.from(line);
}

function addArc(line: number[], arc: Float64Array, size: number): void {
  const getOrdinate = (index: number): number => arc[index] ?? 0;
  const getPoint = (index: number): Point => [getOrdinate(index * size), getOrdinate(index * size + 1)];
  const circle = findCircle(getPoint(0), getPoint(1), getPoint(2));
  if (circle === undefined) {
    line.push(...arc.subarray(size));
    return;
  }
  const { centreX, centreY, radius } = circle;
  const computeAngle = (point: number): number =>
    Math.atan2(getOrdinate(point * size + 1) - centreY, getOrdinate(point * size) - centreX);
  const sense = circle.isClockwise ? -1 : 1;
  for (const from of [0, 1]) {
    const startAngle = computeAngle(from);
    const turn = (sense * (computeAngle(from + 1) - startAngle) + 2 * FULL_TURN) % FULL_TURN;
    const steps = Math.max(1, Math.ceil((turn / FULL_TURN) * LINES_PER_CIRCLE));
    for (let step = 1; step < steps; step += 1) {
      const share = step / steps;
      const angle = startAngle + sense * turn * share;
      line.push(centreX + radius * Math.cos(angle), centreY + radius * Math.sin(angle));
      for (let extra = 2; extra < size; extra += 1) {
        const before = getOrdinate(from * size + extra);
        line.push(before + (getOrdinate((from + 1) * size + extra) - before) * share);
      }
    }
    line.push(...arc.subarray((from + 1) * size, (from + 2) * size));
  }
}

type Point = readonly [number, number];

interface Circle {
  readonly centreX: number;
  readonly centreY: number;
  readonly radius: number;
  readonly isClockwise: boolean;
}

/** Returns undefined for three points on a straight line. */
function findCircle([x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point): Circle | undefined {
  // Equal start and end points mean a full circle, with the point between on the opposite side.
  if (x1 === x3 && y1 === y3) {
    const radius = Math.hypot(x2 - x1, y2 - y1) / 2;
    return radius > 0 ? { centreX: (x1 + x2) / 2, centreY: (y1 + y2) / 2, radius, isClockwise: false } : undefined;
  }
  const [ax, ay, bx, by] = [x2 - x1, y2 - y1, x3 - x1, y3 - y1];
  const area = 2 * (ax * by - ay * bx);
  const [a, b] = [ax * ax + ay * ay, bx * bx + by * by];
  const [dx, dy] = [(by * a - ay * b) / area, (ax * b - bx * a) / area];
  const radius = Math.hypot(dx, dy);
  // Above this radius the rounding error of the centre exceeds the difference from a straight line.
  if (!(radius < 1e6 * Math.sqrt(Math.max(a, b)))) return undefined;
  return { centreX: x1 + dx, centreY: y1 + dy, radius, isClockwise: area < 0 };
}
