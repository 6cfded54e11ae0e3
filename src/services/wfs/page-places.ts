/**
 * Where pages of WFS end, for whoever asks for the next one by the number of its first feature: a source finds the place of
 * a key at once, and has to count up to a number.
 */
import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import type { VectorSource } from '../../data/vector/port.ts';
import { createRecentlyUsed, type RecentlyUsed } from '../../lib/recently-used.ts';
import type { OpenedQuery } from './open-query.ts';

/** As long as a client takes to read a page; features that others have put before the place meanwhile do not move it. */
const KEPT_MS = 60_000;

/** Of all clients of one source. */
const MOST_PLACES = 1_000;

interface Place {
  readonly key: string;
  readonly endedAt: number;
}

const places = new WeakMap<VectorSource, RecentlyUsed<Place>>();

/** For `after`, where the page that ends before this number has been read a short while ago. */
export function placeBefore(query: OpenedQuery, index: number, now: Date): string | undefined {
  const place = places.get(query.opened.publication.source)?.get(nameOf(query, index));
  return place !== undefined && now.getTime() - place.endedAt <= KEPT_MS ? place.key : undefined;
}

export function rememberPlace(query: OpenedQuery, index: number, key: string, now: Date): void {
  const { source } = query.opened.publication;
  const known = places.get(source) ?? createRecentlyUsed<Place>(MOST_PLACES);
  places.set(source, known);
  known.set(nameOf(query, index), { key, endedAt: now.getTime() }, 1);
}

/** The same features in the same order have the same name. */
function nameOf({ opened, filter, sort }: OpenedQuery, index: number): string {
  const { qualifiedName, version } = opened.published;
  return createHash('sha256')
    .update(serialize([qualifiedName, version, filter, sort, index]))
    .digest('base64url');
}
