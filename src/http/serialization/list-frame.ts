/** A list as a format prints it, cut where its items go: so it can be sent before the last of them is known. */
import type { OutputDocument, OutputItems, OutputNode } from './output-tree.ts';

export interface ListFrame<T = OutputNode> {
  readonly before: string;
  readonly item: (item: T) => string;
  readonly between: string;
  readonly after: string;
  /** What stands for a list without items. */
  readonly empty: string;
}

/** A list that a family prints itself, in some pieces, each with several items. */
export interface PrintedList {
  readonly frame: Omit<ListFrame, 'item'>;
  readonly pieces: AsyncIterable<string>;
  /** The query of the rest, where this is not all. */
  readonly next?: Readonly<Record<string, string>>;
}

/** Lists up to this many items are printed at once, in a few milliseconds. */
export const SHORT_LIST = 1_000;

/** The items of a document that is a long list, or one of which nobody knows how long it is. */
export function findLongList(node: OutputDocument['node']): OutputItems | undefined {
  if (node.kind !== 'list') {
    return undefined;
  }
  return Array.isArray(node.items) && node.items.length <= SHORT_LIST ? undefined : node.items;
}

/** The whole list as one text. */
export function printList(frame: ListFrame, items: OutputItems): string {
  if (!(Symbol.iterator in items)) {
    throw new Error('Items that are still to come cannot be printed at once');
  }
  const printed = Array.from(items, frame.item);
  return printed.length === 0 ? frame.empty : `${frame.before}${printed.join(frame.between)}${frame.after}`;
}
