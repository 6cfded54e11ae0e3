import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFiles } from '../files.ts';
import { type Disk, realDisk } from './disk.ts';

async function dataDirectory(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'graticule-removal-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const name of ['data/acme/roads/1', 'data/acme/rails/2', 'data/other/x/3']) {
    await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, name, 'a.shp'), 'a');
  }
  return root;
}

const filesIn = async (root: string) =>
  (await readdir(join(root, 'data'), { recursive: true })).filter((name) => name.endsWith('.shp')).toSorted();

describe('a planned removal', () => {
  it('removes nothing before it is carried out, then the places and the folders that are empty', async () => {
    const root = await dataDirectory();
    const removal = await openFiles({ root }).planRemoval(['data/acme/roads/1', 'data/acme/rails/2'], { change: 7 });
    expect(await filesIn(root)).toHaveLength(3);

    await removal.carryOut();

    expect(await readdir(join(root, 'data'))).toEqual(['other']);
    expect(await readdir(join(root, 'staging'))).toEqual([]);
  });

  it('that is cancelled leaves everything', async () => {
    const root = await dataDirectory();
    const removal = await openFiles({ root }).planRemoval(['data/acme/roads/1'], { change: 7 });

    await removal.cancel();

    expect(await filesIn(root)).toHaveLength(3);
    expect(await readdir(join(root, 'staging'))).toEqual([]);
  });

  it.each([
    [7, 2],
    [8, 2],
    [6, 3],
    [undefined, 3],
  ])('of change 7 is carried out by the next start if the last change is %s', async (lastChange, left) => {
    const root = await dataDirectory();
    await openFiles({ root }).planRemoval(['data/acme/roads/1'], { change: 7 });

    await openFiles({ root }).sweepStaging(lastChange === undefined ? {} : { lastChange });

    expect(await filesIn(root)).toHaveLength(left);
    expect(await readdir(join(root, 'staging'))).toEqual([]);
  });

  it('leaves the emptied folder to whoever is about to publish into it', async () => {
    const root = await dataDirectory();
    const roads = join(root, 'data/acme/roads');
    let carriedOut: Promise<void> | undefined;
    const disk: Disk = {
      ...realDisk,
      async move(from, to) {
        if (to === join(roads, '2')) {
          carriedOut = removal.carryOut();
          for (let look = 0; look < 100 && (await realDisk.entryAt(roads)) !== undefined; look += 1);
        }
        await realDisk.move(from, to);
      },
    };
    const files = openFiles({ root, disk });
    const removal = await files.planRemoval(['data/acme/roads/1'], { change: 7 });
    const staged = join((await files.createStaging('upload')).path, 'content');
    await mkdir(staged);
    await writeFile(join(staged, 'b.shp'), 'b');

    const published = await files.publish(staged, 'data/acme/roads/2');
    await published.settle();
    await carriedOut;

    expect(await filesIn(root)).toEqual(['acme/rails/2/a.shp', 'acme/roads/2/b.shp', 'other/x/3/a.shp']);
  });

  it('never leaves the data directory, nor enters staging', async () => {
    const root = await dataDirectory();

    await expect(openFiles({ root }).planRemoval(['../elsewhere'], { change: 1 })).rejects.toThrow('outside');
    await expect(openFiles({ root }).planRemoval(['staging/x'], { change: 1 })).rejects.toThrow('swept');
  });
});
