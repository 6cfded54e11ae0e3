/**
 * The guarantees of the tile cache: it respects its limit, and returns no damaged tile and no tile of another recipe.
 */
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mortalDisk } from '../../../test/support/mortal-disk.ts';
import { notesInMemory } from '../../../test/support/notes-in-memory.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { realDisk } from '../../storage/blobs/disk.ts';
import type { SharedTier } from './shared-tier.ts';
import { DiskTileCache, type TileCache, type TileCacheOptions } from './tile-cache.ts';
import { openTileInvalidations } from './tile-invalidations.ts';
import type { TileKey } from './tile-key.ts';

const place: TileKey = {
  map: 'roads',
  set: 'WebMercatorQuad',
  format: 'png',
  level: 3,
  column: 4,
  row: 5,
  generation: 0,
  parameters: '',
};

describe('tile cache', () => {
  const root = useTemporaryFolder('tile-cache');
  const freshFolder = () => mkdtempSync(join(root, 'tiles-'));

  const open = (folder: string, how: Partial<TileCacheOptions> = {}) =>
    new DiskTileCache({
      forgotten: openTileInvalidations(notesInMemory()),
      folder,
      disk: realDisk,
      clock: () => 1_000,
      maker: 'this release',
      maxBytes: 1_000_000,
      maxMemoryBytes: 0,
      onError: (reason) => {
        throw reason;
      },
      ...how,
    });

  async function filesIn(folder: string): Promise<readonly string[]> {
    const all = await readdir(folder, { recursive: true, withFileTypes: true });
    return all.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  }

  it('returns what was written, also after a restart, and nothing for another recipe or key', async () => {
    const folder = freshFolder();
    const cache = open(folder);
    await cache.write(place, 'a', Buffer.from('picture'));
    await cache.write({ ...place, column: 9 }, 'a', Buffer.of());
    await cache.close();
    const later = open(folder);

    expect(await later.find(place, 'a')).toEqual({ bytes: Buffer.from('picture'), madeAtMs: 1_000 });
    expect((await later.find({ ...place, column: 9 }, 'a'))?.bytes).toHaveLength(0);
    expect(await later.find(place, 'b')).toBeUndefined();
    expect(await later.find({ ...place, level: 4 }, 'a')).toBeUndefined();
    expect(await later.getUsage()).toEqual({ tiles: 2, bytes: 8_192, maxBytes: 1_000_000 });
  });

  it('returns tiles in memory with the same recipe and generation that are fresh enough', async () => {
    let now = 1_000;
    const cache = open(freshFolder(), { maxMemoryBytes: 10_000, clock: () => now });
    await cache.write(place, 'a', Buffer.from('picture'));

    expect(cache.findInMemory(place, 'a')?.bytes).toEqual(Buffer.from('picture'));
    expect(cache.findInMemory(place, 'b')).toBeUndefined();
    now = 1_500;
    expect(cache.findInMemory(place, 'a', 500)).toBeDefined();
    expect(cache.findInMemory(place, 'a', 499)).toBeUndefined();
    expect(cache.findInMemory({ ...place, generation: 1 }, 'a')).toBeUndefined();

    const onDiskAlone = open(freshFolder());
    await onDiskAlone.write(place, 'a', Buffer.from('picture'));
    expect(onDiskAlone.findInMemory(place, 'a')).toBeUndefined();
    expect(await onDiskAlone.find(place, 'a')).toBeDefined();
  });

  it('counts hits in memory and on disk, misses and sizes', async () => {
    const folder = freshFolder();
    const earlier = open(folder);
    await earlier.write(place, 'a', Buffer.from('picture'));
    await earlier.close();
    const cache = open(folder, { maxMemoryBytes: 10_000 });

    expect(cache.findInMemory(place, 'a')).toBeUndefined();
    await cache.find(place, 'a');
    cache.findInMemory(place, 'a');
    await cache.find(place, 'another');
    await cache.getUsage();

    const { lookups, memory, disk } = cache.count();
    expect(lookups).toEqual({ memory: 1, disk: 1, shared: 0, miss: 1 });
    expect(memory).toEqual({ bytes: expect.any(Number), maxBytes: 10_000, evictions: 0 });
    expect(memory.bytes).toBeGreaterThan('picture'.length);
    expect(disk).toEqual({ bytes: 4_096, maxBytes: 1_000_000 });
    await cache.close();
  });

  it('finds tiles of other nodes in the shared tier, stores them on its own disk, and shares what it writes', async () => {
    const stored = new Map<string, Buffer>();
    const shared: SharedTier = {
      find: async (key) => stored.get(key),
      write: (key, content) => void stored.set(key, content),
      waitForWrites: async () => undefined,
      count: () => ({ bytes: 0, maxBytes: 1, failedReads: 0, skippedWrites: 0 }),
      close: async () => undefined,
    };
    let now = 1_000;
    const own = freshFolder();
    const [one, other] = [open(freshFolder(), { shared }), open(own, { shared, clock: () => now })];
    await one.write(place, 'a', Buffer.from('picture'));

    expect(await other.find(place, 'b')).toBeUndefined();
    expect(await other.find({ ...place, generation: 1 }, 'a')).toBeUndefined();
    expect(await other.find(place, 'a')).toEqual({ bytes: Buffer.from('picture'), madeAtMs: 1_000 });
    await other.waitForWrites(0);
    for (const [key, content] of stored) stored.set(key, content.subarray(1));
    expect((await other.find(place, 'a'))?.bytes).toEqual(Buffer.from('picture'));
    expect(await filesIn(own)).toHaveLength(1);
    // The shared tile is damaged now.
    expect(await open(freshFolder(), { shared }).find(place, 'a')).toBeUndefined();
    now = 5_000;
    expect(await other.find(place, 'a', 3_000)).toBeUndefined();
    expect(other.count().lookups).toEqual({ memory: 0, disk: 1, shared: 1, miss: 3 });
  });

  it('waits until at most some written tiles are not on disk', async () => {
    const folder = freshFolder();
    const cache = open(folder);
    for (let column = 0; column < 20; column += 1) void cache.write({ ...place, column }, 'a', Buffer.from('x'));

    await cache.waitForWrites(5);
    expect((await filesIn(folder)).length).toBeGreaterThanOrEqual(15);
    await cache.waitForWrites(0);
    expect(await filesIn(folder)).toHaveLength(20);
  });

  it('returns no damaged or truncated tile', async () => {
    const folder = freshFolder();
    const cache = open(folder);
    await cache.write(place, 'a', Buffer.from('some bytes of a picture'));
    const [file = ''] = await filesIn(folder);
    const whole = await readFile(file);

    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.boolean(), async (at, isCut) => {
        const damaged = isCut ? whole.subarray(0, at) : Buffer.from(whole);
        if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ 0x10;
        await writeFile(file, damaged);

        expect(await cache.find(place, 'a')).toBeUndefined();
      }),
      { numRuns: 40 },
    );
    await cache.write(place, 'a', Buffer.from('made again'));
    expect((await cache.find(place, 'a'))?.bytes).toEqual(Buffer.from('made again'));
  });

  it('evicts the least recently used tiles and never exceeds its limit', async () => {
    const folder = freshFolder();
    const cache = open(folder, { maxBytes: 10 * 4_096 });
    const tile = (column: number) => ({ ...place, column });
    for (let column = 0; column < 10; column += 1) {
      await cache.write(tile(column), 'a', Buffer.from('x'));
    }
    await cache.find(tile(0), 'a');

    await cache.write(tile(10), 'a', Buffer.from('x'));

    expect((await cache.getUsage()).bytes).toBeLessThanOrEqual(10 * 4_096);
    expect(await filesIn(folder)).toHaveLength(9);
    expect(await cache.find(tile(0), 'a')).toBeDefined();
    expect(await cache.find(tile(1), 'a')).toBeUndefined();
    expect(await cache.find(tile(10), 'a')).toBeDefined();
  });

  it('reads the tiles of a previous run and respects a lowered limit', async () => {
    const folder = freshFolder();
    const cache = open(folder);
    for (let column = 0; column < 20; column += 1) {
      await cache.write({ ...place, column }, 'a', Buffer.from('x'));
    }
    await cache.close();

    const later = open(folder, { maxBytes: 10 * 4_096 });

    expect((await later.getUsage()).tiles).toBeLessThanOrEqual(10);
    expect((await filesIn(folder)).length).toBeLessThanOrEqual(10);
  });

  const tiles = [
    { ...place, level: 2 },
    { ...place, level: 3 },
    { ...place, level: 2, format: 'mvt' },
    { ...place, level: 2, map: 'rivers' },
  ];

  /** Returns the names of the tiles that are found. */
  async function foundIn(cache: TileCache): Promise<readonly string[]> {
    const found: string[] = [];
    for (const each of tiles) {
      const asked = { ...each, generation: (await cache.readGenerations(each)).find(each) };
      if ((await cache.find(asked, 'a')) !== undefined) found.push(`${each.map} ${each.format} ${each.level}`);
    }
    return found.sort();
  }

  it.each([
    [{}, []],
    [{ map: 'roads' }, ['rivers png 2']],
    [{ map: 'roads', format: 'mvt' }, ['rivers png 2', 'roads png 2', 'roads png 3']],
    [{ set: 'other' }, ['rivers png 2', 'roads mvt 2', 'roads png 2', 'roads png 3']],
    [{ levels: { min: 3, max: 9 } }, ['rivers png 2', 'roads mvt 2', 'roads png 2']],
  ])('invalidates %j on all nodes, also after a restart', async (range, left) => {
    const forgotten = openTileInvalidations(notesInMemory());
    const folders = [freshFolder(), freshFolder()] as const;
    const caches = folders.map((folder) => open(folder, { forgotten, maxMemoryBytes: 1_000_000 }));
    for (const cache of caches) for (const each of tiles) await cache.write(each, 'a', Buffer.from('x'));
    const before = caches.map((cache) => cache.getGeneration());

    await caches[0]?.invalidate(range);

    for (const [index, cache] of caches.entries()) {
      expect(cache.getGeneration()).toBeGreaterThan(before[index] ?? 0);
      expect(await foundIn(cache)).toEqual(left);
      expect((await cache.getUsage()).tiles).toBe(left.length);
    }
    expect(await foundIn(open(folders[1], { forgotten }))).toEqual(left);
  });

  it('invalidates the tiles of an area and no others', async () => {
    const forgotten = openTileInvalidations(notesInMemory());
    const cache = open(freshFolder(), { forgotten, maxMemoryBytes: 1_000_000 });
    const columns = [3, 4, 5, 6];
    const find = async (level: number, column: number) => {
      const asked = { ...place, level, column };
      const generation = (await cache.readGenerations(asked)).find(asked);
      return (await cache.find({ ...asked, generation }, 'a')) !== undefined;
    };
    for (const level of [2, 3])
      for (const column of columns) await cache.write({ ...place, level, column }, 'a', Buffer.of(1));

    const area = { level: 3, minColumn: 4, maxColumn: 5, minRow: 0, maxRow: 5 };
    await cache.invalidate({ map: place.map, set: place.set, areas: [area] });
    await cache.invalidate({ map: place.map, set: 'other', areas: [{ ...area, maxColumn: 9 }] });

    expect(await Promise.all(columns.map((column) => find(3, column)))).toEqual([true, false, false, true]);
    expect(await Promise.all(columns.map((column) => find(2, column)))).toEqual([true, true, true, true]);
    expect((await cache.getUsage()).tiles).toBe(6);
    expect(await forgotten.listRanges(place.map)).toHaveLength(2);
  });

  it('invalidates the whole map if the areas are too many', async () => {
    const forgotten = openTileInvalidations(notesInMemory());
    const areas = Array.from({ length: 2_000 }, (_, level) => ({
      level,
      minColumn: 0,
      maxColumn: 1,
      minRow: 0,
      maxRow: 1,
    }));
    await forgotten.invalidate({ map: place.map, set: 'other', areas });

    const [[number] = [0]] = await forgotten.listRanges(place.map);
    expect(await forgotten.listRanges(place.map)).toEqual([[number, {}]]);
  });

  it('does not return tiles whose creation began before an invalidation', async () => {
    const cache = open(freshFolder(), { maxMemoryBytes: 1_000_000 });
    const earlier = { ...place, generation: (await cache.readGenerations(place)).find(place) };
    await cache.invalidate({});

    await cache.write(earlier, 'a', Buffer.from('old'));

    expect(
      await cache.find({ ...place, generation: (await cache.readGenerations(place)).find(place) }, 'a'),
    ).toBeUndefined();
  });

  it('keeps new tiles while invalidated files are deleted', async () => {
    const folder = freshFolder();
    const cache = open(folder);
    await cache.write(place, 'a', Buffer.from('old'));
    await cache.invalidate({ map: place.map });
    const anew = { ...place, generation: (await cache.readGenerations(place)).find(place) };

    await cache.write(anew, 'a', Buffer.from('new'));

    expect((await cache.getUsage()).tiles).toBe(1);
    expect((await cache.find(anew, 'a'))?.bytes).toEqual(Buffer.from('new'));
  });

  it('contains complete tiles only, if the process is killed at any step', async () => {
    for (let steps = 1; steps < 20; steps += 1) {
      const folder = freshFolder();
      const { disk, dieAfter } = mortalDisk();
      dieAfter(steps);
      const cache = open(folder, { disk, onError: () => undefined });
      await cache.write(place, 'a', Buffer.from('picture'));
      await cache.close();
      const later = open(folder);

      const found = await later.find(place, 'a');

      expect(found === undefined || Buffer.from(found.bytes).toString() === 'picture').toBe(true);
      await later.write(place, 'a', Buffer.from('again'));
      expect((await later.find(place, 'a'))?.bytes).toEqual(Buffer.from('again'));
    }
  });

  it('returns no tile that is older than requested or from another release', async () => {
    const folder = freshFolder();
    const cache = open(folder, { maxMemoryBytes: 1_000_000 });
    await cache.write(place, 'a', Buffer.from('x'));
    await cache.close();
    const later = open(folder, { clock: () => 5_000 });

    expect(await later.find(place, 'a', 4_000)).toBeDefined();
    expect(await later.find(place, 'a', 3_999)).toBeUndefined();
    expect(await open(folder, { maker: 'another release' }).find(place, 'a')).toBeUndefined();
  });

  it('removes tiles beyond a limit that is lowered while it is used, and restores the default limit', async () => {
    const folder = freshFolder();
    const cache = open(folder);
    for (let column = 0; column < 20; column += 1) await cache.write({ ...place, column }, 'a', Buffer.from('x'));

    cache.setLimit(10 * 4_096);
    await expect.poll(() => filesIn(folder)).toHaveLength(9);
    expect(cache.getLimits()).toEqual({ maxBytes: 10 * 4_096, defaultMaxBytes: 1_000_000 });

    cache.setLimit(0);
    expect(await cache.find({ ...place, column: 19 }, 'a')).toBeUndefined();
    cache.setLimit(undefined);
    await cache.write(place, 'a', Buffer.from('x'));
    expect(await cache.find(place, 'a')).toBeDefined();
    expect((await cache.getUsage()).maxBytes).toBe(1_000_000);
  });

  it('is disabled by a limit of 0', async () => {
    const cache = open(freshFolder(), { maxBytes: 0, maxMemoryBytes: 1_000_000 });
    await cache.write(place, 'a', Buffer.from('x'));

    expect(await cache.find(place, 'a')).toBeUndefined();
  });

  it('works without a disk if the disk fails', async () => {
    const reasons: unknown[] = [];
    const cache = open('/proc/nowhere', { onError: (reason) => reasons.push(reason) });

    await cache.write(place, 'a', Buffer.from('x'));

    expect(await cache.find(place, 'a')).toBeUndefined();
    expect(reasons.length).toBeGreaterThan(0);
  });
});
