/** Granules of mosaics in a database file of ours, read and written in threads. */
import type { WorkerPool } from '../../../workers/pool.ts';
import type { GranuleSession, MosaicIndex } from '../port.ts';
import { createTurns, type Turns } from '../turns.ts';
import { embeddedIndex } from './embedded-index.ts';
import { createSession } from './session.ts';
import { clearing, droppingMosaic, listingMosaics, type MosaicAddress } from './tasks.ts';
import { createVersionHolds, type VersionHolds } from './version-holds.ts';

export interface EmbeddedGranules {
  /** The key is of the caller's making, and names the mosaic for good. There need not be any index of it yet. */
  mosaic(key: string): MosaicIndex;
  /** Drops the mosaics that no record names; at the start, when nobody is about to make one. */
  keepOnly(keys: ReadonlySet<string>, signal: AbortSignal): Promise<void>;
}

export function openEmbeddedGranules(file: string, pool: WorkerPool): EmbeddedGranules {
  const turns = createTurns();
  const held = new Map<string, VersionHolds>();
  const holdsOf = (key: string): VersionHolds => {
    const known = held.get(key) ?? createVersionHolds();
    held.set(key, known);
    return known;
  };
  return {
    mosaic: (key) => embeddedMosaic({ file, mosaic: key }, pool, holdsOf(key), turns),
    async keepOnly(keys, signal) {
      for (const mosaic of await pool.run(listingMosaics, file, { deadlineMs: null })) {
        signal.throwIfAborted();
        if (!keys.has(mosaic)) await pool.run(droppingMosaic, { file, mosaic }, { deadlineMs: null });
      }
    },
  };
}

function embeddedMosaic(address: MosaicAddress, pool: WorkerPool, holds: VersionHolds, turns: Turns): MosaicIndex {
  const read: MosaicIndex['open'] = (schema, version) =>
    embeddedIndex({
      pool,
      address: { ...address, name: schema.name },
      schema,
      version,
      hold: () => holds.hold(version),
    });
  return {
    open: read,
    async startWriting(currentVersion, signal): Promise<GranuleSession> {
      const leave = await turns.wait(address.mosaic, signal);
      try {
        return await createSession({ address, pool, read, base: await currentVersion(), leave, signal });
      } catch (error) {
        leave();
        throw error;
      }
    },
    async clean(version, signal) {
      for (let isMore = true; isMore && !signal.aborted; ) {
        const mosaic = address;
        isMore = await pool.run(clearing, { mosaic, version: holds.leastFrom(version) }, { deadlineMs: null });
      }
    },
    async drop(signal) {
      // Whoever is still writing may be about to make an index.
      const leave = await turns.wait(address.mosaic, signal);
      try {
        await pool.run(droppingMosaic, address, { deadlineMs: null });
      } finally {
        leave();
      }
    },
    // The threads belong to the pool.
    close: async () => undefined,
  };
}
