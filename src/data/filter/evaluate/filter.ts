/** Whether a filter lets a feature pass. */
import type { Expression } from '../expression.ts';
import type { Filter } from '../filter.ts';
import { evaluateExpression } from './expression.ts';
import { matchesLike } from './like-pattern.ts';
import { compare, type FeatureValues, featureIdentifier, type StyleValue, toText } from './style-value.ts';

/**
 * True or false; undefined where it cannot be known: geometries are not looked at, and functions may be unknown.
 * A comparison with null is false, and so its negation is true: a rule and its opposite take every feature.
 */
export function evaluateFilter(filter: Filter, feature: FeatureValues): boolean | undefined {
  const valueFor = (expression: Expression): StyleValue | undefined => evaluateExpression(expression, feature);

  switch (filter.kind) {
    case 'comparison':
      return compare(filter.operator, valueFor(filter.left), valueFor(filter.right), filter.matchCase !== false);
    case 'between': {
      const value = valueFor(filter.value);
      return allOf([
        compare('greaterOrEqual', value, valueFor(filter.lower)),
        compare('lessOrEqual', value, valueFor(filter.upper)),
      ]);
    }
    case 'like': {
      const value = valueFor(filter.value);
      if (value === undefined) return undefined;
      return value !== null && matchesLike(toText(value), filter);
    }
    case 'isNull': {
      const value = valueFor(filter.value);
      return value === undefined ? undefined : value === null;
    }
    case 'and':
      return allOf(filter.filters.map((each) => evaluateFilter(each, feature)));
    case 'or':
      return negated(allOf(filter.filters.map((each) => negated(evaluateFilter(each, feature)))));
    case 'not':
      return negated(evaluateFilter(filter.filter, feature));
    case 'identifiers': {
      const identifier = Object.hasOwn(feature, featureIdentifier) ? feature[featureIdentifier] : undefined;
      return identifier === undefined ? undefined : filter.identifiers.includes(String(identifier));
    }
    case 'spatial':
    case 'distance':
    case 'boundingBox':
      return undefined;
  }
}

/** What is false is decided, whatever the unknown ones may be. */
function allOf(results: readonly (boolean | undefined)[]): boolean | undefined {
  if (results.includes(false)) return false;
  return results.includes(undefined) ? undefined : true;
}

function negated(result: boolean | undefined): boolean | undefined {
  return result === undefined ? undefined : !result;
}
