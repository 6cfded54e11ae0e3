import { hash as computeHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ArchiveWriter } from './archive-writer.ts';
import { ChunkWriter } from './chunks.ts';
import { FORMAT } from './format.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-writer-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function createWriter(): ArchiveWriter {
  const header = { format: FORMAT, version: '1', createdAt: '2026-01-01T00:00:00Z', since: null };
  return new ArchiveWriter(new ChunkWriter(() => undefined), header);
}

async function addFile(hash: string, content: string): Promise<boolean> {
  const file = join(folder, 'stored');
  await writeFile(file, content);
  const descriptor = openSync(file, 'r');
  try {
    return createWriter().addStoredFile(hash, descriptor, content.length);
  } finally {
    closeSync(descriptor);
  }
}

const hash = computeHash('sha256', 'intact');

it('states whether the content of a stored file matches its hash', async () => {
  expect(await addFile(hash, 'intact')).toBe(true);
  expect(await addFile(hash, 'intacT')).toBe(false);
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
