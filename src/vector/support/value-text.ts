/** Values as databases write them in text. */
import { toExactMoment } from '../../lib/values/exact-moment.ts';

const DAYS_OF_400_YEARS = 146_097;
const DAY_MS = 86_400_000;

/** A bigint where a number would not be exact. */
export function readWholeNumber(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** Year, month, day; then perhaps a time of day; then perhaps a zone; then perhaps an era. */
const pattern =
  /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(?:(Z)|([+-])(\d\d):?(\d\d)?(?::?(\d\d))?)?( BC)?$/i;

/**
 * A date, or a date and time: in UTC where no zone is given. Null for what is no moment, such as `infinity`; text where
 * milliseconds are not fine enough.
 */
export function readMoment(text: string): Date | string | null {
  const match = pattern.exec(text);
  const date = match === null ? null : toDate(match);
  const fraction = match?.[7] ?? '';
  if (date === null || fraction.length <= 3) return date;
  const moment = toExactMoment(date.getTime(), fraction);
  return typeof moment === 'string' ? moment : date;
}

/** The same to the millisecond, for days and for whoever has nothing finer. */
export function readDate(text: string): Date | null {
  const match = pattern.exec(text);
  return match === null ? null : toDate(match);
}

function toDate(match: RegExpExecArray): Date | null {
  const readPart = (index: number): number => Number(match[index] ?? 0);
  const year = match[13] === undefined ? readPart(1) : 1 - readPart(1);
  const thousandths = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const zoneSeconds = (readPart(10) * 3600 + readPart(11) * 60 + readPart(12)) * (match[9] === '-' ? -1 : 1);
  // The first century would be taken for the twentieth: it is counted later, when the calendar repeats.
  const cycles = year < 100 ? Math.ceil((100 - year) / 400) : 0;
  const days = Date.UTC(year + cycles * 400, readPart(2) - 1, readPart(3)) - cycles * DAYS_OF_400_YEARS * DAY_MS;
  const ms = days + ((readPart(4) * 60 + readPart(5)) * 60 + readPart(6) - zoneSeconds) * 1000 + thousandths;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date;
}
