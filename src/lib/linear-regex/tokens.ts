/** Cuts a regular expression into its tokens, as far as objecting to it and pointing into it needs them. */

export interface RegexToken {
  readonly kind: 'item' | 'class' | 'open' | 'close' | 'alternative' | 'repeat' | 'flags';
  /** Offsets in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** What a repeat multiplies the item before it with. */
  readonly times?: number;
}

// Each takes what is not closed up to the end of the text.
const bracket = /\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]?/sy;
const quoted = /\\Q.*?(?:\\E|$)/sy;
const escaped = /\\(?:x\{[^}]*\}|x[0-9A-Fa-f]{2}|p\{[^}]*\}|P\{[^}]*\}|[pP].|[0-7]{1,3}|.)?/suy;
const flags = /\(\?[A-Za-z]*(?:-[A-Za-z]*)?\)/y;
const opening = /\((?:\?(?:P?<\w+>|[A-Za-z]*(?:-[A-Za-z]*)?:|<?.))?/suy;
const repeat = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;

export function tokensOf(source: string): readonly RegexToken[] {
  const tokens: RegexToken[] = [];
  let start = 0;
  while (start < source.length) {
    const token = tokenAt(source, start);
    tokens.push(token);
    start = token.end;
  }
  return tokens;
}

function tokenAt(source: string, start: number): RegexToken {
  const single = (kind: RegexToken['kind'], end = start + 1): RegexToken => ({ kind, start, end });
  switch (source[start]) {
    case '\\':
      return single('item', endOf(quoted, source, start) ?? endOf(escaped, source, start));
    case '[':
      return single('class', endOf(bracket, source, start));
    case '(': {
      const end = endOf(flags, source, start);
      return end === undefined ? single('open', endOf(opening, source, start)) : single('flags', end);
    }
    case ')':
      return single('close');
    case '|':
      return single('alternative');
    case '*':
    case '+':
    case '?':
    case '{':
      return repeatAt(source, start) ?? single('item');
    default:
      return single('item', start + ((source.codePointAt(start) ?? 0) > 0xffff ? 2 : 1));
  }
}

function repeatAt(source: string, start: number): RegexToken | undefined {
  repeat.lastIndex = start;
  const match = repeat.exec(source);
  if (match === null) {
    return undefined;
  }
  const [text, least, comma, most] = match;
  // An open end (`{3,}`) costs one item more than its least; so do the three signs.
  const times = least === undefined ? 1 : comma === undefined ? Number(least) : Number(most || least) + 1;
  return { kind: 'repeat', start, end: start + text.length, times: Math.max(1, times) };
}

function endOf(pattern: RegExp, source: string, start: number): number | undefined {
  pattern.lastIndex = start;
  const match = pattern.exec(source);
  return match === null ? undefined : start + match[0].length;
}
