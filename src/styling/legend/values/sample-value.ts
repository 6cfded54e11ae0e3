/** Evaluates an expression without a feature, for samples. */
import { evaluateExpression, type StyleValue, toNumber } from '../../../filter/evaluate/evaluate.ts';
import type { Expression, FunctionCall } from '../../model/model.ts';

/** Only well-known text shapes are long; longer texts are truncated before they are parsed. */
const maxCharacters = 20_000;

/**
 * A mark that is repeated two hundred times along a line is evaluated as often. Expressions are frozen, so values can
 * be cached.
 */
const cachedValues = new WeakMap<Expression, StyleValue | undefined>();

/** Returns undefined if the value depends on a feature. */
export function sampleValue(expression: Expression | undefined): StyleValue | undefined {
  if (expression === undefined) return undefined;
  // A literal costs less than the cache, and labels have one for each feature.
  if (expression.kind !== 'literal' && cachedValues.has(expression)) return cachedValues.get(expression);
  const value = computeSampleValue(expression);
  const short = typeof value === 'string' ? value.slice(0, maxCharacters) : value;
  if (expression.kind !== 'literal') cachedValues.set(expression, short);
  return short;
}

function computeSampleValue(expression: Expression): StyleValue | undefined {
  const chosen = expression.kind === 'function' ? selectClass(expression) : undefined;
  if (chosen) return sampleValue(chosen);
  return evaluateExpression(expression, {}) ?? undefined;
}

export function sampleNumber(expression: Expression | undefined, byDefault: number): number {
  const number = toNumber(sampleValue(expression));
  return number !== undefined && Number.isFinite(number) ? number : byDefault;
}

/** Returns a keyword such as a cap or a join, in lower case. */
export function sampleWord(expression: Expression | undefined): string | undefined {
  const value = sampleValue(expression);
  return typeof value === 'string' ? value.trim().toLowerCase() : undefined;
}

/** Between 0 and 1. */
export function sampleOpacity(expression: Expression | undefined): number {
  return Math.min(1, Math.max(0, sampleNumber(expression, 1)));
}

/** Selects one class of a classification function: the middle of a ramp, otherwise the first. */
function selectClass({ name, arguments: [lookup, ...rest] }: FunctionCall): Expression | undefined {
  if (lookup === undefined || sampleValue(lookup) !== undefined) return undefined;
  switch (name.toLowerCase()) {
    case 'categorize':
      return rest[0];
    case 'recode':
      return rest[1];
    case 'interpolate': {
      const points = Math.floor((rest.length - countOptions(rest)) / 2);
      return rest[2 * Math.floor(points / 2) + 1];
    }
    default:
      return undefined;
  }
}

/** Returns the number of trailing arguments that are keywords of `Interpolate`. */
function countOptions(parts: readonly Expression[]): number {
  const words = ['numeric', 'color', 'linear', 'cosine', 'cubic'];
  const isWord = (part: Expression | undefined): boolean => part?.kind === 'literal' && words.includes(part.value);
  return isWord(parts.at(-1)) ? (isWord(parts.at(-2)) ? 2 : 1) : 0;
}
