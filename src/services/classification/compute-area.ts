/** Computes the area of a geometry in the square of its coordinate unit. */
import type { Geometry } from '../../geometry/geometry.ts';

/** Rings of a polygon after the first are holes. Points and lines have no area. */
export function computeArea(geometry: Geometry): number {
  if (geometry.members !== undefined) return geometry.members.reduce((sum, each) => sum + computeArea(each), 0);
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return 0;
  const firstRings = new Set([0, ...geometry.parts.slice(0, -1)]);
  let start = 0;
  let sum = 0;
  geometry.ends.forEach((end, ring) => {
    const area = computeRingArea(geometry, start, end);
    sum += firstRings.has(ring) ? area : -area;
    start = end;
  });
  return Math.max(0, sum);
}

function computeRingArea({ ordinates, dimension }: Geometry, start: number, end: number): number {
  const size = dimension.length;
  const originX = ordinates[start * size] ?? 0;
  let twice = 0;
  for (let index = start; index < end - 1; index += 1) {
    const [place, next] = [index * size, (index + 1) * size];
    const [x, y] = [(ordinates[place] ?? 0) - originX, ordinates[place + 1] ?? 0];
    const [nextX, nextY] = [(ordinates[next] ?? 0) - originX, ordinates[next + 1] ?? 0];
    twice += x * nextY - nextX * y;
  }
  return Math.abs(twice) / 2;
}
