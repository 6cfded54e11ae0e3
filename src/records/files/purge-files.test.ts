import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshRoot, mortalDisk } from '../../../test/support/mortal-disk.ts';
import { type Files, openFiles } from './files.ts';

async function keepSet(files: Files, content: Readonly<Record<string, string>>): Promise<string> {
  const staging = await files.createStaging('test');
  const staged = Object.entries(content).map(([path, text]) => ({ path, text, file: join(staging.path, path) }));
  for (const { file, text } of staged) await writeFile(file, text);
  const set = await files.runFileOperation((keeper) =>
    keeper.storeSet(staged.map(({ path, file, text }) => ({ path, file, bytes: text.length }))),
  );
  await staging.discard();
  return set;
}

/** Lists everything in a folder of the data directory. */
async function contents(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.purged'));
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  return texts.sort();
}

const set = (hash: string) => ({ kind: 'set', hash }) as const;
const naming =
  (...named: readonly string[]) =>
  async (hash: string) =>
    named.includes(hash);

test('a purged set is deleted with its bytes and its opened folder before the response', async () => {
  const root = await freshRoot();
  const files = openFiles({ root });
  const store = await keepSet(files, { 'a.tif': 'picture a', 'b.tif': 'picture b' });
  await files.openSet(store);

  await files.changeAndPurge(naming(), [set(store)], async () => [set(store)]);

  expect(await contents(root, 'blobs')).toEqual([]);
  expect(await contents(root, 'sets')).toEqual([]);
  expect(await contents(root, 'files')).toEqual([]);
  expect(await readdir(join(root, 'purges'))).toEqual([]);
  expect(await files.stored.sets.getState(store)).toBe('purged');
});

test('a purge keeps bytes that a record refers to through another set, but not those only in the history', async () => {
  const root = await freshRoot();
  const files = openFiles({ root });
  const first = await keepSet(files, { 'a.tif': 'picture a', 'b.tif': 'picture b' });
  const former = await keepSet(files, { 'a.tif': 'picture a' });
  const other = await keepSet(files, { 'copy.tif': 'picture b' });
  await files.openSet(former);
  await files.openSet(other);

  await files.changeAndPurge(naming(other), [set(first)], async () => [set(first)]);

  expect(await contents(root, 'blobs')).toEqual(['picture b']);
  expect(await contents(root, 'files')).toEqual(['picture b']);
});

test('a purge keeps a set that a record refers to', async () => {
  const root = await freshRoot();
  const files = openFiles({ root });
  const store = await keepSet(files, { 'a.tif': 'picture a' });

  await files.changeAndPurge(naming(store), [set(store)], async () => [set(store)]);

  expect(await contents(root, 'blobs')).toEqual(['picture a']);
  expect(await readdir(join(root, 'purges'))).toEqual([]);
});

test('a purge keeps bytes that another operation stores at the same time', async () => {
  const root = await freshRoot();
  const files = openFiles({ root });
  const store = await keepSet(files, { 'a.tif': 'picture a', 'b.tif': 'picture b' });

  let again = '';
  const isNamed = async (hash: string) => {
    // One of the files is uploaded again between the check of the sets and the deletion of the bytes.
    if (again === '') again = await keepSet(files, { 'a.tif': 'picture a' });
    return hash === again;
  };
  await files.changeAndPurge(isNamed, [set(store)], async () => [set(store)]);

  expect(await contents(root, 'blobs')).toEqual(['picture a']);
});

test('a damaged set, or one that may share bytes with a damaged set, is purged once it can be read', async () => {
  const root = await freshRoot();
  const files = openFiles({ root });
  const store = await keepSet(files, { 'a.tif': 'picture a' });
  const other = await keepSet(files, { 'b.tif': 'picture a' });
  await truncate(join(root, 'sets', other.slice(0, 2), other), 20);

  await files.changeAndPurge(naming(other), [set(store)], async () => [set(store)]);
  expect(await contents(root, 'blobs')).toEqual(['picture a']);
  await files.finishPurges(naming());

  expect(await contents(root, 'blobs')).toEqual([]);
});

test('the next start completes a purge that was interrupted at any point after the change', async () => {
  for (let step = 0, died = true; died; step += 1) {
    const root = await freshRoot();
    const mortal = mortalDisk();
    const files = openFiles({ root, disk: mortal.disk });
    const store = await keepSet(files, { 'a.tif': 'picture a', 'b.tif': 'picture b' });
    await files.openSet(store);
    died = await files
      .changeAndPurge(naming(), [set(store)], async () => {
        mortal.dieAfter(step);
        return [set(store)];
      })
      .then(
        () => false,
        () => true,
      );

    const next = openFiles({ root });
    await next.recover();
    await next.finishPurges(naming());

    expect([await contents(root, 'blobs'), await contents(root, 'sets'), await contents(root, 'files')]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await readdir(join(root, 'purges'))).toEqual([]);
    expect(step).toBeLessThan(200);
  }
});
