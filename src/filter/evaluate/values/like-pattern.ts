/** Matches text against LIKE patterns. The worst-case time is the product of their lengths. */
import type { Like } from '../../model/filter.ts';
import { foldCase } from './case-folding.ts';

export type LikePattern = Pick<Like, 'pattern' | 'wildCard' | 'singleCharacter' | 'escape' | 'matchCase'>;

export type PatternPart =
  | { readonly kind: 'any' }
  | { readonly kind: 'one' }
  | { readonly kind: 'text'; readonly text: string };

const ascii = /^[\0-\x7f]*$/;

/** Compiles the pattern once and returns a matcher. */
export function createLikeMatcher(like: LikePattern): (text: string) => boolean {
  const parts = parseLikePattern(like);
  const inPieces = createPieceMatcher(parts);
  if (like.matchCase !== false) return inPieces ?? ((text) => isMatch([...text], parts));
  return (text) => {
    // Each ASCII letter folds to one letter, so the text can be compared as a whole.
    if (inPieces !== undefined && ascii.test(text)) return inPieces(text.toLowerCase());
    const letters = [...text].map((letter) => [...foldCase(letter)]);
    return isMatch(
      letters.flat(),
      parts,
      letters.some(({ length }) => length > 1) ? findLetterEnds(letters) : undefined,
    );
  };
}

/**
 * Searches for the texts between wildcards in order, which is many times faster than comparing characters. Returns
 * undefined for patterns with single-character wildcards, and for unpaired surrogates, which could match inside other
 * characters.
 */
function createPieceMatcher(parts: readonly PatternPart[]): ((text: string) => boolean) | undefined {
  const pieces = [''];
  for (const part of parts) {
    if (part.kind === 'one') return undefined;
    if (part.kind === 'any') pieces.push('');
    else pieces[pieces.length - 1] += part.text;
  }
  if (!pieces.every((piece) => piece.isWellFormed())) return undefined;
  const [start = '', ...between] = pieces;
  const end = between.pop();
  if (end === undefined) return (text) => text === start;
  return (text) => {
    if (!text.startsWith(start) || text.length < start.length + end.length || !text.endsWith(end)) return false;
    let at = start.length;
    for (const piece of between) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= text.length - end.length;
  };
}

/** Maps the index at which a letter starts to the index at which it ends. */
function findLetterEnds(letters: readonly (readonly string[])[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let at = 0;
  for (const { length } of letters) {
    ends.set(at, at + length);
    at += length;
  }
  return ends;
}

/** Returns one part per character, so that a part matches at most one; folded if the pattern ignores case. */
export function parseLikePattern(like: LikePattern): readonly PatternPart[] {
  const isExact = like.matchCase !== false;
  const { pattern, escape: escapeSign, wildCard, singleCharacter } = like;
  const parts: PatternPart[] = [];
  let at = 0;
  const startsWith = (special: string): boolean => special !== '' && pattern.startsWith(special, at);
  while (at < pattern.length) {
    if (startsWith(escapeSign) && at + escapeSign.length < pattern.length) {
      at += escapeSign.length;
    } else if (startsWith(wildCard)) {
      if (parts.at(-1)?.kind !== 'any') parts.push({ kind: 'any' });
      at += wildCard.length;
      continue;
    } else if (startsWith(singleCharacter)) {
      parts.push({ kind: 'one' });
      at += singleCharacter.length;
      continue;
    }
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    for (const text of isExact ? [character] : foldCase(character)) parts.push({ kind: 'text', text });
    at += character.length;
  }
  return parts;
}

/**
 * Only the last wildcard is retried, because everything before it is matched as early as possible. Wildcards match
 * whole letters, not a part of a folded letter.
 */
function isMatch(
  characters: readonly string[],
  parts: readonly PatternPart[],
  ends?: ReadonlyMap<number, number>,
): boolean {
  let at = 0;
  let next = 0;
  let wildCardAt = -1;
  let resumeAt = 0;
  const findLetterEnd = (start: number): number => ends?.get(start) ?? start + 1;
  while (at < characters.length) {
    const part = parts[next];
    const beginsLetter = ends?.has(at) ?? true;
    if (part?.kind === 'any' && beginsLetter) {
      wildCardAt = next;
      resumeAt = at;
      next += 1;
    } else if (part?.kind === 'one' && beginsLetter) {
      at = findLetterEnd(at);
      next += 1;
    } else if (part?.kind === 'text' && part.text === characters[at]) {
      at += 1;
      next += 1;
    } else if (wildCardAt >= 0) {
      resumeAt = findLetterEnd(resumeAt);
      at = resumeAt;
      next = wildCardAt + 1;
    } else {
      return false;
    }
  }
  while (parts[next]?.kind === 'any') next += 1;
  return next === parts.length;
}
