/** Clips rings of polygons to a box in degrees, one edge of the box after the other. */
import type { Position } from 'geojson';

/** Long edges are divided: they are curves in most projections. */
const MAX_STEP_DEGREES = 2;

type Box = readonly [west: number, south: number, east: number, north: number];

/** Returns a closed ring, or an empty one if the ring is outside. */
export function clipRing(ring: readonly Position[], [west, south, east, north]: Box): Position[] {
  const edges = [
    { axis: 0, limit: west, sign: 1 },
    { axis: 0, limit: east, sign: -1 },
    { axis: 1, limit: south, sign: 1 },
    { axis: 1, limit: north, sign: -1 },
  ] as const;
  let points: readonly Position[] = ring.slice(0, -1);
  for (const { axis, limit, sign } of edges) {
    const isInside = (point: Position) => ((point[axis] ?? 0) - limit) * sign >= 0;
    points = points.flatMap((point, index) => {
      const last = points.at(index - 1) ?? point;
      const crossing = isInside(last) === isInside(point) ? [] : [intersect(last, point, axis, limit)];
      return isInside(point) ? [...crossing, point] : crossing;
    });
  }
  const [first] = points;
  return first === undefined ? [] : divideLongEdges([...points, first]);
}

function intersect(from: Position, to: Position, axis: 0 | 1, limit: number): Position {
  const [start, end] = [from[axis] ?? 0, to[axis] ?? 0];
  const share = (limit - start) / (end - start);
  const other = axis === 0 ? 1 : 0;
  const value = (from[other] ?? 0) + share * ((to[other] ?? 0) - (from[other] ?? 0));
  return axis === 0 ? [limit, value] : [value, limit];
}

function divideLongEdges(ring: readonly Position[]): Position[] {
  return ring.flatMap(([x = 0, y = 0], index) => {
    const [lastX = x, lastY = y] = ring[index - 1] ?? [x, y];
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x - lastX), Math.abs(y - lastY)) / MAX_STEP_DEGREES));
    return Array.from({ length: steps }, (_, step): Position => {
      const share = (step + 1) / steps;
      return [lastX + (x - lastX) * share, lastY + (y - lastY) * share];
    });
  });
}
