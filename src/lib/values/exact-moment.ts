/** Moments without loss of precision: milliseconds where they are exact, else text. */
import { compareCodePoints } from '../text/code-point-order.ts';

/**
 * Milliseconds since 1970, or, for a finer moment, text: ISO 8601 in UTC with all its digits of the second. Each moment
 * has exactly one form, so that equal values are identical.
 */
export type ExactMoment = number | string;

/**
 * Creates a moment from whole milliseconds and all fractional digits of the second, which include those milliseconds.
 */
export function toExactMoment(ms: number, fraction: string): ExactMoment {
  const finer = fraction.slice(3).replace(/0+$/, '');
  return finer === '' ? ms : `${new Date(ms).toISOString().slice(0, -1)}${finer}Z`;
}

export function compareExactMoments(one: ExactMoment, other: ExactMoment): number {
  if (typeof one === 'number' && typeof other === 'number') return one < other ? -1 : one > other ? 1 : 0;
  const [left, right] = [splitMoment(one), splitMoment(other)];
  return left.ms - right.ms || compareCodePoints(left.finer, right.finer);
}

function splitMoment(moment: ExactMoment): { readonly ms: number; readonly finer: string } {
  if (typeof moment === 'number') return { ms: moment, finer: '' };
  const end = moment.lastIndexOf('.') + 4;
  return { ms: Date.parse(`${moment.slice(0, end)}Z`), finer: moment.slice(end, -1) };
}
