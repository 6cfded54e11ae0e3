/** Which features of a layer a map shows by its dimensions: those of the values that are asked for, or of the default ones. */
import type { Expression } from '../../../data/filter/expression.ts';
import type { Comparison, ComparisonOperator, Filter } from '../../../data/filter/filter.ts';
import { momentOf, periodMoments } from '../../../data/filter/moment.ts';
import { resolveFilter } from '../../../data/filter/resolve.ts';
import type { ResolvedFilter } from '../../../data/filter/resolved-filter.ts';
import { describedSchema } from '../../../data/vector/filter-schema.ts';
import { problem } from '../../../lib/problem.ts';
import type { OpenedType } from '../../door/open-type.ts';
import { valueBeside } from './dimension-domain.ts';
import { type DimensionRange, isPresent, readDimension } from './dimension-values.ts';
import { dimensionsOf, type LayerDimension } from './layer-dimensions.ts';

/** What clients ask of dimensions, by names in lower case, and what they may. */
export interface DimensionWishes {
  readonly asked: ReadonlyMap<string, string>;
  readonly maxValues: number;
  readonly now: Date;
  /** Whether a value that nothing is near to is refused, rather than shown as nothing. */
  readonly refusesUnmatched: boolean;
}

/** Undefined for a layer without dimensions: what is asked of others is not for it. */
export async function dimensionFilter(
  opened: OpenedType,
  wishes: DimensionWishes,
): Promise<ResolvedFilter | undefined> {
  const filters: Filter[] = [];
  for (const dimension of dimensionsOf(opened.published)) {
    const ranges = await rangesOf(opened, dimension, wishes);
    const conditions = ranges.map((range) => within(dimension, range));
    const [first, ...others] = conditions;
    // Nothing is there, so that nothing is shown.
    if (first === undefined) return { kind: 'constant', value: false };
    filters.push(others.length === 0 ? first : { kind: 'or', filters: conditions });
  }
  const [first, ...others] = filters;
  if (first === undefined) return undefined;
  const outcome = await resolveFilter(
    others.length === 0 ? first : { kind: 'and', filters },
    describedSchema(opened.description),
  );
  if (outcome.kind === 'resolved') return outcome.filter;
  throw problem('wms-dimension-invalid', {
    dimension: [...wishes.asked.keys()].join(', '),
    value: [...wishes.asked.values()].join(', '),
    expected: outcome.complaint.message,
  });
}

async function rangesOf(
  opened: OpenedType,
  dimension: LayerDimension,
  { asked, refusesUnmatched, ...limits }: DimensionWishes,
): Promise<readonly DimensionRange[]> {
  const text = asked.get(dimension.name);
  const wish = text === undefined ? 'default' : readDimension(dimension, text, limits);
  if (wish === 'default') {
    const value = await defaultValue(opened, dimension, limits.now);
    return value === undefined ? [] : [value];
  }
  if (!dimension.isNearest) return wish;
  const near: DimensionRange[] = [];
  for (const range of wish) {
    const found = range.from === range.to ? await nearest(opened, dimension, range.from) : range;
    if (found !== undefined) near.push(found);
  }
  if (near.length === 0 && refusesUnmatched) {
    const expected = 'nothing is near enough to it';
    throw problem('wms-dimension-invalid', {
      dimension: dimension.name,
      value: text ?? '',
      expected,
      field: dimension.name,
    });
  }
  return near;
}

/** What is shown where nobody asks for a value; undefined where there is none. */
export async function defaultValue(
  opened: OpenedType,
  dimension: LayerDimension,
  now: Date,
): Promise<DimensionRange | undefined> {
  const { strategy, reference } = dimension.default;
  switch (strategy) {
    case 'MINIMUM':
      return alone(await valueBeside(opened, dimension, 'least'));
    case 'MAXIMUM':
      return alone(await valueBeside(opened, dimension, 'greatest'));
    case 'FIXED': {
      const wish = readDimension(dimension, reference ?? '', { maxValues: 1, now });
      return wish === 'default' ? undefined : wish[0];
    }
    case 'NEAREST': {
      const wanted = reference === undefined || isPresent(reference) ? now.toISOString() : reference;
      return nearest(opened, { ...dimension, acceptableInterval: undefined }, wanted);
    }
  }
}

function alone(value: string | undefined): DimensionRange | undefined {
  return value === undefined ? undefined : { from: value, to: value };
}

/** The value that is there and is nearest, if it is near enough. */
async function nearest(
  opened: OpenedType,
  dimension: LayerDimension,
  value: string,
): Promise<DimensionRange | undefined> {
  const [below, above] = [
    await valueBeside(opened, dimension, 'below', value),
    await valueBeside(opened, dimension, 'above', value),
  ];
  const measured = [below, above]
    .flatMap((each) => each ?? [])
    .filter((each) => isAcceptable(dimension, value, each))
    .map((each) => ({ each, distance: Math.abs(measure(dimension, each) - measure(dimension, value)) }));
  const [first] = measured.toSorted((one, other) => one.distance - other.distance);
  return alone(first?.each);
}

function measure({ kind }: LayerDimension, value: string): number {
  return kind === 'time' ? Number(momentOf(value) ?? Number.NaN) : Number(value);
}

/** `P1D`, `P1D/P0D` for before and after, or numbers. */
function isAcceptable(dimension: LayerDimension, asked: string, found: string): boolean {
  const { acceptableInterval, kind } = dimension;
  if (acceptableInterval === undefined) return true;
  const [before = '', after = before] = acceptableInterval.split('/').map((each) => each.trim());
  const [at, there] = [measure(dimension, asked), measure(dimension, found)];
  if (kind !== 'time') return there >= at - Number(before) && there <= at + Number(after);
  const [, latest] = periodMoments(asked, after) ?? [];
  const [earliest] = periodMoments(before, asked) ?? [];
  return there >= Date.parse(earliest ?? asked) && there <= Date.parse(latest ?? asked);
}

/** Of features that last for a while those that do so at some time of the range. */
function within({ attribute, endAttribute }: LayerDimension, { from, to }: DimensionRange): Filter {
  const value: Expression = { kind: 'property', name: attribute };
  const end: Expression = { kind: 'property', name: endAttribute ?? attribute };
  if (from === to && endAttribute === undefined) return compare('equal', value, from);
  return { kind: 'and', filters: [compare('greaterOrEqual', end, from), compare('lessOrEqual', value, to)] };
}

function compare(operator: ComparisonOperator, left: Expression, value: string): Comparison {
  return { kind: 'comparison', operator, left, right: { kind: 'literal', value } };
}
