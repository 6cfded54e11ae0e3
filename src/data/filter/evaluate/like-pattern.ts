/** Matches text against the patterns of `like`, in time that grows with their product at worst. */
import type { Like } from '../filter.ts';

export type LikePattern = Pick<Like, 'pattern' | 'wildCard' | 'singleCharacter' | 'escape' | 'matchCase'>;

export type PatternPart =
  | { readonly kind: 'any' }
  | { readonly kind: 'one' }
  | { readonly kind: 'text'; readonly text: string };

export function matchesLike(text: string, like: LikePattern): boolean {
  const parts = likeParts(like);
  const isExact = like.matchCase !== false;
  const characters = [...text];
  return matches(isExact ? characters : characters.map((each) => each.toLowerCase()), parts);
}

/** One part for each character, so that a part never matches more than one; in lower case where case does not matter. */
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
    const text = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    parts.push({ kind: 'text', text: isExact ? text : text.toLowerCase() });
    at += text.length;
  }
  return parts;
}

/** Only the last wild card needs to be tried again: what came before it has been matched as early as can be. */
function matches(characters: readonly string[], parts: readonly PatternPart[]): boolean {
  let at = 0;
  let next = 0;
  let wildCardAt = -1;
  let resumeAt = 0;
  while (at < characters.length) {
    const part = parts[next];
    if (part?.kind === 'any') {
      wildCardAt = next;
      resumeAt = at;
      next += 1;
    } else if (part !== undefined && (part.kind === 'one' || part.text === characters[at])) {
      at += 1;
      next += 1;
    } else if (wildCardAt >= 0) {
      resumeAt += 1;
      at = resumeAt;
      next = wildCardAt + 1;
    } else {
      return false;
    }
  }
  while (parts[next]?.kind === 'any') next += 1;
  return next === parts.length;
}
