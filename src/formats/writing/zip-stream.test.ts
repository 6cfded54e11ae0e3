import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { type Entry, fromBuffer } from 'yauzl';
import { encodeCentralDirectory, writeZip, type ZipEntry } from './zip-stream.ts';

function createEntry(name: string, text: string, isLarge: boolean): ZipEntry {
  return {
    name,
    content: async function* () {
      yield Buffer.from(text);
    },
    isLarge,
  };
}

function readEntries(archive: Buffer): Promise<readonly Entry[]> {
  return new Promise((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: false }, (error, file) => {
      if (error !== null) return reject(error);
      const found: Entry[] = [];
      file.on('entry', (entry: Entry) => found.push(entry));
      file.on('error', reject);
      file.on('end', () => resolve(found));
    });
  });
}

it('writes the sizes of entries that can exceed 4 GB in eight bytes', async () => {
  const entries = [
    createEntry('small', 'ab', false),
    createEntry('large', 'abc', true),
    createEntry('last', 'd', false),
  ];
  const pieces: Uint8Array[] = [];
  for await (const piece of writeZip(entries, new Date('2026-01-02T03:04:06Z'))) pieces.push(piece);
  const archive = Buffer.concat(pieces);
  const sizes = Buffer.alloc(24);
  sizes.writeUInt32LE(0x08074b50, 0);
  sizes.writeUInt32LE(crc32('abc'), 4);
  sizes.writeUInt32LE(5, 8);
  sizes.writeUInt32LE(3, 16);

  expect(archive.includes(sizes)).toBe(true);
  expect((await readEntries(archive)).map(({ fileName, uncompressedSize }) => [fileName, uncompressedSize])).toEqual([
    ['small', 2],
    ['large', 3],
    ['last', 1],
  ]);
});

it('lists more than 65,535 entries, and sizes and positions above 4 GB', async () => {
  const GB = 1_000_000_000;
  const entries = Array.from({ length: 65_537 }, (_, index) => ({
    name: Buffer.from(`${index}`),
    checksum: 1,
    packedBytes: index === 1 ? 5 * GB : 2,
    bytes: index === 1 ? 6 * GB : 1,
    offset: index < 2 ? index : 7 * GB + index,
  }));

  const found = await readEntries(Buffer.concat([...encodeCentralDirectory(entries, 0x21_0000, 0)]));

  expect(
    found.map(({ fileName, compressedSize, uncompressedSize, relativeOffsetOfLocalHeader }) => ({
      name: Buffer.from(fileName),
      checksum: 1,
      packedBytes: compressedSize,
      bytes: uncompressedSize,
      offset: relativeOffsetOfLocalHeader,
    })),
  ).toEqual(entries);
});
