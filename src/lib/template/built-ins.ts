/** The built-ins of templates, such as `name?upper_case`, each with its number of parameters. */
import { escapeHtml } from '../xml/escape.ts';
import { escapeJson, formatValue, Markup, type Rendering, type Value } from './rendering.ts';

export interface BuiltIn {
  /** The least and the largest number of parameters. */
  readonly parameters: readonly [number, number];
  /** Whether the value may be undefined. */
  readonly acceptsUndefined: boolean;
  /** Whether the time depends on the size of the value or of a parameter. */
  readonly readsValues: boolean;
  readonly apply: (value: Value, parameters: readonly Value[], rendering: Rendering) => Value;
}

function define(apply: BuiltIn['apply'], parameters: readonly [number, number] = [0, 0]): BuiltIn {
  return { apply, parameters, acceptsUndefined: false, readsValues: true };
}

function defineText(apply: (text: string, ...parameters: readonly string[]) => Value, count = 0): BuiltIn {
  return define((value, parameters) => apply(formatValue(value), ...parameters.map(formatValue)), [count, count]);
}

function defineSearch(apply: (text: string, part: string) => Value): BuiltIn {
  return define(
    (value, [searched], rendering) => {
      const [text, part] = [formatValue(value), formatValue(searched)];
      rendering.countSearch(text, part);
      return apply(text, part);
    },
    [1, 1],
  );
}

function defineNumber(apply: (number: number) => number): BuiltIn {
  return define((value) => apply(toNumber(value)));
}

function defineTest(apply: BuiltIn['apply']): BuiltIn {
  return { apply, parameters: [0, 0], acceptsUndefined: true, readsValues: false };
}

function defineLookup(apply: (value: Value) => Value): BuiltIn {
  return { apply, parameters: [0, 0], acceptsUndefined: false, readsValues: false };
}

/** The position within a list is a variable of the list; the evaluation reads it. */
const ofLoopVariable = define(() => undefined);

export const builtIns: ReadonlyMap<string, BuiltIn> = new Map<string, BuiltIn>([
  ['html', define(escapeMarkup)],
  ['xml', define(escapeMarkup)],
  ['xhtml', define(escapeMarkup)],
  ['no_esc', define((value) => new Markup(formatValue(value)))],
  ['url', defineText((text) => encodeURIComponent(text.toWellFormed()))],
  ['js_string', define(escapeJsonMarkup)],
  ['json_string', define(escapeJsonMarkup)],
  ['string', define(formatAs, [0, 2])],
  ['c', define((value) => formatValue(value))],
  ['number', define((value) => toNumber(value))],
  ['round', defineNumber(Math.round)],
  ['floor', defineNumber(Math.floor)],
  ['ceiling', defineNumber(Math.ceil)],
  ['abs', defineNumber(Math.abs)],
  ['size', defineLookup((value) => (value instanceof Map ? value.size : toList(value).length))],
  ['first', defineLookup((value) => toList(value)[0])],
  ['last', defineLookup((value) => toList(value).at(-1))],
  ['reverse', define((value) => toList(value).toReversed())],
  ['join', define(joinTexts, [1, 1])],
  ['seq_contains', define(containsItem, [1, 1])],
  ['keys', define((value) => (value instanceof Map ? [...value.keys()] : []))],
  ['values', define((value) => (value instanceof Map ? [...value.values()] : toList(value)))],
  ['has_content', defineTest((value) => hasContent(value))],
  ['exists', defineTest((value) => value !== undefined)],
  ['default', { ...defineTest((value, [otherwise]) => value ?? otherwise), parameters: [1, 1] }],
  ['is_number', defineTest((value) => typeof value === 'number')],
  ['is_string', defineTest((value) => typeof value === 'string' || value instanceof Markup)],
  ['is_boolean', defineTest((value) => typeof value === 'boolean')],
  ['is_sequence', defineTest((value) => Array.isArray(value))],
  ['is_hash', defineTest((value) => value instanceof Map)],
  ['upper_case', defineText((text) => text.toUpperCase())],
  ['lower_case', defineText((text) => text.toLowerCase())],
  ['cap_first', defineText((text) => text.replace(/\S/u, (letter) => letter.toUpperCase()))],
  ['uncap_first', defineText((text) => text.replace(/\S/u, (letter) => letter.toLowerCase()))],
  ['capitalize', defineText((text) => text.toLowerCase().replace(/(?<!\S)\S/gu, (letter) => letter.toUpperCase()))],
  ['trim', defineText((text) => text.trim())],
  ['length', defineText((text) => text.length)],
  ['replace', define(replaceText, [2, 2])],
  ['contains', defineSearch((text, part) => text.includes(part))],
  ['starts_with', defineText((text, part = '') => text.startsWith(part), 1)],
  ['ends_with', defineText((text, part = '') => text.endsWith(part), 1)],
  ['index_of', defineSearch((text, part) => text.indexOf(part))],
  ['substring', define((value, [from, to]) => formatValue(value).slice(toNumber(from), toEnd(to)), [1, 2])],
  ['split', define(splitText, [1, 1])],
  ['index', ofLoopVariable],
  ['counter', ofLoopVariable],
  ['has_next', ofLoopVariable],
]);

/** NaN for text that is not a number. */
export function toNumber(value: Value): number {
  if (typeof value === 'number') return value;
  const text = formatValue(value).trim();
  return text === '' ? Number.NaN : Number(text);
}

export function toList(value: Value): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

export function isEqual(one: Value, other: Value): boolean {
  if (typeof one === 'number' || typeof other === 'number') return toNumber(one) === toNumber(other);
  return formatValue(one) === formatValue(other);
}

export function hasContent(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  return formatValue(value) !== '';
}

function escapeMarkup(value: Value, _: readonly Value[], { output }: Rendering): Value {
  if (value instanceof Markup) return value;
  const escaped = escapeHtml(formatValue(value));
  return output === 'html' ? new Markup(escaped) : escaped;
}

function escapeJsonMarkup(value: Value, _: readonly Value[], { output }: Rendering): Value {
  if (value instanceof Markup) return value;
  const escaped = escapeJson(formatValue(value));
  return output === 'json' ? new Markup(escaped) : escaped;
}

function containsItem(value: Value, [item]: readonly Value[], rendering: Rendering): Value {
  return toList(value).some((each) => {
    rendering.countReading(each);
    rendering.countReading(item);
    return isEqual(each, item);
  });
}

function replaceText(value: Value, [part, by]: readonly Value[], rendering: Rendering): Value {
  const text = formatValue(value);
  const searched = formatValue(part);
  const replacement = formatValue(by);
  if (searched === '') return text;
  const count = countParts(text, searched, rendering) - 1;
  // Check the length before the text exists.
  rendering.checkLength(text.length + count * (replacement.length - searched.length));
  return text.split(searched).join(replacement);
}

function joinTexts(value: Value, [separator]: readonly Value[], rendering: Rendering): Value {
  const texts = toList(value).map(formatValue);
  const between = formatValue(separator);
  rendering.checkLength(texts.reduce((sum, text) => sum + text.length + between.length, 0));
  return texts.join(between);
}

function splitText(value: Value, [separator]: readonly Value[], rendering: Rendering): Value {
  const [text, by] = [formatValue(value), formatValue(separator)];
  if (by === '') return [text];
  // A part takes up to 40 bytes besides its characters.
  rendering.countSteps(countParts(text, by, rendering));
  return text.split(by);
}

/** Counts the parts of a text before they exist, and a step for each. */
function countParts(text: string, separator: string, rendering: Rendering): number {
  rendering.countSearch(text, separator);
  let count = 1;
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + separator.length)) {
    rendering.countSteps();
    count += 1;
  }
  return count;
}

function toEnd(value: Value): number | undefined {
  return value === undefined ? undefined : toNumber(value);
}

/** Formats booleans by two words, and numbers by a pattern such as `0.00` or `#,##0`. */
function formatAs(value: Value, [first, second]: readonly Value[], rendering: Rendering): Value {
  if (typeof value === 'boolean' && second !== undefined) return value ? first : second;
  if (typeof value !== 'number' || first === undefined) return formatValue(value);
  return formatByPattern(value, formatValue(first), () => rendering.countSteps(STEPS_OF_FORMAT));
}

/** More digits than a number has. */
const MAX_DECIMALS = 20;

/** Creating a number format takes about 0.1 ms. */
const STEPS_OF_FORMAT = 400;
const MAX_CACHED_FORMATS = 100;
const formats = new Map<string, Intl.NumberFormat>();

/** Calls `beforeCreate` if the pattern needs a number format that is not cached. */
export function formatByPattern(number: number, pattern: string, beforeCreate?: () => void): string {
  const [, before = '', whole = '', decimals = '', after = ''] =
    /^([^#0,.]*)([#0,]*)(?:\.([#0]*))?(.*)$/s.exec(pattern) ?? [];
  if (whole === '' && decimals === '') return String(number);
  const options = {
    minimumIntegerDigits: Math.min(MAX_DECIMALS, Math.max(1, whole.replace(/[^0]/g, '').length)),
    minimumFractionDigits: Math.min(MAX_DECIMALS, decimals.replace(/[^0]/g, '').length),
    maximumFractionDigits: Math.min(MAX_DECIMALS, decimals.length),
    useGrouping: whole.includes(','),
  };
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (format === undefined) {
    beforeCreate?.();
    if (formats.size >= MAX_CACHED_FORMATS) formats.clear();
    format = new Intl.NumberFormat('en', options);
    formats.set(key, format);
  }
  return `${before}${format.format(after.includes('%') ? number * 100 : number)}${after}`;
}
