/** Pages of lists: query parameters, page ends and cursors. */
import { createHash } from 'node:crypto';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import { type Page, selectPage } from '../../lib/text/page.ts';
import {
  createFlagParameter,
  createIntegerParameter,
  createTextParameter,
  type QueryValues,
} from '../request/query.ts';
import type { FurtherHeaders } from './outcome.ts';

/** The maximum page size; longer pages delay other requests. */
const MAX_LIMIT = 1_000;

/** More items than any catalog has. */
const MAX_OFFSET = 100_000_000;

/** Query parameters of every list. */
export const pagingParameters = {
  limit: {
    ...createIntegerParameter(
      'Maximum number of items per page, ordered by the code points of their names.',
      1,
      MAX_LIMIT,
    ),
    // An empty value must not return everything.
    empty: 'refused' as const,
  },
  after: createTextParameter('Cursor of the page, from the next link of the previous response.'),
  offset: createIntegerParameter('Number of items to skip; requires limit, excludes after.', 0, MAX_OFFSET),
  q: createTextParameter('Return only items whose names (layers: or titles) contain this text in any case.'),
  count: createFlagParameter('Return the total number of items in the header Graticule-Total.'),
};

export type PageQuery = QueryValues<typeof pagingParameters>;

/** A page of a list. */
export interface ReadPage<L> {
  /** The result, with at most the requested number of entries. */
  readonly listed: L;
  /** The query of the next page, if there is one. */
  readonly next?: Readonly<Record<string, string>>;
  readonly headers: FurtherHeaders;
}

/** The entries of a list as pages read them. */
export interface PagedList<R, L extends { readonly entries: readonly R[] }> {
  /** Identifies the list: a cursor of another list is invalid. */
  readonly scope: string;
  readonly getName: (entry: R) => string;
  /** The text that `q` is compared with. */
  readonly getSearchText: (entry: R) => string;
  readonly read: (page: Page) => Promise<L>;
}

/** Reads one entry more than requested, to find out whether there is a next page. */
export async function readPage<R, L extends { readonly entries: readonly R[] }>(
  query: PageQuery,
  list: PagedList<R, L>,
): Promise<ReadPage<L>> {
  const { limit, after, offset, q, count } = query;
  checkOffset(query);
  const { scope, getName } = list;
  const whole = limit === null || count || q !== null ? await readMatching(list, q) : undefined;
  const headers: FurtherHeaders = whole !== undefined && count ? { 'graticule-total': `${whole.entries.length}` } : {};
  if (limit === null) {
    if (after !== null) throw problem('page-unknown', { reason: 'it requires the query parameter limit' });
    return { listed: whole ?? (await list.read({})), headers };
  }
  const skipped = offset ?? 0;
  const from: Page = after === null ? {} : { after: decodePageEnd(after, scope) };
  const page: Page = { ...from, limit: skipped + limit + 1 };
  const found = q === null || whole === undefined ? await list.read(page) : selectEntries(whole, getName, page);
  const entries = found.entries.slice(skipped, skipped + limit);
  const last = entries.at(-1);
  const nextOffset = { offset: String(skipped + limit) };
  const hasMore = found.entries.length > skipped + limit && last !== undefined;
  return {
    listed: { ...found, entries },
    headers,
    ...(hasMore ? { next: offset === null ? { after: encodePageEnd(getName(last), scope) } : nextOffset } : {}),
  };
}

function checkOffset({ limit, after, offset }: PageQuery): void {
  if (offset === null) return;
  const expected = limit === null ? 'a number together with limit' : 'a number without after';
  if (limit === null || after !== null) {
    throw problem('query-invalid', { parameter: 'offset', value: String(offset), expected });
  }
}

async function readMatching<R, L extends { readonly entries: readonly R[] }>(
  { read, getSearchText }: PagedList<R, L>,
  q: string | null,
): Promise<L> {
  const all = await read({});
  if (q === null) return all;
  const wanted = foldCase(q);
  const entries: R[] = [];
  for (const entry of all.entries) {
    if (foldCase(getSearchText(entry)).includes(wanted)) entries.push(entry);
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return { ...all, entries };
}

function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function selectEntries<R, L extends { readonly entries: readonly R[] }>(
  whole: L,
  getName: (entry: R) => string,
  page: Page,
): L {
  return { ...whole, entries: selectPage(whole.entries, getName, page) };
}

/** Detects invented cursors; a collision causes no harm. */
const CHECK_BYTES = 9;

/** Encodes the cursor: a checksum and the last name, which the client has already seen. */
function encodePageEnd(name: string, scope: string): string {
  return Buffer.concat([computeCheck(name, scope), Buffer.from(name)]).toString('base64url');
}

function decodePageEnd(end: string, scope: string): string {
  const bytes = Buffer.from(end, 'base64url');
  const name = bytes.subarray(CHECK_BYTES).toString();
  if (encodePageEnd(name, scope) !== end) {
    throw problem('page-unknown', { reason: 'it is not from the next link of a page of this listing' });
  }
  return name;
}

function computeCheck(name: string, scope: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([scope, name]))
    .digest()
    .subarray(0, CHECK_BYTES);
}
