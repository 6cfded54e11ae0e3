/** Finds the positions of point symbols on a shape, and its centroid. */
import { LINES, POINTS } from '../../vector/port/packed-features.ts';
import type { PixelShape } from './pixel-shape.ts';

type Middle = readonly [x: number, y: number, weight: number];

/** Visits each point, or the centre of each line and polygon. Their weights are lengths and areas. */
export function forEachMiddle(shape: PixelShape, visit: (x: number, y: number, weight: number) => void): void {
  const { kind, places, ends, rings } = shape;
  if (kind === POINTS) {
    const count = ends[rings - 1] ?? 0;
    for (let at = 0; at < count * 2; at += 2) visit(places[at] ?? 0, places[at + 1] ?? 0, 1);
    return;
  }
  let start = 0;
  for (let ring = 0; ring < rings; ring += 1) {
    const end = ends[ring] ?? start;
    if (kind === LINES) {
      visit(...computeLineMiddle(places, start * 2, end * 2));
    } else if (shape.isOuter[ring] === 1) {
      visit(...computePolygonMiddle(shape, ring, start));
    }
    start = end;
  }
}

/** Returns the centre of gravity of all parts; the mean of their centres if they have neither length nor area. */
export function computeCentroid(shape: PixelShape): readonly [number, number] {
  let [sumX, sumY, total] = [0, 0, 0];
  let [plainX, plainY, count] = [0, 0, 0];
  forEachMiddle(shape, (x, y, weight) => {
    sumX += x * weight;
    sumY += y * weight;
    total += weight;
    plainX += x;
    plainY += y;
    count += 1;
  });
  return total > 0 ? [sumX / total, sumY / total] : [plainX / count, plainY / count];
}

/** Returns the centre of gravity of a line. */
function computeLineMiddle(places: Float64Array, start: number, end: number): Middle {
  let [sumX, sumY, total] = [0, 0, 0];
  for (let at = start; at + 3 < end; at += 2) {
    const [x, y, toX, toY] = [places[at] ?? 0, places[at + 1] ?? 0, places[at + 2] ?? 0, places[at + 3] ?? 0];
    const length = Math.hypot(toX - x, toY - y);
    sumX += ((x + toX) / 2) * length;
    sumY += ((y + toY) / 2) * length;
    total += length;
  }
  return total > 0 ? [sumX / total, sumY / total, total] : [places[start] ?? 0, places[start + 1] ?? 0, 0];
}

/** Returns the centre of gravity of a polygon from its rings; that of its outline if it has no area. */
function computePolygonMiddle({ places, ends, isOuter, rings }: PixelShape, outer: number, first: number): Middle {
  const [originX, originY] = [places[first * 2] ?? 0, places[first * 2 + 1] ?? 0];
  let [sumX, sumY, total] = [0, 0, 0];
  let start = first;
  for (let ring = outer; ring < rings && (ring === outer || isOuter[ring] === 0); ring += 1) {
    const end = ends[ring] ?? start;
    let [ringX, ringY, area] = [0, 0, 0];
    let [lastX, lastY] = [(places[end * 2 - 2] ?? 0) - originX, (places[end * 2 - 1] ?? 0) - originY];
    for (let at = start * 2; at < end * 2; at += 2) {
      const [x, y] = [(places[at] ?? 0) - originX, (places[at + 1] ?? 0) - originY];
      const cross = lastX * y - x * lastY;
      area += cross;
      ringX += (lastX + x) * cross;
      ringY += (lastY + y) * cross;
      [lastX, lastY] = [x, y];
    }
    // Subtract holes, independent of the orientation of their rings.
    const sign = area > 0 === (ring === outer) ? 1 : -1;
    sumX += ringX * sign;
    sumY += ringY * sign;
    total += area * sign;
    start = end;
  }
  if (Math.abs(total) < 1e-9) {
    const [x, y] = computeLineMiddle(places, first * 2, (ends[outer] ?? first) * 2);
    return [x, y, 0];
  }
  return [originX + sumX / (3 * total), originY + sumY / (3 * total), Math.abs(total)];
}
