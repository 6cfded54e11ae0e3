import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { freshRoot } from '../../../test/support/mortal-disk.ts';
import { hashBytes, hashContent } from '../../storage/blobs/port.ts';
import { createDryRunFiles, type Files, openFiles } from './files.ts';

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

test('a damaged upload is repaired when it is sent again, even if it is open', async () => {
  const root = await freshRoot();
  const files = openFiles({ root });
  const content = { 'a.shp': 'shapes', 'a.dbf': 'texts' };
  const set = await keepSet(files, content);
  const folder = await files.openSet(set);
  await truncate(join(folder, 'a.shp'), 2);

  await keepSet(files, content);

  expect(await readFile(join(folder, 'a.shp'), 'utf8')).toBe('shapes');
  expect(await readdir(join(root, 'staging'))).toEqual([]);
});

test('the files of a set are copied without opening it and are writable', async () => {
  const root = await freshRoot();
  const files = openFiles({ root });
  const set = await keepSet(files, { 'a.gpkg': 'tables' });

  await files.copySet(set, join(root, 'copy'));

  await writeFile(join(root, 'copy', 'a.gpkg'), 'other tables');
  expect(await readdir(root)).not.toContain('files');
  expect(await readFile(join(await files.openSet(set), 'a.gpkg'), 'utf8')).toBe('tables');
});

test('batched small bytes are on disk once they are stored and invisible to others before', async () => {
  const root = await freshRoot();
  const files = openFiles({ root });
  const gathered = files.createBatch();

  const hash = await gathered.runFileOperation((keeper) => keeper.storeBytes(Buffer.from('a style')));

  expect((await gathered.read(hash)).toString()).toBe('a style');
  await expect(files.read(hash)).rejects.toThrow('is absent');
  await gathered.put();
  expect((await files.read(hash)).toString()).toBe('a style');
  await files.waitUntilIdle();
  expect((await openFiles({ root }).read(hash)).toString()).toBe('a style');
});

test('the checksum of every stored file is known until it is taken, and a dry run adds none', async () => {
  const root = await freshRoot();
  const files = openFiles({ root });
  const batch = files.createBatch();
  const file = join(root, 'file');
  await writeFile(file, 'a large style');
  const set = await keepSet(files, { 'a.shp': 'shapes' });
  await files.runFileOperation((keeper) => keeper.storeBytes(Buffer.from('a style')));
  await files.runFileOperation((keeper) => keeper.storeFile({ file, ...hashContent(Buffer.from('a large style')) }));
  await batch.runFileOperation((keeper) => keeper.storeBytes(Buffer.from('one of many')));
  await createDryRunFiles(files).runFileOperation((keeper) => keeper.storeBytes(Buffer.from('rehearsed')));
  const list = await readFile(join(root, 'sets', set.slice(0, 2), set), 'utf8');

  const stored = ['shapes', 'a style', 'a large style', 'one of many', list];
  expect(files.takeNewChecksums()).toEqual(new Map(stored.map((text) => [hashBytes(Buffer.from(text)), crc32(text)])));
  expect(files.takeNewChecksums().size).toBe(0);
});
