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

async function addFile(hash: string, content: string): Promise<void> {
  const file = join(folder, 'stored');
  await writeFile(file, content);
  const descriptor = openSync(file, 'r');
  try {
    createWriter().addStoredFile(hash, descriptor, content.length);
  } finally {
    closeSync(descriptor);
  }
}

const hash = computeHash('sha256', 'intact');
const damaged = `The stored file ${hash} is damaged`;

it('a stored file whose content does not match its hash fails the backup', async () => {
  await expect(addFile(hash, 'intact')).resolves.toBeUndefined();
  await expect(addFile(hash, 'intacT')).rejects.toThrow(damaged);
});

it('a streamed file whose content does not match its hash fails the backup', async () => {
  const add = (content: string) =>
    createWriter().addStream(hash, content.length, ReadableStream.from([Buffer.from(content)]));

  await expect(add('intact')).resolves.toBeUndefined();
  await expect(add('intacT')).rejects.toThrow(damaged);
});
