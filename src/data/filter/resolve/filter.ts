/** Looks up the attributes of a filter, and gives its literals types. */
import { nearestName } from '../../../lib/nearest-name.ts';
import { evaluateFilter, functionNames, isKnownFunction } from '../evaluate.ts';
import type { Expression, PropertyName } from '../expression.ts';
import type { Comparison, Constant, Filter, Membership, Period, TemporalFilter } from '../filter.ts';
import { joined, negated } from '../joined.ts';
import type { AttributeValue, ResolvedFilter, ScalarConstant, ScalarType } from '../resolved-filter.ts';
import { attributeNamed, type Schema } from '../schema.ts';
import { temporalCondition } from '../temporal.ts';
import { ResolveError } from './resolve-error.ts';
import { attributeValue, constantOf, ownType, scalarOf } from './scalar.ts';
import { boundingBox, distance, relation } from './spatial.ts';
import type { SchemaWithSystems } from './systems.ts';

/** Each feature is asked all of them, and databases refuse statements of more. */
const maxConditions = 10_000;

/** Relations of geometries are what costs most, for each feature. */
const maxSpatialConditions = 500;

/** Values in one list. */
const maxListed = 100_000;

/** Of a pattern; no text that is compared with it is as long. */
const maxPatternLength = 10_000;

/** Throws a `ResolveError` for the first thing that is wrong. */
export function resolve(filter: Filter | Constant, schema: SchemaWithSystems): ResolvedFilter {
  let conditions = 0;
  let spatialConditions = 0;

  const countSpatial = (each: Filter): void => {
    spatialConditions += 1;
    if (spatialConditions > maxSpatialConditions)
      throw new ResolveError(each, `there are more than ${maxSpatialConditions} conditions on geometries`);
  };

  const condition = (each: Filter | Constant): ResolvedFilter => {
    conditions += 1;
    if (conditions > maxConditions)
      throw new ResolveError(undefined, `there are more than ${maxConditions} conditions`);
    switch (each.kind) {
      case 'include':
      case 'exclude':
        return { kind: 'constant', value: each.kind === 'include' };
      case 'and':
      case 'or':
        return joined(each.kind, each.filters.map(condition));
      case 'not':
        return negated(condition(each.filter));
      case 'comparison':
        return comparison(each, schema);
      case 'between':
        return between(each, schema);
      case 'membership':
        return membership(each, schema);
      case 'like':
        return like(each, schema);
      case 'isNull': {
        const { value } = each;
        if (value.kind === 'property') return { kind: 'isNull', value: attributeValue(value, schema) };
        if (value.kind === 'arithmetic' && !needsComputing(value))
          return { kind: 'isNull', value: scalarOf(value, 'number', schema) };
        return computed(each, schema);
      }
      case 'temporal':
        return temporal(each, schema);
      case 'exists':
        return { kind: 'constant', value: attributeNamed(schema, each.property.name) !== undefined };
      case 'identifiers':
        return each;
      case 'spatial':
      case 'relate':
        countSpatial(each);
        return relation(each, schema);
      case 'distance':
        countSpatial(each);
        return distance(each, schema);
      case 'boundingBox':
        countSpatial(each);
        return boundingBox(each, schema);
    }
  };

  return condition(filter);
}

function comparison(filter: Comparison, schema: Schema): ResolvedFilter {
  const { operator, left, right } = filter;
  if (needsComputing(left) || needsComputing(right)) return computed(filter, schema);
  const type = sharedType(ownType(left, schema), ownType(right, schema));
  if (type === undefined) return computed(filter, schema);
  if (filter.matchCase === false && type === 'text') return withoutCase(filter, schema);
  return { kind: 'comparison', operator, left: scalarOf(left, type, schema), right: scalarOf(right, type, schema) };
}

/** A number beside a decimal is one. */
function sharedType(left: ScalarType | undefined, right: ScalarType | undefined): ScalarType | undefined {
  return left === 'number' && right === 'decimal' ? right : (left ?? right);
}

/** The same text in any case is what fits a pattern without special signs. */
function withoutCase(filter: Comparison, schema: Schema): ResolvedFilter {
  const { operator, left, right } = filter;
  const [named, text] = left.kind === 'property' ? [left, right] : [right, left];
  const isEquality = operator === 'equal' || operator === 'notEqual';
  if (!isEquality || named.kind !== 'property' || text.kind !== 'literal') return computed(filter, schema);
  const signs = { wildCard: '', singleCharacter: '', escape: '' } as const;
  const same = like({ kind: 'like', value: named, pattern: text.value, ...signs, matchCase: false }, schema);
  return operator === 'equal' ? same : negated(same);
}

function between({ value, lower, upper }: Filter & { kind: 'between' }, schema: Schema): ResolvedFilter {
  const bound = (operator: 'greaterOrEqual' | 'lessOrEqual', right: Expression): ResolvedFilter =>
    comparison({ kind: 'comparison', operator, left: value, right }, schema);
  return joined('and', [bound('greaterOrEqual', lower), bound('lessOrEqual', upper)]);
}

function membership({ value, list }: Membership, schema: Schema): ResolvedFilter {
  if (list.length > maxListed) throw new ResolveError(value, `a list has more than ${maxListed} values`);
  const type = needsComputing(value) ? undefined : ownType(value, schema);
  if (type !== undefined) {
    const constants: ScalarConstant[] = [];
    for (const each of list) if (each.kind === 'literal') constants.push(constantOf(each, type));
    if (constants.length === list.length)
      return { kind: 'membership', value: scalarOf(value, type, schema), list: constants };
  }
  if (list.length > maxConditions) throw new ResolveError(value, `a list has more than ${maxConditions} values`);
  return joined(
    'or',
    list.map((right) => comparison({ kind: 'comparison', operator: 'equal', left: value, right }, schema)),
  );
}

function like(filter: Filter & { kind: 'like' }, schema: Schema): ResolvedFilter {
  const { value, ...pattern } = filter;
  if (pattern.pattern.length > maxPatternLength)
    throw new ResolveError(value, `a pattern is longer than ${maxPatternLength} characters`);
  const attribute = value.kind === 'property' ? attributeValue(value, schema) : undefined;
  return attribute?.type === 'text' ? { ...pattern, attribute } : computed(filter, schema);
}

function temporal(filter: TemporalFilter, schema: Schema): ResolvedFilter {
  const condition = temporalCondition(filter);
  if (condition === undefined) throw new ResolveError(filter, 'the period is none');
  const moments = [filter.value, filter.time].flatMap(momentsIn);
  for (const moment of moments) {
    if (moment.kind === 'property' && attributeValue(moment, schema).type !== 'moment')
      throw new ResolveError(moment, `'${moment.name}' holds no times`);
    if (moment.kind === 'literal') constantOf(moment, 'moment');
  }
  const isPlain = moments.some(({ kind }) => kind === 'property') && !moments.some(needsComputing);
  return isPlain ? ofMoments(condition, schema) : computed(filter, schema);
}

function momentsIn(time: Expression | Period): readonly Expression[] {
  return time.kind === 'period' ? [time.start, time.end].filter((each) => typeof each === 'object') : [time];
}

/** A condition on time, spelled out as comparisons. */
function ofMoments(filter: Filter | Constant, schema: Schema): ResolvedFilter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joined(
        filter.kind,
        filter.filters.map((each) => ofMoments(each, schema)),
      );
    case 'not':
      return negated(ofMoments(filter.filter, schema));
    case 'comparison': {
      const [left, right] = [scalarOf(filter.left, 'moment', schema), scalarOf(filter.right, 'moment', schema)];
      return { kind: 'comparison', operator: filter.operator, left, right };
    }
    case 'isNull':
      return { kind: 'isNull', value: scalarOf(filter.value, 'moment', schema) };
    default:
      return { kind: 'constant', value: filter.kind === 'include' };
  }
}

/** Functions and joined texts give values whose type only shows when they are computed. */
function needsComputing(expression: Expression): boolean {
  if (expression.kind === 'arithmetic') return needsComputing(expression.left) || needsComputing(expression.right);
  return expression.kind === 'function' || expression.kind === 'concatenation';
}

/** What looks at no attribute is decided at once. */
function computed(filter: Filter, schema: Schema): ResolvedFilter {
  const found = new Map<string, AttributeValue>();
  const look = (part: object): void => {
    if ('kind' in part && part.kind === 'property') {
      const property = part as PropertyName;
      const value = attributeValue(property, schema);
      if (value.type === 'geometry' || value.type === 'bytes')
        throw new ResolveError(property, `'${value.name}' cannot be used in a function or as text`);
      found.set(property.name, value);
    } else if ('kind' in part && part.kind === 'function' && 'name' in part) {
      requireKnown(part, String(part.name));
    } else if ('kind' in part && part.kind === 'geometry') {
      throw new ResolveError(part, 'a geometry cannot be used here');
    }
    for (const inner of Object.values(part)) if (typeof inner === 'object' && inner !== null) look(inner);
  };
  look(filter);
  if (found.size === 0) return { kind: 'constant', value: evaluateFilter(filter, {}) === true };
  return { kind: 'computed', filter, attributes: [...found].map(([written, attribute]) => ({ written, attribute })) };
}

function requireKnown(part: object, name: string): void {
  if (isKnownFunction(name)) return;
  const nearest = nearestName(name, functionNames());
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
  throw new ResolveError(part, `there is no function '${name.slice(0, 60)}'${hint}`);
}
