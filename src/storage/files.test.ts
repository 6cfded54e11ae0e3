import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshRoot, look, mortalDisk, put } from '../../test/support/mortal-disk.ts';
import { openFiles } from './files.ts';

describe('a staging folder', () => {
  test('is fresh, empty, and for the owner only', async () => {
    const files = openFiles({ root: await freshRoot() });

    const one = await files.createStaging('upload');
    const other = await files.createStaging('upload');

    expect(one.path).not.toBe(other.path);
    expect(await look(one.path)).toEqual({});
    expect((await stat(one.path)).mode & 0o777).toBe(0o700);
    expect((await stat(join(one.path, '..'))).mode & 0o777).toBe(0o700);
  });

  test('can be discarded with all that is in it, twice', async () => {
    const root = await freshRoot();
    const staging = await openFiles({ root }).createStaging('upload');
    await put(staging.path, { 'a.zip': 'x', deep: { b: 'y' } });

    await staging.discard();
    await staging.discard();

    expect(await look(root)).toEqual({ staging: {} });
  });

  test.each(['', '..', 'a/b', 'Upload', 'a b', 'a\0'])('cannot be made for the purpose %j', async (purpose) => {
    const files = openFiles({ root: await freshRoot() });

    await expect(files.createStaging(purpose)).rejects.toThrow('folder name');
  });

  test('is never made through a link, nor swept through one', async () => {
    const elsewhere = await freshRoot({ precious: 'keep' });
    const root = await freshRoot();
    await symlink(elsewhere, join(root, 'staging'));
    const files = openFiles({ root });

    await expect(files.createStaging('upload')).rejects.toThrow('must be a folder');
    await expect(files.sweepStaging()).rejects.toThrow('must be a folder');

    expect(await look(elsewhere)).toEqual({ precious: 'keep' });
  });
});

describe('sweeping staging', () => {
  test('removes everything in it and says how much that was', async () => {
    const root = await freshRoot({ data: { keep: 'x' }, staging: { 'work-upload-1': { a: 'x' }, stray: 'y' } });
    const files = openFiles({ root });

    expect(await files.sweepStaging()).toBe(2);
    expect(await files.sweepStaging()).toBe(0);

    expect(await look(root)).toEqual({ data: { keep: 'x' }, staging: {} });
  });

  test('removes links, not what they point to', async () => {
    const root = await freshRoot({ data: { keep: 'x' }, staging: { 'work-upload-1': {} } });
    await symlink(join(root, 'data'), join(root, 'staging', 'work-upload-1', 'link'));
    await symlink(join(root, 'data'), join(root, 'staging', 'publish-link'));

    expect(await openFiles({ root }).sweepStaging()).toBe(2);

    expect(await look(root)).toEqual({ data: { keep: 'x' }, staging: {} });
  });

  test('an uploaded file that looks like a journal is only a file', async () => {
    const root = await freshRoot({ data: { keep: 'x' } });
    const files = openFiles({ root });
    const staging = await files.createStaging('publish');
    const forged = { ordinal: 0, staged: 'a', target: 'data/keep', replaces: false, madeFolders: [], change: null };
    await put(staging.path, { 'journal.json': JSON.stringify({ ...forged, change: 9 }) });

    await files.sweepStaging({ lastChange: 1 });

    expect(await look(root)).toEqual({ data: { keep: 'x' }, staging: {} });
  });

  test.each(['not json', '{}', 'null'])('a damaged journal (%s) stops the sweep, and nothing is lost', async (text) => {
    const root = await freshRoot({ staging: { 'publish-x': { 'journal.json': text, replaced: 'the only copy' } } });

    await expect(openFiles({ root }).sweepStaging()).rejects.toThrow('publish-x');

    expect(await readFile(join(root, 'staging', 'publish-x', 'replaced'), 'utf8')).toBe('the only copy');
  });

  test('of two lost publishes to one target, what was there first comes back', async () => {
    const root = await freshRoot({ st: { a: 'first' } });
    const files = openFiles({ root });
    const staging = await files.createStaging('upload');
    await put(staging.path, { one: { a: 'second' }, two: { a: 'third' }, three: { a: 'fourth' } });
    for (const name of ['one', 'two', 'three']) await files.publish(join(staging.path, name), 'st', { change: 7 });

    await files.sweepStaging({ lastChange: 6 });

    expect(await look(root)).toEqual({ st: { a: 'first' }, staging: {} });
  });

  test('a publish of a lost change goes, one of the committed change before it stays', async () => {
    const root = await freshRoot({ st: 'first' });
    const files = openFiles({ root });
    const staging = await files.createStaging('upload');
    await put(staging.path, { one: 'second', two: 'third' });
    await files.publish(join(staging.path, 'one'), 'st', { change: 6 });
    await files.publish(join(staging.path, 'two'), 'st', { change: 7 });

    await files.sweepStaging({ lastChange: 6 });

    expect(await look(root)).toEqual({ st: 'second', staging: {} });
  });

  test('the new stays, whatever became of its change, once the old has been discarded', async () => {
    const root = await freshRoot({ st: 'old' });
    const files = openFiles({ root });
    const staging = await files.createStaging('upload');
    await put(staging.path, { one: 'new' });
    await files.publish(join(staging.path, 'one'), 'st', { change: 7 });
    for (const name of await readdir(join(root, 'staging')))
      await rm(join(root, 'staging', name, 'replaced'), { force: true });

    await files.sweepStaging({ lastChange: 6 });

    expect(await look(root)).toEqual({ st: 'new', staging: {} });
  });

  test('a crash is repaired also after the data directory was moved', async () => {
    const root = await freshRoot({ here: { st: { a: 'old' } } });
    const here = join(root, 'here');
    const files = openFiles({ root: here });
    const staging = await files.createStaging('upload');
    await put(staging.path, { one: { a: 'new' } });
    await files.publish(join(staging.path, 'one'), 'st', { change: 2 });
    await rename(here, join(root, 'there'));

    await openFiles({ root: join(root, 'there') }).sweepStaging({ lastChange: 1 });

    expect(await look(root)).toEqual({ there: { st: { a: 'old' }, staging: {} } });
  });
});

describe('publishing', () => {
  async function stage(content: Parameters<typeof put>[1], before: Parameters<typeof put>[1] = {}) {
    const root = await freshRoot(before);
    const files = openFiles({ root });
    const staging = await files.createStaging('upload');
    await put(staging.path, content);
    return { root, files, staging, at: (name: string) => join(staging.path, name) };
  }

  test('moves a folder into place, makes what is missing above it, and settles', async () => {
    const { root, files, staging, at } = await stage({ roads: { 'roads.shp': 'x' } });

    const published = await files.publish(at('roads'), join(root, 'data', 'acme', 'roads'));
    expect(await look(join(root, 'data'))).toEqual({ acme: { roads: { 'roads.shp': 'x' } } });
    await published.settle();
    await staging.discard();

    expect(await look(root)).toEqual({ data: { acme: { roads: { 'roads.shp': 'x' } } }, staging: {} });
  });

  test('can be undone as if it had not been, with the staged thing back in staging', async () => {
    const { root, files, staging, at } = await stage({ roads: { a: 'new' } }, { data: { roads: { a: 'old' } } });
    const before = await look(root);

    const published = await files.publish(at('roads'), 'data/roads');
    await published.undo();

    expect(await look(root)).toEqual(before);
    await staging.discard();
    expect(await look(root)).toEqual({ data: { roads: { a: 'old' } }, staging: {} });
  });

  test('can be undone after the staging folder was discarded', async () => {
    const { root, files, staging, at } = await stage({ roads: 'new' }, { data: {} });

    const published = await files.publish(at('roads'), 'data/deep/er/roads');
    await staging.discard();
    await published.undo();

    expect(await look(root)).toEqual({ data: {}, staging: {} });
  });

  test('an undo removes only folders that are still empty', async () => {
    const { root, files, staging, at } = await stage({ roads: 'new' });

    const published = await files.publish(at('roads'), 'data/acme/roads');
    await writeFile(join(root, 'data', 'other'), 'x');
    await published.undo();
    await staging.discard();

    expect(await look(root)).toEqual({ data: { other: 'x' }, staging: {} });
  });

  test('is either settled or undone, not both', async () => {
    const { files, at } = await stage({ one: '1', two: '2' });
    const one = await files.publish(at('one'), 'one');
    const two = await files.publish(at('two'), 'two');

    await one.settle();
    await one.settle();
    await two.undo();
    await two.undo();

    await expect(one.undo()).rejects.toThrow('ended by settle');
    await expect(two.settle()).rejects.toThrow('ended by undo');
  });

  test('replaces a link itself, not what it points to, and can put it back', async () => {
    const { root, files, at } = await stage({ style: 'new' }, { target: 'untouched' });
    await symlink(join(root, 'target'), join(root, 'link'));

    const published = await files.publish(at('style'), 'link');
    expect(await readFile(join(root, 'link'), 'utf8')).toBe('new');
    expect(await readFile(join(root, 'target'), 'utf8')).toBe('untouched');
    await published.undo();

    expect((await lstat(join(root, 'link'))).isSymbolicLink()).toBe(true);
  });

  test('works when the data directory is reached through a link', async () => {
    const { root, staging } = await stage({ a: 'x' });
    const alias = join(await freshRoot(), 'alias');
    await symlink(root, alias);

    const published = await openFiles({ root: alias }).publish(join(staging.path, 'a'), join(alias, 'data', 'a'));
    await published.settle();

    expect(await look(join(root, 'data'))).toEqual({ a: 'x' });
  });

  test.each(['../outside', '/etc/outside', 'data/../../outside', '.', ''])('refuses the target %j', async (target) => {
    const { files, at } = await stage({ a: 'x' });

    await expect(files.publish(at('a'), target)).rejects.toThrow();

    expect(await readFile(at('a'), 'utf8')).toBe('x');
  });

  test('refuses a target or a source that leaves the data directory through a link', async () => {
    const { root, files, at } = await stage({ a: 'x' });
    const elsewhere = await freshRoot({ foreign: 'y' });
    await symlink(elsewhere, join(root, 'exit'));

    await expect(files.publish(at('a'), 'exit/a')).rejects.toThrow('outside the data directory');
    await expect(files.publish(at('a'), 'exit/deep/a')).rejects.toThrow('outside the data directory');
    await expect(files.publish(join(root, 'exit', 'foreign'), 'data/a')).rejects.toThrow('outside the data directory');
    await expect(files.publish(join(elsewhere, 'foreign'), 'data/a')).rejects.toThrow('outside the data directory');

    expect(await look(elsewhere)).toEqual({ foreign: 'y' });
  });

  test('refuses what is not there, links, staging as a target, and one inside the other', async () => {
    const { root, files, staging, at } = await stage({ a: { b: 'x' } }, { data: { ws: { st: 'y' } } });
    await symlink(at('a'), at('link'));

    await expect(files.publish(at('nothing'), 'data/a')).rejects.toThrow('no file or folder');
    await expect(files.publish(at('link'), 'data/a')).rejects.toThrow('no file or folder');
    await expect(files.publish(at('a'), 'staging')).rejects.toThrow('into staging');
    await expect(files.publish(at('a'), 'staging/a')).rejects.toThrow('into staging');
    await expect(files.publish(join(staging.path, '..'), 'data/a')).rejects.toThrow('one holds the other');
    await expect(files.publish('data/ws', 'data/ws/st')).rejects.toThrow('one holds the other');
    await expect(files.publish('data/ws/st', 'data/ws')).rejects.toThrow('one holds the other');
    await expect(files.publish('data/ws', 'data/ws')).rejects.toThrow('one holds the other');

    expect(await look(join(root, 'data'))).toEqual({ ws: { st: 'y' } });
  });

  test('that fails on the way leaves everything as it was', async () => {
    const root = await freshRoot({ data: { roads: { a: 'old' } } });
    const { disk } = mortalDisk({
      async move(from, to) {
        if (to.endsWith('roads') && from.includes('work-')) throw new Error('no space left');
        await rename(from, to);
      },
    });
    const files = openFiles({ root, disk });
    const staging = await files.createStaging('upload');
    await put(staging.path, { roads: { a: 'new' } });
    const before = await look(root);

    await expect(files.publish(join(staging.path, 'roads'), 'data/roads')).rejects.toThrow('no space left');

    expect(await look(root)).toEqual(before);
  });

  test('whose source vanishes on the way puts the old back', async () => {
    const root = await freshRoot({ data: { roads: { a: 'old' } } });
    const { disk } = mortalDisk({
      async move(from, to) {
        if (from.includes('work-')) await rm(from, { recursive: true });
        await rename(from, to);
      },
    });
    const files = openFiles({ root, disk });
    const staging = await files.createStaging('upload');
    await mkdir(join(staging.path, 'roads'));

    await expect(files.publish(join(staging.path, 'roads'), 'data/roads')).rejects.toThrow('ENOENT');

    expect(await look(join(root, 'data'))).toEqual({ roads: { a: 'old' } });
  });

  test('keeps the permissions of what is published', async () => {
    const { root, files, at } = await stage({ 'run.sh': 'x' });
    await chmod(at('run.sh'), 0o640);

    await (await files.publish(at('run.sh'), 'run.sh')).settle();

    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o640);
  });
});
