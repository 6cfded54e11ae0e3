/** Symbology Encoding functions that map values to classes, ramps and other values. */
import { compareValues, type StyleValue, toNumber } from '../values/style-value.ts';
import { mixColors } from './color.ts';
import type { Arguments, StyleFunctions } from './style-function.ts';

export const classifyingFunctions: StyleFunctions = new Map([
  ['recode', recode],
  ['categorize', categorize],
  ['interpolate', interpolate],
]);

/** `Recode(lookup, data, value, …)` returns the value after the first equal data. */
function recode([lookup, ...pairs]: Arguments): StyleValue | undefined {
  if (lookup === undefined) return undefined;
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const data = pairs[at];
    if (data === undefined) return undefined;
    if (compareValues(lookup, data) === 0) return pairs[at + 1];
  }
  return null;
}

/** `Categorize(lookup, value, threshold, value, …[, 'preceding' | 'succeeding'])`. */
function categorize([lookup, ...rest]: Arguments): StyleValue | undefined {
  if (lookup === undefined || lookup === null) return lookup;
  const belongsTo = rest.length % 2 === 0 ? rest.at(-1) : undefined;
  const steps = rest.length % 2 === 0 ? rest.slice(0, -1) : rest;
  let value = steps[0];
  for (let at = 1; at + 1 < steps.length; at += 2) {
    const threshold = steps[at];
    if (threshold === undefined) return undefined;
    const order = compareValues(lookup, threshold);
    if (order === undefined || order < 0 || (order === 0 && belongsTo === 'preceding')) return value;
    value = steps[at + 1];
  }
  return value;
}

/** `Interpolate(lookup, data, value, …[, 'numeric' | 'color'][, 'linear' | 'cosine' | 'cubic'])`. */
function interpolate([lookup, ...rest]: Arguments): StyleValue | undefined {
  if (lookup === undefined) return undefined;
  const words = rest
    .slice(-2)
    .filter((word) => typeof word === 'string' && /^(numeric|color|linear|cosine|cubic)$/i.test(word));
  const options = words.map((word) => String(word).toLowerCase());
  // A cubic curve is a close approximation of a cosine.
  const isCurved = options.includes('cosine') || options.includes('cubic');
  const isColor = options.includes('color');
  const points = rest.slice(0, rest.length - options.length);

  const at = toNumber(lookup);
  if (at === undefined) return null;
  let before: { readonly data: number; readonly value: StyleValue } | undefined;
  for (let index = 0; index + 1 < points.length; index += 2) {
    const data = toNumber(points[index]);
    const value = points[index + 1];
    if (data === undefined || value === undefined) return undefined;
    if (at <= data)
      return before === undefined ? value : interpolateBetween(before, { data, value }, at, { isCurved, isColor });
    before = { data, value };
  }
  return before?.value;
}

interface CurvePoint {
  readonly data: number;
  readonly value: StyleValue;
}

function interpolateBetween(
  from: CurvePoint,
  to: CurvePoint,
  at: number,
  { isCurved, isColor }: { readonly isCurved: boolean; readonly isColor: boolean },
): StyleValue | undefined {
  const linear = to.data === from.data ? 1 : (at - from.data) / (to.data - from.data);
  const share = isCurved ? (1 - Math.cos(linear * Math.PI)) / 2 : linear;
  if (isColor) return mixColors(String(from.value), String(to.value), share);
  const [a, b] = [toNumber(from.value), toNumber(to.value)];
  return a === undefined || b === undefined ? undefined : a + (b - a) * share;
}
