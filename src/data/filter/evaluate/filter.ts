/** Whether a filter lets a feature pass. */
import { momentOrder } from '../../exact-moment.ts';
import type { Expression } from '../expression.ts';
import { type Comparison, type Constant, type Filter, holdsInOrder, type Like } from '../filter.ts';
import { momentOf } from '../moment.ts';
import { temporalCondition } from '../temporal.ts';
import { evaluateExpression } from './expression.ts';
import { likeMatcher } from './like-pattern.ts';
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
      return allOf(
        [
          compare('greaterOrEqual', value, valueFor(filter.lower)),
          compare('lessOrEqual', value, valueFor(filter.upper)),
        ],
        (each) => each,
      );
    }
    case 'membership': {
      const value = valueFor(filter.value);
      return anyOf(filter.list, (each) => compare('equal', value, valueFor(each)));
    }
    case 'temporal':
      return evaluateMoments(temporalCondition(filter) ?? { kind: 'exclude' }, feature);
    case 'exists':
      return Object.hasOwn(feature, filter.property.name);
    case 'like': {
      const value = valueFor(filter.value);
      if (value === undefined) return undefined;
      return value !== null && matcherOf(filter)(toText(value));
    }
    case 'isNull': {
      const value = valueFor(filter.value);
      return value === undefined ? undefined : value === null;
    }
    case 'and':
      return allOf(filter.filters, (each) => evaluateFilter(each, feature));
    case 'or':
      return anyOf(filter.filters, (each) => evaluateFilter(each, feature));
    case 'not':
      return negated(evaluateFilter(filter.filter, feature));
    case 'identifiers': {
      const identifier = Object.hasOwn(feature, featureIdentifier) ? feature[featureIdentifier] : undefined;
      return identifier === undefined ? undefined : filter.identifiers.includes(String(identifier));
    }
    case 'spatial':
    case 'relate':
    case 'distance':
    case 'boundingBox':
      return undefined;
  }
}

/** The pattern of a condition is read once, and not for each feature. */
const matchers = new WeakMap<Like, (text: string) => boolean>();

function matcherOf(like: Like): (text: string) => boolean {
  const known = matchers.get(like);
  if (known !== undefined) return known;
  const matcher = likeMatcher(like);
  matchers.set(like, matcher);
  return matcher;
}

/** One that is false decides, whatever the unknown ones may be. */
function allOf<T>(parts: readonly T[], decide: (part: T) => boolean | undefined): boolean | undefined {
  let result: boolean | undefined = true;
  for (const part of parts) {
    const decided = decide(part);
    if (decided === false) return false;
    if (decided === undefined) result = undefined;
  }
  return result;
}

function anyOf<T>(parts: readonly T[], decide: (part: T) => boolean | undefined): boolean | undefined {
  return negated(allOf(parts, (part) => negated(decide(part))));
}

/** A condition on time, spelled out as comparisons. */
function evaluateMoments(filter: Filter | Constant, feature: FeatureValues): boolean | undefined {
  switch (filter.kind) {
    case 'include':
    case 'exclude':
      return filter.kind === 'include';
    case 'and':
      return allOf(filter.filters, (each) => evaluateMoments(each, feature));
    case 'or':
      return anyOf(filter.filters, (each) => evaluateMoments(each, feature));
    case 'comparison':
      return compareMoments(filter, feature);
    default:
      return evaluateFilter(filter, feature);
  }
}

/** With what is no moment nothing is before, after or at the same time. */
function compareMoments({ operator, left, right }: Comparison, feature: FeatureValues): boolean | undefined {
  const [value, other] = [evaluateExpression(left, feature), evaluateExpression(right, feature)];
  if (value === undefined || other === undefined) return undefined;
  const [moment, bound] = [momentOf(toText(value)), momentOf(toText(other))];
  return moment !== undefined && bound !== undefined && holdsInOrder(operator, momentOrder(moment, bound));
}

function negated(result: boolean | undefined): boolean | undefined {
  return result === undefined ? undefined : !result;
}
