/** Compiles the filters of rules to functions, so that the filter tree is walked only once. */
import { evaluateFilter, toNumber } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { type Comparison, type Filter, isTrueForOrder } from '../../filter/model/filter.ts';
import type { FeatureCursor } from './feature-cursor.ts';

export type RuleFilter = (feature: FeatureCursor) => boolean;

/** Unknown results count as false. Spatial conditions have separate tests in `places`. */
export function compileRuleFilter(filter: Filter, places: ReadonlyMap<Filter, RuleFilter>): RuleFilter {
  const decide = compileCondition(filter, places);
  return (feature) => decide(feature) === true;
}

function negate(result: boolean | undefined): boolean | undefined {
  return result === undefined ? undefined : !result;
}

type ConditionTest = (feature: FeatureCursor) => boolean | undefined;

function compileCondition(filter: Filter, places: ReadonlyMap<Filter, RuleFilter>): ConditionTest {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.filters.map((each) => compileCondition(each, places));
      return (feature) => combineDecisions(parts, feature, false);
    }
    case 'or': {
      const parts = filter.filters.map((each) => compileCondition(each, places));
      return (feature) => combineDecisions(parts, feature, true);
    }
    case 'not': {
      const inner = compileCondition(filter.filter, places);
      return (feature) => negate(inner(feature));
    }
    case 'comparison':
      return compileComparison(filter) ?? ((feature) => evaluateFilter(filter, feature.values()));
    default:
      return places.get(filter) ?? ((feature) => evaluateFilter(filter, feature.values()));
  }
}

/** One `decisive` part decides the result; otherwise an unknown part makes the result unknown. */
function combineDecisions(
  parts: readonly ConditionTest[],
  feature: FeatureCursor,
  decisive: boolean,
): boolean | undefined {
  let isKnown = true;
  for (const part of parts) {
    const result = part(feature);
    if (result === decisive) return decisive;
    if (result === undefined) isKnown = false;
  }
  return isKnown ? !decisive : undefined;
}

/**
 * Compiles the comparison of an attribute with a number, the most frequent condition; returns undefined for others.
 */
function compileComparison({ operator, left, right }: Comparison): ConditionTest | undefined {
  const number = left.kind === 'property' ? toLiteralNumber(right) : undefined;
  if (left.kind !== 'property' || number === undefined) return undefined;
  const { name } = left;
  return (feature) => {
    const value = feature.getValue(name);
    if (value === null) return operator === 'notEqual';
    const found = typeof value === 'number' ? value : toNumber(value);
    if (found !== undefined) return isTrueForOrder(operator, found - number);
    const [text, other] = [String(value), String(right.kind === 'literal' ? right.value : number)];
    return isTrueForOrder(operator, text === other ? 0 : text < other ? -1 : 1);
  };
}

function toLiteralNumber(expression: Expression): number | undefined {
  return expression.kind === 'literal' ? toNumber(expression.value) : undefined;
}
