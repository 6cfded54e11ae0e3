/** The smallest circle around a geometry, by the incremental algorithm of Welzl on its convex hull. */
import type { Geometry } from './geometry.ts';
import { computeConvexHull, listPositions } from './planar.ts';
import { createPoint, fromSimpleParts } from './simple-parts.ts';

type Position = readonly [number, number];

interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const SEGMENTS = 64;

/** Positions within this share of the radius count as inside, because circles are rounded. */
const TOLERANCE = 1e-9;

/** Returns the circle as a polygon, a point for a single position, or undefined for an empty geometry. */
export function computeSmallestCircle(geometry: Geometry): Geometry | undefined {
  const places = shuffle(listPositions(computeConvexHull(geometry)));
  const [first] = places;
  if (first === undefined) return undefined;
  const { x, y, radius } = enclose(places);
  if (radius === 0) return createPoint(...first);
  const ring = Array.from({ length: SEGMENTS + 1 }, (_, at) => {
    const angle = ((at % SEGMENTS) / SEGMENTS) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  return fromSimpleParts([{ dimension: 2, lines: [Float64Array.from(ring.flat())] }]);
}

/** The expected time is linear for positions in random order. */
function enclose(places: readonly Position[]): Circle {
  let circle: Circle = { x: 0, y: 0, radius: -1 };
  for (const [index, place] of places.entries()) {
    if (isInside(circle, place)) continue;
    circle = { x: place[0], y: place[1], radius: 0 };
    for (let second = 0; second < index; second += 1) {
      const other = places[second];
      if (other === undefined || isInside(circle, other)) continue;
      circle = createFromTwo(place, other);
      for (let third = 0; third < second; third += 1) {
        const last = places[third];
        if (last !== undefined && !isInside(circle, last)) circle = createFromThree(place, other, last);
      }
    }
  }
  return circle;
}

function isInside({ x, y, radius }: Circle, [px, py]: Position): boolean {
  return Math.hypot(px - x, py - y) <= radius * (1 + TOLERANCE);
}

function createFromTwo([ax, ay]: Position, [bx, by]: Position): Circle {
  return { x: (ax + bx) / 2, y: (ay + by) / 2, radius: Math.hypot(ax - bx, ay - by) / 2 };
}

function createFromThree(a: Position, [bx, by]: Position, [cx, cy]: Position): Circle {
  const [ax, ay] = a;
  const [dx, dy, ex, ey] = [bx - ax, by - ay, cx - ax, cy - ay];
  const doubled = 2 * (dx * ey - dy * ex);
  if (doubled === 0) return createFromTwo(a, [bx, by]);
  const [d, e] = [dx * dx + dy * dy, ex * ex + ey * ey];
  const [x, y] = [(ey * d - dy * e) / doubled, (dx * e - ex * d) / doubled];
  return { x: ax + x, y: ay + y, radius: Math.hypot(x, y) };
}

/** Always in the same order, so that maps are reproducible. */
function shuffle<T>(items: readonly T[]): readonly T[] {
  const shuffled = [...items];
  let seed = 1;
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    const other = seed % (at + 1);
    const [one, two] = [shuffled[at], shuffled[other]];
    if (one === undefined || two === undefined) continue;
    shuffled[at] = two;
    shuffled[other] = one;
  }
  return shuffled;
}
