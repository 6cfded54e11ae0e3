/** Rejects filters that are too large to traverse, independent of their language. */
import type { Constant, Filter } from '../model/filter.ts';
import { ResolveError } from './resolve-error.ts';

/** Filters are traversed recursively. Real filters use a tenth of this depth; a sum of n terms has depth n. */
const maxDepth = 600;

/** Conditions, values and members of geometries; more than the maximum length of one list. */
const maxParts = 500_000;

/** For all geometries together, because each feature can be compared with all of them. */
const maxPositions = 100_000;

/** Throws a `ResolveError`. Iterative, because it protects the recursive traversals. */
export function checkSize(filter: Filter | Constant): void {
  let parts = 0;
  let positions = 0;
  let level: object[] = [filter];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw new ResolveError(undefined, `the filter is nested more than ${maxDepth} levels deep`);
    const next: object[] = [];
    for (const part of level) {
      parts += 1;
      if (parts > maxParts) throw new ResolveError(undefined, `the filter has more than ${maxParts} parts`);
      for (const [name, inner] of Object.entries(part)) {
        if (typeof inner !== 'object' || inner === null) continue;
        if (name === 'coordinates') positions += countPositions(inner);
        else for (const each of Array.isArray(inner) ? inner : [inner]) if (typeof each === 'object') next.push(each);
      }
    }
    if (positions > maxPositions)
      throw new ResolveError(undefined, `the geometries of the filter have more than ${maxPositions} positions`);
    level = next;
  }
}

/** Coordinates are a position, a list of positions, or rings. */
function countPositions(coordinates: readonly unknown[]): number {
  const [first] = coordinates;
  if (!Array.isArray(first)) return 1;
  return Array.isArray(first[0])
    ? coordinates.reduce<number>((sum, ring) => sum + (Array.isArray(ring) ? ring.length : 0), 0)
    : coordinates.length;
}
