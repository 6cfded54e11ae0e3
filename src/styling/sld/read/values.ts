/** The types of values, for text that does not depend on a feature. */
import { parseDecimal } from '../../../filter/model/literal.ts';
import { namedColors } from '../../../lib/values/named-colors.ts';
import { formatAlternatives } from '../grammar/expected.ts';

export interface ValueKind {
  /** Completes the sentence "…, but … was expected". */
  readonly expected: string;
  readonly isValid: (text: string) => boolean;
}

// The parts do not overlap; otherwise rejecting a long number would take exponential time.
const decimalWithUnit = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[ \t\r\n]*(?:px|m|ft)?$/;

export const number: ValueKind = { expected: 'a number', isValid: (text) => Number.isFinite(parseDecimal(text)) };

export const nonNegativeNumber: ValueKind = {
  expected: 'a non-negative number',
  isValid: (text) => parseDecimal(text) >= 0 && Number.isFinite(parseDecimal(text)),
};

export const wholeNumber: ValueKind = {
  expected: 'a non-negative whole number',
  isValid: (text) => /^\d{1,9}$/.test(text),
};

/** A distance in pixels or with its own unit; may be negative. */
export const offset: ValueKind = {
  expected: 'a number with an optional unit (px, m or ft)',
  isValid: (text) => decimalWithUnit.test(text),
};

export const length: ValueKind = {
  expected: 'a non-negative number with an optional unit (px, m or ft)',
  isValid: (text) => Number(decimalWithUnit.exec(text)?.[1] ?? Number.NaN) >= 0,
};

export const opacity: ValueKind = {
  expected: 'a number from 0 to 1',
  isValid: (text) => parseDecimal(text) >= 0 && parseDecimal(text) <= 1,
};

export const color: ValueKind = {
  expected: 'a colour such as #FF8800',
  isValid: (text) =>
    /^(?:#|0x)[0-9a-fA-F]{6}$/.test(text) || /^#[0-9a-fA-F]{3}$/.test(text) || namedColors.has(text.toLowerCase()),
};

export const anyText: ValueKind = { expected: 'text', isValid: () => true };

/** Accepts one of the words, in any case. */
export function createChoiceKind(...names: readonly string[]): ValueKind {
  return { expected: formatAlternatives(names), isValid: (text) => names.includes(text.toLowerCase()) };
}

export const lineJoin = createChoiceKind('mitre', 'miter', 'round', 'bevel');
export const lineCap = createChoiceKind('butt', 'round', 'square');
export const fontStyle = createChoiceKind('normal', 'italic', 'oblique');

export const fontWeight: ValueKind = {
  expected: 'normal, bold, bolder, lighter or a weight from 100 to 900',
  isValid: (text) => /^(?:normal|bold|bolder|lighter|[1-9]00)$/i.test(text),
};
