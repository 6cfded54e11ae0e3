/** The serialization of a list, split at its items, so that it can be sent before all items are known. */
import type { OutputDocument, OutputItems, OutputNode } from './output-tree.ts';

export interface ListFrame<T = OutputNode> {
  readonly before: string;
  readonly item: (item: T) => string;
  readonly between: string;
  readonly after: string;
  /** The text of an empty list. */
  readonly empty: string;
}

/** A list that a family serializes in chunks of several items. */
export interface PrintedList {
  readonly frame: Omit<ListFrame, 'item'>;
  readonly pieces: AsyncIterable<string>;
  /** The query of the next page, if there is one. */
  readonly next?: Readonly<Record<string, string>>;
}

/** Lists up to this length are serialized at once, in a few milliseconds. */
export const SHORT_LIST = 1_000;

/** Returns the items of a document that is a long list or a list of unknown length. */
export function findLongList(node: OutputDocument['node']): OutputItems | undefined {
  if (node.kind !== 'list') {
    return undefined;
  }
  return Array.isArray(node.items) && node.items.length <= SHORT_LIST ? undefined : node.items;
}

/** Returns the whole list as one text. */
export function printList(frame: ListFrame, items: OutputItems): string {
  if (!(Symbol.iterator in items)) {
    throw new Error('Streamed items cannot be serialized at once');
  }
  const printed = Array.from(items, frame.item);
  return printed.length === 0 ? frame.empty : `${frame.before}${printed.join(frame.between)}${frame.after}`;
}
