import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFiles } from '../files.ts';

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

  it('never leaves the data directory, nor enters staging', async () => {
    const root = await dataDirectory();

    await expect(openFiles({ root }).planRemoval(['../elsewhere'], { change: 1 })).rejects.toThrow('outside');
    await expect(openFiles({ root }).planRemoval(['staging/x'], { change: 1 })).rejects.toThrow('swept');
  });
});
