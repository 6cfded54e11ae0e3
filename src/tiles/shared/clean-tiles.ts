/**
 * Deletes the tiles of all nodes that no request finds any more, and the oldest beyond the size limit. A deleted tile is
 * drawn again, so an outdated list of tiles does no harm.
 */
import { findGeneration, type InvalidatedRanges } from '../cache/tile-invalidations.ts';
import { parseSharedTileKey } from '../cache/tile-key.ts';
import type { StoredTile, TileStore } from './tile-store.ts';

export interface TileCleaning {
  readonly store: Pick<TileStore, 'list' | 'delete'>;
  readonly prefix: string;
  readonly listRanges: (map: string) => Promise<InvalidatedRanges>;
  readonly nowMs: number;
  readonly maxBytes: number;
  /** Older tiles are deleted. */
  readonly maxAgeMs: number;
  readonly signal: AbortSignal;
}

export interface CleanedTiles {
  readonly tiles: number;
  readonly bytes: number;
  readonly deleted: number;
}

/** The fraction of the limit that is freed additionally, so that the store is not full again at once. */
const SPARE = 0.05;

/** Tiles of one hour are deleted together, so that the memory does not depend on the number of tiles. */
const AGE_STEP_MS = 3_600_000;

/** Stores have no common request for several keys. */
const DELETED_AT_ONCE = 16;

export async function cleanTiles(cleaning: TileCleaning): Promise<CleanedTiles> {
  const { maxBytes } = cleaning;
  const bytesByAge = new Map<number, number>();
  const kept = await deleteTiles(cleaning, (tile, isOutdated) => {
    if (isOutdated) return true;
    const step = getAgeStep(tile);
    bytesByAge.set(step, (bytesByAge.get(step) ?? 0) + tile.bytes);
    return false;
  });
  if (kept.bytes <= maxBytes) return kept;
  const oldest = findOldestSteps(bytesByAge, kept.bytes - maxBytes * (1 - SPARE));
  const left = await deleteTiles(cleaning, (tile, isOutdated) => isOutdated || getAgeStep(tile) <= oldest);
  return { ...left, deleted: kept.deleted + left.deleted };
}

function getAgeStep({ modifiedAtMs }: StoredTile): number {
  return Math.floor(modifiedAtMs / AGE_STEP_MS);
}

/** Returns the last of the steps that contain so many bytes. */
function findOldestSteps(bytesByAge: ReadonlyMap<number, number>, bytes: number): number {
  let sum = 0;
  for (const [step, size] of [...bytesByAge].sort(([one], [other]) => one - other)) {
    sum += size;
    if (sum >= bytes) return step;
  }
  return Number.POSITIVE_INFINITY;
}

async function deleteTiles(
  { store, prefix, listRanges, nowMs, maxAgeMs, signal }: TileCleaning,
  isDeleted: (tile: StoredTile, isOutdated: boolean) => boolean,
): Promise<CleanedTiles> {
  let [tiles, bytes, deleted] = [0, 0, 0];
  for await (const listed of store.list(prefix, signal)) {
    const chosen: string[] = [];
    for (const tile of listed) {
      const place = parseSharedTileKey(tile.key.slice(prefix.length));
      const isOutdated =
        place === undefined ||
        nowMs - tile.modifiedAtMs > maxAgeMs ||
        place.generation < findGeneration(await listRanges(place.map), place);
      if (isDeleted(tile, isOutdated)) chosen.push(tile.key);
      else [tiles, bytes] = [tiles + 1, bytes + tile.bytes];
    }
    for (let at = 0; at < chosen.length; at += DELETED_AT_ONCE) {
      signal.throwIfAborted();
      await Promise.all(chosen.slice(at, at + DELETED_AT_ONCE).map((key) => store.delete(key)));
    }
    deleted += chosen.length;
  }
  return { tiles, bytes, deleted };
}
