/** Matches text against the patterns of `like`, in time that grows with their product at worst. */
import type { Like } from '../filter.ts';
import { foldCase } from './case-folding.ts';

export type LikePattern = Pick<Like, 'pattern' | 'wildCard' | 'singleCharacter' | 'escape' | 'matchCase'>;

export type PatternPart =
  | { readonly kind: 'any' }
  | { readonly kind: 'one' }
  | { readonly kind: 'text'; readonly text: string };

/** Tells of texts whether they match. */
export function likeMatcher(like: LikePattern): (text: string) => boolean {
  const parts = likeParts(like);
  if (like.matchCase !== false) return (text) => matches([...text], parts);
  return (text) => {
    const letters = [...text].map((letter) => [...foldCase(letter)]);
    return matches(letters.flat(), parts, letters.some(({ length }) => length > 1) ? letterEnds(letters) : undefined);
  };
}

/** Where the letter ends that begins at an index, if one does. */
function letterEnds(letters: readonly (readonly string[])[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let at = 0;
  for (const { length } of letters) {
    ends.set(at, at + length);
    at += length;
  }
  return ends;
}

/** One part for each character, so that a part never matches more than one; folded where case does not matter. */
export function likeParts(like: LikePattern): readonly PatternPart[] {
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
 * Only the last wild card needs to be tried again: what came before it has been matched as early as can be. Special signs
 * stand for whole letters, and not for a part of what one was folded into.
 */
function matches(
  characters: readonly string[],
  parts: readonly PatternPart[],
  ends?: ReadonlyMap<number, number>,
): boolean {
  let at = 0;
  let next = 0;
  let wildCardAt = -1;
  let resumeAt = 0;
  const endOf = (start: number): number => ends?.get(start) ?? start + 1;
  while (at < characters.length) {
    const part = parts[next];
    const beginsLetter = ends?.has(at) ?? true;
    if (part?.kind === 'any' && beginsLetter) {
      wildCardAt = next;
      resumeAt = at;
      next += 1;
    } else if (part?.kind === 'one' && beginsLetter) {
      at = endOf(at);
      next += 1;
    } else if (part?.kind === 'text' && part.text === characters[at]) {
      at += 1;
      next += 1;
    } else if (wildCardAt >= 0) {
      resumeAt = endOf(resumeAt);
      at = resumeAt;
      next = wildCardAt + 1;
    } else {
      return false;
    }
  }
  while (parts[next]?.kind === 'any') next += 1;
  return next === parts.length;
}
