/** Reads one index of the embedded database, stretch by stretch in threads: nothing is kept open in between. */

import type { WorkerPool } from '../../../workers/pool.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/resolved-filter.ts';
import { mergeBounds } from '../../vector/geometry-bounds.ts';
import type { Granule, GranuleIndex, GranuleQuery, GranuleSchema, GranuleValue } from '../port.ts';
import type { Stretch, StretchResult, Wanted } from './read-rows.ts';
import { findingCandidates, type IndexAddress, readingStretch, readingValues } from './tasks.ts';

/** Granules that are handed over at once: some milliseconds of work for this thread. */
const GRANULES_AT_ONCE = 500;

/** Ids that are looked at in one piece of work when all are met one after the other: some ten milliseconds. */
const IDS_AT_ONCE = 50_000;

const CANDIDATES_AT_ONCE = 5_000;

export interface IndexReading {
  readonly pool: WorkerPool;
  readonly address: IndexAddress;
  readonly schema: GranuleSchema;
  readonly version: number;
  /** Holds back the clearing of what this version shows, until the function that comes back is called. */
  readonly hold: () => () => void;
}

export function embeddedIndex(reading: IndexReading): GranuleIndex {
  const { pool, address, schema, version } = reading;
  const values = (attribute: string, which: number | 'extremes', signal: AbortSignal) => {
    signal.throwIfAborted();
    return pool.run(readingValues, { index: address, attribute, version, which });
  };
  return {
    schema,
    async *list(query, signal) {
      for await (const { granules = [] } of stretches(reading, query, 'granules', signal)) {
        if (granules.length > 0) yield granules;
      }
    },
    async find(id, signal): Promise<Granule | undefined> {
      const filter: ResolvedFilter = { kind: 'identifiers', identifiers: [id] };
      for await (const { granules = [] } of stretches(reading, { filter, limit: 1 }, 'granules', signal)) {
        return granules[0];
      }
      return undefined;
    },
    async count(filter, signal) {
      let total = 0;
      const query = filter === undefined ? {} : { filter };
      for await (const { count } of stretches(reading, query, 'count', signal)) total += count;
      return total;
    },
    async bounds(query, signal): Promise<Bounds | undefined> {
      let bounds: Bounds | undefined;
      for await (const stretch of stretches(reading, query, 'bounds', signal))
        bounds = mergeBounds(bounds, stretch.bounds);
      return bounds;
    },
    async extremes(attribute, signal) {
      const [least, greatest] = await values(attribute, 'extremes', signal);
      return least === undefined || greatest === undefined ? undefined : [least, greatest];
    },
    distinct: (attribute, limit, signal): Promise<readonly GranuleValue[]> => values(attribute, limit, signal),
  };
}

/** The numbers in the ids of what fits, in pieces. */
export async function* matchingIds(
  reading: IndexReading,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly number[]> {
  const query = filter === undefined ? {} : { filter };
  for await (const { ids = [] } of stretches(reading, query, 'ids', signal)) if (ids.length > 0) yield ids;
}

async function* stretches(
  { pool, address, version, hold }: IndexReading,
  { filter, limit = Number.MAX_SAFE_INTEGER, offset = 0 }: GranuleQuery,
  wanted: Wanted,
  signal: AbortSignal,
): AsyncGenerator<StretchResult> {
  signal.throwIfAborted();
  if (limit <= 0) return;
  const letGo = hold();
  try {
    const candidates = await pool.run(findingCandidates, { index: address, filter, version });
    const last = candidates.kind === 'ids' ? (candidates.ids.at(-1) ?? 0) : candidates.last;
    let [left, skip, after, at] = [limit, offset, 0, 0];
    while (after < last && left > 0) {
      signal.throwIfAborted();
      let stretch: Stretch;
      if (candidates.kind === 'ids') {
        // Where the last stretch has stopped short.
        while ((candidates.ids[at] ?? last) <= after) at += 1;
        stretch = { ids: [...candidates.ids.subarray(at, at + CANDIDATES_AT_ONCE)] };
      } else {
        stretch = { after, upTo: Math.min(last, after + IDS_AT_ONCE) };
      }
      const most = wanted === 'granules' ? Math.min(left, GRANULES_AT_ONCE) : left;
      const result = await pool.run(readingStretch, {
        index: address,
        query: { filter, version, stretch, skip, wanted: most },
        wanted,
      });
      // An index that is not there any more.
      if (result.last <= after) return;
      [left, skip, after] = [left - result.count, skip - result.skipped, result.last];
      yield result;
    }
  } finally {
    letGo();
  }
}
