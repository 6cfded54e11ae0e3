import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSource, openTarget, type StorageLocation } from './storage-locations.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-locations-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function locate(name: string): StorageLocation {
  const directory = join(folder, name);
  return { kind: 'directory', directory, shown: directory };
}

it('a file is neither a source nor a target, and the target is not touched', async () => {
  await writeFile(join(folder, 'file'), 'text');

  await expect(openSource(locate('file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(openTarget(locate('file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  expect(await readdir(folder)).toEqual(['file']);
});

it('a target that cannot be completed is abandoned without leftovers', async () => {
  const { finish, abandon } = await openTarget(locate('target'));
  await mkdir(join(folder, 'target'));
  await writeFile(join(folder, 'target', 'file'), 'created meanwhile');

  await expect(finish()).rejects.toMatchObject({ code: 'ENOTEMPTY' });
  await abandon();

  expect(await readdir(folder)).toEqual(['target']);
});

it('a target that another copy is writing is rejected, and the other copy is not touched', async () => {
  const first = await openTarget(locate('target'));
  const names = await readdir(join(folder, 'target.unfinished'));

  await expect(openTarget(locate('target'))).rejects.toThrow('another copy is writing it');
  expect(await readdir(join(folder, 'target.unfinished'))).toEqual(names);
  await first.finish();
  await first.abandon();
  expect(await readdir(folder)).toEqual(['target']);
  expect(await readdir(join(folder, 'target'))).not.toContain('server.lock');
});

it('files of an interrupted copy are deleted', async () => {
  await mkdir(join(folder, 'target.unfinished', 'blobs'), { recursive: true });
  await writeFile(join(folder, 'target.unfinished', 'blobs', 'left'), 'text');
  const { finish } = await openTarget(locate('target'));
  await finish();

  expect(await readdir(join(folder, 'target'), { recursive: true })).not.toContain('blobs/left');
});
