import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { IndexLine } from '../../lib/backup/format.ts';
import { checkPaths, writeFiles } from './restored-files.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-restored-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An archive whose objects contain their own names. */
function createChain(...lines: readonly IndexLine[]): Parameters<typeof writeFiles>[0] {
  return {
    readLines: () => lines.values(),
    readObject: (object: string) => [Buffer.from(object)].values(),
  } as unknown as Parameters<typeof writeFiles>[0];
}

it('a restore writes files, folders and links', async () => {
  const count = writeFiles(
    createChain(
      { kind: 'folder', path: 'empty' },
      { kind: 'link', path: 'data/link', target: 'a.txt' },
      { kind: 'file', path: 'data/a.txt', objects: ['one', 'two'] },
    ),
    folder,
  );

  expect(count).toBe(1);
  expect(await readFile(join(folder, 'data/a.txt'), 'utf8')).toBe('onetwo');
  expect(await readlink(join(folder, 'data/link'))).toBe('a.txt');
  expect(await readdir(join(folder, 'empty'))).toEqual([]);
});

it.each(['../outside', 'data/../../outside', '/outside', 'data//a', 'a\0b'])(
  'a restore rejects the path %j',
  (path) => {
    expect(() => checkPaths(createChain({ kind: 'file', path, objects: [] }))).toThrow(
      'is invalid. Use another backup.',
    );
    expect(() => writeFiles(createChain({ kind: 'file', path, objects: [] }), folder)).toThrow('is invalid');
    expect(() => writeFiles(createChain({ kind: 'link', path, target: 'x' }), folder)).toThrow('is invalid');
  },
);

it('a restore creates no link inside another link', async () => {
  const chain = createChain(
    { kind: 'link', path: 'out', target: tmpdir() },
    { kind: 'link', path: 'out/graticule-link', target: 'x' },
  );

  expect(() => writeFiles(chain, folder)).toThrow("The path 'out/graticule-link' in the backup is invalid.");
});
