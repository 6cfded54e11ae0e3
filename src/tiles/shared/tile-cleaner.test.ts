/** Cleaning of shared tiles: no tile of a current generation is deleted below the limits. */
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/e2e/temporary-folder.ts';
import { notesInMemory } from '../../../test/support/notes-in-memory.ts';
import { realDisk } from '../../storage/blobs/disk.ts';
import { openTileInvalidations } from '../cache/tile-invalidations.ts';
import { formatSharedTileKey, parseSharedTileKey, type TileKey } from '../cache/tile-key.ts';
import { cleanTiles, type TileCleaning } from './clean-tiles.ts';
import { DirectoryTileStore } from './directory-tile-store.ts';
import { readInstallationId, recordPlace } from './installation.ts';
import { TileCleaner } from './tile-cleaner.ts';

const HOUR_MS = 3_600_000;
const nowMs = 1_000 * HOUR_MS;
const place: TileKey = {
  ...{ map: 'roads', set: 'WebMercatorQuad', format: 'png', parameters: 'abcdef' },
  ...{ level: 3, column: 40, row: 5, generation: 0 },
};
const { signal } = new AbortController();

async function open() {
  const directory = await temporaryFolder();
  const store = new DirectoryTileStore(directory, realDisk);
  const forgotten = openTileInvalidations(notesInMemory());
  return {
    store,
    forgotten,
    async write(key: string, bytes: number, ageHours = 0) {
      await store.write(`ours/${key}`, Buffer.alloc(bytes), signal);
      const seconds = (nowMs - ageHours * HOUR_MS) / 1_000;
      await utimes(join(directory, 'ours', key), seconds, seconds);
    },
    clean: (more: Partial<TileCleaning> = {}) =>
      cleanTiles({
        ...{ store, prefix: 'ours/', listRanges: forgotten.listRanges, nowMs, signal },
        ...{ maxBytes: 1_000, maxAgeMs: Number.POSITIVE_INFINITY },
        ...more,
      }),
    async list() {
      const keys: string[] = [];
      for await (const tiles of store.list('ours/', signal)) keys.push(...tiles.map(({ key }) => key.slice(5)));
      return keys.sort();
    },
  };
}

const keyOf = (more: Partial<TileKey> = {}) => formatSharedTileKey({ ...place, ...more }, 'f00d');

test('a key contains the generation of its map before all else, and is parsed', () => {
  expect(keyOf({ generation: 7 })).toBe('roads/7/WebMercatorQuad/png/3/1-0/40-5-abcdef-f00d');
  expect(parseSharedTileKey(keyOf({ generation: 7 }))).toEqual({ ...place, generation: 7 });
  expect(parseSharedTileKey('roads/7/other')).toBeUndefined();
});

test('tiles of invalidated generations are deleted, and those of other levels and later generations are kept', async () => {
  const { forgotten, write, clean, list } = await open();
  await forgotten.invalidate({ map: 'roads', levels: { min: 3, max: 5 } });
  const kept = [keyOf({ generation: 1 }), keyOf({ level: 2 }), keyOf({ map: 'rivers' })];
  for (const key of [keyOf(), 'a file of unknown origin', ...kept]) await write(key, 10);

  expect(await clean()).toEqual({ tiles: 3, bytes: 30, deleted: 2 });
  expect(await list()).toEqual(kept.sort());
});

test('tiles beyond the age are deleted', async () => {
  const { write, clean, list } = await open();
  await write(keyOf(), 10, 48);
  await write(keyOf({ column: 41 }), 10, 5);

  await clean({ maxAgeMs: 24 * HOUR_MS });

  expect(await list()).toEqual([keyOf({ column: 41 })]);
});

test('the oldest tiles are deleted beyond the size, with some spare room', async () => {
  const { write, clean, list } = await open();
  for (let age = 0; age < 10; age += 1) await write(keyOf({ column: age }), 20, age);

  expect(await clean({ maxBytes: 200 })).toMatchObject({ tiles: 10, deleted: 0 });
  expect(await clean({ maxBytes: 100 })).toEqual({ tiles: 4, bytes: 80, deleted: 6 });
  expect(await list()).toEqual([0, 1, 2, 3].map((column) => keyOf({ column })));
});

test('an outdated list of the store does no harm', async () => {
  const { store, forgotten, write, list } = await open();
  const [deleted, unlisted] = [keyOf({ column: 1 }), keyOf({ column: 2 })];
  await write(unlisted, 10);
  async function* listOutdated() {
    yield [{ key: `ours/${deleted}`, bytes: 10, modifiedAtMs: 0 }];
  }

  const cleaned = await cleanTiles({
    ...{ prefix: 'ours/', listRanges: forgotten.listRanges, nowMs, signal, maxBytes: 1_000, maxAgeMs: HOUR_MS },
    store: { list: listOutdated, delete: (key) => store.delete(key) },
  });

  expect(cleaned).toEqual({ tiles: 0, bytes: 0, deleted: 1 });
  expect(await list()).toEqual([unlisted]);
});

test('one node cleans for all, and the others learn the size', async () => {
  const { store, forgotten, write } = await open();
  await write(keyOf(), 10);
  const notes = notesInMemory();
  const held: string[] = [];
  const start = (isFull: boolean) => {
    const sizes: number[] = [];
    const cleaner = new TileCleaner({
      ...{ store, notes, clock: () => nowMs, maxBytes: 1_000, maxAgeMs: Number.POSITIVE_INFINITY },
      tiles: { isFull: () => isFull, setUsage: (bytes) => sizes.push(bytes) },
      readPrefix: async () => 'ours/',
      listRanges: forgotten.listRanges,
      hold: async (what) => held.push(what) === 1,
      onCleaned: () => undefined,
      onError: (reason) => {
        throw reason;
      },
    });
    return { cleaner, sizes };
  };
  const [one, other, full] = [start(false), start(false), start(true)];

  for (const { cleaner } of [one, other, full]) await cleaner.runOnce();
  await one.cleaner.runOnce();

  expect([one.sizes, other.sizes, full.sizes]).toEqual([[10], [10], [10]]);
  // The second node has a recent size; a full store is cleaned earlier.
  expect(held).toHaveLength(2);
});

test('the identifier of an installation is created once, and the previous place is returned', async () => {
  const notes = notesInMemory();

  expect(await recordPlace(notes, null)).toBeNull();
  const id = await readInstallationId(notes);
  expect(await recordPlace(notes, 's3://maps/')).toBeNull();
  expect(await recordPlace(notes, null)).toBe('s3://maps/');
  expect(await recordPlace(notes, 'file:/srv/tiles')).toBeNull();
  expect(await readInstallationId(notes)).toBe(id);
});
