/**
 * Builds a database filter for the features that any rule may paint, so that other features need not be read. It
 * matches every painted feature and may match others. Rules evaluate values with the semantics of styles, so a
 * condition is included only if the database is certain to decide in the same way.
 */
import { toNumber } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import type { Comparison, ComparisonOperator, Filter } from '../../filter/model/filter.ts';
import { joinResolvedFilters, negateResolvedFilter } from '../../filter/model/join-resolved-filters.ts';
import { parseMoment } from '../../filter/model/moment.ts';
import type {
  AttributeValue,
  ResolvedComparison,
  ResolvedFilter,
  ScalarConstant,
} from '../../filter/model/resolved-filter.ts';
import type { Attribute, FeatureTypeDescription, ValueType } from '../../vector/port/port.ts';
import type { StylePlan } from './style-plan.ts';

/** Returns undefined if any feature may be painted. */
export function buildPaintedFilter(
  { groups }: Pick<StylePlan, 'groups'>,
  { attributes }: FeatureTypeDescription,
): ResolvedFilter | undefined {
  const conditions = groups.flatMap(({ rules }) =>
    rules.map(({ filter }) =>
      filter === undefined || filter.kind === 'else' ? undefined : computeFilterBound(filter, attributes, 'above'),
    ),
  );
  const known = conditions.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < conditions.length) return undefined;
  const condition = joinResolvedFilters('or', known);
  return countConditions(condition) > MAX_CONDITIONS ? undefined : condition;
}

/** A longer database filter takes more time than discarding features here. */
const MAX_CONDITIONS = 200;

function countConditions(filter: ResolvedFilter): number {
  if (filter.kind === 'not') return countConditions(filter.filter);
  if (filter.kind === 'membership') return filter.list.length;
  return filter.kind === 'and' || filter.kind === 'or'
    ? filter.filters.reduce((sum, each) => sum + countConditions(each), 0)
    : 1;
}

/** 'above' is a condition that holds at least where the filter holds, 'below' one that holds at most there. */
type Side = 'above' | 'below';

/** Returns undefined for "always true" from above and "always false" from below. */
function computeFilterBound(filter: Filter, attributes: readonly Attribute[], side: Side): ResolvedFilter | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => computeFilterBound(each, attributes, side));
      const known = parts.filter((each) => each !== undefined);
      // From above, an unknown part of a conjunction can be dropped; from below, an unknown part of a disjunction.
      const mayLeaveOut = (filter.kind === 'and') === (side === 'above');
      if (known.length === 0 || (known.length < parts.length && !mayLeaveOut)) return undefined;
      return joinResolvedFilters(filter.kind, known);
    }
    case 'not': {
      const inner = computeFilterBound(filter.filter, attributes, side === 'above' ? 'below' : 'above');
      return inner && negateResolvedFilter(decideNulls(inner));
    }
    case 'comparison':
      return computeComparisonBound(filter, attributes, side);
    case 'between': {
      const { value: left, lower, upper } = filter;
      const bounds = [
        ['greaterOrEqual', lower],
        ['lessOrEqual', upper],
      ] as const;
      const filters = bounds.map(([operator, right]): Comparison => ({ kind: 'comparison', operator, left, right }));
      return computeFilterBound({ kind: 'and', filters }, attributes, side);
    }
    case 'membership': {
      const { value: left, list } = filter;
      const filters = list.map((right): Comparison => ({ kind: 'comparison', operator: 'equal', left, right }));
      return computeFilterBound({ kind: 'or', filters }, attributes, side);
    }
    case 'isNull': {
      const attribute = findComparedAttribute(filter.value, attributes);
      return attribute && { kind: 'isNull', value: attribute.value };
    }
    default:
      return undefined;
  }
}

function computeComparisonBound(
  { operator, left, right, matchCase }: Comparison,
  attributes: readonly Attribute[],
  side: Side,
): ResolvedFilter | undefined {
  const attribute = findComparedAttribute(left, attributes);
  if (attribute === undefined || right.kind !== 'literal') return undefined;
  const constant = toConstant(attribute.type, right.value, operator, side);
  if (constant === undefined || (constant.type === 'text' && matchCase === false)) return undefined;
  const comparison: ResolvedComparison = { kind: 'comparison', operator, left: attribute.value, right: constant };
  return operator === 'notEqual' ? decideNullComparison(comparison) : comparison;
}

/** Replaces comparisons, which are unknown for null in a database, by conditions that are false, as in rules. */
function decideNulls(filter: ResolvedFilter): ResolvedFilter {
  if (filter.kind === 'and' || filter.kind === 'or') return { ...filter, filters: filter.filters.map(decideNulls) };
  return filter.kind === 'comparison' ? decideNullComparison(filter) : filter;
}

/** In rules, "not equal" is true for null and other comparisons are false. */
function decideNullComparison(comparison: ResolvedComparison): ResolvedFilter {
  const isNull: ResolvedFilter = { kind: 'isNull', value: comparison.left };
  return comparison.operator === 'notEqual'
    ? { kind: 'or', filters: [isNull, comparison] }
    : { kind: 'and', filters: [negateResolvedFilter(isNull), comparison] };
}

/** Matches the exact name only; paths and prefixes are left to the rules. */
function findComparedAttribute(
  expression: Expression,
  attributes: readonly Attribute[],
): { readonly value: AttributeValue & Pick<ScalarConstant, 'type'>; readonly type: ValueType } | undefined {
  if (expression.kind !== 'property') return undefined;
  const found = attributes.find(({ name }) => name === expression.name);
  const type = found?.kind === 'value' ? comparedTypes[found.type] : undefined;
  if (found?.kind !== 'value' || type === undefined) return undefined;
  return { value: { kind: 'attribute', name: found.name, type }, type: found.type };
}

/** Values of other types are rounded or reformatted before a rule evaluates them. */
const comparedTypes: Readonly<Partial<Record<ValueType, ScalarConstant['type']>>> = {
  string: 'text',
  boolean: 'boolean',
  short: 'number',
  integer: 'number',
  long: 'number',
  double: 'number',
};

/** Returns undefined if a rule may decide differently from a database. */
function toConstant(
  type: ValueType,
  text: string,
  operator: ComparisonOperator,
  side: Side,
): ScalarConstant | undefined {
  const number = toNumber(text);
  switch (comparedTypes[type]) {
    case 'number':
      // Larger numbers are rounded before a rule evaluates them.
      if (number === undefined || Math.abs(number) > Number.MAX_SAFE_INTEGER) return undefined;
      return { kind: 'constant', type: 'number', value: number };
    case 'boolean':
      if (operator !== 'equal' || (text !== 'true' && text !== 'false')) return undefined;
      return { kind: 'constant', type: 'boolean', value: text === 'true' };
    case 'text':
      // Rules compare numeric text as numbers and dates as moments. Databases may ignore trailing spaces and sort by a collation.
      if (number !== undefined || parseMoment(text) !== undefined || operator !== 'equal' || side === 'below')
        return undefined;
      return { kind: 'constant', type: 'text', value: text };
    default:
      return undefined;
  }
}
