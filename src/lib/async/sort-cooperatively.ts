/** Sorts in slices, so that other requests are served in between. */
import { yieldIfDue } from './yield-if-due.ts';

/** Number of items sorted within some milliseconds. */
const PIECE = 4_096;

/** The items in order; no two of them compare as equal. */
export async function sortCooperatively<T>(
  items: readonly T[],
  isBefore: (a: T, b: T) => boolean,
): Promise<readonly T[]> {
  const runs: T[][] = [];
  for (let start = 0; start < items.length; start += PIECE) {
    runs.push(items.slice(start, start + PIECE).sort((a, b) => (isBefore(a, b) ? -1 : 1)));
    await yieldIfDue();
  }
  while (runs.length > 1) {
    runs.push(await mergeSorted(runs.shift() ?? [], runs.shift() ?? [], isBefore));
  }
  return runs[0] ?? [];
}

async function mergeSorted<T>(one: readonly T[], other: readonly T[], isBefore: (a: T, b: T) => boolean): Promise<T[]> {
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
      await yieldIfDue();
    }
  }
  return all;
}
