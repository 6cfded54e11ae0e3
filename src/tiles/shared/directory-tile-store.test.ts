/** Tiles in a directory of several nodes: a tile is complete or absent, and lists are complete. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/e2e/temporary-folder.ts';
import { mortalDisk } from '../../../test/support/mortal-disk.ts';
import { realDisk } from '../../storage/blobs/disk.ts';
import { DirectoryTileStore } from './directory-tile-store.ts';

const { signal } = new AbortController();

async function listAll(store: DirectoryTileStore, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const tiles of store.list(prefix, signal)) keys.push(...tiles.map(({ key }) => key));
  return keys.sort();
}

test('tiles are read by other nodes, replaced, listed and deleted', async () => {
  const directory = await temporaryFolder();
  const [one, other] = [new DirectoryTileStore(directory, realDisk), new DirectoryTileStore(directory, realDisk)];

  expect(await other.read('tiles/a/1', signal)).toBeUndefined();
  expect(await listAll(one, 'tiles/a/')).toEqual([]);
  await one.write('tiles/a/b/1', Buffer.from('old'), signal);
  await one.write('tiles/a/b/1', Buffer.from('new'), signal);
  await other.write('tiles/a/2', Buffer.from('second'), signal);
  await other.write('tiles/b/3', Buffer.from('of another installation'), signal);

  expect((await other.read('tiles/a/b/1', signal))?.toString()).toBe('new');
  expect(await listAll(one, 'tiles/a/')).toEqual(['tiles/a/2', 'tiles/a/b/1']);
  await one.delete('tiles/a/b/1');
  await one.delete('tiles/a/b/1');
  expect(await listAll(other, 'tiles/a/')).toEqual(['tiles/a/2']);
});

test('a tile is complete or absent if the process is killed at any step of a write', async () => {
  for (let steps = 1; steps < 12; steps += 1) {
    const directory = await temporaryFolder();
    const { disk, dieAfter } = mortalDisk();
    dieAfter(steps);
    await new DirectoryTileStore(directory, disk)
      .write('tiles/a/1', Buffer.from('tile'), signal)
      .catch(() => undefined);
    const store = new DirectoryTileStore(directory, realDisk);

    expect([undefined, 'tile']).toContain((await store.read('tiles/a/1', signal))?.toString());
    await store.write('tiles/a/1', Buffer.from('again'), signal);
    expect((await store.read('tiles/a/1', signal))?.toString()).toBe('again');
  }
});

test('a missing directory is not created, because it may not be mounted', async () => {
  const store = new DirectoryTileStore(join(await temporaryFolder(), 'missing'), realDisk);

  await expect(store.write('tiles/a', Buffer.of(), signal)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await store.read('tiles/a', signal)).toBeUndefined();
});

test('operations that were given up before their start do not touch the directory', async () => {
  const store = new DirectoryTileStore('/proc/nowhere', realDisk);
  const ended = AbortSignal.abort(new Error('too late'));

  await expect(store.read('a', ended)).rejects.toThrow('too late');
  await expect(store.write('a', Buffer.of(), ended)).rejects.toThrow('too late');
});
