/** Granules of mosaics in a database file of ours, read and written in threads. */
import type { WorkerPool } from '../../../workers/pool.ts';
import { createKeyedLock, type KeyedLock } from '../port/keyed-lock.ts';
import type { GranuleSession, MosaicIndex } from '../port/port.ts';
import { createEmbeddedIndex } from './embedded-index.ts';
import { createSession } from './session.ts';
import { clearVersionsTask, dropMosaicTask, listMosaicsTask, listVersionsTask, type MosaicAddress } from './tasks.ts';
import { createVersionHolds, type VersionHolds } from './version-holds.ts';
import type { GranuleVersion } from './versions.ts';

export type { GranuleVersion } from './versions.ts';

export interface EmbeddedMosaicIndex extends MosaicIndex {
  /** Whether a version is there, whole. */
  has(version: number): Promise<boolean>;
}

/** Says which of its versions a mosaic still needs; the list may lack those of earlier days, and it may name them. */
export type FindNeededVersions = (key: string, versions: readonly GranuleVersion[]) => Promise<readonly number[]>;

export interface EmbeddedGranules {
  /** The key is of the caller's making, and names the mosaic for good. There need not be any index of it yet. */
  openMosaic(key: string): EmbeddedMosaicIndex;
  /** Clears away, in small steps, what is in no version that is needed or being read; mosaics that need none are dropped. */
  collect(needed: FindNeededVersions, signal: AbortSignal): Promise<void>;
  /** Lets go of connections. */
  close(): Promise<void>;
}

interface MosaicServices {
  readonly pool: WorkerPool;
  readonly turns: KeyedLock;
  readonly clock: () => number;
}

export function openEmbeddedGranules(file: string, pool: WorkerPool, clock: () => number): EmbeddedGranules {
  const parts: MosaicServices = { pool, turns: createKeyedLock(), clock };
  const held = new Map<string, VersionHolds>();
  const getHolds = (key: string): VersionHolds => {
    const known = held.get(key) ?? createVersionHolds();
    held.set(key, known);
    return known;
  };
  return {
    openMosaic: (key) => createEmbeddedMosaic({ file, mosaic: key }, parts, getHolds(key)),
    async collect(needed, signal) {
      for (const mosaic of await pool.run(listMosaicsTask, file, { deadlineMs: null })) {
        await collectMosaic({ file, mosaic }, parts, getHolds(mosaic), needed, signal);
      }
    },
    // The threads belong to the pool.
    close: async () => undefined,
  };
}

/** In its turn, so that nobody has a version that is committed and that no record names yet. */
async function collectMosaic(
  address: MosaicAddress,
  { pool, turns }: MosaicServices,
  holds: VersionHolds,
  needed: FindNeededVersions,
  signal: AbortSignal,
): Promise<void> {
  const leave = await turns.acquire(address.mosaic, signal);
  let kept: readonly number[];
  let upTo: number;
  try {
    const versions = await pool.run(listVersionsTask, address, { deadlineMs: null });
    kept = await needed(address.mosaic, versions);
    upTo = Math.max(0, ...kept, ...versions.map(({ version }) => version));
    if (kept.length === 0 && holds.listHeld().length === 0) {
      await pool.run(dropMosaicTask, address, { deadlineMs: null });
      return;
    }
  } finally {
    leave();
  }
  for (let isMore = true; isMore; ) {
    signal.throwIfAborted();
    const wanted = { mosaic: address, kept: [...kept, ...holds.listHeld()], upTo };
    isMore = await pool.run(clearVersionsTask, wanted, { deadlineMs: null });
  }
}

function createEmbeddedMosaic(
  address: MosaicAddress,
  { pool, turns, clock }: MosaicServices,
  holds: VersionHolds,
): EmbeddedMosaicIndex {
  const read: MosaicIndex['open'] = (schema, version) =>
    createEmbeddedIndex({
      pool,
      address: { ...address, schema },
      schema,
      version,
      hold: () => holds.hold(version),
    });
  return {
    open: read,
    async has(version) {
      const versions = await pool.run(listVersionsTask, address, { deadlineMs: null });
      return versions.some((each) => each.version === version);
    },
    async startWriting(currentVersion, signal): Promise<GranuleSession> {
      const leave = await turns.acquire(address.mosaic, signal);
      try {
        return await createSession({
          address,
          pool,
          read,
          base: await currentVersion(),
          clock,
          release: leave,
          signal,
        });
      } catch (error) {
        leave();
        throw error;
      }
    },
    async drop(signal) {
      // Whoever is still writing may be about to make an index.
      const leave = await turns.acquire(address.mosaic, signal);
      try {
        await pool.run(dropMosaicTask, address, { deadlineMs: null });
      } finally {
        leave();
      }
    },
    // The threads belong to the pool.
    close: async () => undefined,
  };
}
