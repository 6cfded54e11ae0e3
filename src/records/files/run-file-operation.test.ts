import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshRoot } from '../../../test/support/mortal-disk.ts';
import { problem } from '../../lib/problems/problem.ts';
import { TransactionConflict } from '../../storage/port/port.ts';
import { openTransactionScope } from '../transaction-scope.ts';
import type { FileStoreWriter } from './file-store-writer.ts';
import { type Files, openFiles } from './files.ts';

interface Scene {
  readonly root: string;
  readonly files: Files;
  /** Files that records refer to. */
  readonly named: Set<string>;
  /** Files below the data directory. */
  left(): Promise<readonly string[]>;
}

async function scene(): Promise<Scene> {
  const root = await freshRoot();
  const named = new Set<string>();
  const files = openFiles({ root, isNamed: async (file) => named.has(file) });
  return {
    root,
    files,
    named,
    async left() {
      await files.waitUntilIdle();
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
  };
}

async function keepSet(
  files: Files,
  keeper: FileStoreWriter,
  content: Readonly<Record<string, string>>,
): Promise<string> {
  const staging = await files.createStaging('test');
  const staged = Object.entries(content).map(([path, text]) => ({
    path,
    file: join(staging.path, path),
    bytes: text.length,
  }));
  for (const { path, file } of staged) await writeFile(file, content[path] ?? '');
  try {
    return await keeper.storeSet(staged);
  } finally {
    await staging.discard();
  }
}

const refused = new Error('refused');

describe('failed file operation', () => {
  test('deletes its bytes and sets', async () => {
    const { files, left } = await scene();

    const failing = files.runFileOperation(async (keeper) => {
      await keeper.storeBytes(Buffer.from('a style'));
      await keepSet(files, keeper, { 'a.shp': 'shapes', 'a.dbf': 'texts' });
      throw refused;
    });

    await expect(failing).rejects.toBe(refused);
    expect(await left()).toEqual([]);
  });

  test('keeps files of a record and bytes of other sets', async () => {
    const { files, named, left } = await scene();
    const style = await files.runFileOperation((keeper) => keeper.storeBytes(Buffer.from('a style')));
    const other = await files.runFileOperation((keeper) => keepSet(files, keeper, { 'b.shp': 'shapes' }));
    named.add(style).add(other);
    const before = await left();

    const failing = files.runFileOperation(async (keeper) => {
      await keeper.storeBytes(Buffer.from('a style'));
      await keepSet(files, keeper, { 'a.shp': 'shapes', 'a.dbf': 'texts' });
      throw refused;
    });

    await expect(failing).rejects.toBe(refused);
    expect((await left()).toSorted()).toEqual(before.toSorted());
    expect(await readdir(await files.openSet(other))).toEqual(['b.shp']);
  });

  test('keeps files of another running operation until that one fails as well', async () => {
    const { files, left } = await scene();
    const content = { 'a.shp': 'shapes' };

    const other = files.runFileOperation(async (keeper) => {
      const set = await keepSet(files, keeper, content);
      await files
        .runFileOperation(async (inner) => {
          await keepSet(files, inner, content);
          throw refused;
        })
        .catch(() => undefined);
      expect(await readdir(await files.openSet(set))).toEqual(['a.shp']);
      throw refused;
    });

    await expect(other).rejects.toBe(refused);
    expect(await left()).toEqual([]);
  });

  test.each(['storage-unavailable', 'outcome-unknown', 'draining'] as const)(
    'leaves everything to the collector after %s, because its change may have been committed',
    async (code) => {
      const { files, left } = await scene();
      const unknown = problem(code, { retryAfterSeconds: 5 });

      const failing = files.runFileOperation(async (keeper) => {
        await keeper.storeBytes(Buffer.from('a style'));
        throw unknown;
      });

      await expect(failing).rejects.toBe(unknown);
      expect(await left()).toHaveLength(1);
    },
  );
});

describe('file operations of a batch', () => {
  async function draft(reason?: unknown) {
    const { files, left } = await scene();
    const { runFileOperation: keeping, put } = files.createBatch();
    const scope = openTransactionScope();
    const large = Buffer.alloc(100_000, 'large ');
    await scope.hold(keeping, (keeper: FileStoreWriter) => keeper.storeBytes(Buffer.from('a style')));
    await scope.hold(keeping, (keeper: FileStoreWriter) => keeper.storeBytes(large));
    await put();
    await files.waitUntilIdle();
    expect(await left()).toHaveLength(2);
    await scope.abandon(reason);
    return left();
  }

  test('delete their files when the batch is discarded', async () => {
    expect(await draft()).toEqual([]);
    expect(await draft(problem('storage-full', {}))).toEqual([]);
  });

  test('leave their files to the next attempt after a conflict', async () => {
    expect(await draft(new TransactionConflict())).toHaveLength(2);
  });

  test('leave their files to the collector when the batch may have been committed', async () => {
    expect(await draft(problem('outcome-unknown', { retryAfterSeconds: 5 }))).toHaveLength(2);
  });

  test('store nothing for an operation that fails on its own', async () => {
    const { files, left } = await scene();
    const { runFileOperation: keeping, put } = files.createBatch();

    await keeping(async (keeper) => {
      await keeping(async (failing) => {
        await failing.storeBytes(Buffer.from('a refused style'));
        throw refused;
      }).catch(() => undefined);
      await keeper.storeBytes(Buffer.from('a style'));
      await put();
    });

    expect(await left()).toHaveLength(1);
  });
});
