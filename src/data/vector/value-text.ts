/** Values as databases write them in text. */

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
 * A date, or a date and time: in UTC where no zone is given. Null for what is no moment, such as `infinity`.
 */
export function readMoment(text: string): Date | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  const year = match[13] === undefined ? part(1) : 1 - part(1);
  const fraction = Number(`0.${match[7] ?? 0}`) * 1000;
  const zoneSeconds = (part(10) * 3600 + part(11) * 60 + part(12)) * (match[9] === '-' ? -1 : 1);
  // The first century would be taken for the twentieth: it is counted later, when the calendar repeats.
  const cycles = year < 100 ? Math.ceil((100 - year) / 400) : 0;
  const days = Date.UTC(year + cycles * 400, part(2) - 1, part(3)) - cycles * DAYS_OF_400_YEARS * DAY_MS;
  const ms = days + ((part(4) * 60 + part(5)) * 60 + part(6) - zoneSeconds) * 1000 + Math.floor(fraction);
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date;
}
