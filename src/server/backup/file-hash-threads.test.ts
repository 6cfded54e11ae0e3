import { hash as computeHash, randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ArchiveWriter } from '../../lib/backup/archive-writer.ts';
import { ChunkWriter } from '../../lib/backup/chunks.ts';
import { FORMAT } from '../../lib/backup/format.ts';
import { StoredFileChecks } from '../../lib/backup/stored-file-checks.ts';
import { FileHashThreads } from './file-hash-threads.ts';

/** Large enough for the threads. */
const contents = Array.from({ length: 4 }, () => randomBytes(3_000_001));

async function openFiles(): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-hashes-'));
  const files = contents.map((_, index) => join(folder, String(index)));
  for (const [index, file] of files.entries()) await writeFile(file, contents[index] ?? '');
  const descriptors = files.map((file) => openSync(file, 'r'));
  onTestFinished(async () => {
    for (const descriptor of descriptors) closeSync(descriptor);
    await rm(folder, { recursive: true });
  });
  return descriptors;
}

function startThreads(): FileHashThreads {
  const threads = new FileHashThreads();
  onTestFinished(() => threads.end());
  return threads;
}

test('threads hash the files that a backup copies, and their checksums need no hash in the next backup', async () => {
  const threads = startThreads();
  const descriptors = await openFiles();
  const checks = new StoredFileChecks(undefined, (...file) => threads.start(...file));
  const header = { format: FORMAT, version: '1', createdAt: '2026-01-01T00:00:00Z', since: null };
  const writer = new ArchiveWriter(new ChunkWriter(() => undefined), header, { checks });
  const hashes = contents.map((content) => computeHash('sha256', content));
  const damaged = computeHash('sha256', 'another content');

  const finish = descriptors.map((descriptor, index) =>
    writer.addStoredFile(index === 2 ? damaged : (hashes[index] ?? ''), descriptor, 3_000_001),
  );

  expect(finish.map((isIntact) => isIntact())).toEqual([true, true, false, true]);
  expect(writer.damaged).toEqual([damaged]);
  const later = new StoredFileChecks(checks.listChecksums(), () => {
    throw new Error('A known file is hashed');
  });
  const check = later.startFile(hashes[0] ?? '', descriptors[0] ?? 0, 3_000_001);
  check.add(contents[0] ?? Buffer.alloc(0));
  expect(check.finish()).toBe(true);
});

test('a file is damaged if the copied bytes are not those that were hashed', async () => {
  const threads = startThreads();
  const [descriptor = 0] = await openFiles();
  const checks = new StoredFileChecks(undefined, (...file) => threads.start(...file));
  const check = checks.startFile(computeHash('sha256', contents[0] ?? ''), descriptor, 3_000_001);

  check.add(contents[1] ?? Buffer.alloc(0));

  expect(check.finish()).toBe(false);
  expect(checks.listChecksums()).toHaveLength(0);
});

test('a file that becomes shorter fails the backup', async () => {
  const [descriptor = 0] = await openFiles();

  expect(startThreads().start(descriptor, 3_000_002)).toThrow('could not be hashed');
});
