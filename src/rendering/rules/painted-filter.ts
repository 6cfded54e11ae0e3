/**
 * What any rule may paint, said so that a database understands it: features that no rule paints need not be read then. It
 * holds for every feature that is painted, and may hold for others. Rules decide on values as styles know them; only where
 * a database is sure to decide alike is it asked.
 */
import { toNumber } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import type { Comparison, ComparisonOperator, Filter } from '../../filter/model/filter.ts';
import { joinResolvedFilters, negateResolvedFilter } from '../../filter/model/join-resolved-filters.ts';
import type { AttributeValue, ResolvedFilter, ScalarConstant } from '../../filter/model/resolved-filter.ts';
import type { Attribute, FeatureTypeDescription, ValueType } from '../../vector/port/port.ts';
import type { StylePlan } from './style-plan.ts';

/** Undefined where any feature may be painted. */
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

/** To ask a database more than that takes longer than to leave features out here. */
const MAX_CONDITIONS = 200;

function countConditions(filter: ResolvedFilter): number {
  if (filter.kind === 'not') return countConditions(filter.filter);
  if (filter.kind === 'membership') return filter.list.length;
  return filter.kind === 'and' || filter.kind === 'or'
    ? filter.filters.reduce((sum, each) => sum + countConditions(each), 0)
    : 1;
}

/** Whether a condition holds at least where the filter does, or at most there. */
type Side = 'above' | 'below';

/** Undefined for everything from above, and for nothing from below. */
function computeFilterBound(filter: Filter, attributes: readonly Attribute[], side: Side): ResolvedFilter | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => computeFilterBound(each, attributes, side));
      const known = parts.filter((each) => each !== undefined);
      // What is not known says nothing in one of the two, and everything in the other.
      const mayLeaveOut = (filter.kind === 'and') === (side === 'above');
      if (known.length === 0 || (known.length < parts.length && !mayLeaveOut)) return undefined;
      return joinResolvedFilters(filter.kind, known);
    }
    case 'not': {
      const inner = computeFilterBound(filter.filter, attributes, side === 'above' ? 'below' : 'above');
      return inner && negateResolvedFilter(inner);
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
  return { kind: 'comparison', operator, left: attribute.value, right: constant };
}

/** By its very name: what paths and prefixes lead to is left to the rules. */
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

/** Others are rounded or written otherwise on their way to a rule. */
const comparedTypes: Readonly<Partial<Record<ValueType, ScalarConstant['type']>>> = {
  string: 'text',
  boolean: 'boolean',
  short: 'number',
  integer: 'number',
  long: 'number',
  double: 'number',
};

/** Undefined where a rule may decide otherwise than a database. */
function toConstant(
  type: ValueType,
  text: string,
  operator: ComparisonOperator,
  side: Side,
): ScalarConstant | undefined {
  const number = toNumber(text);
  switch (comparedTypes[type]) {
    case 'number':
      // Longer numbers are rounded before a rule sees them.
      if (number === undefined || Math.abs(number) > Number.MAX_SAFE_INTEGER) return undefined;
      return { kind: 'constant', type: 'number', value: number };
    case 'boolean':
      if (operator !== 'equal' || (text !== 'true' && text !== 'false')) return undefined;
      return { kind: 'constant', type: 'boolean', value: text === 'true' };
    case 'text':
      // Rules compare texts that look like numbers as numbers; databases may leave out spaces at the end, and order by a language.
      if (number !== undefined || operator !== 'equal' || side === 'below') return undefined;
      return { kind: 'constant', type: 'text', value: text };
    default:
      return undefined;
  }
}
