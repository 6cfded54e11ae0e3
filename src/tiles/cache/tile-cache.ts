/**
 * Caches tiles on disk, keyed by everything they were created from: a request with another recipe, or after an
 * invalidation, does not find them. Beyond the size limit the least recently used tiles are evicted. Tiles of other nodes
 * are read from a shared tier. All tiles can be created again.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { createLruCache, type LruCache } from '../../lib/cache/lru-cache.ts';
import type { SharedTier, SharedTierCounts } from './shared-tier.ts';
import { type CachedTile, readTileFile, writeTileFile } from './tile-file.ts';
import { type TileDisk, TileFolder } from './tile-folder.ts';
import { findGeneration, type InvalidatedRanges, type TileInvalidations } from './tile-invalidations.ts';
import {
  formatSharedTileKey,
  formatTilePath,
  parseTilePath,
  type TileKey,
  type TileLevel,
  type TileRange,
} from './tile-key.ts';
import { type FoundTile, TileUsage } from './tile-usage.ts';

export interface TileCache {
  /** Returns undefined for a missing, damaged or outdated tile. The recipe identifies all inputs of the tile. */
  find(place: TileKey, recipe: string, maxAgeMs?: number): Promise<CachedTile | undefined>;
  /** Does the same with tiles in memory only. */
  findInMemory(place: TileKey, recipe: string, maxAgeMs?: number): CachedTile | undefined;
  /** Increases with every invalidation on any node. */
  getGeneration(): number;
  /** Returns the generations of the tiles of a level: tiles of earlier generations are not returned. */
  readGenerations(level: TileLevel): Promise<TileGenerations>;
  /** Errors are not reported to the caller: a tile that is not cached is created again by the next request. */
  write(place: TileKey, recipe: string, bytes: Uint8Array): Promise<void>;
  /** Resolves when at most this many written tiles are not stored yet, on disk and in the shared tier. */
  waitForWrites(most: number): Promise<void>;
  /** Resolves when no node returns the tiles any more; their files are deleted in the background. */
  invalidate(range: TileRange): Promise<void>;
  /** Resolves after pending deletions. */
  getUsage(): Promise<TileCacheUsage>;
  /** The limit that applies now, and the one that applies without a setting. */
  getLimits(): { readonly maxBytes: number; readonly defaultMaxBytes: number };
  /** The lookups and sizes so far, without waiting. */
  count(): TileCacheCounts;
  /** Resolves when all writes are complete. */
  close(): Promise<void>;
}

export interface TileGenerations {
  /** The greatest of them. */
  readonly last: number;
  find(address: Pick<TileKey, 'column' | 'row'>): number;
}

export interface TileCacheUsage {
  readonly tiles: number;
  readonly bytes: number;
  readonly maxBytes: number;
}

export interface TileCacheCounts {
  /** Repeated lookups of one request count once. */
  readonly lookups: Readonly<Record<'memory' | 'disk' | 'shared' | 'miss', number>>;
  readonly memory: { readonly bytes: number; readonly maxBytes: number; readonly evictions: number };
  readonly disk: { readonly bytes: number; readonly maxBytes: number };
  /** Absent if the node shares no tiles. */
  readonly shared?: SharedTierCounts;
}

export interface TileCacheOptions {
  /** False while the remaining disk space is reserved for deletions. */
  readonly hasRoom?: () => boolean;
  readonly forgotten: TileInvalidations;
  /** Created with the first tile. */
  readonly folder: string;
  readonly disk: TileDisk;
  /** Tiles of all nodes, which are looked up after those of this node. */
  readonly shared?: SharedTier | undefined;
  readonly clock: () => number;
  /** The version of the software, because another release may draw different tiles. */
  readonly maker: string;
  /** The size limit on disk until `setLimit` is called; 0 disables the cache. */
  readonly maxBytes: number;
  /** The size limit of frequently requested tiles in memory. */
  readonly maxMemoryBytes: number;
  /** Called for disk errors. */
  readonly onError: (reason: unknown) => void;
}

/** The interval for updating the modification time of used tiles, which orders them after a restart. */
const TOUCHED_EVERY_MS = 3_600_000;

/** The fraction of the limit that an eviction frees additionally, so that tiles are not evicted one by one. */
const SPARE = 0.05;

/** Long enough to rule out collisions of recipe hashes. */
const RECIPE_DIGITS = 32;

interface CachedPath {
  readonly recipe: string;
  readonly path: readonly string[];
  readonly name: string;
  /** The hash of the recipe. */
  readonly digest: string;
}

export class DiskTileCache implements TileCache {
  readonly #options: TileCacheOptions;
  readonly #folder: TileFolder;
  readonly #usage = new TileUsage();
  readonly #recent: LruCache<CachedTile>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #writes = new Set<Promise<void>>();
  /** The last invalidation whose files were deleted or are being deleted, by map. */
  readonly #cleared = new Map<string, number>();
  /** Cached by object, which is the same for repeated requests of a tile. */
  readonly #paths = new WeakMap<TileKey, CachedPath>();
  readonly #lookups = { memory: 0, disk: 0, shared: 0, miss: 0 };
  #maxBytes: number;
  #isClosed = false;
  #listing: Promise<void> | undefined;
  #clears = Promise.resolve();

  constructor(options: TileCacheOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes;
    this.#folder = new TileFolder(options.folder, options.disk);
    this.#recent = createLruCache<CachedTile>(options.maxMemoryBytes);
  }

  findInMemory(place: TileKey, recipe: string, maxAgeMs = Number.POSITIVE_INFINITY): CachedTile | undefined {
    const known = this.#findRecent(place, recipe, maxAgeMs);
    // A miss in memory is followed by `find`.
    if (known !== undefined) this.#lookups.memory += 1;
    return known;
  }

  #findRecent(place: TileKey, recipe: string, maxAgeMs: number): CachedTile | undefined {
    if (this.#maxBytes === 0) return undefined;
    const { name: path } = this.#getPath(place, recipe);
    const known = this.#recent.get(path);
    if (known === undefined || !this.#isFresh(known, maxAgeMs)) return undefined;
    void this.#loadEntries();
    this.#markUsed(path, known.bytes.length);
    return known;
  }

  async find(place: TileKey, recipe: string, maxAgeMs = Number.POSITIVE_INFINITY): Promise<CachedTile | undefined> {
    if (this.#maxBytes === 0) return undefined;
    const known = this.findInMemory(place, recipe, maxAgeMs);
    if (known !== undefined) return known;
    const { name: path } = this.#getPath(place, recipe);
    void this.#loadEntries();
    const file = await this.#folder.read(path).catch(this.#options.onError);
    const tile = file === undefined ? undefined : readTileFile(file);
    if (file === undefined || tile === undefined || !this.#isFresh(tile, maxAgeMs)) {
      return this.#findShared(place, recipe, maxAgeMs);
    }
    this.#lookups.disk += 1;
    this.#recent.set(path, tile, file.length + path.length);
    this.#markUsed(path, file.length);
    return tile;
  }

  /** Stores what it finds on the disk of this node. */
  async #findShared(place: TileKey, recipe: string, maxAgeMs: number): Promise<CachedTile | undefined> {
    const { path, name, digest } = this.#getPath(place, recipe);
    const content = await this.#options.shared?.find(formatSharedTileKey(place, digest));
    const tile = content && readTileFile(content);
    if (content === undefined || tile === undefined || !this.#isFresh(tile, maxAgeMs)) {
      this.#lookups.miss += 1;
      return undefined;
    }
    this.#lookups.shared += 1;
    this.#recent.set(name, tile, content.length + name.length);
    if (this.#mayWrite()) void this.#writeFile(path, content, tile.madeAtMs);
    return tile;
  }

  getGeneration(): number {
    return this.#options.forgotten.generation();
  }

  async readGenerations(level: TileLevel): Promise<TileGenerations> {
    const list = await this.#loadInvalidated(level.map);
    const last = list.reduce((most, [number]) => Math.max(most, number), 0);
    return { last, find: ({ column, row }) => findGeneration(list, { ...level, column, row }) };
  }

  async write(place: TileKey, recipe: string, bytes: Uint8Array): Promise<void> {
    const { clock, shared } = this.#options;
    if (!this.#mayWrite()) return;
    void this.#loadEntries();
    const { path, name, digest } = this.#getPath(place, recipe);
    const tile = { bytes, madeAtMs: clock() };
    const content = writeTileFile(tile);
    this.#recent.set(name, tile, content.length + name.length);
    shared?.write(formatSharedTileKey(place, digest), content);
    await this.#writeFile(path, content, tile.madeAtMs);
  }

  #mayWrite(): boolean {
    const { hasRoom = () => true } = this.#options;
    return this.#maxBytes > 0 && !this.#isClosed && hasRoom();
  }

  async #writeFile(path: readonly string[], content: Buffer, atMs: number): Promise<void> {
    const written = this.#runInBackground(async () => {
      await this.#folder.write(path, content);
      this.#usage.record(join(...path), content.length, atMs);
      await this.#evictOldest();
    });
    this.#writes.add(written);
    await written;
    this.#writes.delete(written);
  }

  async waitForWrites(most: number): Promise<void> {
    while (this.#writes.size > most) await Promise.race(this.#writes);
    await this.#options.shared?.waitForWrites(most);
  }

  async invalidate(range: TileRange): Promise<void> {
    await this.#options.forgotten.invalidate(range);
    const maps = range.map === undefined ? await this.#folder.listMaps() : [range.map];
    for (const map of maps) await this.#loadInvalidated(map);
  }

  async getUsage(): Promise<TileCacheUsage> {
    await this.#loadEntries();
    await this.#clears;
    return { tiles: this.#usage.count, bytes: this.#usage.bytes, maxBytes: this.#maxBytes };
  }

  getLimits() {
    return { maxBytes: this.#maxBytes, defaultMaxBytes: this.#options.maxBytes };
  }

  /** Replaces the size limit; undefined restores the default. Tiles beyond a lower limit are removed in the background. */
  setLimit(maxBytes: number | undefined): void {
    const next = maxBytes ?? this.#options.maxBytes;
    if (next === this.#maxBytes) return;
    const isLower = next < this.#maxBytes;
    this.#maxBytes = next;
    if (isLower) void this.#runInBackground(() => this.#loadEntries().then(() => this.#evictOldest()));
  }

  count(): TileCacheCounts {
    const { maxMemoryBytes, shared } = this.#options;
    return {
      ...(shared && { shared: shared.count() }),
      lookups: { ...this.#lookups },
      memory: { bytes: this.#recent.getSize(), maxBytes: maxMemoryBytes, evictions: this.#recent.countEvictions() },
      disk: { bytes: this.#usage.bytes, maxBytes: this.#maxBytes },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await this.#options.shared?.close();
  }

  /** Runs work that only close() waits for. */
  #runInBackground(work: () => Promise<void>): Promise<void> {
    const ended = work()
      .catch(this.#options.onError)
      .finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
    return ended;
  }

  /**
   * Reads the files of a previous run. Starts with the first tile, because a start must not wait for a million files.
   */
  #loadEntries(): Promise<void> {
    this.#listing ??= this.#runInBackground(async () => {
      await this.#folder.deleteIncoming();
      const found: FoundTile[] = [];
      for await (const parts of this.#folder.listFiles([])) {
        const path = join(...parts);
        if (this.#isClosed) return;
        const status = this.#usage.find(path) === undefined ? await this.#folder.findStatus(path) : undefined;
        if (status !== undefined) found.push({ path, size: status.bytes, atMs: status.modifiedAtMs });
      }
      this.#usage.addEarlier(found);
      await this.#evictOldest();
    });
    return this.#listing;
  }

  async #remove(path: string): Promise<void> {
    this.#usage.remove(path);
    await this.#folder.remove(path);
  }

  /**
   * Returns the invalidated ranges of a map, and deletes their files in the background; other nodes may have added
   * them.
   */
  async #loadInvalidated(map: string): Promise<InvalidatedRanges> {
    const list = await this.#options.forgotten.listRanges(map);
    const last = list.reduce((most, [number]) => Math.max(most, number), 0);
    if (last > (this.#cleared.get(map) ?? 0)) {
      this.#cleared.set(map, last);
      const before = this.#clears;
      this.#clears = this.#runInBackground(() => before.then(() => this.#deleteOutdated(map, list)));
    }
    return list;
  }

  async #deleteOutdated(map: string, list: InvalidatedRanges): Promise<void> {
    await this.#loadEntries();
    for await (const path of this.#folder.listFiles([map])) {
      const place = parseTilePath(path);
      if (this.#isClosed) return;
      if (place.generation < findGeneration(list, place)) await this.#remove(join(...path));
    }
  }

  async #evictOldest(): Promise<void> {
    const maxBytes = this.#maxBytes;
    if (this.#usage.bytes <= maxBytes) return;
    for (const path of this.#usage.listPaths()) {
      if (this.#usage.bytes <= maxBytes * (1 - SPARE)) return;
      await this.#remove(path);
    }
  }

  #markUsed(path: string, size: number): void {
    const known = this.#usage.find(path);
    const now = this.#options.clock();
    const isRecent = known !== undefined && now - known.touchedAtMs < TOUCHED_EVERY_MS;
    if (isRecent && path === this.#usage.lastUsed) return;
    this.#usage.record(path, known?.bytes ?? size, isRecent ? known.touchedAtMs : now);
    if (!isRecent) void this.#runInBackground(() => this.#folder.touch(path));
  }

  #getPath(place: TileKey, recipe: string): CachedPath {
    const known = this.#paths.get(place);
    if (known?.recipe === recipe) return known;
    const { maker } = this.#options;
    const digest = hash('sha256', `${maker}\n${recipe}`).slice(0, RECIPE_DIGITS);
    const path = formatTilePath(place, digest);
    const made = { recipe, path, name: join(...path), digest };
    this.#paths.set(place, made);
    return made;
  }

  #isFresh({ madeAtMs }: CachedTile, maxAgeMs: number): boolean {
    return this.#options.clock() - madeAtMs <= maxAgeMs;
  }
}
