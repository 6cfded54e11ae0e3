/** The values of style expressions, with comparison and conversion. */
import type { Geometry } from '../../../geometry/geometry.ts';
import { compareExactMoments } from '../../../lib/values/exact-moment.ts';
import { type ComparisonOperator, isTrueForOrder } from '../../model/filter.ts';
import { parseMoment } from '../../model/moment.ts';
import { foldCase } from './case-folding.ts';

export type StyleValue = string | number | boolean | null;

/** The attributes of a feature by name, with its identifier under `featureIdentifier` if it is known. */
export interface FeatureValues {
  readonly [name: string]: StyleValue;
  /** Absent if the geometries are unknown, for example in legends. */
  readonly [geometryAccess]?: GeometryAccess;
}

/** Finds a geometry of the feature by its name; the default geometry without a name. */
export type GeometryAccess = (name: string | undefined) => Geometry | undefined;

export const geometryAccess: unique symbol = Symbol('geometryAccess');

/** Attribute names contain no `@`, so this key is unambiguous. */
export const featureIdentifier = '@id';

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Converts a number or numeric text; returns undefined for other values, including `true` and empty text. */
export function toNumber(value: StyleValue | undefined): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return numeric.test(text) ? Number(text) : undefined;
}

/** Returns the text that a label shows; empty for null. */
export function toText(value: StyleValue): string {
  return value === null ? '' : String(value);
}

/** Returns undefined if the value is neither true nor false. */
export function toBoolean(value: StyleValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    const text = value.trim().toLowerCase();
    return text === 'true' ? true : text === 'false' ? false : undefined;
  }
  return typeof value === 'number' ? value !== 0 : undefined;
}

/** Compares as numbers or moments if both values are, otherwise as text; returns undefined if one of them is null. */
export function compareValues(left: StyleValue, right: StyleValue, matchCase = true): number | undefined {
  if (left === null || right === null) return undefined;
  const [leftNumber, rightNumber] = [toNumber(left), toNumber(right)];
  if (leftNumber !== undefined && rightNumber !== undefined) return Math.sign(leftNumber - rightNumber) || 0;
  const byTime = compareMoments(left, right);
  if (byTime !== undefined) return byTime;
  const [leftText, rightText] = matchCase
    ? [String(left), String(right)]
    : [foldCase(String(left)), foldCase(String(right))];
  return leftText === rightText ? 0 : leftText < rightText ? -1 : 1;
}

/** A date is its midnight in UTC. Returns undefined unless both values are text with a moment. */
function compareMoments(left: StyleValue, right: StyleValue): number | undefined {
  if (!looksLikeMoment(left) || !looksLikeMoment(right)) return undefined;
  // Texts of equal length in UTC sort like their moments, and nearly all stored values have this form.
  const [one, other] = [addMidnight(left), addMidnight(right)];
  if (isCanonical(one) && isCanonical(other)) return one === other ? 0 : one < other ? -1 : 1;
  const [moment, bound] = [parseMoment(left), parseMoment(right)];
  return moment === undefined || bound === undefined ? undefined : Math.sign(compareExactMoments(moment, bound));
}

/** A quick test that excludes nearly all other texts. */
function looksLikeMoment(value: StyleValue): value is string {
  return typeof value === 'string' && value.length >= 10 && value[4] === '-' && value[7] === '-';
}

function addMidnight(text: string): string {
  return text.length === 10 ? `${text}T00:00:00.000Z` : text;
}

const canonical = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isCanonical(text: string): boolean {
  return canonical.test(text);
}

/** With null, only "not equal" is true. Returns undefined if a value is unknown. */
export function compare(
  operator: ComparisonOperator,
  left: StyleValue | undefined,
  right: StyleValue | undefined,
  matchCase = true,
): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  const order = compareValues(left, right, matchCase);
  if (order === undefined) return operator === 'notEqual';
  return isTrueForOrder(operator, order);
}
