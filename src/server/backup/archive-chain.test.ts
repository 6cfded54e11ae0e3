import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UnusableBackup } from '../../lib/backup/archive-reader.ts';
import { ArchiveWriter } from '../../lib/backup/archive-writer.ts';
import { ChunkWriter } from '../../lib/backup/chunks.ts';
import { FORMAT } from '../../lib/backup/format.ts';
import { ArchiveChain } from './archive-chain.ts';

test('rejects rows that are not JSON, although their hash is correct', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-chain-'));
  const file = join(folder, 'file');
  const chunks: Uint8Array[] = [];
  const header = { format: FORMAT, version: '1', createdAt: '2026-01-01T00:00:00.000Z', since: null };
  const writer = new ArchiveWriter(new ChunkWriter((chunk) => chunks.push(Uint8Array.from(chunk))), header);
  const object = writer.addObject(Buffer.from('["a"]\n["b"\n'));
  writer.addLine({ kind: 'rows', table: 'records', rows: 2, object });
  writer.end(1);
  await writeFile(file, Buffer.concat(chunks));
  const chain = ArchiveChain.open({ files: [file], passphrase: undefined });

  try {
    expect(() => chain.readValues(object)).toThrow(
      new UnusableBackup(`The object ${object} is not a list of JSON values. Use another backup.`),
    );
  } finally {
    chain.close();
    await rm(folder, { recursive: true });
  }
});
