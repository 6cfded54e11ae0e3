/**
 * Lists of numbers that depend on the zoom or the feature, such as offsets and dashes. The model has an expression for
 * each item, so that a list of each output becomes one number of it.
 */
import { type DocumentValue, isList, isObject } from '../documents/document-value.ts';

/** Longer lists are cut; only the first dashes of a line are drawn. */
const MAX_ITEMS = 32;

/** Returns undefined if the outputs are not lists of numbers. */
export function computeListLength(value: DocumentValue): number | undefined {
  const lists = listOutputs(value);
  if (lists === undefined || lists.some((list) => list.length === 0)) return undefined;
  return lists.reduce((length, list) => {
    const other = Math.min(MAX_ITEMS, list.length);
    return Math.min(MAX_ITEMS, computeCommonMultiple(length, other));
  }, 1);
}

/** Lists of different lengths are repeated, so that all have the same number of items. */
function computeCommonMultiple(a: number, b: number): number {
  let multiple = a;
  while (multiple % b !== 0) multiple += a;
  return multiple;
}

/** Returns the value with one item of each list instead of the list. `isStepped` prevents interpolation. */
export function pickItem(value: DocumentValue, index: number, isStepped: boolean): DocumentValue {
  if (isObject(value)) return pickFromStops(value, index, isStepped);
  if (!isList(value)) return value;
  if (isNumberList(value)) return value[index % value.length] ?? 0;
  const [operator, ...inputs] = value;
  if (operator === 'literal') return pickItem(inputs[0] ?? null, index, isStepped);
  const isOutput = findOutputs(value);
  return isOutput === undefined
    ? value
    : value.map((each, at) => (isOutput(at) ? pickItem(each, index, isStepped) : each));
}

function pickFromStops(definition: ReadonlyMap<string, DocumentValue>, index: number, isStepped: boolean) {
  const stops = definition.get('stops');
  const fallback = definition.get('default');
  return new Map([
    ...definition,
    ...(isStepped ? [['type', 'interval'] as const] : []),
    [
      'stops',
      isList(stops)
        ? stops.map((stop) => (isList(stop) ? [stop[0] ?? null, pickItem(stop[1] ?? null, index, isStepped)] : stop))
        : [],
    ] as const,
    ...(fallback === undefined ? [] : [['default', pickItem(fallback, index, isStepped)] as const]),
  ]);
}

/** Returns undefined if an output is no list of numbers. */
function listOutputs(value: DocumentValue): readonly (readonly DocumentValue[])[] | undefined {
  if (isObject(value)) {
    const stops = value.get('stops');
    const outputs = isList(stops) ? stops.map((stop) => (isList(stop) ? (stop[1] ?? null) : null)) : [null];
    return joinLists(outputs);
  }
  if (!isList(value)) return undefined;
  if (isNumberList(value)) return [value];
  if (value[0] === 'literal') return isList(value[1]) && isNumberList(value[1]) ? [value[1]] : undefined;
  const isOutput = findOutputs(value);
  return isOutput && joinLists(value.filter((_, at) => isOutput(at)));
}

function joinLists(outputs: readonly DocumentValue[]): readonly (readonly DocumentValue[])[] | undefined {
  const lists = outputs.map(listOutputs);
  return lists.every((each) => each !== undefined) ? lists.flat() : undefined;
}

function isNumberList(list: readonly DocumentValue[]): boolean {
  return list.every((each) => typeof each === 'number');
}

/** Returns which items of an expression are its outputs; undefined for operators without. */
function findOutputs(expression: readonly DocumentValue[]): ((index: number) => boolean) | undefined {
  const last = expression.length - 1;
  switch (expression[0]) {
    case 'step':
      return (index) => index >= 2 && index % 2 === 0;
    case 'interpolate':
      return (index) => index >= 4 && index % 2 === 0;
    case 'match':
      return (index) => index === last || (index >= 3 && index % 2 === 1);
    case 'case':
      return (index) => index === last || (index >= 2 && index % 2 === 0);
    case 'coalesce':
      return (index) => index >= 1;
    default:
      return undefined;
  }
}
