/** Thread tasks that read and resolve filters that are too large for the main thread. */
import type { XmlElement, XmlNode } from '../../lib/xml/element.ts';
import type { Task } from '../../workers/task.ts';
import type { Constant, Filter } from '../model/filter.ts';
import type { ResolvedFilter } from '../model/resolved-filter.ts';
import type { Schema } from '../model/schema.ts';
import { readFilterFor, type WrittenFilter } from '../read-filter.ts';
import { type ResolveOutcome, resolveFilter, type UnnamedGeometries } from '../resolve/resolve.ts';

export interface FilterTarget {
  readonly schema: Schema;
  readonly unnamed?: UnnamedGeometries | undefined;
}

const module = import.meta.url;

export const readingFilter: Task<FilterTarget & { readonly written: WrittenFilter }, ResolvedFilter> = {
  module,
  name: 'readLargeFilter',
  work: readLargeFilter,
};

export const resolvingFilter: Task<FilterTarget & { readonly filter: Filter | Constant }, ResolveOutcome> = {
  module,
  name: 'resolveLargeFilter',
  work: resolveLargeFilter,
};

export function readLargeFilter({
  written,
  schema,
  unnamed,
}: FilterTarget & { readonly written: WrittenFilter }): Promise<ResolvedFilter> {
  return readFilterFor(written, schema, unnamed);
}

export async function resolveLargeFilter({
  filter,
  schema,
  unnamed,
}: FilterTarget & { readonly filter: Filter | Constant }): Promise<ResolveOutcome> {
  const outcome = await resolveFilter(filter, schema, unnamed);
  // The invalid part would be returned as a copy, which is useless to the caller.
  return outcome.kind === 'resolved' ? outcome : { ...outcome, complaint: { ...outcome.complaint, part: undefined } };
}

/** Takes about 5 ms to read; the geometry of a county, or a few hundred conditions. */
const MOST_CHARACTERS = 8_192;
const MOST_PARTS = 1_000;

export function isLargeText(written: WrittenFilter): boolean {
  return 'text' in written ? written.text.length > MOST_CHARACTERS : isLargeElement(written.element);
}

function isLargeElement(root: XmlElement): boolean {
  let [parts, characters] = [0, 0];
  const open: XmlNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    parts += 1;
    if (node.kind === 'text') characters += node.text.length;
    else for (const child of node.children) open.push(child);
    if (parts > MOST_PARTS || characters > MOST_CHARACTERS) return true;
  }
  return false;
}

/** Counts conditions, values and positions. */
export function isLargeTree(filter: Filter | Constant): boolean {
  let parts = 0;
  const open: object[] = [filter];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    parts += 1;
    if (parts > MOST_PARTS) return true;
    for (const inner of Object.values(part)) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return false;
}
