/** Walks over the tokens of one text. */
import type { Expression } from '../model/expression.ts';
import { createUnexpectedError, TextError, type TextToken, type TokenOptions, tokenize } from './tokens.ts';

/** Brackets and functions are read by recursion; nobody nests a tenth of it. */
const maxDepth = 100;

export class TokenStream {
  readonly #tokens: readonly TextToken[];
  #at = 0;
  #depth = 0;
  readonly #offsets = new Map<object, number>();

  constructor(text: string, options: TokenOptions) {
    this.#tokens = tokenize(text, options);
  }

  /** Remembers where a part of the result was written. */
  recordOffset<T extends object>(part: T, offset: number): T {
    this.#offsets.set(part, offset);
    return part;
  }

  findOffset(part: object): number | undefined {
    return this.#offsets.get(part);
  }

  /** The token that comes next, or the one after it; at last the `end` token, again and again. */
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

  /** Key words are written in any case. */
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

  /** Counts the levels that are open while something is read. */
  readNested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > maxDepth)
      throw new TextError(this.peek().offset, `brackets and functions are nested more than ${maxDepth} levels deep`);
    const result = read();
    this.#depth -= 1;
    return result;
  }
}

/** Handed to readers of parts that hold whole expressions again. */
export type ReadExpression = (tokens: TokenStream) => Expression;
