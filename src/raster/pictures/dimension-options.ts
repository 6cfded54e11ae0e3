/** The requested values of the dimensions of a coverage, and their lookup in a file or in a granule index. */
import type { ResolvedFilter, ScalarConstant } from '../../filter/model/resolved-filter.ts';
import type { GranuleDomain, GranuleSchema } from '../granules/port/port.ts';
import type { CoverageDimension } from '../port/port.ts';

/** Dates are timestamps. */
export type DimensionValue = Date | number | string;

/** Both ends are inclusive. */
export interface DimensionRange {
  readonly low: DimensionValue;
  readonly high: DimensionValue;
}

export interface DimensionOptions {
  /** Case-insensitive; `time` and `elevation` also match dimensions of these kinds. */
  readonly name: string;
  /** Values in any of the ranges; at least one. */
  readonly ranges: readonly DimensionRange[];
}

/** Returns the index of the first requested value of each dimension, or undefined. */
export function findSlice(
  dimensions: readonly CoverageDimension[],
  wishes: readonly DimensionOptions[],
): Readonly<Record<string, number>> | undefined {
  const slice: Record<string, number> = {};
  for (const dimension of dimensions) {
    const wish = findDimensionOptions(dimension, wishes);
    if (wish === undefined) continue;
    const place = dimension.values.findIndex((value) =>
      wish.ranges.some(({ low, high }) => isBetween(toComparable(value, low), low, high)),
    );
    if (place < 0) return undefined;
    slice[dimension.name] = place;
  }
  return slice;
}

/** Returns the filter for granules; undefined if the index has none of the dimensions. */
export function buildGranuleFilter(
  schema: GranuleSchema,
  wishes: readonly DimensionOptions[],
): ResolvedFilter | undefined {
  const filters = schema.domains.flatMap((domain) => {
    const wish = findDimensionOptions(domain, wishes);
    return wish === undefined
      ? []
      : [{ kind: 'or' as const, filters: wish.ranges.map((range) => buildRangeFilter(domain, range)) }];
  });
  return filters.length === 0 ? undefined : { kind: 'and', filters };
}

function findDimensionOptions(
  { name, kind }: Pick<CoverageDimension, 'name' | 'kind'>,
  wishes: readonly DimensionOptions[],
): DimensionOptions | undefined {
  const findByName = (wanted: string) => wishes.find((wish) => wish.name.toLowerCase() === wanted.toLowerCase());
  return findByName(name) ?? (kind === 'custom' ? undefined : findByName(kind));
}

/** Timestamps in files are texts. */
function toComparable(value: string | number, like: DimensionValue): DimensionValue {
  return like instanceof Date ? new Date(value) : value;
}

function isBetween(value: DimensionValue, low: DimensionValue, high: DimensionValue): boolean {
  return value >= low && value <= high;
}

/** For starts and ends: matches ranges that overlap. */
function buildRangeFilter(
  { attributes: [start, end = start] }: GranuleDomain,
  { low, high }: DimensionRange,
): ResolvedFilter {
  const buildComparison = (
    name: string,
    operator: 'greaterOrEqual' | 'lessOrEqual',
    value: DimensionValue,
  ): ResolvedFilter => {
    const right = toConstant(value);
    return { kind: 'comparison', operator, left: { kind: 'attribute', type: right.type, name }, right };
  };
  return {
    kind: 'and',
    filters: [buildComparison(end, 'greaterOrEqual', low), buildComparison(start, 'lessOrEqual', high)],
  };
}

function toConstant(value: DimensionValue): ScalarConstant {
  if (value instanceof Date) return { kind: 'constant', type: 'moment', value: value.getTime() };
  return typeof value === 'number'
    ? { kind: 'constant', type: 'number', value }
    : { kind: 'constant', type: 'text', value };
}
