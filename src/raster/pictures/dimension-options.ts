/** Which values of the dimensions of a coverage are wanted, and where they are found: in a file, or in an index of granules. */
import type { ResolvedFilter, ScalarConstant } from '../../filter/model/resolved-filter.ts';
import type { GranuleDomain, GranuleSchema } from '../granules/port/port.ts';
import type { CoverageDimension } from '../port/port.ts';

/** Dates are moments. */
export type DimensionValue = Date | number | string;

/** Both ends belong to it. */
export interface DimensionRange {
  readonly low: DimensionValue;
  readonly high: DimensionValue;
}

export interface DimensionOptions {
  /** In any case of its letters; `time` and `elevation` are also the names of dimensions of these kinds. */
  readonly name: string;
  /** Values in one of them; at least one. */
  readonly ranges: readonly DimensionRange[];
}

/** For each dimension of a file the place of the first value that is wanted; undefined where there is none. */
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

/** The condition that granules have to fit; undefined where nothing is wished that the index knows of. */
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

/** Files have moments as text. */
function toComparable(value: string | number, like: DimensionValue): DimensionValue {
  return like instanceof Date ? new Date(value) : value;
}

function isBetween(value: DimensionValue, low: DimensionValue, high: DimensionValue): boolean {
  return value >= low && value <= high;
}

/** Of beginnings and ends: what has a moment in common with it. */
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
