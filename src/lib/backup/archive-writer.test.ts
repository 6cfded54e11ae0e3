import { hash as computeHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ArchiveWriter } from './archive-writer.ts';
import { ChunkWriter } from './chunks.ts';
import { FORMAT } from './format.ts';
import { StoredFileChecks } from './stored-file-checks.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-writer-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function createWriter(checks?: StoredFileChecks): ArchiveWriter {
  const header = { format: FORMAT, version: '1', createdAt: '2026-01-01T00:00:00Z', since: null };
  return new ArchiveWriter(new ChunkWriter(() => undefined), header, checks && { checks });
}

async function addFile(hash: string, content: string, checks?: StoredFileChecks): Promise<boolean> {
  const file = join(folder, 'stored');
  await writeFile(file, content);
  const descriptor = openSync(file, 'r');
  try {
    return createWriter(checks).addStoredFile(hash, descriptor, content.length)();
  } finally {
    closeSync(descriptor);
  }
}

const hash = computeHash('sha256', 'intact');

it('states whether the content of a stored file matches its hash', async () => {
  expect(await addFile(hash, 'intact')).toBe(true);
  expect(await addFile(hash, 'intacT')).toBe(false);
});

it('checks files of an earlier backup by their checksum, and remembers only those that are intact', async () => {
  const first = new StoredFileChecks();
  await addFile(hash, 'intact', first);
  await addFile(computeHash('sha256', 'another'), 'damaged', first);
  const listed = first.listChecksums();
  const second = new StoredFileChecks(listed);

  expect(listed).toHaveLength(20);
  expect(await addFile(hash, 'intacT', second)).toBe(false);
  expect(second.listChecksums()).toHaveLength(0);
  expect(await addFile(hash, 'intact', second)).toBe(true);
  expect(second.listChecksums()).toEqual(listed);
  // Only the checksum decides.
  const wrong = Buffer.from(listed);
  wrong.writeUInt32BE(1, 16);
  expect(await addFile(hash, 'intact', new StoredFileChecks(wrong))).toBe(false);
});

it('keeps the checksums of files that an incremental backup omits', async () => {
  const first = new StoredFileChecks();
  await addFile(hash, 'intact', first);
  const next = new StoredFileChecks(first.listChecksums());
  const base = Buffer.from(hash, 'hex').subarray(0, 16);
  const header = { format: FORMAT, version: '1', createdAt: '2026-01-01T00:00:00Z', since: 'base' };
  const writer = new ArchiveWriter(new ChunkWriter(() => undefined), header, { base, checks: next });

  await writer.addStream(hash, 6, ReadableStream.from([]));

  expect(next.listChecksums()).toEqual(first.listChecksums());
});

it('states whether the content of a streamed file matches its hash, and lists only intact objects', async () => {
  const add = async (content: string) => {
    const writer = createWriter();
    const isIntact = await writer.addStream(hash, content.length, ReadableStream.from([Buffer.from(content)]));
    return [isIntact, writer.damaged, writer.listShortHashes().length];
  };

  expect(await add('intact')).toEqual([true, [], 16]);
  expect(await add('intacT')).toEqual([false, [hash], 0]);
});
