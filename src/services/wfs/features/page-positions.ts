/**
 * Remembers where pages ended. A client requests the next page by its start index; a source finds a key directly but
 * must count up to an index.
 */
import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { createLruCache, type LruCache } from '../../../lib/cache/lru-cache.ts';
import type { VectorSource } from '../../../vector/port/port.ts';
import type { OpenedQuery } from './open-query.ts';

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
export function findPagePosition(query: OpenedQuery, index: number, now: Date): string | undefined {
  const place = positionCaches.get(query.opened.publication.source)?.get(computePositionKey(query, index));
  return place !== undefined && now.getTime() - place.endedAt <= POSITION_LIFETIME_MS ? place.key : undefined;
}

export function storePagePosition(query: OpenedQuery, index: number, key: string, now: Date): void {
  const { source } = query.opened.publication;
  const known = positionCaches.get(source) ?? createLruCache<PagePosition>(MAX_POSITIONS);
  positionCaches.set(source, known);
  known.set(computePositionKey(query, index), { key, endedAt: now.getTime() }, 1);
}

/** The same features in the same order have the same key. */
function computePositionKey({ opened, filter, sort }: OpenedQuery, index: number): string {
  const { qualifiedName, version } = opened.published;
  return createHash('sha256')
    .update(serialize([qualifiedName, version, filter, sort, index]))
    .digest('base64url');
}
