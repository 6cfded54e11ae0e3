/** Pages of listings: what clients ask for, where a page ends, and how the next one is found. */
import { createHash } from 'node:crypto';
import { problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import {
  createFlagParameter,
  createIntegerParameter,
  createTextParameter,
  type QueryValues,
} from '../request/query.ts';
import type { FurtherHeaders } from './route.ts';

const MAX_LIMIT = 1_000;

/** Every listing takes these. */
export const pagingParameters = {
  limit: {
    ...createIntegerParameter('At most so many, in code-point order of their names.', 1, MAX_LIMIT),
    // Whoever forgets the number does not mean all of them.
    empty: 'refused' as const,
  },
  after: createTextParameter('Where the page before ended: the next link of its reply has it.'),
  count: createFlagParameter('Tell how many there are on all pages, in the header Graticule-Total.'),
};

export type PageQuery = QueryValues<typeof pagingParameters>;

/** A listing as it is read for a reply. */
export interface ReadPage<L> {
  /** What was read, with no more entries than were asked for. */
  readonly listed: L;
  /** The query of the next page, where there is one. */
  readonly next?: Readonly<Record<string, string>>;
  readonly headers: FurtherHeaders;
}

/** Reads as many entries as were asked for, and one more to know whether there are more. */
export async function readPage<R, L extends { readonly entries: readonly R[] }>(
  { limit, after, count }: PageQuery,
  /** Which listing it is: the end of a page of one means nothing to another. */
  scope: string,
  nameOf: (entry: R) => string,
  read: (page: Page) => Promise<L>,
): Promise<ReadPage<L>> {
  const whole = limit === null || count ? await read({}) : undefined;
  const headers: FurtherHeaders = whole !== undefined && count ? { 'graticule-total': `${whole.entries.length}` } : {};
  if (limit === null) {
    if (after !== null) throw problem('page-unknown', { reason: 'without limit there are no pages' });
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

/** Enough to tell what we have made from what somebody made up: nothing is lost where it cannot. */
const CHECK_BYTES = 9;

/** The end of a page as clients get it: the last name, which they were shown, and a checksum. */
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
