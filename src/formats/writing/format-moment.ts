/** Formats dates and times for all text formats: ISO 8601 in UTC. */
import type { ValueType } from '../../vector/port/port.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(1000, 0);
const END_MS = Date.UTC(10_000, 0);

const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** Formats a date for date attributes and a date-time otherwise; fractions of a second only if not zero. */
export function formatMoment(value: Date, type: ValueType): string {
  const ms = value.getTime();
  // toISOString takes a considerable part of the encoding time, so it is used only for unusual years.
  if (!(ms >= FIRST_MS && ms < END_MS)) return formatUnusualYear(value, type);
  const days = Math.floor(ms / DAY_MS);
  const day = formatDay(days);
  if (type === 'date') return day;
  const ofDay = ms - days * DAY_MS;
  const seconds = Math.floor(ofDay / 1_000);
  const time = `${formatTwoDigits(Math.floor(seconds / 3_600))}:${formatTwoDigits(Math.floor(seconds / 60) % 60)}:${formatTwoDigits(seconds % 60)}`;
  const thousandths = ofDay % 1_000;
  return thousandths === 0 ? `${day}T${time}Z` : `${day}T${time}.${String(thousandths).padStart(3, '0')}Z`;
}

/** Counts from March, so that the leap day is last and months have regular lengths. */
function formatDay(sinceEpoch: number): string {
  const days = sinceEpoch + 719_468;
  const era = Math.floor(days / 146_097);
  const ofEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const march = Math.floor((5 * ofYear + 2) / 153);
  const month = march < 10 ? march + 3 : march - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year}-${formatTwoDigits(month)}-${formatTwoDigits(ofYear - Math.floor((153 * march + 2) / 5) + 1)}`;
}

function formatTwoDigits(number: number): string {
  return twoDigits[number] ?? '';
}

function formatUnusualYear(value: Date, type: ValueType): string {
  const text = value.toISOString();
  if (type === 'date') return text.slice(0, text.indexOf('T'));
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}
