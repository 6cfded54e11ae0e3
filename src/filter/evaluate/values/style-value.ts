/** The values that a style computes with, and how they are compared and turned into one another. */
import { type ComparisonOperator, isTrueForOrder } from '../../model/filter.ts';
import { foldCase } from './case-folding.ts';

export type StyleValue = string | number | boolean | null;

/** The attributes of a feature by name, and its identifier under `featureIdentifier` where it is known. */
export interface FeatureValues {
  readonly [name: string]: StyleValue;
}

/** No attribute can be called so: names of attributes have no `@`. */
export const featureIdentifier = '@id';

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that a value is or spells; undefined for anything else, `true` and the empty text among them. */
export function toNumber(value: StyleValue | undefined): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return numeric.test(text) ? Number(text) : undefined;
}

/** What a label would show; nothing at all for null. */
export function toText(value: StyleValue): string {
  return value === null ? '' : String(value);
}

/** Whether a value counts as true where a condition is wanted; undefined where it says neither. */
export function toBoolean(value: StyleValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    const text = value.trim().toLowerCase();
    return text === 'true' ? true : text === 'false' ? false : undefined;
  }
  return typeof value === 'number' ? value !== 0 : undefined;
}

/** Below zero, zero or above, as numbers where both look like some, else as text; undefined if one of them is null. */
export function compareValues(left: StyleValue, right: StyleValue, matchCase = true): number | undefined {
  if (left === null || right === null) return undefined;
  const [leftNumber, rightNumber] = [toNumber(left), toNumber(right)];
  if (leftNumber !== undefined && rightNumber !== undefined) return Math.sign(leftNumber - rightNumber) || 0;
  const [leftText, rightText] = matchCase
    ? [String(left), String(right)]
    : [foldCase(String(left)), foldCase(String(right))];
  return leftText === rightText ? 0 : leftText < rightText ? -1 : 1;
}

/** With null nothing is equal, less or greater, and everything is not equal; undefined if a value cannot be known. */
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
