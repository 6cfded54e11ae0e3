/** Finds a text that every match contains: searching it is much cheaper than matching. */
import type { RegexToken } from './tokens.ts';

/** Returns the longest literal outside groups, classes and repeats; empty if none is certain. */
export function computeRequiredLiteral(source: string, tokens: readonly RegexToken[]): string {
  // Flags can make the match case-insensitive, and an alternative can make the literal optional.
  if (tokens.some((token) => hasFlags(source, token)) || hasTopAlternative(tokens)) {
    return '';
  }
  let longest = '';
  let current = '';
  let depth = 0;
  tokens.forEach((token, index) => {
    depth += token.kind === 'open' ? 1 : 0;
    const literal = depth === 0 && tokens[index + 1]?.kind !== 'repeat' ? findLiteral(source, token) : undefined;
    depth -= token.kind === 'close' ? 1 : 0;
    current = literal === undefined ? '' : current + literal;
    longest = current.length > longest.length ? current : longest;
  });
  return longest;
}

function hasFlags(source: string, { kind, start, end }: RegexToken): boolean {
  return kind === 'flags' || (kind === 'open' && /^\(\?[a-z-]+:/i.test(source.slice(start, end)));
}

function hasTopAlternative(tokens: readonly RegexToken[]): boolean {
  let depth = 0;
  return tokens.some(({ kind }) => {
    depth += kind === 'open' ? 1 : kind === 'close' ? -1 : 0;
    return depth === 0 && kind === 'alternative';
  });
}

/** Returns the text that an item matches, empty for anchors; undefined if it can match several texts. */
function findLiteral(source: string, { kind, start, end }: RegexToken): string | undefined {
  const text = source.slice(start, end);
  if (kind !== 'item' || text === '.') {
    return undefined;
  }
  if (text === '^' || text === '$') {
    return '';
  }
  if (text.startsWith('\\')) {
    // An escaped punctuation character is literal; an escaped letter or digit is a class or another construct.
    return /^\\[^\w\s]$/.test(text) ? text.slice(1) : undefined;
  }
  return text;
}
