/** A cursor over the tokens of a text. */
import type { Expression } from '../model/expression.ts';
import { createUnexpectedError, TextError, type TextToken, type TokenOptions, tokenize } from './tokens.ts';

/** Brackets and functions are read recursively; real filters use a tenth of this depth. */
const maxDepth = 100;

export class TokenStream {
  readonly #tokens: readonly TextToken[];
  #at = 0;
  #depth = 0;
  readonly #offsets = new Map<object, number>();

  constructor(text: string, options: TokenOptions) {
    this.#tokens = tokenize(text, options);
  }

  /** Records the source offset of a part of the result. */
  recordOffset<T extends object>(part: T, offset: number): T {
    this.#offsets.set(part, offset);
    return part;
  }

  findOffset(part: object): number | undefined {
    return this.#offsets.get(part);
  }

  /** Returns the next token or one after it; `end` repeatedly at the end. */
  peek(ahead = 0): TextToken {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    return token ?? { kind: 'end', text: '', written: '', offset: 0 };
  }

  next(): TextToken {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  isSign(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'sign' && token.text === text;
  }

  /** Keywords are case-insensitive. */
  isWord(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && token.text.toUpperCase() === text;
  }

  acceptSign(text: string): boolean {
    if (!this.isSign(text)) return false;
    this.#at += 1;
    return true;
  }

  acceptWord(text: string): boolean {
    if (!this.isWord(text)) return false;
    this.#at += 1;
    return true;
  }

  expectSign(text: string, alternative = ''): void {
    if (!this.acceptSign(text)) throw createUnexpectedError(this.peek(), `'${text}'${alternative}`);
  }

  expectWord(text: string): void {
    if (!this.acceptWord(text)) throw createUnexpectedError(this.peek(), text);
  }

  expectEnd(): void {
    const token = this.peek();
    if (token.kind !== 'end') throw createUnexpectedError(token, 'AND, OR or the end');
  }

  /** Tracks the nesting depth. */
  readNested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > maxDepth)
      throw new TextError(this.peek().offset, `brackets and functions are nested more than ${maxDepth} levels deep`);
    const result = read();
    this.#depth -= 1;
    return result;
  }
}

/** Passed to readers of parts that contain expressions. */
export type ReadExpression = (tokens: TokenStream) => Expression;
