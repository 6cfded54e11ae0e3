/** Reads one index of the embedded database in threads, range by range; nothing stays open in between. */

import type { Bounds } from '../../../crs/bounds.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { mergeBounds } from '../../../geometry/geometry-bounds.ts';
import type { WorkerPool } from '../../../workers/pool.ts';
import type { Granule, GranuleIndex, GranuleQuery, GranuleSchema, GranuleValue } from '../port/port.ts';
import type { ResultKind, Stretch, StretchResult } from './read-rows.ts';
import { findCandidatesTask, type IndexAddress, readStretchTask, readValuesTask } from './tasks.ts';

/** The number of granules per batch, which takes some milliseconds on this thread. */
const GRANULES_PER_BATCH = 500;

/** The number of ids per task in a scan, which takes about ten milliseconds. */
const IDS_PER_BATCH = 50_000;

const CANDIDATES_PER_BATCH = 5_000;

export interface IndexReadOptions {
  readonly pool: WorkerPool;
  readonly address: IndexAddress;
  readonly schema: GranuleSchema;
  readonly version: number;
  /** Prevents the deletion of rows of this version until the returned function is called. */
  readonly hold: () => () => void;
}

export function createEmbeddedIndex(reading: IndexReadOptions): GranuleIndex {
  const { pool, address, schema, version } = reading;
  const readValues = (attribute: string, which: number | 'extremes', signal: AbortSignal) => {
    signal.throwIfAborted();
    return pool.run(readValuesTask, { index: address, attribute, version, which });
  };
  return {
    schema,
    async *list(query, signal) {
      for await (const { granules = [] } of readStretches(reading, query, 'granules', signal)) {
        if (granules.length > 0) yield granules;
      }
    },
    async find(id, signal): Promise<Granule | undefined> {
      const filter: ResolvedFilter = { kind: 'identifiers', identifiers: [id] };
      for await (const { granules = [] } of readStretches(reading, { filter, limit: 1 }, 'granules', signal)) {
        return granules[0];
      }
      return undefined;
    },
    async count(filter, signal) {
      let total = 0;
      const query = filter === undefined ? {} : { filter };
      for await (const { count } of readStretches(reading, query, 'count', signal)) total += count;
      return total;
    },
    async findBounds(query, signal): Promise<Bounds | undefined> {
      let bounds: Bounds | undefined;
      for await (const stretch of readStretches(reading, query, 'bounds', signal))
        bounds = mergeBounds(bounds, stretch.bounds);
      return bounds;
    },
    async findExtremes(attribute, signal) {
      const [least, greatest] = await readValues(attribute, 'extremes', signal);
      return least === undefined || greatest === undefined ? undefined : [least, greatest];
    },
    listDistinct: (attribute, limit, signal): Promise<readonly GranuleValue[]> => readValues(attribute, limit, signal),
  };
}

/** Reads the numbers of matching granules in batches. */
export async function* readMatchingIds(
  reading: IndexReadOptions,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly number[]> {
  const query = filter === undefined ? {} : { filter };
  for await (const { ids = [] } of readStretches(reading, query, 'ids', signal)) if (ids.length > 0) yield ids;
}

async function* readStretches(
  { pool, address, version, hold }: IndexReadOptions,
  { filter, limit = Number.MAX_SAFE_INTEGER, offset = 0 }: GranuleQuery,
  wanted: ResultKind,
  signal: AbortSignal,
): AsyncGenerator<StretchResult> {
  signal.throwIfAborted();
  if (limit <= 0) return;
  const letGo = hold();
  try {
    const candidates = await pool.run(findCandidatesTask, { index: address, filter, version });
    const last = candidates.kind === 'ids' ? (candidates.ids.at(-1) ?? 0) : candidates.last;
    let [left, skip, after, at] = [limit, offset, 0, 0];
    while (after < last && left > 0) {
      signal.throwIfAborted();
      let stretch: Stretch;
      if (candidates.kind === 'ids') {
        // The position at which the last range stopped.
        while ((candidates.ids[at] ?? last) <= after) at += 1;
        stretch = { ids: [...candidates.ids.subarray(at, at + CANDIDATES_PER_BATCH)] };
      } else {
        stretch = { after, upTo: Math.min(last, after + IDS_PER_BATCH) };
      }
      const most = wanted === 'granules' ? Math.min(left, GRANULES_PER_BATCH) : left;
      const result = await pool.run(readStretchTask, {
        index: address,
        query: { filter, version, stretch, skip, wanted: most },
        wanted,
      });
      // The index does not exist any more.
      if (result.last <= after) return;
      [left, skip, after] = [left - result.count, skip - result.skipped, result.last];
      yield result;
    }
  } finally {
    letGo();
  }
}
