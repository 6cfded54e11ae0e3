/** Treats the features of several queries as one sequence, of which a request reads a page. */

import { createHash } from 'node:crypto';
import type { FeatureSet } from '../../../formats/port/port.ts';
import { createLruCache, type LruCache } from '../../../lib/cache/lru-cache.ts';
import { formatAnyValue } from '../../../lib/json/format-any-value.ts';
import type { VectorSource } from '../../../vector/port/port.ts';
import { countFeatures } from '../../../vector/query/count-features.ts';
import type { FeatureQuery } from '../../../vector/query/feature-query.ts';
import { type FeatureQueryResult, mapFeatures, queryFeatures } from '../../../vector/query/query-features.ts';
import type { OpenedQuery } from './open-query.ts';
import { prefetchFirst } from './prefetch-first.ts';

/**
 * The maximum time that a page waits for the total count, which many clients page by; after that it is sent without.
 */
const COUNT_TIMEOUT_MS = 10_000;

export interface Page {
  readonly query: OpenedQuery;
  readonly set: FeatureSet;
  /** Whether more features match; certain once the page has been read. */
  hasNext(): boolean;
}

interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

/** The features of all queries are concatenated; a page may begin in one query and end in another. */
export async function openPages(
  queries: readonly OpenedQuery[],
  window: PageWindow,
  needs: 'counts' | 'nothing',
  now: () => Date,
): Promise<readonly Page[]> {
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) {
    const limit = Math.min(window.limit, only.maxFeatures);
    return [await openOnlyPage(only, { ...window, limit }, needs, now)];
  }
  const pages: Page[] = [];
  let { offset, limit } = window;
  for (const query of queries) {
    // The start of the next query depends on the number of features of this one.
    const matched = await countExactly(query);
    const own = { offset, limit: Math.min(limit, query.maxFeatures) };
    pages.push(createPage(query, own, await queryPage(query, own, {}), matched));
    offset = Math.max(0, offset - matched);
    limit -= Math.max(0, Math.min(own.limit, matched - own.offset));
  }
  return pages;
}

/** Continues after the previous page, and counts all features while reading if the source supports it. */
async function openOnlyPage(
  query: OpenedQuery,
  window: PageWindow,
  needs: 'counts' | 'nothing',
  now: () => Date,
): Promise<Page> {
  const { offset, limit } = window;
  const after = offset === 0 ? undefined : findPagePosition(query, offset, now());
  const answer = await queryPage(query, window, {
    ...(after === undefined ? {} : { after }),
    ...(needs === 'counts' ? { isCounted: true } : {}),
  });
  const isCounted = needs === 'counts' && (await query.opened.within(answer.isCounted));
  const unshaped = answer.unshaped.batches;
  const reading = isCounted ? await prefetchFirst(unshaped) : unshaped;
  const matched = needs === 'counts' ? (answer.getMatched() ?? (await countMatched(query))) : undefined;
  async function* iterateBatches(): FeatureQueryResult['batches'] {
    yield* reading;
    const { next } = answer.pages();
    if (next !== undefined) storePagePosition(query, offset + limit, next, now());
  }
  return createPage(query, window, mapFeatures(answer, iterateBatches), matched);
}

async function countMatched({ opened, filter }: OpenedQuery): Promise<number | undefined> {
  const countBatches = await countFeatures(opened, filter === undefined ? {} : { filter }, {
    signal: opened.signal,
    timeoutSignal: AbortSignal.timeout(COUNT_TIMEOUT_MS),
  });
  return countBatches.kind === 'exact' ? countBatches.count : undefined;
}

async function queryPage(
  { opened, filter, sort, attributes, crs }: OpenedQuery,
  { offset, limit }: PageWindow,
  { after, isCounted }: Pick<FeatureQuery, 'after' | 'isCounted'>,
): Promise<FeatureQueryResult> {
  const isPassed = offset > 0 && after === undefined;
  const answer = await queryFeatures(
    opened,
    {
      sort,
      ...(filter === undefined ? {} : { filter }),
      ...(attributes === undefined ? {} : { attributes }),
      ...(crs.name === undefined ? {} : { crs: crs.reference }),
      ...(isPassed ? { offset } : {}),
      ...(after === undefined ? {} : { after }),
      ...(Number.isFinite(limit) ? { limit } : {}),
      ...(isCounted === undefined ? {} : { isCounted }),
    },
    opened.signal,
  );
  return mapFeatures(answer, opened.withTimeout);
}

function createPage(
  query: OpenedQuery,
  { offset, limit }: PageWindow,
  answer: FeatureQueryResult,
  matched: number | undefined,
): Page {
  const { opened, crs } = query;
  const { published } = opened;
  let given = 0;
  let isRead = false;
  async function* counted(batches: FeatureSet['batches']): FeatureSet['batches'] {
    for await (const batch of batches) {
      given += batch.length;
      yield batch;
    }
    isRead = true;
  }
  const { batches, unshaped } = mapFeatures(answer, counted);
  const getTotal = (): number | undefined =>
    matched ?? (isRead && given < limit && (given > 0 || offset === 0) ? offset + given : undefined);
  const hasNext = (): boolean => (isRead ? answer.pages().next !== undefined : Number.isFinite(limit));
  return {
    query,
    hasNext: () => (matched === undefined ? hasNext() : offset + limit < matched),
    set: {
      typeName: { prefix: published.prefix, uri: published.namespace, local: published.name },
      description: answer.description,
      crs,
      batches,
      unshaped,
      // Formats that write the count after the features read it then.
      get numberMatched() {
        return getTotal();
      },
      ...(matched === undefined ? {} : { numberReturned: Math.max(0, Math.min(limit, matched - offset)) }),
    },
  };
}

export async function countExactly({ opened, filter }: OpenedQuery): Promise<number> {
  const never = new AbortController().signal;
  const query = filter === undefined ? {} : { filter };
  const counted = await countFeatures(opened, query, { signal: opened.signal, timeoutSignal: never });
  return counted.kind === 'unknown' ? 0 : counted.count;
}

/** The time a client takes to read a page. Features inserted before the position meanwhile do not move it. */
const POSITION_LIFETIME_MS = 60_000;

/** For all clients of one source. */
const MAX_POSITIONS = 1_000;

interface PagePosition {
  readonly key: string;
  readonly endedAt: number;
}

const positionCaches = new WeakMap<VectorSource, LruCache<PagePosition>>();

/** Returns the cursor if the page that ends before this index was read recently. */
function findPagePosition(query: OpenedQuery, index: number, now: Date): string | undefined {
  const place = positionCaches.get(query.opened.publication.source)?.get(computePositionKey(query, index));
  return place !== undefined && now.getTime() - place.endedAt <= POSITION_LIFETIME_MS ? place.key : undefined;
}

/**
 * Remembers where pages ended. A client requests the next page by its start index; a source finds a key directly but
 * must count up to an index.
 */
function storePagePosition(query: OpenedQuery, index: number, key: string, now: Date): void {
  const { source } = query.opened.publication;
  const known = positionCaches.get(source) ?? createLruCache<PagePosition>(MAX_POSITIONS);
  positionCaches.set(source, known);
  known.set(computePositionKey(query, index), { key, endedAt: now.getTime() }, 1);
}

/** The same features in the same order have the same key. */
function computePositionKey({ opened, filter, sort }: OpenedQuery, index: number): string {
  const { qualifiedName, state } = opened.published;
  return createHash('sha256')
    .update(formatAnyValue([qualifiedName, state, filter, sort, index]))
    .digest('base64url');
}
