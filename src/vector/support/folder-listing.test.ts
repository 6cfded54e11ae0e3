import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { FolderLister } from './folder-listing.ts';

const folder = useTemporaryFolder('folder-listing');

/** Long after every change of a folder. */
const later = () => Date.now() + 60_000;

/** Adds files until the time of the folder changes: two changes can happen within one tick of its clock. */
async function changeFolder(directory: string): Promise<void> {
  const { ctimeNs } = await stat(directory, { bigint: true });
  for (let number = 0; (await stat(directory, { bigint: true })).ctimeNs === ctimeNs; number += 1) {
    await writeFile(join(directory, `added-${number}`), '');
  }
}

test('a folder is listed once until it changes', async () => {
  const directory = await mkdtemp(join(folder, 'kept-'));
  await writeFile(join(directory, 'Roads.SHP'), '');
  const lister = new FolderLister(later);

  const listing = await lister.list(directory);
  expect(listing.findInAnyCase('roads.shp').map(({ name }) => name)).toEqual(['Roads.SHP']);
  expect(await lister.list(directory)).toBe(listing);

  await changeFolder(directory);
  expect((await lister.list(directory)).findInAnyCase('added-0')).toHaveLength(1);
});

test('a folder that has just changed is listed each time, because a further change may not show', async () => {
  const directory = await mkdtemp(join(folder, 'fresh-'));
  const lister = new FolderLister();

  const listing = await lister.list(directory);
  expect(await lister.list(directory)).not.toBe(listing);
});

test('a missing folder is reported as a missing file', async () => {
  await expect(new FolderLister().list(join(folder, 'none'))).rejects.toMatchObject({ code: 'vector-file-missing' });
});
