/** The types of values, for text that does not depend on a feature. */
import { parseDecimal } from '../../../filter/model/literal.ts';
import { namedColors } from '../../../lib/values/named-colors.ts';
import { formatColor, parseColor } from '../../../lib/values/parse-color.ts';
import { parseWeight } from '../../fonts/font-weight.ts';
import { formatAlternatives } from '../grammar/expected.ts';

export interface ValueKind {
  /** Completes the sentence "…, but … was expected". */
  readonly expected: string;
  readonly isValid: (text: string) => boolean;
  /** Returns the value that an invalid text probably means; undefined if it is unclear. */
  readonly correct?: (text: string) => string | undefined;
}

// The parts do not overlap; otherwise rejecting a long number would take exponential time.
const decimalWithUnit = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[ \t\r\n]*(?:px|m|ft)?$/;

/** Longer texts are not values with a small mistake. */
const maxCorrected = 60;

/** Finds a number with a unit, a decimal comma, quotation marks or a sign of another alphabet. */
function findNumber(text: string): number | undefined {
  if (text.length > maxCorrected) return undefined;
  const plain = text.replace(/["'\s]/g, '').replace(/^[\u2212\u2013]/, '-');
  const [, digits] = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?)(?:[a-z%°]*)$/i.exec(plain) ?? [];
  const value = digits === undefined ? Number.NaN : Number(digits.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

function correctNumber(text: string): string | undefined {
  return findNumber(text)?.toString();
}

function correctLength(text: string): string | undefined {
  const value = findNumber(text);
  return value === undefined || value < 0 ? undefined : String(value);
}

/** Percentages are fractions; numbers beyond the range are its ends. */
function correctOpacity(text: string): string | undefined {
  const value = findNumber(text);
  if (value === undefined) return undefined;
  return String(Math.min(1, Math.max(0, text.includes('%') ? value / 100 : value)));
}

function correctColor(text: string): string | undefined {
  const found = parseColor(text);
  return found && formatColor(found);
}

export const number: ValueKind = {
  expected: 'a number',
  isValid: (text) => Number.isFinite(parseDecimal(text)),
  correct: correctNumber,
};

/** A scale may be written with separators or as a ratio: `25 000`, `25,000`, `1:25000`. */
export const denominator: ValueKind = {
  expected: 'a non-negative number',
  isValid: (text) => parseDecimal(text) >= 0 && Number.isFinite(parseDecimal(text)),
  correct: (text) => {
    const digits = text.replace(/^1\s*[:/]/, '').replace(/[\s'_]|,(?=\d{3})/g, '');
    return correctLength(digits);
  },
};

export const nonNegativeNumber: ValueKind = {
  expected: 'a non-negative number',
  isValid: (text) => parseDecimal(text) >= 0 && Number.isFinite(parseDecimal(text)),
  correct: correctLength,
};

export const wholeNumber: ValueKind = {
  expected: 'a non-negative whole number',
  isValid: (text) => /^\d{1,9}$/.test(text),
};

/** A distance in pixels or with its own unit; may be negative. */
export const offset: ValueKind = {
  expected: 'a number with an optional unit (px, m or ft)',
  isValid: (text) => decimalWithUnit.test(text),
  correct: correctNumber,
};

export const length: ValueKind = {
  expected: 'a non-negative number with an optional unit (px, m or ft)',
  isValid: (text) => Number(decimalWithUnit.exec(text)?.[1] ?? Number.NaN) >= 0,
  correct: correctLength,
};

export const opacity: ValueKind = {
  expected: 'a number from 0 to 1',
  isValid: (text) => parseDecimal(text) >= 0 && parseDecimal(text) <= 1,
  correct: correctOpacity,
};

export const color: ValueKind = {
  expected: 'a colour such as #FF8800',
  isValid: (text) =>
    /^(?:#|0x)[0-9a-fA-F]{6}$/.test(text) || /^#[0-9a-fA-F]{3}$/.test(text) || namedColors.has(text.toLowerCase()),
  correct: correctColor,
};

export const anyText: ValueKind = { expected: 'text', isValid: () => true };

/** Accepts one of the words, in any case. */
export function createChoiceKind(...names: readonly string[]): ValueKind {
  return {
    expected: formatAlternatives(names),
    isValid: (text) => names.includes(text.toLowerCase()),
    correct: (text) => names.find((name) => name === text.replace(/["'\s]/g, '').toLowerCase()),
  };
}

export const lineJoin = createChoiceKind('mitre', 'miter', 'round', 'bevel');
export const lineCap = createChoiceKind('butt', 'round', 'square');
export const fontStyle = createChoiceKind('normal', 'italic', 'oblique');

const weight = /^(?:normal|bold|bolder|lighter|[1-9]\d{0,2}|1000)$/i;

export const fontWeight: ValueKind = {
  expected: 'normal, bold, bolder, lighter or a weight from 1 to 1000',
  isValid: (text) => weight.test(text),
  correct: (text) => {
    const word = text.replace(/["'\s]/g, '');
    if (weight.test(word)) return word;
    // Words such as `medium` and `light` are weights of fonts, but not of the standard.
    const number = parseWeight(word);
    return number === undefined ? undefined : String(number);
  },
};
