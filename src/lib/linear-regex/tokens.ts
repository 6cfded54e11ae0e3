/** Splits a regular expression into tokens, as far as validation and error positions need them. */

export interface RegexToken {
  readonly kind: 'item' | 'class' | 'open' | 'close' | 'alternative' | 'repeat' | 'flags';
  /** Offsets in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The factor by which a repeat multiplies the item before it. */
  readonly times?: number;
}

// Each pattern matches an unclosed construct up to the end of the text.
const bracket = /\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]?/sy;
const quoted = /\\Q.*?(?:\\E|$)/sy;
const escaped = /\\(?:x\{[^}]*\}|x[0-9A-Fa-f]{2}|p\{[^}]*\}|P\{[^}]*\}|[pP].|[0-7]{1,3}|.)?/suy;
const flags = /\(\?[A-Za-z]*(?:-[A-Za-z]*)?\)/y;
const opening = /\((?:\?(?:P?<\w+>|[A-Za-z]*(?:-[A-Za-z]*)?:|<?.))?/suy;
const repeat = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;

export function tokenize(source: string): readonly RegexToken[] {
  const tokens: RegexToken[] = [];
  let start = 0;
  while (start < source.length) {
    const token = readToken(source, start);
    tokens.push(token);
    start = token.end;
  }
  return tokens;
}

function readToken(source: string, start: number): RegexToken {
  const createToken = (kind: RegexToken['kind'], end = start + 1): RegexToken => ({ kind, start, end });
  switch (source[start]) {
    case '\\':
      return createToken('item', findMatchEnd(quoted, source, start) ?? findMatchEnd(escaped, source, start));
    case '[':
      return createToken('class', findMatchEnd(bracket, source, start));
    case '(': {
      const end = findMatchEnd(flags, source, start);
      return end === undefined ? createToken('open', findMatchEnd(opening, source, start)) : createToken('flags', end);
    }
    case ')':
      return createToken('close');
    case '|':
      return createToken('alternative');
    case '*':
    case '+':
    case '?':
    case '{':
      return readRepeat(source, start) ?? createToken('item');
    default:
      return createToken('item', start + ((source.codePointAt(start) ?? 0) > 0xffff ? 2 : 1));
  }
}

function readRepeat(source: string, start: number): RegexToken | undefined {
  repeat.lastIndex = start;
  const match = repeat.exec(source);
  if (match === null) {
    return undefined;
  }
  const [text, least, comma, most] = match;
  // An open end (`{3,}`) costs one item more than its minimum; so do `*`, `+` and `?`.
  const times = least === undefined ? 1 : comma === undefined ? Number(least) : Number(most || least) + 1;
  return { kind: 'repeat', start, end: start + text.length, times: Math.max(1, times) };
}

function findMatchEnd(pattern: RegExp, source: string, start: number): number | undefined {
  pattern.lastIndex = start;
  const match = pattern.exec(source);
  return match === null ? undefined : start + match[0].length;
}
