/** Converts values to dates. */
import { parseMoment } from '../../model/moment.ts';
import type { StyleValue } from './style-value.ts';

/** Returns undefined for a value that is not a date. Numbers are milliseconds since 1970. */
export function toDate(value: StyleValue): Date | undefined {
  const moment = typeof value === 'string' ? parseMoment(value) : value;
  if (typeof moment !== 'number' && typeof moment !== 'string') return undefined;
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
