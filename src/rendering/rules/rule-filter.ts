/** Filters of rules as functions, so that a feature is decided on without going through a tree again. */
import { evaluateFilter, toNumber } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { type Comparison, type Filter, isTrueForOrder } from '../../filter/model/filter.ts';
import type { FeatureCursor } from './feature-cursor.ts';

export type RuleFilter = (feature: FeatureCursor) => boolean;

/** What cannot be known is false. Conditions on where features are have tests of their own. */
export function compileRuleFilter(filter: Filter, places: ReadonlyMap<Filter, RuleFilter>): RuleFilter {
  const decide = compileCondition(filter, places);
  return (feature) => decide(feature) === true;
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
      return (feature) => {
        const result = inner(feature);
        return result === undefined ? undefined : !result;
      };
    }
    case 'comparison':
      return compileComparison(filter) ?? ((feature) => evaluateFilter(filter, feature.values()));
    default:
      return places.get(filter) ?? ((feature) => evaluateFilter(filter, feature.values()));
  }
}

/** One that is `decisive` decides all of them; else what is not known leaves all unknown. */
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

/** An attribute against a number, which is what most rules are about; undefined for anything else. */
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
