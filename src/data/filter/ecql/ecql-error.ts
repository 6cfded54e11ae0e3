/** What stops the reading of a text, inside this module only: its callers get an outcome. */
import { excerpt } from '../../../lib/excerpt.ts';
import type { EcqlToken } from './tokens.ts';

export class EcqlError extends Error {
  override readonly name = 'EcqlError';
  /** Where in the text, in UTF-16 units. */
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** What a sentence calls a token. */
export function described(token: EcqlToken): string {
  return token.kind === 'end' ? 'the end' : `'${excerpt(token.written)}'`;
}

export function unexpected(token: EcqlToken, expected: string): EcqlError {
  return new EcqlError(token.offset, `${expected} was expected, but ${described(token)} was found`);
}
