/** Writes the indexes of one mosaic under a new version. */
import type { WorkerPool } from '../../../workers/pool.ts';
import type { GranuleSchema, GranuleSession, MosaicIndex } from '../port/port.ts';
import { readMatchingIds } from './embedded-index.ts';
import {
  addGranulesTask,
  beginVersionTask,
  endVersionTask,
  findLocationsTask,
  type IndexAddress,
  type MosaicAddress,
  makeIndexTask,
  removeFormerTask,
  removeGranulesTask,
  repeatVersionTask,
  rollbackVersionTask,
  syncDatabaseTask,
} from './tasks.ts';

/** The number of granules per transaction, which takes about ten milliseconds and blocks writes of other mosaics. */
const GRANULES_PER_BATCH = 2_000;

/** The number of ids or locations per transaction. */
const ITEMS_PER_BATCH = 5_000;

export interface SessionOptions {
  readonly address: MosaicAddress;
  readonly pool: WorkerPool;
  readonly read: MosaicIndex['open'];
  readonly base: number;
  readonly clock: () => number;
  /** Releases the write lock. */
  readonly release: () => void;
  readonly signal: AbortSignal;
}

export async function createSession(options: SessionOptions): Promise<GranuleSession> {
  const { address, pool, read, base, clock, release: leave, signal } = options;
  const usual = { deadlineMs: null };
  const toIndexAddress = (schema: GranuleSchema): IndexAddress => ({ ...address, schema });

  const rollbackVersion = async (version: number): Promise<void> => {
    while (await pool.run(rollbackVersionTask, { mosaic: address, version }, usual));
  };

  /** Rolls back the remains of interrupted sessions first. */
  const beginVersion = async (): Promise<number> => {
    for (;;) {
      const started = await pool.run(beginVersionTask, { mosaic: address, base, atMs: clock() }, usual);
      if ('version' in started) return started.version;
      await rollbackVersion(started.unended);
    }
  };

  const first = await beginVersion();
  const own = [first];
  // After an undo, the record refers to an earlier version than the last: that one is restored first.
  if (base < first - 1) {
    let place: Parameters<typeof repeatVersionTask.work>[0]['place'] | undefined = { index: 0, after: 0 };
    while (place !== undefined)
      place = await pool.run(repeatVersionTask, { mosaic: address, from: base, version: first, place }, usual);
    await pool.run(endVersionTask, { mosaic: address, version: first }, usual);
    own.push(await beginVersion());
  }
  const version = own.at(-1) ?? first;
  const rollbackAllVersions = async (): Promise<void> => {
    for (const each of own.splice(0).toReversed()) await rollbackVersion(each);
  };
  let isCommitted = false;
  return {
    base,
    version,
    async createIndex(schema) {
      signal.throwIfAborted();
      await pool.run(makeIndexTask, { mosaic: address, schema, base }, usual);
    },
    async add(schema, granules) {
      for (const drafts of splitIntoBatches(granules, GRANULES_PER_BATCH)) {
        signal.throwIfAborted();
        await pool.run(addGranulesTask, { index: toIndexAddress(schema), version, drafts }, usual);
      }
    },
    async removeFormer(schema, locations) {
      for (const some of splitIntoBatches(locations, ITEMS_PER_BATCH)) {
        signal.throwIfAborted();
        await pool.run(removeFormerTask, { index: toIndexAddress(schema), version, locations: some }, usual);
      }
    },
    async remove(schema, filter) {
      const reading = { pool, address: toIndexAddress(schema), schema, version, hold: () => () => undefined };
      let removed = 0;
      for await (const found of readMatchingIds(reading, filter, signal)) {
        removed += found.length;
        for (const ids of splitIntoBatches(found, ITEMS_PER_BATCH)) {
          await pool.run(removeGranulesTask, { index: toIndexAddress(schema), version, ids }, usual);
        }
      }
      return removed;
    },
    read: (schema) => read(schema, version),
    async findUsedLocations(schemas, locations) {
      return new Set(await pool.run(findLocationsTask, { mosaic: address, schemas, locations, version }, usual));
    },
    async commit() {
      signal.throwIfAborted();
      await pool.run(endVersionTask, { mosaic: address, version }, usual);
      await pool.run(syncDatabaseTask, address.file, usual);
      isCommitted = true;
    },
    async rollback() {
      isCommitted = false;
      await rollbackAllVersions();
    },
    async end() {
      try {
        if (!isCommitted) await rollbackAllVersions();
      } finally {
        leave();
      }
    },
  };
}

function* splitIntoBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.length <= size ? items : items.slice(at, at + size);
}
