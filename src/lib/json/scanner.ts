/** Splits JSON text into tokens, and reports errors with their positions. */
import { type Problem, problem } from '../problems/problem.ts';
import { computeTextPosition } from '../text/text-position.ts';

const word = /[-+.\w]+/y;
const identifier = /[$_\p{ID_Start}][$\p{ID_Continue}]*/uy;

const singleQuote = 0x27;
const doubleQuote = 0x22;
const backslash = 0x5c;

const fourHexDigits = /^[0-9a-fA-F]{4}$/;
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

export class JsonScanner {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset of the next character. */
  get offset(): number {
    return this.#offset;
  }

  skipWhitespace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#offset);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#offset += 1;
    }
  }

  /** The next character (one UTF-16 unit), empty at the end. */
  peek(): string {
    return this.#text.charAt(this.#offset);
  }

  /** Consumes the character if it is the next one. */
  accept(character: string): boolean {
    if (this.peek() !== character) return false;
    this.#offset += 1;
    return true;
  }

  /** Reads the characters of a number or literal; empty if there are none. */
  readWord(): string {
    return this.#readPattern(word);
  }

  /** Reads a name without quotes; empty if there is none. */
  readIdentifier(): string {
    return this.#readPattern(identifier);
  }

  /** Reads the string that begins here, in single or double quotes. */
  readString(): string {
    const text = this.#text;
    const quote = text.charCodeAt(this.#offset);
    const start = this.#offset + 1;
    let hasEscapes = false;
    let end = start;
    for (let code = text.charCodeAt(end); code !== quote; code = text.charCodeAt(end)) {
      if (code < 0x20) throw this.createMalformedProblem('control characters in a string must be escaped', end);
      if (Number.isNaN(code)) throw this.createMalformedProblem('this string is never closed', start - 1);
      if (code === backslash) hasEscapes = true;
      end += code === backslash ? 2 : 1;
    }
    this.#offset = end + 1;
    const raw = text.slice(start, end);
    return hasEscapes ? this.#unescape(raw, start, quote) : raw;
  }

  isAtString(): boolean {
    const code = this.#text.charCodeAt(this.#offset);
    return code === doubleQuote || code === singleQuote;
  }

  createMalformedProblem(reason: string, offset: number): Problem {
    return problem('json-malformed', { ...computeTextPosition(this.#text, offset), reason });
  }

  /** Creates the problem that something else was expected at the current offset. */
  createUnexpectedProblem(expected: string): Problem {
    return this.createMalformedProblem(`${expected} was expected, but ${this.#describeNext()}`, this.#offset);
  }

  #describeNext(): string {
    const code = this.#text.codePointAt(this.#offset);
    if (code === undefined) return 'the text ends';
    if (/^\/[/*]/.test(this.#text.slice(this.#offset, this.#offset + 2))) return 'a comment begins here';
    return `${formatCharacter(code)} was found`;
  }

  #unescape(raw: string, start: number, quote: number): string {
    const parts: string[] = [];
    let from = 0;
    for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', from)) {
      const letter = raw.charAt(at + 1);
      const hex = letter === 'u' ? raw.slice(at + 2, at + 6) : '';
      const meaning =
        escapes.get(letter) ??
        (fourHexDigits.test(hex)
          ? String.fromCharCode(Number.parseInt(hex, 16))
          : letter === "'" && quote === singleQuote
            ? letter
            : undefined);
      if (meaning === undefined) {
        throw this.createMalformedProblem(
          `a backslash before ${formatCharacter(raw.codePointAt(at + 1) ?? 0)} is not a valid escape`,
          start + at,
        );
      }
      parts.push(raw.slice(from, at), meaning);
      from = at + 2 + hex.length;
    }
    const value = parts.join('') + raw.slice(from);
    if (!value.isWellFormed())
      throw this.createMalformedProblem('this string contains an unpaired surrogate', start - 1);
    return value;
  }

  #readPattern(pattern: RegExp): string {
    const start = this.#offset;
    pattern.lastIndex = start;
    if (!pattern.test(this.#text)) return '';
    this.#offset = pattern.lastIndex;
    return this.#text.slice(start, this.#offset);
  }
}

/** Returns a visible character in quotes, and any other as its code point. */
function formatCharacter(code: number): string {
  const character = String.fromCodePoint(code);
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return `'${character}'`;
  return `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
