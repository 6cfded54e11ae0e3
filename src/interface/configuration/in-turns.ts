/** Long work on lists, piece by piece, so that others have their turn. */
import { createPace } from '../../storage/pace.ts';

/** Nobody waits longer than this for somebody's configuration. */
const STRETCH_MS = 5;

/** To be asked after each small piece of work: something to wait for where it is time for the others. */
export const turn = createPace({ everyMs: STRETCH_MS, now: () => performance.now() });

/** So many are sorted within some milliseconds. */
const PIECE = 4_096;

/** The items in order; no two of them compare as equal. */
export async function sortedInTurns<T>(items: readonly T[], isBefore: (a: T, b: T) => boolean): Promise<readonly T[]> {
  const runs: T[][] = [];
  for (let start = 0; start < items.length; start += PIECE) {
    runs.push(items.slice(start, start + PIECE).sort((a, b) => (isBefore(a, b) ? -1 : 1)));
    await turn();
  }
  while (runs.length > 1) {
    runs.push(await merged(runs.shift() ?? [], runs.shift() ?? [], isBefore));
  }
  return runs[0] ?? [];
}

async function merged<T>(one: readonly T[], other: readonly T[], isBefore: (a: T, b: T) => boolean): Promise<T[]> {
  const all: T[] = [];
  let [at, atOther] = [0, 0];
  while (at < one.length || atOther < other.length) {
    const [first, second] = [one[at], other[atOther]];
    if (second === undefined || (first !== undefined && isBefore(first, second))) {
      all.push(first as T);
      at += 1;
    } else {
      all.push(second);
      atOther += 1;
    }
    if (all.length % PIECE === 0) {
      await turn();
    }
  }
  return all;
}
