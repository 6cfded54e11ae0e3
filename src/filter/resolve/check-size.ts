/** Refuses filters that are too large to be walked through, whatever language they were read from. */
import type { Constant, Filter } from '../model/filter.ts';
import { ResolveError } from './resolve-error.ts';

/** Filters are walked through by recursion. People nest a tenth of it; sums of many parts are as deep as they are long. */
const maxDepth = 600;

/** Conditions, values, and the members of geometries; more than there may be values in one list. */
const maxParts = 500_000;

/** Of all geometries together: each feature may be compared with all of them. */
const maxPositions = 100_000;

/** Throws a `ResolveError`. Without recursion, which is what it makes safe. */
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

/** Coordinates are a position, a list of them, or rings of them. */
function countPositions(coordinates: readonly unknown[]): number {
  const [first] = coordinates;
  if (!Array.isArray(first)) return 1;
  return Array.isArray(first[0])
    ? coordinates.reduce<number>((sum, ring) => sum + (Array.isArray(ring) ? ring.length : 0), 0)
    : coordinates.length;
}
