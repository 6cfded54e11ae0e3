/** The values of one attribute that satisfy a condition, as far as the condition alone determines them. */

import { toNumber } from '../../../filter/evaluate/evaluate.ts';
import type { Comparison, Filter } from '../../../filter/model/filter.ts';
import { readLiteralText } from '../../../filter/model/literal.ts';

/** An interval of numbers; `hasFrom` and `hasTo` include its ends. */
export interface Interval {
  readonly from: number;
  readonly hasFrom: boolean;
  readonly to: number;
  readonly hasTo: boolean;
}

export type Domain =
  | { readonly kind: 'values'; readonly values: readonly string[] }
  /** All other values, including null. */
  | { readonly kind: 'otherValues'; readonly values: readonly string[] }
  | { readonly kind: 'interval'; readonly interval: Interval }
  | { readonly kind: 'null' }
  | { readonly kind: 'notNull' };

export interface AttributeDomain {
  readonly attribute: string;
  readonly domain: Domain;
}

/** Returns undefined for conditions on several attributes, geometries, functions and similar expressions. */
export function findDomain(filter: Filter): AttributeDomain | undefined {
  switch (filter.kind) {
    case 'comparison':
      return filter.matchCase === false ? undefined : findComparisonDomain(filter);
    case 'isNull':
      return filter.value.kind === 'property' ? { attribute: filter.value.name, domain: { kind: 'null' } } : undefined;
    case 'between': {
      const [from, to] = [toNumber(readLiteralText(filter.lower)), toNumber(readLiteralText(filter.upper))];
      if (filter.value.kind !== 'property' || from === undefined || to === undefined) return undefined;
      const interval = { from, hasFrom: true, to, hasTo: true };
      return { attribute: filter.value.name, domain: { kind: 'interval', interval } };
    }
    case 'or':
      return findAlternativesDomain(filter.filters);
    case 'not':
      return findNegationDomain(filter.filter);
    case 'identifiers':
      return { attribute: '@id', domain: { kind: 'values', values: filter.identifiers.map((each) => `text ${each}`) } };
    default:
      return undefined;
  }
}

/** Literals are equal if they are the same number or the same text. */
function toValueKey(text: string): string {
  const number = toNumber(text);
  return number === undefined ? `text ${text}` : `number ${number}`;
}

function findComparisonDomain({ operator, left, right }: Comparison): AttributeDomain | undefined {
  const text = readLiteralText(right);
  if (left.kind !== 'property' || text === undefined) return undefined;
  const attribute = left.name;
  if (operator === 'equal') return { attribute, domain: { kind: 'values', values: [toValueKey(text)] } };
  if (operator === 'notEqual') return { attribute, domain: { kind: 'otherValues', values: [toValueKey(text)] } };
  const bound = toNumber(text);
  if (bound === undefined) return undefined;
  const isUpper = operator === 'less' || operator === 'lessOrEqual';
  const belongs = operator === 'lessOrEqual' || operator === 'greaterOrEqual';
  const interval = isUpper
    ? { from: Number.NEGATIVE_INFINITY, hasFrom: false, to: bound, hasTo: belongs }
    : { from: bound, hasFrom: belongs, to: Number.POSITIVE_INFINITY, hasTo: false };
  return { attribute, domain: { kind: 'interval', interval } };
}

/** Returns the domain of alternatives on the same attribute. */
function findAlternativesDomain(filters: readonly Filter[]): AttributeDomain | undefined {
  const values: string[] = [];
  let attribute: string | undefined;
  for (const filter of filters) {
    const found = findDomain(filter);
    if (found?.domain.kind !== 'values' || (attribute !== undefined && attribute !== found.attribute)) return undefined;
    attribute = found.attribute;
    values.push(...found.domain.values);
  }
  return attribute === undefined ? undefined : { attribute, domain: { kind: 'values', values } };
}

function findNegationDomain(filter: Filter): AttributeDomain | undefined {
  const found = findDomain(filter);
  if (found === undefined) return undefined;
  const { attribute, domain } = found;
  switch (domain.kind) {
    case 'values':
      return { attribute, domain: { kind: 'otherValues', values: domain.values } };
    case 'otherValues':
      return { attribute, domain: { kind: 'values', values: domain.values } };
    case 'null':
      return { attribute, domain: { kind: 'notNull' } };
    case 'notNull':
      return { attribute, domain: { kind: 'null' } };
    case 'interval':
      // Null and text are outside of an interval too, and no domain describes that.
      return undefined;
  }
}

/** Returns whether every value of the inner domain is in the outer one; false if undecidable. */
export function isWithin(inner: Domain, outer: Domain): boolean {
  switch (outer.kind) {
    case 'null':
      return inner.kind === 'null';
    case 'notNull':
      return inner.kind === 'values' || inner.kind === 'interval' || inner.kind === 'notNull';
    case 'values':
      return inner.kind === 'values' && inner.values.every((value) => outer.values.includes(value));
    case 'otherValues':
      if (inner.kind === 'otherValues') return outer.values.every((value) => inner.values.includes(value));
      return inner.kind === 'null' || areDisjointDomains(inner, { kind: 'values', values: outer.values });
    case 'interval':
      if (inner.kind === 'values') return inner.values.every((value) => isIn(value, outer.interval) === true);
      return inner.kind === 'interval' && isInside(inner.interval, outer.interval);
  }
}

/** Returns whether no value is in both domains; false if undecidable. */
export function areDisjointDomains(one: Domain, other: Domain): boolean {
  if (one.kind === 'null') return other.kind !== 'null' && other.kind !== 'otherValues';
  if (other.kind === 'null') return one.kind !== 'otherValues';
  if (one.kind === 'values') {
    if (other.kind === 'values') return !one.values.some((value) => other.values.includes(value));
    if (other.kind === 'otherValues') return one.values.every((value) => other.values.includes(value));
    return other.kind === 'interval' && one.values.every((value) => isIn(value, other.interval) === false);
  }
  if (other.kind === 'values') return areDisjointDomains(other, one);
  return one.kind === 'interval' && other.kind === 'interval' && areDisjoint(one.interval, other.interval);
}

/** Returns undefined for text, which is compared with numbers as text. */
function isIn(value: string, { from, hasFrom, to, hasTo }: Interval): boolean | undefined {
  if (!value.startsWith('number ')) return undefined;
  const number = Number(value.slice('number '.length));
  return (number > from || (hasFrom && number === from)) && (number < to || (hasTo && number === to));
}

function isInside(inner: Interval, outer: Interval): boolean {
  const isFromInside = inner.from > outer.from || (inner.from === outer.from && (outer.hasFrom || !inner.hasFrom));
  const isToInside = inner.to < outer.to || (inner.to === outer.to && (outer.hasTo || !inner.hasTo));
  return isFromInside && isToInside;
}

function areDisjoint(one: Interval, other: Interval): boolean {
  const isBefore = (first: Interval, second: Interval): boolean =>
    first.to < second.from || (first.to === second.from && !(first.hasTo && second.hasFrom));
  return isBefore(one, other) || isBefore(other, one);
}
