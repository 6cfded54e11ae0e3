/** Tests how high geometries are. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { ResolvedHeights } from '../model/resolved-filter.ts';
import type { Predicate, RowAccess } from './row-access.ts';

/** Without a geometry it is false. */
export function createHeightTest<Row>(
  { geometry: attribute, lowest, highest }: ResolvedHeights,
  access: RowAccess<Row>,
): Predicate<Row> {
  return (row) => {
    const value = access.value(row, attribute.name);
    if (typeof value !== 'object' || value === null || !('ordinates' in value)) return false;
    const [low, high] = computeHeights(value);
    // Of what has no heights, both are infinite.
    return low > high || (low <= highest && high >= lowest);
  };
}

/** The lowest and the highest; the other way round where there is none. */
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
