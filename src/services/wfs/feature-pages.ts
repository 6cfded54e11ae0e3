/** The features of several queries as one row of features, of which a request wants some: its page. */
import type { FeatureSet } from '../../data/encode/port.ts';
import { countFeatures } from '../../data/vector/query/count-features.ts';
import { queryFeatures } from '../../data/vector/query/query-features.ts';
import type { OpenedQuery } from './open-query.ts';

/** How long a page waits for the number of all features, which many clients page by; a page without it is worth more then. */
const COUNT_PATIENCE_MS = 10_000;

export interface Page {
  readonly query: OpenedQuery;
  readonly set: FeatureSet;
  /** Whether more of its features fit; known for sure once it has been read. */
  hasNext(): boolean;
}

interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** The features of all queries stand one behind the other; a page may begin in one and end in another. */
export async function pagesOf(
  queries: readonly OpenedQuery[],
  window: Window,
  needs: 'counts' | 'nothing',
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let { offset, limit } = window;
  for (const query of queries) {
    // Where the next query begins depends on how many features this one has.
    const isCounted = needs === 'counts' || queries.length > 1;
    const matched = isCounted ? await matchedBy(query, queries.length > 1) : undefined;
    const own = { offset, limit: Math.min(limit, query.maxFeatures) };
    pages.push(await pageOf(query, own, matched));
    const returned = matched === undefined ? 0 : Math.max(0, Math.min(own.limit, matched - offset));
    offset = Math.max(0, offset - (matched ?? 0));
    limit -= returned;
  }
  return pages;
}

async function matchedBy(query: OpenedQuery, isNeeded: boolean): Promise<number | undefined> {
  if (isNeeded) return exactCount(query);
  const { opened, filter } = query;
  const counted = await countFeatures(opened, filter === undefined ? {} : { filter }, {
    signal: opened.signal,
    patience: AbortSignal.timeout(COUNT_PATIENCE_MS),
  });
  return counted.kind === 'exact' ? counted.count : undefined;
}

async function pageOf(query: OpenedQuery, { offset, limit }: Window, matched: number | undefined): Promise<Page> {
  const { opened, filter, sort, attributes, crs } = query;
  const { published } = opened;
  const isCut = Number.isFinite(limit);
  const answer = await queryFeatures(
    opened,
    {
      sort,
      ...(filter === undefined ? {} : { filter }),
      ...(attributes === undefined ? {} : { attributes }),
      ...(crs.name === undefined ? {} : { crs: crs.reference }),
      ...(offset === 0 ? {} : { offset }),
      ...(isCut ? { limit } : {}),
    },
    opened.signal,
  );
  let given = 0;
  let isRead = false;
  async function* counted(): FeatureSet['batches'] {
    for await (const batch of opened.inTime(answer.batches)) {
      given += batch.length;
      yield batch;
    }
    isRead = true;
  }
  const total = (): number | undefined => matched ?? (isRead && given < limit ? offset + given : undefined);
  return {
    query,
    hasNext: () =>
      matched === undefined ? (isRead ? answer.pages().next !== undefined : isCut) : offset + limit < matched,
    set: {
      typeName: { prefix: published.prefix, uri: published.namespace, local: published.name },
      description: answer.description,
      crs,
      batches: counted(),
      // Formats that tell of it behind the features know it then.
      get numberMatched() {
        return total();
      },
      ...(matched === undefined ? {} : { numberReturned: Math.max(0, Math.min(limit, matched - offset)) }),
    },
  };
}

export async function exactCount({ opened, filter }: OpenedQuery): Promise<number> {
  const never = new AbortController().signal;
  const query = filter === undefined ? {} : { filter };
  const counted = await countFeatures(opened, query, { signal: opened.signal, patience: never });
  return counted.kind === 'unknown' ? 0 : counted.count;
}
