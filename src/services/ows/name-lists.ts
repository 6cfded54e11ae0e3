/** Lists of names with commas between them, where a name may have commas of its own. */
import { readList } from './parameters.ts';

/** Whether there is something of a name, for whoever asks. */
export type IsKnown = (name: string) => Promise<boolean>;

/** Where nobody can be asked: each comma stands between two names. */
export const allAreKnown: IsKnown = async () => true;

/** Longer lists are taken apart at each comma, so that no list costs much to read. */
const MAX_PARTS = 100;

/** Beside others, names with as many commas or more are not found. */
const MAX_PARTS_OF_NAME = 5;

/**
 * Each comma stands between two names, if all of these are known. Else neighbours are put together, as few as will do, until
 * they are. Where nothing helps each comma stands between two names again: the one that is not known can be told.
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
