/** Changes as text, made of the log while they are sent. */
import type { ChangeHead, ChangeItem, LogReader } from '../../storage/port.ts';
import { actionOf, fieldsOf } from '../change-document.ts';
import { type PastPlaces, pastPlaces } from './past-places.ts';

/** An item as it is told. */
export interface PrintedItem {
  readonly kind: string;
  readonly path: string | null;
  readonly text: string;
}

/** A change up to its items. */
export function beginningOf({ sequence, atMs, who, what, undoes }: ChangeHead): string {
  const head = { sequence, at: new Date(atMs).toISOString(), who, what, undoes: undoes ?? null };
  return `${JSON.stringify(head).slice(0, -1)},"items":[`;
}

/** With the fields of each record before and after it, where it is to be whole. */
export async function* printedItems(
  log: LogReader,
  sequence: number,
  { isWhole }: { readonly isWhole: boolean },
): AsyncGenerator<PrintedItem> {
  const places = pastPlaces(log, sequence);
  for await (const item of log.readItems(sequence)) {
    yield printedItem(item, places, { isWhole });
  }
}

/** Some of the items of a change, those after an ordinal (-1: from the first), and the ordinal of the last of them. */
export async function someItems(
  log: LogReader,
  sequence: number,
  after: number,
  { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
): Promise<{ readonly items: readonly PrintedItem[]; readonly last: number }> {
  const places = pastPlaces(log, sequence);
  const found = await log.listItems(sequence, after, limit);
  const items: PrintedItem[] = [];
  for (const { item } of found) {
    items.push(await printedItem(item, places, { isWhole }));
  }
  return { items, last: found.at(-1)?.ordinal ?? after };
}

async function printedItem(
  item: ChangeItem,
  places: PastPlaces,
  { isWhole }: { readonly isWhole: boolean },
): Promise<PrintedItem> {
  const { kind, id, before, after } = item;
  const path = await places.pathOf(item);
  const told = { kind, id, path, action: actionOf(item) };
  const states = isWhole ? { before: fieldsOf(before), after: fieldsOf(after) } : {};
  return { kind, path, text: JSON.stringify({ ...told, ...states }) };
}

/** The items one after the other: there may be very many, of which no more than some are in memory. */
export async function* joined(items: AsyncIterable<PrintedItem>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { text } of items) {
    yield isFirst ? text : `,${text}`;
    isFirst = false;
  }
}

export async function* printedHeads(log: LogReader, changes: readonly ChangeHead[]): AsyncGenerator<string> {
  let between = '';
  for (const change of changes) {
    yield `${between}${beginningOf(change)}`;
    yield* joined(printedItems(log, change.sequence, { isWhole: false }));
    yield ']}';
    between = ',';
  }
}
