/** The built-ins of templates, such as `name?upper_case`, each with its number of parameters. */
import { escapeHtml, escapeJson, formatValue, Markup, type Rendering, type Value } from './rendering.ts';

export interface BuiltIn {
  /** The least and the largest number of parameters. */
  readonly parameters: readonly [number, number];
  /** Whether the value may be undefined. */
  readonly acceptsUndefined: boolean;
  readonly apply: (value: Value, parameters: readonly Value[], rendering: Rendering) => Value;
}

function define(apply: BuiltIn['apply'], parameters: readonly [number, number] = [0, 0]): BuiltIn {
  return { apply, parameters, acceptsUndefined: false };
}

function defineText(apply: (text: string, ...parameters: readonly string[]) => Value, count = 0): BuiltIn {
  return define((value, parameters) => apply(formatValue(value), ...parameters.map(formatValue)), [count, count]);
}

function defineNumber(apply: (number: number) => number): BuiltIn {
  return define((value) => apply(toNumber(value)));
}

function defineTest(apply: BuiltIn['apply']): BuiltIn {
  return { apply, parameters: [0, 0], acceptsUndefined: true };
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
  ['size', define((value) => (value instanceof Map ? value.size : toList(value).length))],
  ['first', define((value) => toList(value)[0])],
  ['last', define((value) => toList(value).at(-1))],
  ['reverse', define((value) => toList(value).toReversed())],
  ['join', define(joinTexts, [1, 1])],
  ['seq_contains', define((value, [item]) => toList(value).some((each) => isEqual(each, item)), [1, 1])],
  ['keys', define((value) => (value instanceof Map ? [...value.keys()] : []))],
  ['values', define((value) => (value instanceof Map ? [...value.values()] : toList(value)))],
  ['has_content', defineTest((value) => hasContent(value))],
  ['exists', defineTest((value) => value !== undefined)],
  ['default', { ...define((value, [otherwise]) => value ?? otherwise, [1, 1]), acceptsUndefined: true }],
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
  ['contains', defineText((text, part = '') => text.includes(part), 1)],
  ['starts_with', defineText((text, part = '') => text.startsWith(part), 1)],
  ['ends_with', defineText((text, part = '') => text.endsWith(part), 1)],
  ['index_of', defineText((text, part = '') => text.indexOf(part), 1)],
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

function replaceText(value: Value, [part, by]: readonly Value[], rendering: Rendering): Value {
  const text = formatValue(value);
  const searched = formatValue(part);
  const replacement = formatValue(by);
  if (searched === '') return text;
  const parts = text.split(searched);
  // Check the length before the text exists.
  const length = text.length + (parts.length - 1) * (replacement.length - searched.length);
  rendering.checkLength(length);
  return parts.join(replacement);
}

function joinTexts(value: Value, [separator]: readonly Value[], rendering: Rendering): Value {
  const texts = toList(value).map(formatValue);
  const between = formatValue(separator);
  rendering.checkLength(texts.reduce((sum, text) => sum + text.length + between.length, 0));
  return texts.join(between);
}

function splitText(value: Value, [separator]: readonly Value[], rendering: Rendering): Value {
  const by = formatValue(separator);
  const parts = by === '' ? [formatValue(value)] : formatValue(value).split(by);
  rendering.countSteps(parts.length);
  return parts;
}

function toEnd(value: Value): number | undefined {
  return value === undefined ? undefined : toNumber(value);
}

/** Formats booleans by two words, and numbers by a pattern such as `0.00` or `#,##0`. */
function formatAs(value: Value, [first, second]: readonly Value[]): Value {
  if (typeof value === 'boolean' && second !== undefined) return value ? first : second;
  if (typeof value !== 'number' || first === undefined) return formatValue(value);
  return formatByPattern(value, formatValue(first));
}

const MAX_DECIMALS = 20;

export function formatByPattern(number: number, pattern: string): string {
  const [, before = '', whole = '', decimals = '', after = ''] =
    /^([^#0,.]*)([#0,]*)(?:\.([#0]*))?(.*)$/s.exec(pattern) ?? [];
  if (whole === '' && decimals === '') return String(number);
  const isPercent = after.includes('%');
  return `${before}${new Intl.NumberFormat('en', {
    minimumIntegerDigits: Math.min(MAX_DECIMALS, Math.max(1, whole.replace(/[^0]/g, '').length)),
    minimumFractionDigits: Math.min(MAX_DECIMALS, decimals.replace(/[^0]/g, '').length),
    maximumFractionDigits: Math.min(MAX_DECIMALS, decimals.length),
    useGrouping: whole.includes(','),
  }).format(isPercent ? number * 100 : number)}${after}`;
}
