/** The operator `number-format`, as a pattern with the separators of its locale. */
import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { type DocumentValue, isObject } from '../documents/document-value.ts';
import { createCall } from './build-expression.ts';
import { type ExpressionContext, enterInput, type Translate, translateInput } from './expression-inputs.ts';

/** The most digits after the point without an option, as in browsers. */
const FRACTION_DIGITS = 3;
/** More digits than a number has. */
const MOST_DIGITS = 20;

export const translateNumberFormat: Translate = (inputs, context) => {
  const value = translateInput(inputs, 0, context, 'number');
  const [, options] = inputs;
  if (value === undefined) return undefined;
  const format = readFormat(options, enterInput(context, 1));
  return createCall('FormatNumber', value, ...format);
};

/** Returns the pattern, the pattern of negative numbers and the separators of groups and fractions. */
function readFormat(options: DocumentValue | undefined, context: ExpressionContext): readonly Expression[] {
  const given = isObject(options) ? options : new Map<string, DocumentValue>();
  const [locale, currency] = [readOption(given, 'locale', context), readOption(given, 'currency', context)];
  for (const name of given.keys())
    if (!KNOWN_OPTIONS.has(name)) context.complaints.warn([...context.path, name], `${name} has no effect on maps`);
  const symbols = findSymbols(locale, currency) ?? reportUnknown(context);
  const least = readDigits(given, 'min-fraction-digits', context) ?? symbols.minDigits;
  const most = Math.max(least, readDigits(given, 'max-fraction-digits', context) ?? symbols.maxDigits);
  const fraction = '0'.repeat(least) + '#'.repeat(most - least);
  const pattern = `${symbols.before}#,##0${fraction === '' ? '' : `.${fraction}`}${symbols.after}`;
  return [pattern, '', symbols.group, symbols.point].map((each) => createLiteral(each));
}

const KNOWN_OPTIONS: ReadonlySet<string> = new Set([
  ...['locale', 'currency', 'min-fraction-digits', 'max-fraction-digits'],
]);

interface NumberSymbols {
  readonly before: string;
  readonly after: string;
  readonly group: string;
  readonly point: string;
  readonly minDigits: number;
  readonly maxDigits: number;
}

const english: NumberSymbols = {
  ...{ before: '', after: '', group: ',', point: '.' },
  ...{ minDigits: 0, maxDigits: FRACTION_DIGITS },
};

function reportUnknown({ complaints, path }: ExpressionContext): NumberSymbols {
  complaints.warn(path, 'numbers of this locale or currency are formatted as in English, without the currency');
  return english;
}

/** Returns undefined for unknown locales and for formats that a pattern does not express. */
function findSymbols(locale: string | undefined, currency: string | undefined): NumberSymbols | undefined {
  if (locale === undefined && currency === undefined) return english;
  const parts = formatSample(locale ?? 'en', currency);
  const start = parts?.findIndex(({ type }) => type === 'integer') ?? -1;
  if (parts === undefined || start < 0) return undefined;
  const end = parts.findLastIndex(({ type }) => type === 'integer' || type === 'fraction');
  const join = (some: readonly Intl.NumberFormatPart[]) => some.map(({ value }) => value).join('');
  const [before, after] = [join(parts.slice(0, start)), join(parts.slice(end + 1))];
  const integers = parts.filter(({ type }) => type === 'integer').map(({ value }) => value);
  if (/[#0,.;%]/.test(before + after) || !/^(?:1234567|1 234 567)$/.test(integers.join(' '))) return undefined;
  const digits = parts.find(({ type }) => type === 'fraction')?.value.length ?? 0;
  return {
    before,
    after,
    group: parts.find(({ type }) => type === 'group')?.value ?? '',
    point: parts.find(({ type }) => type === 'decimal')?.value ?? '.',
    minDigits: currency === undefined ? 0 : digits,
    maxDigits: currency === undefined ? FRACTION_DIGITS : digits,
  };
}

function formatSample(locale: string, currency: string | undefined): readonly Intl.NumberFormatPart[] | undefined {
  try {
    const style = currency === undefined ? {} : ({ style: 'currency', currency } as const);
    return new Intl.NumberFormat(locale, { numberingSystem: 'latn', ...style }).formatToParts(1_234_567.5);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readOption(
  options: ReadonlyMap<string, DocumentValue>,
  name: string,
  { complaints, path }: ExpressionContext,
): string | undefined {
  const value = options.get(name);
  if (value === undefined || typeof value === 'string') return value;
  complaints.warn([...path, name], `${name} must be a constant text to have an effect`);
  return undefined;
}

function readDigits(
  options: ReadonlyMap<string, DocumentValue>,
  name: string,
  { complaints, path }: ExpressionContext,
): number | undefined {
  const value = options.get(name);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_DIGITS) return value;
  complaints.warn(
    [...path, name],
    `${name} must be a constant whole number from 0 to ${MOST_DIGITS} to have an effect`,
  );
  return undefined;
}
