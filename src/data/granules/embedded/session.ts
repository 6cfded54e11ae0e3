/** Writes into the indexes of one mosaic under the version after the one that its record names. */
import type { WorkerPool } from '../../../workers/pool.ts';
import type { GranuleSession, MosaicIndex } from '../port.ts';
import { matchingIds } from './embedded-index.ts';
import {
  addingGranules,
  findingLocations,
  type IndexAddress,
  type MosaicAddress,
  makingIndex,
  removingFormer,
  removingGranules,
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
  /** Lets the next one in. */
  readonly leave: () => void;
  readonly signal: AbortSignal;
}

export async function createSession(options: SessionOptions): Promise<GranuleSession> {
  const { address, pool, read, base, leave, signal } = options;
  const version = base + 1;
  const usual = { deadlineMs: null };
  const indexAddress = (name: string): IndexAddress => ({ ...address, name });

  /** Whatever is there beyond the version that the record names belongs to somebody who came to an end too early. */
  const takeBack = async (): Promise<void> => {
    while (await pool.run(takingBack, { mosaic: address, version: base }, usual));
  };

  await takeBack();
  let isClean = true;
  let isCommitted = false;
  return {
    base,
    version,
    async createIndex(schema) {
      signal.throwIfAborted();
      await pool.run(makingIndex, { mosaic: address, schema, base }, usual);
    },
    async add(schema, granules) {
      isClean = false;
      for (const drafts of inPieces(granules, GRANULES_AT_ONCE)) {
        signal.throwIfAborted();
        await pool.run(addingGranules, { index: indexAddress(schema.name), version, drafts }, usual);
      }
    },
    async removeFormer(schema, locations) {
      isClean = false;
      for (const some of inPieces(locations, PLACES_AT_ONCE)) {
        signal.throwIfAborted();
        await pool.run(removingFormer, { index: indexAddress(schema.name), version, locations: some }, usual);
      }
    },
    async remove(schema, filter) {
      isClean = false;
      const reading = { pool, address: indexAddress(schema.name), schema, version, hold: () => () => undefined };
      let removed = 0;
      for await (const found of matchingIds(reading, filter, signal)) {
        removed += found.length;
        for (const ids of inPieces(found, PLACES_AT_ONCE)) {
          await pool.run(removingGranules, { index: indexAddress(schema.name), version, ids }, usual);
        }
      }
      return removed;
    },
    read: (schema) => read(schema, version),
    async locationsInUse(schemas, locations) {
      const names = schemas.map(({ name }) => name);
      return new Set(await pool.run(findingLocations, { mosaic: address, names, locations, version }, usual));
    },
    async commit() {
      signal.throwIfAborted();
      await pool.run(syncing, address.file, usual);
      isCommitted = true;
    },
    async rollback() {
      isCommitted = false;
      if (isClean) return;
      await takeBack();
      isClean = true;
    },
    async end() {
      try {
        if (!isCommitted && !isClean) await takeBack();
      } finally {
        leave();
      }
    },
  };
}

function* inPieces<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.length <= size ? items : items.slice(at, at + size);
}
