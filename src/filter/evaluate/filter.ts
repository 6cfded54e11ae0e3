/** Evaluates whether a feature matches a filter. */
import { compareExactMoments } from '../../lib/values/exact-moment.ts';
import type { Expression } from '../model/expression.ts';
import {
  type Comparison,
  type ComparisonOperator,
  type Constant,
  type DistanceFilter,
  type Filter,
  isTrueForOrder,
  type Like,
  type RelationFilter,
  type SpatialFilter,
  type TemporalFilter,
} from '../model/filter.ts';
import { parseMoment } from '../model/moment.ts';
import { createTemporalCondition } from '../model/temporal.ts';
import { evaluateExpression, evaluateGeometry } from './expression.ts';
import { useOperations } from './functions/geometry-library.ts';
import { createLikeMatcher } from './values/like-pattern.ts';
import { compare, type FeatureValues, featureIdentifier, type StyleValue, toText } from './values/style-value.ts';

/**
 * The result of a comparison with null. In the rules of styles it is false and its negation true, so that a rule and
 * its opposite cover every feature. Filters of clients treat it as unknown, like databases.
 */
export type NullComparison = 'false' | 'unknown';

/** Returns undefined if the result is unknown; geometries are not evaluated, and functions can be unknown. */
export function evaluateFilter(
  filter: Filter,
  feature: FeatureValues,
  nulls: NullComparison = 'false',
): boolean | undefined {
  const evaluateValue = (expression: Expression): StyleValue | undefined => evaluateExpression(expression, feature);
  const compareTwo = (
    operator: ComparisonOperator,
    left: StyleValue | undefined,
    right: StyleValue | undefined,
    matchCase = true,
  ): boolean | undefined =>
    nulls === 'unknown' && (left === null || right === null) ? undefined : compare(operator, left, right, matchCase);

  switch (filter.kind) {
    case 'comparison':
      return compareTwo(
        filter.operator,
        evaluateValue(filter.left),
        evaluateValue(filter.right),
        filter.matchCase !== false,
      );
    case 'between': {
      const value = evaluateValue(filter.value);
      return decideAll(
        [
          compareTwo('greaterOrEqual', value, evaluateValue(filter.lower)),
          compareTwo('lessOrEqual', value, evaluateValue(filter.upper)),
        ],
        (each) => each,
      );
    }
    case 'membership': {
      const value = evaluateValue(filter.value);
      return decideAny(filter.list, (each) => compareTwo('equal', value, evaluateValue(each)));
    }
    case 'temporal':
      return evaluateMoments(getTemporalCondition(filter), feature, nulls);
    case 'exists':
      return Object.hasOwn(feature, filter.property.name);
    case 'like': {
      const value = evaluateValue(filter.value);
      if (value === undefined || (value === null && nulls === 'unknown')) return undefined;
      return value !== null && getMatcher(filter)(toText(value));
    }
    case 'isNull': {
      const value = evaluateValue(filter.value);
      return value === undefined ? undefined : value === null;
    }
    case 'and':
      return decideAll(filter.filters, (each) => evaluateFilter(each, feature, nulls));
    case 'or':
      return decideAny(filter.filters, (each) => evaluateFilter(each, feature, nulls));
    case 'not':
      return negateDecision(evaluateFilter(filter.filter, feature, nulls));
    case 'identifiers': {
      const identifier = Object.hasOwn(feature, featureIdentifier) ? feature[featureIdentifier] : undefined;
      return identifier === undefined ? undefined : filter.identifiers.includes(String(identifier));
    }
    case 'spatial':
    case 'relate':
    case 'distance':
      return evaluateSpatial(filter, feature);
    case 'boundingBox':
      return undefined;
  }
}

/** Caches the compiled pattern of a condition across features. */
const matchers = new WeakMap<Like, (text: string) => boolean>();

function getMatcher(like: Like): (text: string) => boolean {
  const known = matchers.get(like);
  if (known !== undefined) return known;
  const matcher = createLikeMatcher(like);
  matchers.set(like, matcher);
  return matcher;
}

/** Caches the comparisons of a temporal condition across features. */
const temporalConditions = new WeakMap<TemporalFilter, Filter | Constant>();

function getTemporalCondition(temporal: TemporalFilter): Filter | Constant {
  const known = temporalConditions.get(temporal);
  if (known !== undefined) return known;
  const condition = createTemporalCondition(temporal) ?? { kind: 'exclude' };
  temporalConditions.set(temporal, condition);
  return condition;
}

/** One false part decides, regardless of unknown parts. */
function decideAll<T>(parts: readonly T[], decide: (part: T) => boolean | undefined): boolean | undefined {
  let result: boolean | undefined = true;
  for (const part of parts) {
    const decided = decide(part);
    if (decided === false) return false;
    if (decided === undefined) result = undefined;
  }
  return result;
}

function decideAny<T>(parts: readonly T[], decide: (part: T) => boolean | undefined): boolean | undefined {
  return negateDecision(decideAll(parts, (part) => negateDecision(decide(part))));
}

/** Evaluates a temporal condition that is expanded to comparisons. */
function evaluateMoments(
  filter: Filter | Constant,
  feature: FeatureValues,
  nulls: NullComparison,
): boolean | undefined {
  switch (filter.kind) {
    case 'include':
    case 'exclude':
      return filter.kind === 'include';
    case 'and':
      return decideAll(filter.filters, (each) => evaluateMoments(each, feature, nulls));
    case 'or':
      return decideAny(filter.filters, (each) => evaluateMoments(each, feature, nulls));
    case 'comparison':
      return compareMoments(filter, feature, nulls);
    default:
      return evaluateFilter(filter, feature, nulls);
  }
}

/** A value that is not a moment counts as null. */
function compareMoments(
  { operator, left, right }: Comparison,
  feature: FeatureValues,
  nulls: NullComparison,
): boolean | undefined {
  const [value, other] = [evaluateExpression(left, feature), evaluateExpression(right, feature)];
  if (value === undefined || other === undefined) return undefined;
  const [moment, bound] = [parseMoment(toText(value)), parseMoment(toText(other))];
  if (moment === undefined || bound === undefined) return nulls === 'unknown' ? undefined : false;
  return isTrueForOrder(operator, compareExactMoments(moment, bound));
}

function negateDecision(result: boolean | undefined): boolean | undefined {
  return result === undefined ? undefined : !result;
}

/** Evaluates conditions with computed geometries; those of attributes are resolved with the CRS of the data instead. */
function evaluateSpatial(
  filter: SpatialFilter | RelationFilter | DistanceFilter,
  feature: FeatureValues,
): boolean | undefined {
  const [one, other] = [evaluateGeometry(filter.left, feature), evaluateGeometry(filter.right, feature)];
  if (one === undefined || other === undefined) return undefined;
  if (one === null || other === null) return false;
  const result = useOperations([one, other], (used) => {
    switch (filter.kind) {
      case 'spatial':
        return used.isRelated(filter.operator, one, other);
      case 'relate':
        return used.matchesPattern(one, other, filter.pattern);
      case 'distance': {
        const distance = used.computeDistance(one, other);
        return distance === null ? null : distance <= filter.distance === (filter.operator === 'within');
      }
    }
  });
  return result ?? undefined;
}
