/** Ant patterns: `?` is one character, `*` any number of them in one segment, and a segment `**` any number of segments. */

/** Returns whether a path matches a pattern. The time is at most proportional to the product of their lengths. */
export function matchesAntPath(pattern: readonly string[], path: readonly string[]): boolean {
  return matchesWithStars(pattern, path, (segment) => segment === '**', matchesSegment);
}

function matchesSegment(pattern: string, segment: string): boolean {
  return matchesWithStars(
    [...pattern],
    [...segment],
    (character) => character === '*',
    (character, other) => character === '?' || character === other,
  );
}

/** Matches with backtracking to the last star only: the last star can match everything that an earlier one could. */
function matchesWithStars(
  pattern: readonly string[],
  items: readonly string[],
  isStar: (part: string) => boolean,
  fits: (part: string, item: string) => boolean,
): boolean {
  let at = 0;
  let star: { readonly pattern: number; item: number } | undefined;
  let item = 0;
  while (item < items.length) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) {
      star = { pattern: at, item };
      at += 1;
    } else if (part !== undefined && fits(part, items[item] ?? '')) {
      at += 1;
      item += 1;
    } else if (star !== undefined) {
      star.item += 1;
      item = star.item;
      at = star.pattern + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isStar);
}
