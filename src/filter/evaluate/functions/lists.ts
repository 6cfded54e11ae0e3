/** Functions of lists, which are JSON arrays as text. */
import { type StyleValue, toNumber } from '../values/style-value.ts';
import type { StyleFunction, StyleFunctions } from './style-function.ts';

/** Lists of styles are short, and each item of `lapply` is computed for each feature. */
const MAX_ITEMS = 100;

/** The maximum length of a list as text. */
const MAX_LIST_CHARACTERS = 100_000;

/** Returns undefined for a list that is too long. */
export function formatList(items: readonly StyleValue[]): string | undefined {
  if (items.length > MAX_ITEMS) return undefined;
  const text = JSON.stringify(items);
  return text.length > MAX_LIST_CHARACTERS ? undefined : text;
}

/** Returns undefined for a value that is not a list of values. */
export function parseList(value: StyleValue | undefined): readonly StyleValue[] | undefined {
  if (typeof value !== 'string' || !value.startsWith('[') || value.length > MAX_LIST_CHARACTERS) return undefined;
  try {
    const items: unknown = JSON.parse(value);
    return Array.isArray(items) && items.length <= MAX_ITEMS && items.every(isValue) ? items : undefined;
  } catch {
    // Text of a feature can start with a bracket.
    return undefined;
  }
}

function isValue(item: unknown): item is StyleValue {
  return item === null || ['string', 'number', 'boolean'].includes(typeof item);
}

const createList: StyleFunction = (values) => {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? formatList(known) : undefined;
};

/** Counts from 0. */
const getItem: StyleFunction = ([list, index]) => {
  if (list === undefined || index === undefined) return undefined;
  const place = toNumber(index);
  return place === undefined ? null : (parseList(list)?.[place] ?? null);
};

const countValues: StyleFunction = ([value]) =>
  value === undefined ? undefined : value === null ? 0 : (parseList(value)?.length ?? 1);

export const listFunctions: StyleFunctions = new Map([
  ['list', createList],
  ['litem', getItem],
  ['attributecount', countValues],
]);
