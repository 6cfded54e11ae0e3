/** Makes literals, and reads what an expression says without looking at any feature. */
import type { Expression, Literal } from './expression.ts';

export function createLiteral(value: string | number): Literal {
  return { kind: 'literal', value: String(value) };
}

/** The text of a literal; undefined for anything that needs a feature. */
export function readLiteralText(expression: Expression | undefined): string | undefined {
  return expression?.kind === 'literal' ? expression.value : undefined;
}

// No two parts can take the same digits or spaces, or a long text would take ages to be refused.
const numberWithUnit = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?: *(?:px|m|ft))?$/;

/** The number of a literal, its unit (`px`, `m`, `ft`) left out; undefined for anything else. */
export function readLiteralNumber(expression: Expression | undefined): number | undefined {
  const match = numberWithUnit.exec((readLiteralText(expression) ?? '').trim());
  return match ? Number(match[1]) : undefined;
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number, or NaN for a text that is none; there is only one zero. */
export function parseDecimal(text: string): number {
  return decimal.test(text) ? Number(text) + 0 : Number.NaN;
}
