/** Shared tiles: no failure of the store is an error, and nothing waits for long or grows without limit. */
import { expect, onTestFinished, test } from 'vitest';
import { SharedTiles, type SharedTilesOptions } from './shared-tiles.ts';
import type { TileStore } from './tile-store.ts';

const tile = Buffer.from('tile');

class MemoryStore implements TileStore {
  readonly shown = 'memory';
  readonly tiles = new Map<string, Buffer>();
  calls = 0;
  failWrites = false;
  /** Runs before every operation. */
  before: (signal: AbortSignal) => Promise<void> = async () => undefined;

  async read(key: string, signal: AbortSignal): Promise<Buffer | undefined> {
    this.calls += 1;
    await this.before(signal);
    return this.tiles.get(key);
  }

  async write(key: string, content: Buffer, signal: AbortSignal): Promise<void> {
    this.calls += 1;
    await this.before(signal);
    if (this.failWrites) throw new Error('the store is read-only');
    this.tiles.set(key, content);
  }

  async *list(): AsyncGenerator<[]> {
    yield [];
  }

  async delete(key: string): Promise<void> {
    this.tiles.delete(key);
  }

  close(): void {
    this.tiles.clear();
  }
}

function open(more: Partial<SharedTilesOptions> = {}) {
  const store = new MemoryStore();
  const time = { nowMs: 1_000 };
  const pauses: unknown[] = [];
  const tiles = new SharedTiles({
    ...{ store, clock: () => time.nowMs, maxBytes: 1_000_000, readMs: 50 },
    readPrefix: async () => 'ours/',
    onPause: (reason) => pauses.push(reason),
    ...more,
  });
  onTestFinished(() => tiles.close());
  return { store, tiles, time, pauses };
}

const failing = async () => {
  throw new Error('the store is down');
};

/** Waits until the operation is given up. */
const silent = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('tiles are found below the prefix of the installation', async () => {
  const { store, tiles } = open();
  tiles.write('a/1', tile);
  await tiles.waitForWrites(0);

  expect([...store.tiles.keys()]).toEqual(['ours/a/1']);
  expect(await tiles.find('a/1')).toEqual(tile);
  expect(await tiles.find('a/2')).toBeUndefined();
  expect(tiles.count()).toEqual({ bytes: 4, maxBytes: 1_000_000, failedReads: 0, skippedWrites: 0 });
});

test('concurrent lookups of a tile are one request', async () => {
  const { store, tiles } = open();

  await Promise.all([tiles.find('a'), tiles.find('a'), tiles.find('b')]);

  expect(store.calls).toBe(2);
});

test('a silent store is given up, and then not used for a while', async () => {
  const { store, tiles, time, pauses } = open();
  tiles.write('a', tile);
  await tiles.waitForWrites(0);
  store.before = silent;

  for (let at = 0; at < 3; at += 1) expect(await tiles.find('a')).toBeUndefined();
  const { calls } = store;
  expect(await tiles.find('a')).toBeUndefined();
  tiles.write('b', tile);

  expect(store.calls).toBe(calls);
  expect(pauses).toEqual([new Error('no answer within 50 ms')]);
  expect(tiles.count()).toMatchObject({ failedReads: 3, skippedWrites: 1 });
  store.before = async () => undefined;
  time.nowMs += 10_000;
  expect(await tiles.find('a')).toEqual(tile);
});

test('an operation that cannot be cancelled does not delay a lookup', async () => {
  const { store, tiles } = open();
  store.before = () => new Promise(() => undefined);

  expect(await tiles.find('a')).toBeUndefined();
});

test('failed lookups are misses, and one failure among successes causes no pause', async () => {
  const { store, tiles, pauses } = open();
  for (let at = 0; at < 10; at += 1) {
    store.before = at % 2 === 0 ? failing : async () => undefined;
    expect(await tiles.find('a')).toBeUndefined();
  }

  expect(pauses).toEqual([]);
  expect(tiles.count().failedReads).toBe(5);
});

test('a store that cannot be written is reported, although lookups succeed, and is still read', async () => {
  const { store, tiles, time, pauses } = open();
  tiles.write('a', tile);
  await tiles.waitForWrites(0);
  store.failWrites = true;

  for (const key of ['b', 'c', 'd']) {
    expect(await tiles.find(key)).toBeUndefined();
    tiles.write(key, tile);
    await tiles.waitForWrites(0);
  }
  const { calls } = store;
  tiles.write('e', tile);
  await tiles.waitForWrites(0);

  expect(store.calls).toBe(calls);
  expect(pauses).toEqual([new Error('the store is read-only')]);
  expect(await tiles.find('a')).toEqual(tile);
  store.failWrites = false;
  time.nowMs += 10_000;
  tiles.write('e', tile);
  await tiles.waitForWrites(0);
  expect(await tiles.find('e')).toEqual(tile);
});

test('pending writes are bounded by number and by size, and writing never waits', async () => {
  const { store, tiles } = open({ maxBytes: 1e12 });
  const gate = Promise.withResolvers<void>();
  store.before = () => gate.promise;

  for (let at = 0; at < 1_100; at += 1) tiles.write(`${at}`, tile);
  expect(tiles.count().skippedWrites).toBe(100);
  gate.resolve();
  await tiles.waitForWrites(0);
  expect(store.tiles.size).toBe(1_000);

  const large = Buffer.alloc(20_000_000);
  tiles.write('large', large);
  tiles.write('second', large);
  await tiles.waitForWrites(0);
  expect([store.tiles.has('ours/large'), store.tiles.has('ours/second')]).toEqual([true, false]);
});

test('nothing is written beyond the maximum size of all nodes', async () => {
  const { store, tiles } = open({ maxBytes: 100 });
  tiles.setUsage(97);
  tiles.write('a', tile);
  await tiles.waitForWrites(0);
  tiles.write('b', tile);
  expect(tiles.isFull()).toBe(true);

  tiles.setUsage(50);
  tiles.write('c', tile);
  await tiles.waitForWrites(0);

  expect([...store.tiles.keys()]).toEqual(['ours/a', 'ours/c']);
});

test('a failure of reading the prefix is a miss and is repeated', async () => {
  let isFailing = true;
  const { tiles } = open({
    readPrefix: async () => {
      if (isFailing) throw new Error('the database is down');
      return 'ours/';
    },
  });

  expect(await tiles.find('a')).toBeUndefined();
  isFailing = false;
  tiles.write('a', tile);
  await tiles.waitForWrites(0);
  expect(await tiles.find('a')).toEqual(tile);
});

test('closing completes pending writes', async () => {
  const { store, tiles } = open();
  const written: string[] = [];
  store.close = () => void written.push(...store.tiles.keys());
  tiles.write('a', tile);

  await tiles.close();

  expect(written).toEqual(['ours/a']);
});
