import { hash as computeHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BackupArchive, UnusableBackup } from './archive-reader.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { ChunkWriter } from './chunks.ts';
import { FORMAT, HEADER_ENTRY, type IndexLine, MANIFEST_ENTRY } from './format.ts';
import { computePadding, encodeTarHeader } from './tar.ts';

let file = '';
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'graticule-reader-')), 'file');
});
afterEach(() => rm(join(file, '..'), { recursive: true, force: true }));

const header = { format: FORMAT, version: '1', createdAt: '2026-01-01T00:00:00Z', since: null };
const head = { kind: 'head', sequence: 3, atMs: 0, announced: 3 };
const hash = computeHash('sha256', '');

/** Opens an archive with these lines, which can be invalid. */
async function open(...lines: readonly unknown[]): Promise<BackupArchive> {
  const chunks: Uint8Array[] = [];
  const writer = new ArchiveWriter(new ChunkWriter((chunk) => chunks.push(Uint8Array.from(chunk))), header);
  for (const line of lines) writer.addLine(line as IndexLine);
  writer.end(3);
  await writeFile(file, Buffer.concat(chunks));
  const archive = BackupArchive.open(file, { checksObjects: true });
  archive.close();
  return archive;
}

it.each([
  ['', 'it is not a backup of Graticule'],
  ['a short text', 'it is not a backup of Graticule'],
])('rejects a file with the content %j', async (content, reason) => {
  await writeFile(file, content);

  expect(() => BackupArchive.open(file, { checksObjects: true })).toThrow(new UnusableBackup(reason));
});

it('rejects a directory', () => {
  expect(() => BackupArchive.open(tmpdir(), { checksObjects: true })).toThrow(new UnusableBackup('it is a directory'));
});

it('opens an archive with valid lines', async () => {
  const lines = [
    head,
    { kind: 'rows', table: 'records', rows: 0, object: hash },
    { kind: 'granule versions', object: hash },
    { kind: 'granules', mosaic: 'a', schema: {}, object: hash },
    { kind: 'blob', shelf: 'blobs', hash, bytes: null },
    { kind: 'file', path: 'data/a', objects: [hash] },
    { kind: 'folder', path: 'data' },
    { kind: 'link', path: 'data/b', target: 'a' },
  ];

  expect((await open(...lines)).manifest.position).toBe(3);
});

it.each([
  { kind: 'blob', shelf: 'blobs', hash: '../../victim/x', bytes: null },
  { kind: 'blob', shelf: 'blobs', hash, bytes: 'many' },
  { kind: 'file', path: 'data/a', objects: ['../a'] },
  { kind: 'file', path: 3, objects: [] },
  { kind: 'link', path: 'data/a' },
  { kind: 'toString' },
  null,
])('rejects the index line %j', async (line) => {
  await expect(open(head, line)).rejects.toThrow(new UnusableBackup('its index has an invalid line'));
});

it('rejects an index whose position differs from that of the manifest', async () => {
  await expect(open({ ...head, sequence: 4 })).rejects.toThrow(
    new UnusableBackup('its manifest and its index have different positions'),
  );
});

it.each(['{', 'null', '{}', '{"version":"1","createdAt":"","since":null,"position":"3","index":[]}'])(
  'rejects the manifest %s',
  async (manifest) => {
    const entries = [
      [HEADER_ENTRY, JSON.stringify(header)],
      [MANIFEST_ENTRY, manifest],
    ] as const;
    const parts = entries.flatMap(([name, text]) => [
      encodeTarHeader({ name, bytes: text.length }),
      Buffer.from(text),
      Buffer.alloc(computePadding(text.length)),
    ]);
    await writeFile(file, Buffer.concat(parts));

    expect(() => BackupArchive.open(file, { checksObjects: true })).toThrow(
      new UnusableBackup('its manifest is damaged'),
    );
  },
);
