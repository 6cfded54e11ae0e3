/** Tests whether a point is on a shape or near it. */
import { POINTS, POLYGONS } from '../../vector/port/packed-features.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';

export function isWithin(shape: PixelShape, x: number, y: number, radius: number): boolean {
  const isFar =
    x < shape.minX - radius || x > shape.maxX + radius || y < shape.minY - radius || y > shape.maxY + radius;
  if (isFar) return false;
  return (shape.kind === POLYGONS && isInsideShape(shape, x, y)) || isNearLines(shape, x, y, radius);
}

/** Counts the intersections of a ray to the right with the rings. */
function isInsideShape({ places, ends, rings }: PixelShape, x: number, y: number): boolean {
  let isInside = false;
  let start = 0;
  for (let ring = 0; ring < rings; ring += 1) {
    const end = ends[ring] ?? start;
    for (let at = start, last = end - 1; at < end; last = at, at += 1) {
      const [fromX, fromY] = [places[last * 2] ?? 0, places[last * 2 + 1] ?? 0];
      const [toX, toY] = [places[at * 2] ?? 0, places[at * 2 + 1] ?? 0];
      if (fromY > y === toY > y) continue;
      if (x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) isInside = !isInside;
    }
    start = end;
  }
  return isInside;
}

function isNearLines({ kind, places, ends, rings }: PixelShape, x: number, y: number, radius: number): boolean {
  let start = 0;
  for (let ring = 0; ring < rings; ring += 1) {
    const end = ends[ring] ?? start;
    for (let at = start; at < end; at += 1) {
      const isLast = at + 1 === end;
      const next = kind === POINTS || (isLast && kind !== POLYGONS) ? at : isLast ? start : at + 1;
      if (computeSegmentDistance(places, at * 2, next * 2, x, y) <= radius) return true;
    }
    start = end;
  }
  return false;
}

function computeSegmentDistance(places: Float64Array, from: number, to: number, x: number, y: number): number {
  const [startX, startY] = [places[from] ?? 0, places[from + 1] ?? 0];
  const [alongX, alongY] = [(places[to] ?? 0) - startX, (places[to + 1] ?? 0) - startY];
  const squared = alongX * alongX + alongY * alongY;
  const share = squared === 0 ? 0 : ((x - startX) * alongX + (y - startY) * alongY) / squared;
  const nearest = Math.max(0, Math.min(1, share));
  return Math.hypot(x - startX - nearest * alongX, y - startY - nearest * alongY);
}
