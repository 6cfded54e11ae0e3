/** Reads ECQL, the text form of filters and expressions. */
import { positionAt } from '../../../lib/text-position.ts';
import type { Expression } from '../expression.ts';
import { readExpression, readOperand } from './expression.ts';
import { asFilter, type EcqlFilter } from './operand.ts';
import { TokenStream } from './token-stream.ts';
import { EcqlError, type EcqlExtensions } from './tokens.ts';

/** A list of ten thousand names is about half of it; more would keep everybody else waiting while it is read. */
const maxLength = 500_000;

/** What was read, or the first thing that is wrong with the text. */
export type EcqlOutcome<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'refused'; readonly complaint: EcqlComplaint };

export interface EcqlComplaint {
  /** In UTF-16 units from the start of the text. */
  readonly offset: number;
  /** Both begin at 1. */
  readonly line: number;
  readonly column: number;
  /** Begins in lower case and has no full stop. */
  readonly message: string;
}

/** A filter, and where the names, literals, calls and geometries in it were written. */
export interface LocatedFilter {
  readonly filter: EcqlFilter;
  readonly offsetOf: (part: object) => number | undefined;
}

export function readLocatedFilter(text: string): EcqlOutcome<LocatedFilter> {
  return readWhole(text, {}, (tokens) => ({
    filter: asFilter(readOperand(tokens)),
    offsetOf: (part) => tokens.offsetOf(part),
  }));
}

/** All features, no features, or those of a filter. */
export function readEcqlFilter(text: string, extensions: EcqlExtensions = {}): EcqlOutcome<EcqlFilter> {
  return readWhole(text, extensions, (tokens) => asFilter(readOperand(tokens)));
}

export function readEcqlExpression(text: string, extensions: EcqlExtensions = {}): EcqlOutcome<Expression> {
  return readWhole(text, extensions, readExpression);
}

function readWhole<T>(text: string, extensions: EcqlExtensions, read: (tokens: TokenStream) => T): EcqlOutcome<T> {
  if (text.length > maxLength) return refused(text, 0, `the text is longer than ${maxLength} characters`);
  try {
    const tokens = new TokenStream(text, extensions);
    const value = read(tokens);
    tokens.expectEnd();
    return { kind: 'read', value };
  } catch (error) {
    if (!(error instanceof EcqlError)) throw error;
    const { offset, message } = error;
    return refused(text, offset, message);
  }
}

function refused(text: string, offset: number, message: string): EcqlOutcome<never> {
  return { kind: 'refused', complaint: { offset, ...positionAt(text, offset), message } };
}
