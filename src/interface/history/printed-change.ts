/** Changes as text, made of the log while they are sent. */
import type { ChangeHead, LogReader } from '../../storage/port.ts';
import { actionOf, fieldsOf } from '../change-document.ts';
import { pastPlaces } from './past-places.ts';

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
  for await (const item of log.items(sequence)) {
    const { kind, id, before, after } = item;
    const path = await places.pathOf(item);
    const told = { kind, id, path, action: actionOf(item) };
    const states = isWhole ? { before: fieldsOf(before), after: fieldsOf(after) } : {};
    yield { kind, path, text: JSON.stringify({ ...told, ...states }) };
  }
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
