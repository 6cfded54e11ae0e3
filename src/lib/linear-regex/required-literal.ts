/** A piece of text that everything an expression matches must hold: looking for it is far cheaper than matching. */
import type { RegexToken } from './tokens.ts';

/** The longest one outside groups, classes and what is optional; empty when there is none that is certain. */
export function computeRequiredLiteral(source: string, tokens: readonly RegexToken[]): string {
  // Flags may say that capitals do not count, and an alternative that nothing of this is needed.
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

/** The text an item stands for; undefined if it stands for more than one. Anchors stand for none. */
function findLiteral(source: string, { kind, start, end }: RegexToken): string | undefined {
  const text = source.slice(start, end);
  if (kind !== 'item' || text === '.') {
    return undefined;
  }
  if (text === '^' || text === '$') {
    return '';
  }
  if (text.startsWith('\\')) {
    // An escaped sign is that sign; an escaped letter or digit is a class or worse.
    return /^\\[^\w\s]$/.test(text) ? text.slice(1) : undefined;
  }
  return text;
}
