import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from './create-folder.ts';

test('returns the folders that were created, the outermost first', async () => {
  const root = await mkdtemp(join(tmpdir(), 'graticule-folder-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const [outer, inner] = [join(root, 'a', 'b'), join(root, 'a', 'b', 'c', 'd')];

  expect(await createFolder(outer)).toEqual([join(root, 'a'), outer]);
  expect(await createFolder(inner)).toEqual([join(root, 'a', 'b', 'c'), inner]);
  expect(await createFolder(inner)).toEqual([]);
  expect((await stat(inner)).mode & 0o777).toBe(0o700);
});

test.runIf(process.platform === 'linux')('rejects a place where no directory can be created', async () => {
  await expect(createFolder('/proc/graticule/data')).rejects.toThrow("no directory can be created in '/proc'");
});
