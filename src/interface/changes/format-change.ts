/** Formats changes as text, streamed from the log. */
import type { ChangeHead, ChangeItem, LogReader } from '../../storage/port/port.ts';
import { getAction, toStateFields } from './change-document.ts';
import { createPastPaths, type PastPaths } from './past-paths.ts';

/** The JSON form of an item. */
export interface FormattedItem {
  readonly kind: string;
  readonly path: string | null;
  readonly text: string;
}

/** The text of a change up to its items. */
export function formatChangeHead({ sequence, atMs, who, via, what, undoes }: ChangeHead): string {
  const head = { sequence, at: new Date(atMs).toISOString(), who, via: via ?? null, what, undoes: undoes ?? null };
  return `${JSON.stringify(head).slice(0, -1)},"items":[`;
}

/** With the fields of each record before and after the change, and the paths of the records they name, on request. */
export async function* formatItems(
  log: LogReader,
  sequence: number,
  { isWhole }: { readonly isWhole: boolean },
): AsyncGenerator<FormattedItem> {
  const places = createPastPaths(log, sequence);
  for await (const item of log.readItems(sequence)) {
    yield formatItem(item, places, { isWhole });
  }
}

/** Some items of a change, after an ordinal (-1: from the first), with the ordinal of the last of them. */
export async function formatItemBatch(
  log: LogReader,
  sequence: number,
  after: number,
  { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
): Promise<{ readonly items: readonly FormattedItem[]; readonly last: number }> {
  const places = createPastPaths(log, sequence);
  const found = await log.listItems(sequence, after, limit);
  const items: FormattedItem[] = [];
  for (const { item } of found) {
    items.push(await formatItem(item, places, { isWhole }));
  }
  return { items, last: found.at(-1)?.ordinal ?? after };
}

async function formatItem(
  item: ChangeItem,
  places: PastPaths,
  { isWhole }: { readonly isWhole: boolean },
): Promise<FormattedItem> {
  const { kind, id, before, after } = item;
  const path = await places.findPath(item);
  const itemFields = { kind, id, path, action: getAction(item) };
  const states = isWhole
    ? { before: toStateFields(before), after: toStateFields(after), references: await places.findReferences(item) }
    : {};
  return { kind, path, text: JSON.stringify({ ...itemFields, ...states }) };
}

/** Streams the items, of which only some are in memory at a time. */
export async function* joinItems(items: AsyncIterable<FormattedItem>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { text } of items) {
    yield isFirst ? text : `,${text}`;
    isFirst = false;
  }
}

export async function* formatChanges(
  log: LogReader,
  changes: readonly ChangeHead[],
  items: 'all' | 'none',
): AsyncGenerator<string> {
  let between = '';
  for (const change of changes) {
    yield `${between}${formatChangeHead(change)}`;
    if (items === 'all') yield* joinItems(formatItems(log, change.sequence, { isWhole: false }));
    yield ']}';
    between = ',';
  }
}
