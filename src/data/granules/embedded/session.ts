/** Writes into the indexes of one mosaic under a version that nobody has had before. */
import type { WorkerPool } from '../../../workers/pool.ts';
import type { GranuleSchema, GranuleSession, MosaicIndex } from '../port.ts';
import { matchingIds } from './embedded-index.ts';
import {
  addingGranules,
  beginningVersion,
  endingVersion,
  findingLocations,
  type IndexAddress,
  type MosaicAddress,
  makingIndex,
  removingFormer,
  removingGranules,
  repeatingVersion,
  syncing,
  takingBack,
} from './tasks.ts';

/** Granules that one transaction takes: some ten milliseconds, in which no other mosaic is written. */
const GRANULES_AT_ONCE = 2_000;

/** Ids or locations. */
const PLACES_AT_ONCE = 5_000;

export interface SessionOptions {
  readonly address: MosaicAddress;
  readonly pool: WorkerPool;
  readonly read: MosaicIndex['open'];
  readonly base: number;
  readonly clock: () => number;
  /** Lets the next one in. */
  readonly leave: () => void;
  readonly signal: AbortSignal;
}

export async function createSession(options: SessionOptions): Promise<GranuleSession> {
  const { address, pool, read, base, clock, leave, signal } = options;
  const usual = { deadlineMs: null };
  const indexAddress = (schema: GranuleSchema): IndexAddress => ({ ...address, schema });

  const takeBack = async (version: number): Promise<void> => {
    while (await pool.run(takingBack, { mosaic: address, version }, usual));
  };

  /** What somebody has left who came to an end too early is taken back first. */
  const beginVersion = async (): Promise<number> => {
    for (;;) {
      const begun = await pool.run(beginningVersion, { mosaic: address, base, atMs: clock() }, usual);
      if ('version' in begun) return begun.version;
      await takeBack(begun.unended);
    }
  };

  const first = await beginVersion();
  const own = [first];
  // Where a change was taken back the record names an earlier version than the last: that is shown again first.
  if (base < first - 1) {
    let place: Parameters<typeof repeatingVersion.work>[0]['place'] | undefined = { index: 0, after: 0 };
    while (place !== undefined)
      place = await pool.run(repeatingVersion, { mosaic: address, from: base, version: first, place }, usual);
    await pool.run(endingVersion, { mosaic: address, version: first }, usual);
    own.push(await beginVersion());
  }
  const version = own.at(-1) ?? first;
  const takeAllBack = async (): Promise<void> => {
    for (const each of own.splice(0).toReversed()) await takeBack(each);
  };
  let isCommitted = false;
  return {
    base,
    version,
    async createIndex(schema) {
      signal.throwIfAborted();
      await pool.run(makingIndex, { mosaic: address, schema, base }, usual);
    },
    async add(schema, granules) {
      for (const drafts of inPieces(granules, GRANULES_AT_ONCE)) {
        signal.throwIfAborted();
        await pool.run(addingGranules, { index: indexAddress(schema), version, drafts }, usual);
      }
    },
    async removeFormer(schema, locations) {
      for (const some of inPieces(locations, PLACES_AT_ONCE)) {
        signal.throwIfAborted();
        await pool.run(removingFormer, { index: indexAddress(schema), version, locations: some }, usual);
      }
    },
    async remove(schema, filter) {
      const reading = { pool, address: indexAddress(schema), schema, version, hold: () => () => undefined };
      let removed = 0;
      for await (const found of matchingIds(reading, filter, signal)) {
        removed += found.length;
        for (const ids of inPieces(found, PLACES_AT_ONCE)) {
          await pool.run(removingGranules, { index: indexAddress(schema), version, ids }, usual);
        }
      }
      return removed;
    },
    read: (schema) => read(schema, version),
    async locationsInUse(schemas, locations) {
      return new Set(await pool.run(findingLocations, { mosaic: address, schemas, locations, version }, usual));
    },
    async commit() {
      signal.throwIfAborted();
      await pool.run(endingVersion, { mosaic: address, version }, usual);
      await pool.run(syncing, address.file, usual);
      isCommitted = true;
    },
    async rollback() {
      isCommitted = false;
      await takeAllBack();
    },
    async end() {
      try {
        if (!isCommitted) await takeAllBack();
      } finally {
        leave();
      }
    },
  };
}

function* inPieces<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.length <= size ? items : items.slice(at, at + size);
}
