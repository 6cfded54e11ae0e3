/** Comparisons of bounding boxes. */
import type { Bounds } from '../../crs/bounds.ts';

export function areApart(one: Bounds, other: Bounds): boolean {
  return one.minX > other.maxX || one.maxX < other.minX || one.minY > other.maxY || one.maxY < other.minY;
}

/** Expands slightly more than the distance, so that rounding excludes nothing. */
export function expandBounds({ minX, minY, maxX, maxY }: Bounds, distance: number): Bounds {
  const reach = distance * (1 + 1e-9) + 1e-12 * Math.max(...[minX, minY, maxX, maxY].map(Math.abs));
  return { minX: minX - reach, minY: minY - reach, maxX: maxX + reach, maxY: maxY + reach };
}
