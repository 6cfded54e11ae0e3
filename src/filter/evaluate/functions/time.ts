/** Functions of dates and times in UTC, with the pattern letters of Java. */
import { toDate } from '../values/to-date.ts';
import { createTextFunction, type StyleFunction, type StyleFunctions } from './style-function.ts';

/** Patterns in use have about twenty characters. */
const MAX_PATTERN_LENGTH = 200;

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const computeDifference: StyleFunction = ([one, other, unit]) => {
  if (one === undefined || other === undefined) return undefined;
  const [first, second] = [toDate(one), toDate(other)];
  if (first === undefined || second === undefined) return null;
  const milliseconds = first.getTime() - second.getTime();
  if (unit === undefined || unit === null) return milliseconds;
  const size = MILLISECONDS[String(unit).toLowerCase()];
  return size === undefined ? null : milliseconds / size;
};

const formatDateValue: StyleFunction = ([pattern, value]) => {
  if (pattern === undefined || value === undefined) return undefined;
  const date = toDate(value);
  if (date === undefined || typeof pattern !== 'string' || pattern.length > MAX_PATTERN_LENGTH) return null;
  return formatDate(pattern, date);
};

export const timeFunctions: StyleFunctions = new Map<string, StyleFunction>([
  ['now', () => new Date().toISOString()],
  ['datedifference', computeDifference],
  ['dateformat', formatDateValue],
  ['formatdate', ([value, pattern]) => formatDateValue([pattern, value])],
  ['dateparse', createTextFunction(2, (pattern, text = '') => parseDate(pattern, text)?.toISOString() ?? null)],
]);

/** A run of one letter, a quoted text, or another character. */
const patternPart = /([A-Za-z])\1*|'((?:[^']|'')*)'|[^A-Za-z']+/g;

function formatDate(pattern: string, date: Date): string {
  return pattern.replace(patternPart, (part, letter?: string, quoted?: string) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'");
    return letter === undefined ? part : formatField(letter, part.length, date);
  });
}

function formatField(letter: string, width: number, date: Date): string {
  const pad = (value: number): string => String(value).padStart(width, '0');
  switch (letter) {
    case 'y':
      return width === 2 ? String(date.getUTCFullYear() % 100).padStart(2, '0') : pad(date.getUTCFullYear());
    case 'M':
      return width >= 3 ? formatWord(date, 'month', width) : pad(date.getUTCMonth() + 1);
    case 'd':
      return pad(date.getUTCDate());
    case 'E':
      return formatWord(date, 'weekday', width);
    case 'H':
      return pad(date.getUTCHours());
    case 'h':
      return pad(date.getUTCHours() % 12 || 12);
    case 'a':
      return date.getUTCHours() < 12 ? 'AM' : 'PM';
    case 'm':
      return pad(date.getUTCMinutes());
    case 's':
      return pad(date.getUTCSeconds());
    case 'S':
      return pad(date.getUTCMilliseconds());
    case 'Z':
    case 'X':
      return '+0000';
    case 'z':
      return 'UTC';
    default:
      return '';
  }
}

function formatWord(date: Date, field: 'month' | 'weekday', width: number): string {
  return getFormatter(field, width >= 4 ? 'long' : 'short').format(date);
}

/** Constructing a formatter takes much longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(field: 'month' | 'weekday', style: 'long' | 'short'): Intl.DateTimeFormat {
  const key = `${field} ${style}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en', { [field]: style, timeZone: 'UTC' });
  formatters.set(key, formatter);
  return formatter;
}

/** The fields that a date is parsed from. */
type DateFields = Partial<Record<'y' | 'M' | 'd' | 'H' | 'h' | 'm' | 's' | 'S', number>> & { isAfternoon?: boolean };

/** Returns undefined if the text does not match the pattern. */
function parseDate(pattern: string, text: string): Date | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return undefined;
  const fields: DateFields = {};
  let at = 0;
  for (const [part, letter, quoted] of pattern.matchAll(patternPart)) {
    const rest = text.slice(at, at + MAX_PATTERN_LENGTH);
    const used = letter === undefined ? matchText(quoted ?? part, rest) : parseField(letter, part.length, rest, fields);
    if (used === undefined) return undefined;
    at += used;
  }
  const { y = 1970, M = 1, d = 1, H, h, m = 0, s = 0, S = 0, isAfternoon = false } = fields;
  const hour = H ?? (h === undefined ? 0 : (h % 12) + (isAfternoon ? 12 : 0));
  const date = new Date(Date.UTC(y, M - 1, d, hour, m, s, S));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function matchText(expected: string, text: string): number | undefined {
  return text.startsWith(expected) ? expected.length : undefined;
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Returns the number of characters of the field; undefined if the text has no such field. */
function parseField(letter: string, width: number, text: string, fields: DateFields): number | undefined {
  const [word = ''] = /^\p{L}+/u.exec(text) ?? [];
  if (letter === 'E' || letter === 'z') return word.length || undefined;
  if (letter === 'a') {
    fields.isAfternoon = word.toLowerCase() === 'pm';
    return word.length || undefined;
  }
  if (letter === 'M' && width >= 3) {
    const month = monthNames.indexOf(word.slice(0, 3).toLowerCase());
    fields.M = month + 1;
    return month < 0 ? undefined : word.length;
  }
  const [digits = ''] = (width === 2 ? /^\d{1,2}/ : /^\d{1,9}/).exec(text) ?? [];
  if (digits === '') return undefined;
  const value = Number(digits);
  if (letter === 'y' && width === 2) fields.y = value + (value < 70 ? 2000 : 1900);
  else if (isNumberField(letter)) fields[letter] = value;
  return digits.length;
}

function isNumberField(letter: string): letter is 'y' | 'M' | 'd' | 'H' | 'h' | 'm' | 's' | 'S' {
  return 'yMdHhmsS'.includes(letter);
}
