import { readdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshRoot } from '../../../test/support/mortal-disk.ts';
import { hashBytes, type StoredBlob } from '../../storage/blobs/port.ts';
import { type CollectOptions, collectFiles } from './collect-files.ts';
import { type Files, openFiles, type StoredFiles } from './files.ts';

const HOUR_MS = 3_600_000;

interface Scene {
  readonly root: string;
  readonly files: Files;
  /** Files that records and the history refer to. */
  readonly named: Set<string>;
  keepSet(content: Readonly<Record<string, string>>): Promise<string>;
  keepBytes(text: string): Promise<string>;
  collect(options?: Partial<CollectOptions>): ReturnType<typeof collectFiles>;
}

/** The collector runs two hours after everything was stored. */
async function scene(): Promise<Scene> {
  const root = await freshRoot();
  const files = openFiles({ root });
  const named = new Set<string>();
  return {
    root,
    files,
    named,
    keepBytes: (text) => files.runFileOperation((keeper) => keeper.storeBytes(Buffer.from(text))),
    async keepSet(content) {
      const staging = await files.createStaging('test');
      const staged = Object.entries(content).map(([path, text]) => ({ path, text, file: join(staging.path, path) }));
      for (const { file, text } of staged) await writeFile(file, text);
      const set = await files.runFileOperation((keeper) =>
        keeper.storeSet(staged.map(({ path, file, text }) => ({ path, file, bytes: text.length }))),
      );
      await staging.discard();
      return set;
    },
    collect: (options = {}) =>
      collectFiles({
        stored: files.stored,
        references: { isFileReferenced: async (file) => named.has(file) },
        clock: () => Date.now() + 2 * HOUR_MS,
        graceMs: HOUR_MS,
        ...options,
      }),
  };
}

describe('file collection', () => {
  test('keeps a referenced set with all its files', async () => {
    const { files, named, keepSet, keepBytes, collect } = await scene();
    const set = await keepSet({ 'a.shp': 'shapes', 'a.dbf': 'texts' });
    const style = await keepBytes('a style');
    named.add(set).add(style);

    expect(await collect()).toMatchObject({ sets: 0, blobs: 0 });

    expect((await readdir(await files.openSet(set))).toSorted()).toEqual(['a.dbf', 'a.shp']);
    expect((await files.read(style)).toString()).toBe('a style');
  });

  test('deletes an unreferenced set and its opened folder', async () => {
    const { root, files, keepSet, keepBytes, collect } = await scene();
    const set = await keepSet({ 'a.shp': 'shapes', 'a.dbf': 'texts' });
    await files.openSet(set);
    await keepBytes('a style');

    expect(await collect()).toMatchObject({ sets: 1, blobs: 3 });

    const left = await readdir(join(root, 'blobs'), { recursive: true });
    expect(left.filter((name) => name.length > 2)).toEqual([]);
    expect(await readdir(join(root, 'files'))).toEqual([]);
    expect(await readdir(join(root, 'staging'))).toEqual([]);
  });

  test('keeps bytes that another set or a record refers to', async () => {
    const { files, named, keepSet, keepBytes, collect } = await scene();
    await keepSet({ 'a.shp': 'shared', 'a.sld': 'a style', 'a.dbf': 'alone' });
    const other = await keepSet({ 'b.shp': 'shared' });
    const style = await keepBytes('a style');
    named.add(other).add(style);

    expect(await collect()).toMatchObject({ sets: 1, blobs: 1 });

    expect(await readdir(await files.openSet(other))).toEqual(['b.shp']);
    expect((await files.read(style)).toString()).toBe('a style');
  });

  test('keeps files that were stored or stored again recently', async () => {
    const { root, files, keepBytes, collect } = await scene();
    const style = await keepBytes('a style');
    const soon = new Date(Date.now() + 1.5 * HOUR_MS);
    await utimes(join(root, 'blobs', style.slice(0, 2), style), soon, soon);

    expect(await collect()).toMatchObject({ sets: 0, blobs: 0 });

    expect(await files.stored.blobs.getState(style)).toBe('present');
  });

  test('keeps files of an operation that is still running', async () => {
    const { files, collect } = await scene();

    await files.runFileOperation(async (keeper) => {
      const style = await keeper.storeBytes(Buffer.from('a style'));
      await collect();
      expect(await files.stored.blobs.getState(style)).toBe('present');
    });

    expect(await collect()).toMatchObject({ sets: 0, blobs: 1 });
  });

  test('completes an interrupted purge', async () => {
    const { root, files, named, keepBytes, collect } = await scene();
    const style = await keepBytes('a style');
    named.add(style);
    await writeFile(join(root, 'blobs', style.slice(0, 2), `${style}.purged`), '');

    await collect();

    expect(await files.stored.blobs.getState(style)).toBe('purged');
  });

  test('keeps the bytes of a set that is uploaded again after they were found to be unused', async () => {
    const { root, files, named, keepSet, collect } = await scene();
    const content = { 'a.shp': 'shapes', 'a.dbf': 'texts' };
    const set = await keepSet(content);
    await putLongAgo(root);
    const kept = onceListed(files.stored, async () => void named.add(await keepSet(content)));

    expect(await collect({ stored: kept, clock: Date.now })).toMatchObject({ sets: 1, blobs: 0 });

    expect((await readdir(await files.openSet(set))).toSorted()).toEqual(['a.dbf', 'a.shp']);
  });

  test('does not complete a purge of bytes that were stored again', async () => {
    const { root, files, named, keepBytes, collect } = await scene();
    const style = await keepBytes('a style');
    await writeFile(join(root, 'blobs', style.slice(0, 2), `${style}.purged`), '');
    const kept = onceListed(files.stored, async () => void named.add(await keepBytes('a style')));

    await collect({ stored: kept });

    expect((await files.read(style)).toString()).toBe('a style');
  });

  test('keeps all bytes while a referenced set is damaged, reports it and continues', async () => {
    const { root, files, named, keepSet, keepBytes, collect } = await scene();
    const set = await keepSet({ 'a.shp': 'shapes' });
    await keepSet({ 'b.shp': 'unused' });
    const style = await keepBytes('a style');
    named.add(set);
    await truncate(join(root, 'sets', set.slice(0, 2), set), 20);

    expect(await collect()).toEqual({ sets: 1, blobs: 0, unreadable: [set] });

    expect(await files.stored.blobs.getState(style)).toBe('present');
    await keepSet({ 'a.shp': 'shapes' });
    expect(await collect()).toEqual({ sets: 0, blobs: 2, unreadable: [] });
    expect(await readdir(await files.openSet(set))).toEqual(['a.shp']);
  });

  test('stops when the signal is aborted', async () => {
    const { files, keepBytes, collect } = await scene();
    const style = await keepBytes('a style');

    await expect(collect({ signal: AbortSignal.abort() })).rejects.toThrow('aborted');

    expect(await files.stored.blobs.getState(style)).toBe('present');
  });

  test('never deletes bytes of a record while operations store the same bytes', async () => {
    const { files, named, collect } = await scene();
    const texts = Array.from({ length: 20 }, (_, index) => `style ${index}`);
    let isWriting = true;

    const writing = (async () => {
      for (let round = 0; round < 5; round += 1) {
        named.clear();
        for (const text of texts) {
          await files.runFileOperation(async (keeper) => {
            named.add(await keeper.storeBytes(Buffer.from(text)));
          });
        }
        for (const text of texts) {
          expect((await files.read(hashBytes(Buffer.from(text)))).toString()).toBe(text);
        }
      }
      isWriting = false;
    })();
    while (isWriting) await collect();

    await writing;
  });
});

const longAgo = new Date(Date.now() - 24 * HOUR_MS);

async function putLongAgo(root: string): Promise<void> {
  for (const folder of [join(root, 'blobs'), join(root, 'sets')]) {
    for (const name of await readdir(folder, { recursive: true })) await utimes(join(folder, name), longAgo, longAgo);
  }
}

/** Runs a callback after the stored bytes are listed and before the first one is checked. */
function onceListed(kept: StoredFiles, happen: () => Promise<void>): StoredFiles {
  const { blobs } = kept;
  return {
    ...kept,
    blobs: {
      getState: (hash) => blobs.getState(hash),
      put: (hash, bytes) => blobs.put(hash, bytes),
      putAll: (contents) => blobs.putAll(contents),
      putFiles: (files) => blobs.putFiles(files),
      findSize: (hash) => blobs.findSize(hash),
      isIntact: (hash) => blobs.isIntact(hash),
      read: (hash) => blobs.read(hash),
      linkTo: (hash, file) => blobs.linkTo(hash, file),
      copyTo: (hash, file) => blobs.copyTo(hash, file),
      delete: (hash, options) => blobs.delete(hash, options),
      async *list() {
        const parts: (readonly StoredBlob[])[] = [];
        for await (const part of blobs.list()) parts.push(part);
        await happen();
        yield* parts;
      },
    },
  };
}
