/** Resolves the attributes of a filter and assigns types to its literals. */
import type { Expression } from '../model/expression.ts';
import type { Comparison, Constant, Filter, Membership, Period, TemporalFilter } from '../model/filter.ts';
import { joinResolvedFilters, negateResolvedFilter } from '../model/join-resolved-filters.ts';
import type { ResolvedFilter, ScalarConstant, ScalarType } from '../model/resolved-filter.ts';
import { findAttributeByName } from '../model/schema.ts';
import { createTemporalCondition } from '../model/temporal.ts';
import { hasComputedGeometry, resolveComputed } from './computed.ts';
import { ResolveError } from './resolve-error.ts';
import { findOwnType, resolveAttributeValue, resolveConstant, resolveScalar } from './scalar.ts';
import { resolveBoundingBox, resolveDistance, resolveRelation } from './spatial.ts';
import type { SchemaWithSystems } from './systems.ts';

/** Each feature is tested against all of them, and databases reject longer statements. */
const maxConditions = 10_000;

/** Spatial relations are the most expensive conditions for each feature. */
const maxSpatialConditions = 500;

/** Values per list. */
const maxListed = 100_000;

/** Longer than any text that is compared with a pattern. */
const maxPatternLength = 10_000;

/** Throws a `ResolveError` for the first error. */
export function resolve(filter: Filter | Constant, schema: SchemaWithSystems): ResolvedFilter {
  let conditions = 0;
  let spatialConditions = 0;

  const countSpatial = (each: Filter): void => {
    spatialConditions += 1;
    if (spatialConditions > maxSpatialConditions)
      throw new ResolveError(each, `the filter has more than ${maxSpatialConditions} spatial conditions`);
  };

  const resolveCondition = (each: Filter | Constant): ResolvedFilter => {
    conditions += 1;
    if (conditions > maxConditions)
      throw new ResolveError(undefined, `the filter has more than ${maxConditions} conditions`);
    switch (each.kind) {
      case 'include':
      case 'exclude':
        return { kind: 'constant', value: each.kind === 'include' };
      case 'and':
      case 'or':
        return joinResolvedFilters(each.kind, each.filters.map(resolveCondition));
      case 'not':
        return negateResolvedFilter(resolveCondition(each.filter));
      case 'comparison':
        return resolveComparison(each, schema);
      case 'between':
        return resolveBetween(each, schema);
      case 'membership':
        return resolveMembership(each, schema);
      case 'like':
        return resolveLike(each, schema);
      case 'isNull': {
        const { value } = each;
        if (value.kind === 'property') return { kind: 'isNull', value: resolveAttributeValue(value, schema) };
        if (value.kind === 'arithmetic' && !needsComputing(value))
          return { kind: 'isNull', value: resolveScalar(value, 'number', schema) };
        return resolveComputed(each, schema);
      }
      case 'temporal':
        return resolveTemporal(each, schema);
      case 'exists':
        return { kind: 'constant', value: findAttributeByName(schema, each.property.name) !== undefined };
      case 'identifiers':
        return each;
      case 'spatial':
      case 'relate':
        countSpatial(each);
        return hasComputedGeometry(each) ? resolveComputed(each, schema) : resolveRelation(each, schema);
      case 'distance':
        countSpatial(each);
        return hasComputedGeometry(each) ? resolveComputed(each, schema) : resolveDistance(each, schema);
      case 'boundingBox':
        countSpatial(each);
        return resolveBoundingBox(each, schema);
    }
  };

  return resolveCondition(filter);
}

function resolveComparison(filter: Comparison, schema: SchemaWithSystems): ResolvedFilter {
  const { operator, left, right } = filter;
  if (needsComputing(left) || needsComputing(right)) return resolveComputed(filter, schema);
  const type = findSharedType(findOwnType(left, schema), findOwnType(right, schema));
  if (type === undefined) return resolveComputed(filter, schema);
  if (filter.matchCase === false && type === 'text') return resolveCaseInsensitive(filter, schema);
  return {
    kind: 'comparison',
    operator,
    left: resolveScalar(left, type, schema),
    right: resolveScalar(right, type, schema),
  };
}

/** A number compared with a decimal is treated as a decimal. */
function findSharedType(left: ScalarType | undefined, right: ScalarType | undefined): ScalarType | undefined {
  return left === 'number' && right === 'decimal' ? right : (left ?? right);
}

/** A case-insensitive comparison is a pattern without wildcards. */
function resolveCaseInsensitive(filter: Comparison, schema: SchemaWithSystems): ResolvedFilter {
  const { operator, left, right } = filter;
  const [named, text] = left.kind === 'property' ? [left, right] : [right, left];
  const isEquality = operator === 'equal' || operator === 'notEqual';
  if (!isEquality || named.kind !== 'property' || text.kind !== 'literal') return resolveComputed(filter, schema);
  const signs = { wildCard: '', singleCharacter: '', escape: '' } as const;
  const same = resolveLike({ kind: 'like', value: named, pattern: text.value, ...signs, matchCase: false }, schema);
  return operator === 'equal' ? same : negateResolvedFilter(same);
}

function resolveBetween(
  { value, lower, upper }: Filter & { kind: 'between' },
  schema: SchemaWithSystems,
): ResolvedFilter {
  const resolveBound = (operator: 'greaterOrEqual' | 'lessOrEqual', right: Expression): ResolvedFilter =>
    resolveComparison({ kind: 'comparison', operator, left: value, right }, schema);
  return joinResolvedFilters('and', [resolveBound('greaterOrEqual', lower), resolveBound('lessOrEqual', upper)]);
}

function resolveMembership({ value, list }: Membership, schema: SchemaWithSystems): ResolvedFilter {
  if (list.length > maxListed) throw new ResolveError(value, `a list has more than ${maxListed} values`);
  const type = needsComputing(value) ? undefined : findOwnType(value, schema);
  if (type !== undefined) {
    const constants: ScalarConstant[] = [];
    for (const each of list) if (each.kind === 'literal') constants.push(resolveConstant(each, type));
    if (constants.length === list.length)
      return { kind: 'membership', value: resolveScalar(value, type, schema), list: constants };
  }
  if (list.length > maxConditions) throw new ResolveError(value, `a list has more than ${maxConditions} values`);
  return joinResolvedFilters(
    'or',
    list.map((right) => resolveComparison({ kind: 'comparison', operator: 'equal', left: value, right }, schema)),
  );
}

function resolveLike(filter: Filter & { kind: 'like' }, schema: SchemaWithSystems): ResolvedFilter {
  const { value, ...pattern } = filter;
  if (pattern.pattern.length > maxPatternLength)
    throw new ResolveError(value, `a pattern is longer than ${maxPatternLength} characters`);
  const attribute = value.kind === 'property' ? resolveAttributeValue(value, schema) : undefined;
  return attribute?.type === 'text' ? { ...pattern, attribute } : resolveComputed(filter, schema);
}

function resolveTemporal(filter: TemporalFilter, schema: SchemaWithSystems): ResolvedFilter {
  const condition = createTemporalCondition(filter);
  if (condition === undefined) throw new ResolveError(filter, 'the period is invalid');
  const moments = [filter.value, filter.time].flatMap(listMoments);
  for (const moment of moments) {
    if (moment.kind === 'property' && resolveAttributeValue(moment, schema).type !== 'moment')
      throw new ResolveError(moment, `'${moment.name}' is not a date or time attribute`);
    if (moment.kind === 'literal') resolveConstant(moment, 'moment');
  }
  const isPlain = moments.some(({ kind }) => kind === 'property') && !moments.some(needsComputing);
  return isPlain ? resolveMoments(condition, schema) : resolveComputed(filter, schema);
}

function listMoments(time: Expression | Period): readonly Expression[] {
  return time.kind === 'period' ? [time.start, time.end].filter((each) => typeof each === 'object') : [time];
}

/** Resolves a temporal condition that is expanded to comparisons. */
function resolveMoments(filter: Filter | Constant, schema: SchemaWithSystems): ResolvedFilter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joinResolvedFilters(
        filter.kind,
        filter.filters.map((each) => resolveMoments(each, schema)),
      );
    case 'comparison': {
      const [left, right] = [
        resolveScalar(filter.left, 'moment', schema),
        resolveScalar(filter.right, 'moment', schema),
      ];
      return { kind: 'comparison', operator: filter.operator, left, right };
    }
    default:
      return { kind: 'constant', value: filter.kind === 'include' };
  }
}

/** The type of functions and concatenated texts is known only when they are evaluated. */
function needsComputing(expression: Expression): boolean {
  if (expression.kind === 'arithmetic') return needsComputing(expression.left) || needsComputing(expression.right);
  return expression.kind === 'function' || expression.kind === 'concatenation';
}
