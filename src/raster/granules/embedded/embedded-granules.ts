/** Granules of mosaics in a database file, read and written in threads. */
import type { WorkerPool } from '../../../workers/pool.ts';
import { createKeyedLock, type KeyedLock } from '../port/keyed-lock.ts';
import type { GranuleSession, MosaicIndex } from '../port/port.ts';
import { createEmbeddedIndex } from './embedded-index.ts';
import { createSession } from './session.ts';
import { clearVersionsTask, dropMosaicTask, listMosaicsTask, listVersionsTask, type MosaicAddress } from './tasks.ts';
import type { GranuleVersion } from './versions.ts';

export type { GranuleVersion } from './versions.ts';

export interface EmbeddedMosaicIndex extends MosaicIndex {
  /** Returns whether a version exists completely. */
  has(version: number): Promise<boolean>;
}

/**
 * Returns the versions that a mosaic still needs. The list may lack versions of earlier layouts, which the result may
 * contain.
 */
export type FindNeededVersions = (key: string, versions: readonly GranuleVersion[]) => Promise<readonly number[]>;

export interface EmbeddedGranules {
  /** The caller chooses the key, which identifies the mosaic permanently. The mosaic may have no index yet. */
  openMosaic(key: string): EmbeddedMosaicIndex;
  /**
   * Deletes, in small steps, rows that are in no needed version and not being read; drops mosaics that need no version.
   */
  collect(needed: FindNeededVersions, signal: AbortSignal): Promise<void>;
  /** Closes connections. */
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
        await collectMosaic({ file, mosaic }, parts, { holds: getHolds(mosaic), needed }, signal);
      }
    },
    // The threads belong to the pool.
    close: async () => undefined,
  };
}

/** Runs under the write lock, so that no committed version is without a reference in its record. */
async function collectMosaic(
  address: MosaicAddress,
  { pool, turns }: MosaicServices,
  { holds, needed }: { readonly holds: VersionHolds; readonly needed: FindNeededVersions },
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
      // A running session may still create an index.
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

interface VersionHolds {
  /** The returned function releases the version. */
  hold(version: number): () => void;
  listHeld(): readonly number[];
}

/** The versions that are being read, whose rows are not deleted. */
function createVersionHolds(): VersionHolds {
  const counts = new Map<number, number>();
  return {
    hold(version) {
      counts.set(version, (counts.get(version) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (counts.get(version) ?? 1) - 1;
        if (left === 0) counts.delete(version);
        else counts.set(version, left);
      };
    },
    listHeld: () => [...counts.keys()],
  };
}
