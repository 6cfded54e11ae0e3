/** Determines the time extents of collections with short queries and caches them. */
import { setTimeout as delay } from 'node:timers/promises';
import type { VectorData } from '../../../../catalog/stores/vector-data.ts';
import type { ResolvedFilter } from '../../../../filter/model/resolved-filter.ts';
import { formatMoment } from '../../../../formats/writing/format-moment.ts';
import { yieldIfDue } from '../../../../lib/async/yield-if-due.ts';
import { createLruCache, type LruCache } from '../../../../lib/cache/lru-cache.ts';
import { Problem } from '../../../../lib/problems/problem.ts';
import { queryFeatures } from '../../../../vector/query/query-features.ts';
import { type OpenedType, openType } from '../../../access/open-type.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import type { FeaturesContext } from './features-context.ts';
import { findTimeAttributes, type TimeAttributes } from './time.ts';

/** In RFC 3339 format. */
export type TimeExtent = readonly [start: string, end: string];

/**
 * The cache lifetime, because databases change without notice, and the delay before a slow source is queried again.
 */
const CACHE_MS = 60_000;
const RETRY_AFTER_MS = 600_000;
/** The maximum number of queries per document; further collections are queried by later documents. */
const MAX_QUERIED = 4;

interface CachedExtent {
  readonly until: number;
  readonly extent: TimeExtent | undefined;
}

/** More than the number of collections that are requested within a minute. */
const MAX_CACHED = 10_000;

/** Keyed by the data of a server, then by the versions of store, type and layer. */
const extentCaches = new WeakMap<VectorData, LruCache<CachedExtent | Promise<CachedExtent>>>();

/** Returns the extents of collections that have a time attribute, are readable and are known in time. */
export async function loadTimeExtents(
  visit: FeaturesContext,
  types: readonly PublishedType[],
): Promise<ReadonlyMap<PublishedType, TimeExtent>> {
  const found = new Map<PublishedType, TimeExtent>();
  const asking: Promise<void>[] = [];
  for (const type of types) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    const time = findTimeAttributes(type);
    if (time === undefined) continue;
    const known = findCachedExtent(visit, type);
    const isKnown = known !== undefined && !(known instanceof Promise);
    // Read access is checked only if needed: a document can list a hundred thousand collections.
    if ((!isKnown && asking.length >= MAX_QUERIED) || !(await canRead(visit, type))) continue;
    if (isKnown) recordExtent(found, type, known);
    else asking.push((known ?? queryExtent(visit, type, time)).then((answer) => recordExtent(found, type, answer)));
  }
  if (asking.length > 0) {
    const patience = new AbortController();
    const impatience = delay(visit.extentTimes.patienceMs, undefined, { signal: patience.signal }).catch(
      () => undefined,
    );
    await Promise.race([Promise.all(asking), impatience]);
    patience.abort();
  }
  return new Map(found);
}

function recordExtent(found: Map<PublishedType, TimeExtent>, type: PublishedType, { extent }: CachedExtent): void {
  if (extent !== undefined) {
    found.set(type, extent);
  }
}

/** A principal can be permitted to discover a collection but not to read it. */
async function canRead({ featureAccess }: FeaturesContext, { qualifiedName }: PublishedType): Promise<boolean> {
  try {
    return (await featureAccess.find(qualifiedName, 'read')) !== undefined;
  } catch (error) {
    if (error instanceof Problem) {
      return false;
    }
    throw error;
  }
}

function findCachedExtent(
  { call, now }: FeaturesContext,
  type: PublishedType,
): CachedExtent | Promise<CachedExtent> | undefined {
  const found = extentCaches.get(call.services.vectorData)?.get(formatCacheKey(type));
  return found instanceof Promise || (found !== undefined && found.until > now().getTime()) ? found : undefined;
}

function formatCacheKey({ state, records: { store, type, layer } }: PublishedType): string {
  return [...[store, type, layer].map(({ id, version }) => `${id} ${version}`), state].join(' ');
}

/** Continues after the request has timed out, until its own time limit. */
function queryExtent(visit: FeaturesContext, type: PublishedType, time: TimeAttributes): Promise<CachedExtent> {
  const { vectorData } = visit.call.services;
  const extents = extentCaches.get(vectorData) ?? createLruCache<CachedExtent | Promise<CachedExtent>>(MAX_CACHED);
  extentCaches.set(vectorData, extents);
  const patience = AbortSignal.timeout(visit.extentTimes.budgetMs);
  const pendingExtent = readExtent(vectorData, type, time, patience)
    .catch(() => undefined)
    .then((extent) => {
      const answer = { extent, until: visit.now().getTime() + (patience.aborted ? RETRY_AFTER_MS : CACHE_MS) };
      extents.set(formatCacheKey(type), answer, 1);
      return answer;
    });
  extents.set(formatCacheKey(type), pendingExtent, 1);
  return pendingExtent;
}

async function readExtent(
  vectorData: VectorData,
  type: PublishedType,
  { start, end }: TimeAttributes,
  patience: AbortSignal,
): Promise<TimeExtent | undefined> {
  const opened = await openType(vectorData, type, patience);
  try {
    const first = await findOutermostTime(opened, start, 'first');
    const last = first && (await findOutermostTime(opened, end, 'last'));
    return first === undefined || last === undefined ? undefined : [first, last];
  } finally {
    opened.release();
  }
}

/** Returns undefined if no feature has a time. */
async function findOutermostTime(
  opened: OpenedType,
  attribute: string,
  side: 'first' | 'last',
): Promise<string | undefined> {
  const isNull = { kind: 'isNull', value: { kind: 'attribute', type: 'moment', name: attribute } } as const;
  const filter: ResolvedFilter = { kind: 'not', filter: isNull };
  const sort = [{ attribute, isDescending: side === 'last' }];
  const answer = await queryFeatures(opened, { filter, sort, limit: 1, attributes: [attribute] }, opened.signal);
  let found: string | undefined;
  for await (const [feature] of opened.withTimeout(answer.batches)) {
    const value = feature?.values[0] ?? null;
    found = value instanceof Date ? formatMoment(value, 'timestamp') : typeof value === 'string' ? value : undefined;
  }
  return found;
}
