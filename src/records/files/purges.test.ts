import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshRoot, type MortalDisk, mortalDisk } from '../../../test/support/mortal-disk.ts';
import { createDryRunFiles, type Files, openFiles } from './files.ts';

interface Scene {
  readonly root: string;
  readonly mortal: MortalDisk;
  readonly files: Files;
  /** A style with stored bytes. */
  readonly hash: string;
}

async function scene(): Promise<Scene> {
  const root = await freshRoot();
  const mortal = mortalDisk();
  const files = openFiles({ root, disk: mortal.disk });
  const hash = await files.runFileOperation((keeper) => keeper.storeBytes(Buffer.from('a style')));
  return { root, mortal, files, hash };
}

const bytes = (hash: string) => ({ kind: 'bytes', hash }) as const;
const notUsed = async () => false;
const used = async () => true;

test('purged files are deleted with the change and leave no note', async () => {
  const { root, files, hash } = await scene();

  await files.changeAndPurge(notUsed, [bytes(hash), bytes(hash)], async () => [bytes(hash), bytes(hash)]);

  expect(await files.stored.blobs.getState(hash)).toBe('purged');
  expect(await readdir(join(root, 'purges'))).toEqual([]);
});

test('files that were unknown before the change are purged, and files that remain in use stay', async () => {
  const { root, files, hash } = await scene();
  const other = await files.runFileOperation((keeper) => keeper.storeBytes(Buffer.from('another style')));

  await files.changeAndPurge(notUsed, [bytes(hash)], async () => [bytes(other)]);

  expect(await files.stored.blobs.getState(other)).toBe('purged');
  expect(await files.stored.blobs.getState(hash)).toBe('present');
  expect(await readdir(join(root, 'purges'))).toEqual([]);
});

test('files that another record refers to are not purged', async () => {
  const { files, hash } = await scene();

  await files.changeAndPurge(used, [bytes(hash)], async () => [bytes(hash)]);

  expect(await files.stored.blobs.getState(hash)).toBe('present');
});

test('a rejected change purges nothing, neither immediately nor at the next start', async () => {
  const { root, files, hash } = await scene();

  const refused = files.changeAndPurge(notUsed, [bytes(hash)], async () => {
    throw new Error('refused');
  });

  await expect(refused).rejects.toThrow('refused');
  await openFiles({ root }).finishPurges(notUsed);
  expect(await files.stored.blobs.getState(hash)).toBe('present');
});

test('the next start completes a purge that was interrupted at any point after the change', async () => {
  for (let step = 0, died = true; died; step += 1) {
    const { root, mortal, files, hash } = await scene();
    died = await files
      .changeAndPurge(notUsed, [bytes(hash)], async () => {
        mortal.dieAfter(step);
        return [bytes(hash)];
      })
      .then(
        () => false,
        () => true,
      );

    const next = openFiles({ root });
    await next.finishPurges(notUsed);

    expect(await next.stored.blobs.getState(hash)).toBe('purged');
    expect(await readdir(join(root, 'purges'))).toEqual([]);
    expect(step).toBeLessThan(100);
  }
});

test('a purge is dropped when the server stops before the change', async () => {
  const { root, mortal, files, hash } = await scene();
  await files
    .changeAndPurge(used, [bytes(hash)], async () => {
      mortal.dieAfter(0);
      throw new Error('died');
    })
    .catch(() => undefined);

  const next = openFiles({ root });
  await next.finishPurges(used);
  await next.finishPurges(notUsed);

  expect(await next.stored.blobs.getState(hash)).toBe('present');
});

test('bytes that a damaged set may need stay until it can be read', async () => {
  const { root, files, hash } = await scene();
  const staging = await files.createStaging('test');
  const file = join(staging.path, 'a.shp');
  await openFiles({ root }).stored.blobs.linkTo(hash, file);
  const set = await files.runFileOperation((keeper) => keeper.storeSet([{ path: 'a.shp', file, bytes: 7 }]));
  await truncate(join(root, 'sets', set.slice(0, 2), set), 20);

  await files.changeAndPurge(notUsed, [bytes(hash)], async () => [bytes(hash)]);

  expect(await files.stored.blobs.getState(hash)).toBe('present');
  await files.stored.sets.delete(set, { purged: false });
  await files.finishPurges(notUsed);
  expect(await files.stored.blobs.getState(hash)).toBe('purged');
});

test('a dry run purges nothing', async () => {
  const { root, files, hash } = await scene();

  await createDryRunFiles(files).changeAndPurge(notUsed, [bytes(hash)], async () => [bytes(hash)]);

  expect(await files.stored.blobs.getState(hash)).toBe('present');
  expect(await readdir(root)).not.toContain('purges');
});
