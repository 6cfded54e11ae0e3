/** Parses comma-separated lists of names, in which a name may contain commas. */
import { readList } from './parameters.ts';

/** Returns whether a name exists and is visible to the principal. */
export type IsKnown = (name: string) => Promise<boolean>;

/** For lists without a lookup: every comma is a separator. */
export const allAreKnown: IsKnown = async () => true;

/** Longer lists are split at every comma, which bounds the cost. */
const MAX_PARTS = 100;

/** Names with this many commas or more are not found in lists with other names. */
const MAX_PARTS_OF_NAME = 5;

/**
 * Splits at every comma if all resulting names exist. Otherwise joins neighbours, as few as possible, until all names
 * exist. If that fails, splits at every comma, so that the error names the unknown one.
 */
export async function splitNameList(text: string, isKnown: IsKnown): Promise<readonly string[]> {
  const parts = text.split(',');
  if (parts.length === 1 || parts.length > MAX_PARTS) return readList(text);
  const withoutEnd = new Set<number>();

  async function matchNamesFrom(start: number): Promise<readonly string[] | undefined> {
    if (start === parts.length) return [];
    for (let end = start + 1; end <= Math.min(parts.length, start + MAX_PARTS_OF_NAME); end += 1) {
      const name = parts.slice(start, end).join(',').trim();
      const isName = !withoutEnd.has(end) && (name === '' || (await isKnown(name)));
      const others = isName ? await matchNamesFrom(end) : undefined;
      if (others !== undefined) return name === '' ? others : [name, ...others];
    }
    withoutEnd.add(start);
    return undefined;
  }

  const names = await matchNamesFrom(0);
  if (names !== undefined) return names;
  const whole = text.trim();
  return (await isKnown(whole)) ? [whole] : readList(text);
}
