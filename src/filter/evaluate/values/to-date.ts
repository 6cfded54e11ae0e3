/** Converts values to dates. */
import type { StyleValue } from './style-value.ts';

/** A date of ISO 8601, with or without a time; a date alone is in the zone of the server. */
const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?Z?$/;

/** Returns undefined for a value that is not a date. Numbers are milliseconds since 1970. */
export function toDate(value: StyleValue): Date | undefined {
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (text === undefined && typeof value !== 'number') return undefined;
  if (text !== undefined && !isoDate.test(text)) return undefined;
  const date = new Date(text === undefined ? Number(value) : text.length === 10 ? `${text}T00:00:00` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
