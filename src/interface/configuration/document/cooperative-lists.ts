/** List operations in slices, so that other requests are served in between. */
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';

/** The items that pass the filter, in order. */
export async function filterCooperatively<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Promise<T[]> {
  const wanted: T[] = [];
  for (const item of items) {
    if (isWanted(item)) wanted.push(item);
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return wanted;
}

/** The text of all items, separated by commas. */
export async function joinCooperatively<T>(items: readonly T[], print: (item: T) => string): Promise<string> {
  let text = '';
  for (const item of items) {
    text += text === '' ? print(item) : `,${print(item)}`;
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return text;
}
