/**
 * Tiles that were made are kept on the disk, under all that they were made of: whoever asks with another recipe, or since
 * they were forgotten, finds nothing. There is a limit of bytes, beyond which those that were not used for longest go. Nothing is lost with any of them.
 */
import { hash, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { type CachedTile, readTileFile, writeTileFile } from './tile-file.ts';
import { findGeneration, type InvalidatedRanges, type TileInvalidations } from './tile-invalidations.ts';
import { FOLDERS, formatTilePath, parseTilePath, type TileKey, type TileLevel, type TileRange } from './tile-key.ts';

export interface TileCache {
  /** Undefined where there is none, one that is damaged, or one that is too old. The recipe is all that it is made of. */
  find(place: TileKey, recipe: string, maxAgeMs?: number): Promise<CachedTile | undefined>;
  /** The same, of those that are in memory. */
  findInMemory(place: TileKey, recipe: string, maxAgeMs?: number): CachedTile | undefined;
  /** Goes up whenever tiles are forgotten, on whichever node. */
  getGeneration(): number;
  /** That of a place: tiles that were made before it are not given out. */
  readGeneration(place: TileLevel): Promise<number>;
  /** A tile that cannot be kept is not missed: the next who asks has it made again. */
  write(place: TileKey, recipe: string, bytes: Uint8Array): Promise<void>;
  /** Resolved means that no node finds them any more; their files go by and by. */
  invalidate(range: TileRange): Promise<void>;
  /** Once the files are gone that are being removed. */
  getUsage(): Promise<{ readonly tiles: number; readonly bytes: number; readonly maxBytes: number }>;
  /** Resolves when nothing more is written. */
  close(): Promise<void>;
}

/** What is needed of a disk. */
export interface TileDisk {
  findStatus(path: string): Promise<{ readonly modifiedAtMs: number; readonly bytes: number } | undefined>;
  /** Of a folder that is not there, none. */
  listNames(folder: string): Promise<readonly string[]>;
  /** Undefined when nothing is there. */
  readBytes(file: string): Promise<Buffer | undefined>;
  /** Makes one folder, unless it is there already. */
  makePrivateFolder(path: string): Promise<void>;
  writeUnsynced(file: string, content: Uint8Array): Promise<void>;
  /** Renames, over an existing file if there is one. */
  move(from: string, to: string): Promise<void>;
  /** Sets the time of its last change. */
  touch(file: string): Promise<void>;
  removeFile(file: string): Promise<boolean>;
  removeEmptyFolder(path: string): Promise<void>;
  removeTree(path: string): Promise<void>;
}

export interface TileCacheOptions {
  /** False while what is left of the disk is needed for deletions. */
  readonly hasRoom?: () => boolean;
  readonly forgotten: TileInvalidations;
  /** Made with the first tile. */
  readonly folder: string;
  readonly disk: TileDisk;
  readonly clock: () => number;
  /** Who makes the tiles: another release may make others of the same. */
  readonly maker: string;
  /** On the disk; 0 keeps nothing. */
  readonly maxBytes: number;
  /** Of tiles that are asked for again and again. */
  readonly maxMemoryBytes: number;
  /** Hears of a disk that does not keep what it should. */
  readonly onError: (reason: unknown) => void;
}

/** What a file takes on the disk at least. */
const BLOCK_BYTES = 4_096;

/** How often the disk is told that a tile is used, which is what is known of it after a start. */
const TOUCHED_EVERY_MS = 3_600_000;

/** Below the limit by so much of it once tiles have to go, so that they do not go one by one. */
const SPARE = 0.05;

/** As many digits of its hash as no two recipes share. */
const RECIPE_DIGITS = 32;

/** What is not whole yet. */
const INCOMING = 'incoming';

interface Entry {
  readonly bytes: number;
  touchedAtMs: number;
}

/** Others may have taken it away, or still be writing it. */
function ignoreMissing(reason: unknown): void {
  if (findErrorCode(reason) !== 'ENOENT') throw reason;
}

export function openTileCache(options: TileCacheOptions): TileCache {
  const { forgotten, folder, disk, clock, maxBytes, onError: failed, hasRoom = () => true } = options;
  // By path; the last is the one that was used last.
  const entries = new Map<string, Entry>();
  const recent = createLruCache<CachedTile>(options.maxMemoryBytes);
  let used = 0;
  let lastUsed: string | undefined;
  let isClosed = false;
  let listing: Promise<void> | undefined;
  let clearing: Promise<void> | undefined;
  const underWay = new Set<Promise<void>>();
  /** Up to which number each map is rid of what was forgotten, or will be. */
  const cleared = new Map<string, number>();
  let clears = Promise.resolve();

  /** Work that nobody waits for, except whoever closes. */
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

  /** Rid of what was not whole when a former run ended. */
  function deleteIncoming(): Promise<void> {
    clearing ??= disk.removeTree(join(folder, INCOMING));
    return clearing;
  }

  /** What a former run has left: it begins with the first tile, since a start must not wait for a million files. */
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

  /** What was forgotten of a map, whose files go meanwhile: others may have forgotten it. */
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
    const isTold = known !== undefined && now - known.touchedAtMs < TOUCHED_EVERY_MS;
    if (isTold && path === lastUsed) return;
    recordEntry(path, known?.bytes ?? size, isTold ? known.touchedAtMs : now);
    if (!isTold) void runInBackground(() => disk.touch(join(folder, path)).catch(ignoreMissing));
  }

  /** By the object: who asks for the same tile again and again has it at hand. */
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
      // A full disk takes a part of it.
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
