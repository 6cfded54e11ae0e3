/** Creates literals and reads the values of expressions that do not depend on a feature. */
import type { Expression, Literal } from './expression.ts';

export function createLiteral(value: string | number): Literal {
  return { kind: 'literal', value: String(value) };
}

/** Returns the text of a literal, or undefined for other expressions. */
export function readLiteralText(expression: Expression | undefined): string | undefined {
  return expression?.kind === 'literal' ? expression.value : undefined;
}

// No two parts can match the same digits or spaces, which keeps matching linear.
const numberWithUnit = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?: *(?:px|m|ft))?$/;

/** Returns the number of a literal without its unit (`px`, `m`, `ft`), or undefined. */
export function readLiteralNumber(expression: Expression | undefined): number | undefined {
  const match = numberWithUnit.exec((readLiteralText(expression) ?? '').trim());
  return match ? Number(match[1]) : undefined;
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Returns NaN for text that is not a number, and never negative zero. */
export function parseDecimal(text: string): number {
  return decimal.test(text) ? Number(text) + 0 : Number.NaN;
}
