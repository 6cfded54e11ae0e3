/** Parses ISO 8601 moments, durations and periods. */
import { compareExactMoments, type ExactMoment, toExactMoment } from '../../lib/values/exact-moment.ts';

/** The range of years that databases and date texts share. */
const [firstMs, lastMs] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

const moment = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** The moments of conditions are compared with every feature, so the results of parsing are cached. */
const parsed = new Map<string, ExactMoment | undefined>();
/** The number of cached texts. */
const MAX_PARSED = 1000;

/** Longer texts are not cached; nearly all of them are not moments. */
const MAX_CACHED_LENGTH = 40;

/** Returns undefined outside the years 1 to 9999. A moment without a zone is UTC. */
export function parseMoment(text: string): ExactMoment | undefined {
  if (text.length > MAX_CACHED_LENGTH) return parseUncached(text);
  const known = parsed.get(text);
  if (known !== undefined || parsed.has(text)) return known;
  const found = parseUncached(text);
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(text, found);
  return found;
}

function parseUncached(text: string): ExactMoment | undefined {
  const match = moment.exec(text.trim());
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, milliseconds);
  // Rejects days such as February 30, which Date would move to March.
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  const offset = parseZoneMinutes(match[8]);
  if (!isReal || offset === undefined) return undefined;
  const ms = limitToYears(date.getTime() - offset * 60_000);
  return ms === undefined ? undefined : toExactMoment(ms, match[7] ?? '');
}

/** Returns undefined for an invalid zone. */
function parseZoneMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function limitToYears(ms: number): number | undefined {
  return ms >= firstMs && ms <= lastMs ? ms : undefined;
}

/** Formats as `2008-11-01T00:00:00.000Z`. */
export function formatExactMoment(moment: ExactMoment): string {
  return typeof moment === 'string' ? moment : new Date(moment).toISOString();
}

const duration =
  /^P(?=\w)(?:(\d{1,5})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,7})D)?(?:T(?=\d)(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/i;

export function isDuration(text: string): boolean {
  return duration.test(text);
}

/** Months are added with the same day, or the last day of a shorter month. */
function shiftMoment(moment: ExactMoment, text: string, direction: 1 | -1): ExactMoment | undefined {
  const match = duration.exec(text);
  if (match === null) return undefined;
  const [, fraction = ''] = typeof moment === 'string' ? (/\.(\d+)Z$/.exec(moment) ?? []) : [];
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => direction * Number(part ?? 0));
  const date = new Date(moment);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + years * 12 + months);
  const lastDay = new Date(date);
  lastDay.setUTCMonth(date.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  const rest = (weeks * 7 + days) * 86_400_000 + hours * 3_600_000 + minutes * 60_000 + seconds * 1000;
  const ms = limitToYears(date.getTime() + rest);
  return ms === undefined ? undefined : toExactMoment(ms, fraction);
}

/** An open end or start of a period. */
export const openEnd = '..';

/** Returns the ends as written or computed from the duration; undefined for an invalid period. */
export function resolvePeriod(start: string, end: string): readonly [start: string, end: string] | undefined {
  const [from, to] = [parseMoment(start), parseMoment(end)];
  if (start === openEnd || end === openEnd) {
    const areEnds = (from !== undefined || start === openEnd) && (to !== undefined || end === openEnd);
    return areEnds ? [start, end] : undefined;
  }
  if (from !== undefined && to !== undefined) return compareExactMoments(from, to) <= 0 ? [start, end] : undefined;
  if (from !== undefined) return mapMoment(shiftMoment(from, end, 1), (text) => [start, text]);
  if (to !== undefined) return mapMoment(shiftMoment(to, start, -1), (text) => [text, end]);
  return undefined;
}

function mapMoment<T>(moment: ExactMoment | undefined, use: (text: string) => T): T | undefined {
  return moment === undefined ? undefined : use(formatExactMoment(moment));
}
