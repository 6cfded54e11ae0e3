/** Copies of shared files on a node stay within the limit, and files in use are never evicted. */
import { randomBytes } from 'node:crypto';
import { access, chmod, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/e2e/temporary-folder.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { openSharedDirectory } from '../../storage/blobs/shared-directory.ts';
import { type Files, openFiles } from './files.ts';

const LIMIT = 3_000;
const GRACE_MS = 60_000;

async function openNode(directory: string, root: string): Promise<{ files: Files; later(ms: number): void }> {
  // The clock advances below, and new copies must not be in its future.
  let nowMs = Date.now() - 3 * GRACE_MS;
  const files = openFiles({
    root,
    shared: {
      openSharedBytes: (shelf) => openSharedDirectory({ directory, shelf, runExclusive: createKeyedMutex() }),
      maxSetBytes: 10_000,
      cache: {
        limitBytes: LIMIT,
        graceMs: GRACE_MS,
        clock: () => nowMs,
        onFailure: (reason) => {
          throw reason;
        },
      },
    },
  });
  // Runs before the folder is deleted.
  onTestFinished(() => files.waitUntilIdle());
  return {
    files,
    later: (ms) => {
      nowMs += ms;
    },
  };
}

async function keepSet(files: Files, bytes: number): Promise<string> {
  const staging = await files.createStaging('test');
  const file = join(staging.path, 'a.bin');
  await writeFile(file, randomBytes(bytes));
  try {
    return await files.runFileOperation((keeper) => keeper.storeSet([{ path: 'a.bin', file, bytes }]));
  } finally {
    await staging.discard();
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test('the least recently used sets are evicted at the limit and copied again on demand', async () => {
  const [shared, root] = [await temporaryFolder(), await temporaryFolder()];
  const { files, later } = await openNode(shared, root);
  const sets = [await keepSet(files, 1_000), await keepSet(files, 1_000), await keepSet(files, 1_000)] as const;
  const folders: string[] = [];
  for (const set of sets) {
    folders.push(await files.openSet(set));
    later(1_000);
  }
  files.noteUse(sets[0]);
  later(GRACE_MS * 2);

  const used = files.noteUse(sets[1]);
  await files.openSet(await keepSet(files, 1_000));
  await files.checkCopies();

  expect(await Promise.all(folders.map(isThere))).toEqual([true, true, false]);
  expect(files.getCopyUsage().bytes).toBeLessThanOrEqual(LIMIT);
  expect(files.noteUse(sets[1])).toBe(used);
  expect(files.noteUse(sets[2])).toBe(1);
  expect(await readdir(await files.openSet(sets[2]))).toEqual(['a.bin']);
});

test('recently used sets stay even above the limit', async () => {
  const { files } = await openNode(await temporaryFolder(), await temporaryFolder());
  const sets = await Promise.all(Array.from({ length: 5 }, () => keepSet(files, 1_000)));
  const folders = await Promise.all(sets.map((set) => files.openSet(set)));

  await files.checkCopies();

  expect(await Promise.all(folders.map(isThere))).toEqual(folders.map(() => true));
});

test('a node reads the files of another node and repairs an incomplete folder after a restart', async () => {
  const [shared, root] = [await temporaryFolder(), await temporaryFolder()];
  const set = await keepSet((await openNode(shared, await temporaryFolder())).files, 1_000);
  const folder = await (await openNode(shared, root)).files.openSet(set);
  await chmod(join(folder, 'a.bin'), 0o600);
  await truncate(join(folder, 'a.bin'), 10);

  const { files } = await openNode(shared, root);
  await files.checkCopies();

  expect(await isThere(folder)).toBe(false);
  expect((await stat(join(await files.openSet(set), 'a.bin'))).size).toBe(1_000);
});

test('an upload above the storage limit is rejected with a remedy', async () => {
  const { files } = await openNode(await temporaryFolder(), await temporaryFolder());

  await expect(keepSet(files, 10_001)).rejects.toMatchObject({ code: 'upload-beyond-storage', status: 413 });
});
