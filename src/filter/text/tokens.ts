/** Splits ECQL and CQL2 into words, numbers, strings, dates and signs. */
import { excerpt } from '../../lib/text/excerpt.ts';

/** Twice the length of a list of ten thousand names; longer texts would block other requests. */
export const maxTextLength = 500_000;

export interface TextToken {
  readonly kind: 'word' | 'name' | 'number' | 'date' | 'string' | 'sign' | 'variable' | 'end';
  /** A string or a quoted name without its quotes; other tokens as written. */
  readonly text: string;
  readonly written: string;
  readonly offset: number;
}

const space = /[ \t\r\n\f]+/y;
const date = /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w.])/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
// Names can contain prefixes and dots: `topp:states`, `address.street`.
const word = /[\p{L}_$][\p{L}\p{N}\p{M}_$]*(?:[.:][\p{L}_$][\p{L}\p{N}\p{M}_$]*)*/uy;
const variable = /@[A-Za-z_]+/y;
const magnitude = /[kMG](?![\p{L}\p{N}_])/uy;
/** Multipliers after numbers in style sheets, as in `50k`. */
export const magnitudes: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9 };

/** Syntax beyond plain ECQL. */
export interface TokenOptions {
  /** Style sheets: `@sd` and similar variables are attributes of that name, and `10k`, `2M` and `1G` are numbers. */
  readonly variables?: true;
  /** CQL2 has more signs, dates as strings, and quotes escaped by a backslash. */
  readonly cql2?: true;
}
const sign = /<>|<=|>=|!=|[=<>()[\],+\-*/;]/y;
const cql2Sign = /<>|<=|>=|[=<>()[\],+\-*/;^%]/y;

/** Throws a `TextError` at the first unexpected character. */
export function tokenize(text: string, options: TokenOptions = {}): readonly TextToken[] {
  const tokens: TextToken[] = [];
  let at = 0;
  const matchPattern = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const addToken = (kind: TextToken['kind'], written: string, meaning = written): void => {
    tokens.push({ kind, text: meaning, written, offset: at });
    at += written.length;
  };

  while (at < text.length) {
    at += matchPattern(space)?.length ?? 0;
    if (at >= text.length) break;
    const first = text.charCodeAt(at);
    if (first === 0x27 || first === 0x22) {
      const written = readQuoted(text, at, options.cql2 === true && first === 0x27);
      const quote = written.charAt(0);
      const meaning = written.slice(1, -1).replaceAll(quote + quote, quote);
      if (quote === '"') addToken('name', written, meaning);
      else addToken('string', written, options.cql2 ? meaning.replaceAll("\\'", "'") : meaning);
      continue;
    }
    let written = matchPattern(word);
    if (written !== undefined) {
      addToken('word', written);
      continue;
    }
    written = options.cql2 ? undefined : matchPattern(date);
    if (written !== undefined) {
      addToken('date', written);
      continue;
    }
    written = matchPattern(number);
    if (written !== undefined) {
      const end = at + written.length;
      magnitude.lastIndex = end;
      const letter = options.variables ? magnitude.exec(text)?.[0] : undefined;
      if (letter === undefined) addToken('number', written);
      else addToken('number', written + letter, String(Number(written) * (magnitudes[letter] ?? 1)));
      continue;
    }
    written = matchPattern(options.cql2 ? cql2Sign : sign);
    if (written !== undefined) {
      addToken('sign', written);
      continue;
    }
    written = options.variables ? matchPattern(variable) : undefined;
    if (written === undefined) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0).toWellFormed();
      throw new TextError(at, `unexpected character '${character}'`);
    }
    addToken('variable', written);
  }
  tokens.push({ kind: 'end', text: '', written: '', offset: text.length });
  return tokens;
}

/** A doubled quote is an escaped quote, and so is a backslash-quote if backslashes are enabled. */
function readQuoted(text: string, start: number, hasBackslashes: boolean): string {
  const quote = text.charAt(start);
  for (let at = text.indexOf(quote, start + 1), next = 0; at >= 0; at = text.indexOf(quote, next)) {
    const isEscaped = hasBackslashes && at > start + 1 && text.charAt(at - 1) === '\\';
    if (!isEscaped && text.charAt(at + 1) !== quote) return text.slice(start, at + 1);
    next = at + (isEscaped ? 1 : 2);
  }
  const what = quote === "'" ? 'string' : 'name';
  throw new TextError(start, `the ${what} has no closing ${quote}`);
}

/** Aborts the reading of a text. It stays inside this module; callers get an outcome. */
export class TextError extends Error {
  override readonly name = 'TextError';
  /** Offset in the text in UTF-16 units. */
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Formats a token for messages. */
function formatToken(token: TextToken): string {
  return token.kind === 'end' ? 'the end' : `'${excerpt(token.written)}'`;
}

export function createUnexpectedError(token: TextToken, expected: string): TextError {
  return new TextError(token.offset, `${expected} was expected, but ${formatToken(token)} was found`);
}
