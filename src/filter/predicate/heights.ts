/** Tests the heights of geometries. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { ResolvedHeights } from '../model/resolved-filter.ts';
import type { Decision, RowAccess } from './row-access.ts';

/** The result is unknown for a row without a geometry. */
export function createHeightTest<Row>(
  { geometry: attribute, lowest, highest }: ResolvedHeights,
  access: RowAccess<Row>,
): Decision<Row> {
  return (row) => {
    const value = access.value(row, attribute.name);
    if (typeof value !== 'object' || value === null || !('ordinates' in value)) return undefined;
    const [low, high] = computeHeights(value);
    // Both are infinite for a geometry without heights.
    return low > high || (low <= highest && high >= lowest);
  };
}

/** Returns the lowest and the highest height, or Infinity and -Infinity without heights. */
function computeHeights({ ordinates, dimension, members = [] }: Geometry): readonly [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const include = (least: number, most: number): void => {
    low = Math.min(low, least);
    high = Math.max(high, most);
  };
  for (const member of members) include(...computeHeights(member));
  const place = dimension.indexOf('Z');
  if (place < 0) return [low, high];
  for (let at = place; at < ordinates.length; at += dimension.length) {
    const height = ordinates[at] ?? Number.NaN;
    if (!Number.isNaN(height)) include(height, height);
  }
  return [low, high];
}
