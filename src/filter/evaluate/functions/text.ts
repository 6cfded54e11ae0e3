/** Text functions. */
import { foldCase } from '../values/case-folding.ts';
import { type StyleValue, toNumber, toText } from '../values/style-value.ts';
import { findGroups, matchesRegex, replaceRegex } from './patterns.ts';
import { createTextFunction, type StyleFunction, type StyleFunctions } from './style-function.ts';

/** Longer labels are unreadable, and nested functions could otherwise exhaust memory. */
const MAX_TEXT_LENGTH = 100_000;

/** Number patterns in use have about ten characters. */
const MAX_NUMBER_FORMAT_LENGTH = 200;

/** Null is joined as an empty text. */
const joinTexts: StyleFunction = (values) => {
  if (!values.every((value) => value !== undefined)) return undefined;
  const texts = values.map(toText);
  return texts.reduce((sum, text) => sum + text.length, 0) > MAX_TEXT_LENGTH ? undefined : texts.join('');
};

const convertToUpperCase = createTextFunction(1, (text) => text.toUpperCase());
const convertToLowerCase = createTextFunction(1, (text) => text.toLowerCase());
const trimText = createTextFunction(1, (text, where = 'both', character = ' ') =>
  trim(text, where.toLowerCase(), character),
);

/** A predicate of null is false. */
const matchWhole: StyleFunction = ([text, pattern]) => {
  if (text === undefined || pattern === undefined) return undefined;
  return text === null || pattern === null ? false : (matchesRegex(toText(text), toText(pattern)) ?? false);
};

/** Groups that the pattern does not have are empty. */
const expandTemplate: StyleFunction = ([text, pattern, template, byDefault = null]) => {
  if (text === undefined || pattern === undefined || template === undefined) return undefined;
  if (text === null || pattern === null || template === null) return byDefault;
  const groups = findGroups(toText(text), toText(pattern));
  if (groups === undefined) return byDefault;
  const parts = toText(template).split(/\$\{(\d{1,3})\}/);
  return joinTexts(parts.map((part, index) => (index % 2 === 0 ? part : (groups[Number(part)] ?? ''))));
};

export const textFunctions: StyleFunctions = new Map<string, StyleFunction>([
  ['concatenate', joinTexts],
  ['strconcat', joinTexts],
  ['concat', joinTexts],
  ['strtouppercase', convertToUpperCase],
  ['strtolowercase', convertToLowerCase],
  [
    'changecase',
    createTextFunction(1, (text, direction) => (direction === 'tolower' ? text.toLowerCase() : text.toUpperCase())),
  ],
  ['casei', createTextFunction(1, foldCase)],
  ['strstripaccents', createTextFunction(1, removeAccents)],
  ['strcapitalize', createTextFunction(1, capitalize)],
  ['strtrim', trimText],
  ['strtrim2', trimText],
  ['trim', trimText],
  ['strlength', createTextFunction(1, (text) => text.length)],
  ['stringlength', createTextFunction(1, (text) => text.length)],
  ['strsubstring', createTextFunction(3, (text, from = '', to = '') => sliceText(text, toNumber(from), toNumber(to)))],
  ['strsubstringstart', createTextFunction(2, (text, from = '') => sliceText(text, toNumber(from), text.length))],
  ['substring', createTextFunction(1, extractSubstring)],
  ['strindexof', createTextFunction(2, (text, part = '') => text.indexOf(part))],
  ['strlastindexof', createTextFunction(2, (text, part = '') => text.lastIndexOf(part))],
  ['stringposition', createTextFunction(2, findStringPosition)],
  ['strstartswith', createTextFunction(2, (text, part = '') => text.startsWith(part))],
  ['strendswith', createTextFunction(2, (text, part = '') => text.endsWith(part))],
  ['strequalsignorecase', createTextFunction(2, (text, other = '') => text.toLowerCase() === other.toLowerCase())],
  ['strreplace', createTextFunction(3, replace)],
  ['strmatches', matchWhole],
  ['islike', matchWhole],
  ['stringtemplate', expandTemplate],
  ['strabbreviate', createTextFunction(4, abbreviate)],
  [
    'strdefaultifblank',
    ([text, byDefault]) =>
      text === undefined || byDefault === undefined ? undefined : toText(text).trim() === '' ? byDefault : text,
  ],
  ['strposition', createTextFunction(2, findStringPosition)],
  ['strurlencode', createTextFunction(1, (text) => encodeURIComponent(text.toWellFormed()))],
  [
    'numberformat',
    createTextFunction(2, (pattern, value = '') =>
      formatNumberText(value, { pattern, negative: '', grouping: ',', point: '.' }),
    ),
  ],
  [
    'formatnumber',
    createTextFunction(2, (value, pattern = '', negative = '', grouping = ',', point = '.') =>
      formatNumberText(value, { pattern, negative, grouping, point }),
    ),
  ],
]);

/**
 * Cuts after the first word that ends beyond the lower limit, and at the upper limit at the latest; -1 means unlimited.
 * The tail is appended to a shortened text.
 */
function abbreviate(text: string, lower = '0', upper = '-1', tail = ''): StyleValue {
  const [from, to] = [toNumber(lower), toNumber(upper)];
  if (from === undefined || to === undefined) return null;
  const least = Math.max(0, Math.min(from, text.length));
  const most = to < 0 ? text.length : Math.min(text.length, Math.max(to, least));
  const space = text.indexOf(' ', least);
  const end = space < 0 ? most : Math.min(space, most);
  return end >= text.length ? text : text.slice(0, end) + tail;
}

export function removeAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

function capitalize(text: string): string {
  return text.toLowerCase().replace(/(^|\s)(\S)/g, (_, space: string, letter: string) => space + letter.toUpperCase());
}

function trim(text: string, where: string, character: string): string {
  let [from, to] = [0, text.length];
  if (character === '') return text;
  if (where !== 'trailing') while (from < to && text.startsWith(character, from)) from += character.length;
  if (where !== 'leading') while (to - character.length >= from && text.endsWith(character, to)) to -= character.length;
  return text.slice(from, to);
}

function sliceText(text: string, from: number | undefined, to: number | undefined): StyleValue | undefined {
  if (from === undefined || to === undefined || from < 0 || to > text.length || from > to) return undefined;
  return text.slice(from, to);
}

/** Positions start at 1. */
function extractSubstring(text: string, position = '1', length = ''): StyleValue | undefined {
  const from = toNumber(position);
  const count = length === '' ? text.length : toNumber(length);
  if (from === undefined || count === undefined) return undefined;
  return text.slice(Math.max(0, from - 1), Math.max(0, from - 1 + count));
}

/** Positions start at 1; returns 0 if the text is not found. */
function findStringPosition(lookup: string, text = '', direction = ''): number {
  return 1 + (direction.toLowerCase() === 'backtofront' ? text.lastIndexOf(lookup) : text.indexOf(lookup));
}

/** Literal patterns are replaced directly, others as regular expressions. */
function replace(text: string, pattern = '', replacement = '', everywhere = 'false'): StyleValue {
  if (/[\\^$.|?*+()[\]{}]/.test(pattern) || /[\\$]/.test(replacement)) {
    const options = { everywhere: everywhere === 'true', maxLength: MAX_TEXT_LENGTH };
    return replaceRegex(text, pattern, replacement, options) ?? null;
  }
  // An upper bound that assumes a replacement at every position.
  if (text.length + (text.length / Math.max(1, pattern.length) + 1) * replacement.length > MAX_TEXT_LENGTH) return null;
  return everywhere === 'true' ? text.replaceAll(pattern, replacement) : text.replace(pattern, replacement);
}

function formatNumberText(value: string, format: NumberFormat): string | undefined {
  const { pattern, negative, grouping, point } = format;
  if (pattern.length + negative.length + grouping.length + point.length > MAX_NUMBER_FORMAT_LENGTH) return undefined;
  const number = toNumber(value);
  return number === undefined ? undefined : formatNumber(number, format);
}

/** A number pattern, split into its parts. */
interface NumberFormat {
  readonly pattern: string;
  /** The pattern for negative numbers; if empty, a minus sign precedes the positive pattern. */
  readonly negative: string;
  readonly grouping: string;
  readonly point: string;
}

/** Formats a number with a pattern such as `#,##0.00 m`; returns undefined if the pattern has no digit. */
function formatNumber(value: number, format: NumberFormat): string | undefined {
  const [positive = '', written = ''] = format.pattern.split(';');
  const negative = format.negative === '' ? written : format.negative;
  const isNegative = value < 0;
  const pattern = isNegative && negative !== '' ? negative : positive;
  const match = /^([^#0,.]*)([#0,]*)(?:\.([#0]*))?(.*)$/s.exec(pattern);
  const [, before = '', whole = '', fraction = '', after = ''] = match ?? [];
  if (!/[#0]/.test(whole + fraction)) return undefined;

  const factor = after.includes('%') ? 100 : 1;
  const [digits = '0', decimals = ''] = Math.abs(value * factor)
    .toFixed(Math.min(100, fraction.length))
    .split('.');
  const minWhole = whole.replace(/[^0]/g, '').length;
  const minFraction = fraction.replace(/[^0]/g, '').length;
  const shown = minWhole === 0 && digits === '0' ? '' : digits.padStart(minWhole, '0');
  let kept = decimals;
  while (kept.length > minFraction && kept.endsWith('0')) kept = kept.slice(0, -1);

  const groupSize = whole.includes(',') ? whole.length - whole.lastIndexOf(',') - 1 : 0;
  const sign = isNegative && negative === '' ? '-' : '';
  return (
    sign + before + groupDigits(shown, groupSize, format.grouping) + (kept === '' ? '' : format.point + kept) + after
  );
}

function groupDigits(digits: string, size: number, separator: string): string {
  if (size === 0) return digits;
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= size) groups.unshift(digits.slice(Math.max(0, end - size), end));
  return groups.join(separator);
}
