/** Parses values from the text format of databases. */
import { toExactMoment } from '../../lib/values/exact-moment.ts';

const DAYS_OF_400_YEARS = 146_097;
const DAY_MS = 86_400_000;

/** Returns a bigint if a number would not be exact. */
export function readWholeNumber(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** Year, month and day, with optional time, zone and era. */
const pattern =
  /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(?:(Z)|([+-])(\d\d):?(\d\d)?(?::?(\d\d))?)?( BC)?$/i;

/**
 * Parses a date or date-time, in UTC without a zone. Returns null for values such as `infinity`, and text if
 * milliseconds are not precise enough.
 */
export function readMoment(text: string): Date | string | null {
  const match = pattern.exec(text);
  const date = match === null ? null : toDate(match);
  const fraction = match?.[7] ?? '';
  if (date === null || fraction.length <= 3) return date;
  const moment = toExactMoment(date.getTime(), fraction);
  return typeof moment === 'string' ? moment : date;
}

/** Parses to milliseconds, for dates and for callers that need no more precision. */
export function readDate(text: string): Date | null {
  const match = pattern.exec(text);
  return match === null ? null : toDate(match);
}

function toDate(match: RegExpExecArray): Date | null {
  const readPart = (index: number): number => Number(match[index] ?? 0);
  const year = match[13] === undefined ? readPart(1) : 1 - readPart(1);
  const thousandths = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const zoneSeconds = (readPart(10) * 3600 + readPart(11) * 60 + readPart(12)) * (match[9] === '-' ? -1 : 1);
  // Date.UTC maps years below 100 to the twentieth century, so they are shifted by cycles of 400 years, after which
  // the calendar repeats.
  const cycles = year < 100 ? Math.ceil((100 - year) / 400) : 0;
  const days = Date.UTC(year + cycles * 400, readPart(2) - 1, readPart(3)) - cycles * DAYS_OF_400_YEARS * DAY_MS;
  const ms = days + ((readPart(4) * 60 + readPart(5)) * 60 + readPart(6) - zoneSeconds) * 1000 + thousandths;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date;
}
