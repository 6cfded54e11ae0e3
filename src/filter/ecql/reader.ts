/** Reads ECQL, the text form of filters and expressions. */
import { computeTextPosition } from '../../lib/text/text-position.ts';
import type { Expression } from '../model/expression.ts';
import { TokenStream } from '../text/token-stream.ts';
import { maxTextLength, TextError, type TokenOptions } from '../text/tokens.ts';
import { readExpression, readOperand } from './expression.ts';
import { type EcqlFilter, toFilter } from './operand.ts';

/** The parsed result, or the first error in the text. */
export type EcqlOutcome<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'refused'; readonly complaint: EcqlIssue };

export interface EcqlIssue {
  /** In UTF-16 units from the start of the text. */
  readonly offset: number;
  /** Both start at 1. */
  readonly line: number;
  readonly column: number;
  /** Starts in lower case, without a full stop. */
  readonly message: string;
}

/** A filter with the offsets of its names, literals, calls and geometries. */
export interface LocatedFilter {
  readonly filter: EcqlFilter;
  readonly findOffset: (part: object) => number | undefined;
}

export function readLocatedFilter(text: string): EcqlOutcome<LocatedFilter> {
  return readWhole(text, {}, (tokens) => ({
    filter: toFilter(readOperand(tokens)),
    findOffset: (part) => tokens.findOffset(part),
  }));
}

/** Parses a filter, INCLUDE or EXCLUDE. */
export function readEcqlFilter(text: string, options: TokenOptions = {}): EcqlOutcome<EcqlFilter> {
  return readWhole(text, options, (tokens) => toFilter(readOperand(tokens)));
}

export function readEcqlExpression(text: string, options: TokenOptions = {}): EcqlOutcome<Expression> {
  return readWhole(text, options, readExpression);
}

function readWhole<T>(text: string, options: TokenOptions, read: (tokens: TokenStream) => T): EcqlOutcome<T> {
  if (text.length > maxTextLength) return createRefusal(text, 0, `the text exceeds ${maxTextLength} characters`);
  try {
    const tokens = new TokenStream(text, options);
    const value = read(tokens);
    tokens.expectEnd();
    return { kind: 'read', value };
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    const { offset, message } = error;
    return createRefusal(text, offset, message);
  }
}

function createRefusal(text: string, offset: number, message: string): EcqlOutcome<never> {
  return { kind: 'refused', complaint: { offset, ...computeTextPosition(text, offset), message } };
}
