import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listDirectoryEntries } from './directory-entries.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-entries-'));
  for (const name of ['data', 'security']) await mkdir(join(folder, name));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function listAfterWriting(...names: readonly string[]): Promise<readonly string[]> {
  for (const name of names) await writeFile(join(folder, name), '');
  return listDirectoryEntries(folder, false)
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path)
    .toSorted();
}

it('a backup contains files whose names resemble temporary files', async () => {
  const names = ['data/.a.part', 'data/a.new', 'data/b-wal', 'data/c.gpkg-shm', 'data/travel-journal'];

  expect(await listAfterWriting(...names)).toEqual(names);
});

it('a backup reports files and folders whose names are not valid UTF-8', async () => {
  const bytes = Buffer.concat([Buffer.from(join(folder, 'data', 'caf')), Buffer.from([0xe9])]);
  await mkdir(bytes);
  await writeFile(Buffer.concat([bytes, Buffer.from('.txt')]), '');
  await writeFile(join(folder, 'data', 'a\ufffdb'), '');

  expect(listDirectoryEntries(folder, false).filter(({ path }) => path.includes('\ufffd'))).toEqual([
    { kind: 'file', path: 'data/a\ufffdb', file: join(folder, 'data', 'a\ufffdb') },
    { kind: 'invalid name', path: 'data/caf\ufffd' },
    { kind: 'invalid name', path: 'data/caf\ufffd.txt' },
  ]);
});

it('a backup omits temporary files of the server and companions of GeoPackages', async () => {
  const parts = ['data/.0b7a3a52-5a0e-4b0c-9a57-0d1f5b8d2c11-0.part', 'data/.work-resource-a1B2c3.part'];
  const companions = ['data/a.gpkg-journal', 'data/a.gpkg-wal', 'data/a.gpkg-shm'];

  const keys = ['security/server.key.new', 'security/server.key.next'];

  expect(await listAfterWriting('data/a.gpkg', ...companions, ...parts, ...keys)).toEqual(['data/a.gpkg']);
});
