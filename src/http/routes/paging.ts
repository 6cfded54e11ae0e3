/** Pages of lists: query parameters, page ends and cursors. */
import { createHash } from 'node:crypto';
import { problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import {
  createFlagParameter,
  createIntegerParameter,
  createTextParameter,
  type QueryValues,
} from '../request/query.ts';
import type { FurtherHeaders } from './outcome.ts';

/** The maximum page size; longer pages delay other requests. */
const MAX_LIMIT = 1_000;

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

/** Reads one entry more than requested, to find out whether there is a next page. */
export async function readPage<R, L extends { readonly entries: readonly R[] }>(
  { limit, after, count }: PageQuery,
  /** Identifies the list: a cursor of another list is invalid. */
  scope: string,
  nameOf: (entry: R) => string,
  read: (page: Page) => Promise<L>,
): Promise<ReadPage<L>> {
  const whole = limit === null || count ? await read({}) : undefined;
  const headers: FurtherHeaders = whole !== undefined && count ? { 'graticule-total': `${whole.entries.length}` } : {};
  if (limit === null) {
    if (after !== null) throw problem('page-unknown', { reason: 'it requires the query parameter limit' });
    return { listed: whole ?? (await read({})), headers };
  }
  const from: Page = after === null ? {} : { after: decodePageEnd(after, scope) };
  const found = await read({ ...from, limit: limit + 1 });
  const entries = found.entries.slice(0, limit);
  const last = entries.at(-1);
  const hasMore = found.entries.length > limit && last !== undefined;
  return {
    listed: { ...found, entries },
    headers,
    ...(hasMore ? { next: { after: encodePageEnd(nameOf(last), scope) } } : {}),
  };
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
