/**
 * Caches tiles on disk, keyed by everything they were created from: a request with another recipe, or after an
 * invalidation, does not find them. Beyond the size limit the least recently used tiles are evicted. All tiles can be
 * created again.
 */
import { hash, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { type CachedTile, readTileFile, writeTileFile } from './tile-file.ts';
import { findGeneration, type InvalidatedRanges, type TileInvalidations } from './tile-invalidations.ts';
import { FOLDERS, formatTilePath, parseTilePath, type TileKey, type TileLevel, type TileRange } from './tile-key.ts';

export interface TileCache {
  /** Returns undefined for a missing, damaged or outdated tile. The recipe identifies all inputs of the tile. */
  find(place: TileKey, recipe: string, maxAgeMs?: number): Promise<CachedTile | undefined>;
  /** Does the same with tiles in memory only. */
  findInMemory(place: TileKey, recipe: string, maxAgeMs?: number): CachedTile | undefined;
  /** Increases with every invalidation on any node. */
  getGeneration(): number;
  /** Returns the generation of a level: tiles of earlier generations are not returned. */
  readGeneration(place: TileLevel): Promise<number>;
  /** Errors are not reported to the caller: a tile that is not cached is created again by the next request. */
  write(place: TileKey, recipe: string, bytes: Uint8Array): Promise<void>;
  /** Resolves when no node returns the tiles any more; their files are deleted in the background. */
  invalidate(range: TileRange): Promise<void>;
  /** Resolves after pending deletions. */
  getUsage(): Promise<{ readonly tiles: number; readonly bytes: number; readonly maxBytes: number }>;
  /** Resolves when all writes are complete. */
  close(): Promise<void>;
}

/** The disk operations of the cache. */
export interface TileDisk {
  findStatus(path: string): Promise<{ readonly modifiedAtMs: number; readonly bytes: number } | undefined>;
  /** Returns an empty list for a missing folder. */
  listNames(folder: string): Promise<readonly string[]>;
  /** Returns undefined for a missing file. */
  readBytes(file: string): Promise<Buffer | undefined>;
  /** Creates one folder unless it exists. */
  makePrivateFolder(path: string): Promise<void>;
  writeUnsynced(file: string, content: Uint8Array): Promise<void>;
  /** Renames a file and replaces an existing one. */
  move(from: string, to: string): Promise<void>;
  /** Sets the modification time to now. */
  touch(file: string): Promise<void>;
  removeFile(file: string): Promise<boolean>;
  removeEmptyFolder(path: string): Promise<void>;
  removeTree(path: string): Promise<void>;
}

export interface TileCacheOptions {
  /** False while the remaining disk space is reserved for deletions. */
  readonly hasRoom?: () => boolean;
  readonly forgotten: TileInvalidations;
  /** Created with the first tile. */
  readonly folder: string;
  readonly disk: TileDisk;
  readonly clock: () => number;
  /** The version of the software, because another release may draw different tiles. */
  readonly maker: string;
  /** The size limit on disk; 0 disables the cache. */
  readonly maxBytes: number;
  /** The size limit of frequently requested tiles in memory. */
  readonly maxMemoryBytes: number;
  /** Called for disk errors. */
  readonly onError: (reason: unknown) => void;
}

/** The minimum allocation of a file on disk. */
const BLOCK_BYTES = 4_096;

/** The interval for updating the modification time of used tiles, which orders them after a restart. */
const TOUCHED_EVERY_MS = 3_600_000;

/** The fraction of the limit that an eviction frees additionally, so that tiles are not evicted one by one. */
const SPARE = 0.05;

/** Long enough to rule out collisions of recipe hashes. */
const RECIPE_DIGITS = 32;

/** The folder of incomplete files. */
const INCOMING = 'incoming';

interface Entry {
  readonly bytes: number;
  touchedAtMs: number;
}

/** The file may have been deleted, or may still be being written. */
function ignoreMissing(reason: unknown): void {
  if (findErrorCode(reason) !== 'ENOENT') throw reason;
}

export function openTileCache(options: TileCacheOptions): TileCache {
  const { forgotten, folder, disk, clock, maxBytes, onError: failed, hasRoom = () => true } = options;
  // By path, in order of last use.
  const entries = new Map<string, Entry>();
  const recent = createLruCache<CachedTile>(options.maxMemoryBytes);
  let used = 0;
  let lastUsed: string | undefined;
  let isClosed = false;
  let listing: Promise<void> | undefined;
  let clearing: Promise<void> | undefined;
  const underWay = new Set<Promise<void>>();
  /** The last invalidation whose files were deleted or are being deleted, by map. */
  const cleared = new Map<string, number>();
  let clears = Promise.resolve();

  /** Runs work that only close() waits for. */
  function runInBackground(work: () => Promise<void>): Promise<void> {
    const ended = work()
      .catch(failed)
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
    return ended;
  }

  function recordEntry(path: string, size: number, touchedAtMs: number): void {
    removeEntry(path);
    const bytes = Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    entries.set(path, { bytes, touchedAtMs });
    lastUsed = path;
    used += bytes;
  }

  function removeEntry(path: string): void {
    used -= entries.get(path)?.bytes ?? 0;
    entries.delete(path);
  }

  /** Deletes incomplete files of a previous run. */
  function deleteIncoming(): Promise<void> {
    clearing ??= disk.removeTree(join(folder, INCOMING));
    return clearing;
  }

  /**
   * Reads the files of a previous run. Starts with the first tile, because a start must not wait for a million files.
   */
  function loadEntries(): Promise<void> {
    listing ??= runInBackground(async () => {
      await deleteIncoming();
      const found: { readonly path: string; readonly size: number; readonly atMs: number }[] = [];
      for await (const parts of listFiles([])) {
        const path = join(...parts);
        if (isClosed) return;
        const status = entries.has(path) ? undefined : await disk.findStatus(join(folder, path));
        if (status !== undefined) found.push({ path, size: status.bytes, atMs: status.modifiedAtMs });
      }
      const ofThisRun = [...entries];
      entries.clear();
      used = 0;
      found.sort((one, other) => one.atMs - other.atMs);
      for (const { path, size, atMs } of found) recordEntry(path, size, atMs);
      for (const [path, { bytes, touchedAtMs }] of ofThisRun) recordEntry(path, bytes, touchedAtMs);
      await evictOldest();
    });
    return listing;
  }

  async function* listFiles(path: readonly string[]): AsyncGenerator<readonly string[]> {
    for (const name of await disk.listNames(join(folder, ...path))) {
      if (path.length === 0 && name === INCOMING) continue;
      if (path.length === FOLDERS) yield [...path, name];
      else yield* listFiles([...path, name]);
    }
  }

  async function remove(path: string): Promise<void> {
    removeEntry(path);
    await disk.removeFile(join(folder, path));
    await disk.removeEmptyFolder(dirname(join(folder, path)));
  }

  /**
   * Returns the invalidated ranges of a map, and deletes their files in the background; other nodes may have added
   * them.
   */
  async function loadInvalidated(map: string): Promise<InvalidatedRanges> {
    const list = await forgotten.listRanges(map);
    const last = list.reduce((most, [number]) => Math.max(most, number), 0);
    if (last > (cleared.get(map) ?? 0)) {
      cleared.set(map, last);
      const before = clears;
      clears = runInBackground(() => before.then(() => deleteOutdated(map, list)));
    }
    return list;
  }

  async function deleteOutdated(map: string, list: InvalidatedRanges): Promise<void> {
    await loadEntries();
    for await (const path of listFiles([map])) {
      const place = parseTilePath(path);
      if (isClosed) return;
      if (place.generation < findGeneration(list, place)) await remove(join(...path));
    }
  }

  async function evictOldest(): Promise<void> {
    if (used <= maxBytes) return;
    for (const path of entries.keys()) {
      if (used <= maxBytes * (1 - SPARE)) return;
      await remove(path);
    }
  }

  function markUsed(path: string, size: number): void {
    const known = entries.get(path);
    const now = clock();
    const isRecent = known !== undefined && now - known.touchedAtMs < TOUCHED_EVERY_MS;
    if (isRecent && path === lastUsed) return;
    recordEntry(path, known?.bytes ?? size, isRecent ? known.touchedAtMs : now);
    if (!isRecent) void runInBackground(() => disk.touch(join(folder, path)).catch(ignoreMissing));
  }

  /** Cached by object, which is the same for repeated requests of a tile. */
  const paths = new WeakMap<
    TileKey,
    { readonly recipe: string; readonly path: readonly string[]; readonly name: string }
  >();

  function getPath(place: TileKey, recipe: string) {
    const known = paths.get(place);
    if (known?.recipe === recipe) return known;
    const path = formatTilePath(place, hash('sha256', `${options.maker}\n${recipe}`).slice(0, RECIPE_DIGITS));
    const made = { recipe, path, name: join(...path) };
    paths.set(place, made);
    return made;
  }

  function findInMemory(place: TileKey, recipe: string, maxAgeMs = Number.POSITIVE_INFINITY): CachedTile | undefined {
    if (maxBytes === 0) return undefined;
    const { name: path } = getPath(place, recipe);
    const known = recent.get(path);
    if (known === undefined || !isFresh(known, maxAgeMs)) return undefined;
    void loadEntries();
    markUsed(path, known.bytes.length);
    return known;
  }

  function isFresh({ madeAtMs }: CachedTile, maxAgeMs: number): boolean {
    return clock() - madeAtMs <= maxAgeMs;
  }

  async function write(path: readonly string[], content: Buffer): Promise<void> {
    const incoming = join(folder, INCOMING, randomUUID());
    await deleteIncoming();
    await createFolders([INCOMING]);
    await createFolders(path.slice(0, -1));
    try {
      await disk.writeUnsynced(incoming, content);
      await moveIntoPlace(incoming, path);
    } catch (error) {
      // A full disk may have written a part of the file.
      await disk.removeFile(incoming);
      throw error;
    }
  }

  /** Deleting an expired tile also deletes its empty folders, possibly between their creation and the move. */
  async function moveIntoPlace(incoming: string, path: readonly string[], attempts = 5): Promise<void> {
    try {
      await disk.move(incoming, join(folder, ...path));
    } catch (error) {
      if (attempts === 1 || findErrorCode(error) !== 'ENOENT') throw error;
      await createFolders(path.slice(0, -1));
      await moveIntoPlace(incoming, path, attempts - 1);
    }
  }

  async function createFolders(path: readonly string[]): Promise<void> {
    await disk.makePrivateFolder(folder);
    for (const [index] of path.entries()) await disk.makePrivateFolder(join(folder, ...path.slice(0, index + 1)));
  }

  return {
    findInMemory: findInMemory,
    async find(place, recipe, maxAgeMs = Number.POSITIVE_INFINITY) {
      if (maxBytes === 0) return undefined;
      const known = findInMemory(place, recipe, maxAgeMs);
      if (known !== undefined) return known;
      const { name: path } = getPath(place, recipe);
      void loadEntries();
      const file = await disk.readBytes(join(folder, path)).catch(failed);
      const tile = file === undefined ? undefined : readTileFile(file);
      if (file === undefined || tile === undefined || !isFresh(tile, maxAgeMs)) return undefined;
      recent.set(path, tile, file.length + path.length);
      markUsed(path, file.length);
      return tile;
    },
    getGeneration: () => forgotten.generation(),
    readGeneration: async (place) => findGeneration(await loadInvalidated(place.map), place),
    async write(place, recipe, bytes) {
      if (maxBytes === 0 || isClosed || !hasRoom()) return;
      void loadEntries();
      const { path, name } = getPath(place, recipe);
      const tile = { bytes, madeAtMs: clock() };
      const content = writeTileFile(tile);
      recent.set(name, tile, content.length + name.length);
      await runInBackground(async () => {
        await write(path, content);
        recordEntry(name, content.length, tile.madeAtMs);
        await evictOldest();
      });
    },
    async invalidate(range) {
      await forgotten.invalidate(range);
      const maps = range.map === undefined ? await disk.listNames(folder).catch(() => []) : [range.map];
      for (const map of maps) await loadInvalidated(map);
    },
    async getUsage() {
      await loadEntries();
      await clears;
      return { tiles: entries.size, bytes: used, maxBytes };
    },
    async close() {
      isClosed = true;
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
