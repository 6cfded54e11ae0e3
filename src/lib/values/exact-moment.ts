/** Moments as finely as they are written: milliseconds where these say it all, else text. */
import { compareCodePoints } from '../text/code-point-order.ts';

/**
 * Milliseconds since 1970; of a moment that is finer, its text: ISO 8601 in UTC, with as many digits of the second as it
 * has. Each moment has one form only, so that equal ones are the same.
 */
export type ExactMoment = number | string;

/** Of whole milliseconds, and the digits behind the point of the second, of which they have the first three. */
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
