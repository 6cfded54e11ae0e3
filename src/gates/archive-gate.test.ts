import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EndOptions, ZipFile } from 'yazl';
import { trial } from '../../test/support/archives.ts';
import { extraField, type RawEntry, rawZip } from '../../test/support/raw-zip.ts';
import { limits } from '../server/settings/limits.ts';

async function yazlArchive(add: (zip: ZipFile) => void, options: Partial<EndOptions> = {}): Promise<Buffer> {
  const zip = new ZipFile();
  add(zip);
  zip.end({ forceZip64Format: false, comment: '', ...options });
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

describe('valid archive', () => {
  it('is unpacked with its folders', async () => {
    const archive = await yazlArchive((zip) => {
      zip.addBuffer(Buffer.from('shape'), 'roads/roads.shp');
      zip.addBuffer(Buffer.from('x'.repeat(100_000)), 'roads/roads.dbf', { mode: 0o100755 });
      zip.addBuffer(Buffer.alloc(0), 'empty.txt', { compress: false });
      zip.addEmptyDirectory('nothing');
    });
    const { unpack, listing, read } = await trial(archive);

    const files = await unpack();

    expect(files.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['roads/roads.shp', 5],
      ['roads/roads.dbf', 100_000],
      ['empty.txt', 0],
    ]);
    expect(await read('roads/roads.shp')).toBe('shape');
    expect(await listing()).toEqual([
      'spooled.zip',
      'unpacked',
      'unpacked/empty.txt',
      'unpacked/nothing',
      'unpacked/roads',
      'unpacked/roads/roads.dbf',
      'unpacked/roads/roads.shp',
    ]);
  });

  it('can be in ZIP64 format', async () => {
    const archive = await yazlArchive((zip) => zip.addBuffer(Buffer.from('big'), 'a.tif', { forceZip64Format: true }), {
      forceZip64Format: true,
    });
    const { unpack, read } = await trial(archive);

    await unpack();

    expect(await read('a.tif')).toBe('big');
  });

  it('can have a comment, and sizes after the data', async () => {
    const archive = await yazlArchive(
      (zip) => zip.addReadStreamLazy('a.txt', (done) => done(null, Readable.from([Buffer.from('late')]))),
      {
        comment: 'made by hand',
      },
    );
    const { unpack, read } = await trial(archive);

    await unpack();

    expect(await read('a.txt')).toBe('late');
  });

  it.each([
    ['UTF-8 with the flag', { name: 'größe.shp' }, 'größe.shp'],
    ['UTF-8 without the flag', { name: 'größe.shp', flags: 0 }, 'größe.shp'],
    ['code page 437', { name: Buffer.from([0x67, 0x72, 0x94, 0xe1, 0x65]), flags: 0 }, 'größe'],
    [
      'the Unicode path field',
      { name: 'gr__e.shp', flags: 0, extra: unicodePath('gr__e.shp', 'größe.shp') },
      'größe.shp',
    ],
    [
      'a Unicode path field with a wrong checksum, which is ignored',
      { name: 'plain.shp', flags: 0, extra: unicodePath('renamed.shp', 'größe.shp') },
      'plain.shp',
    ],
    ['a leading dot', { name: './data/a.shp' }, 'data/a.shp'],
    ['spaces and dots inside', { name: 'my data.v1/a b.shp' }, 'my data.v1/a b.shp'],
    ['hidden files', { name: '.hidden' }, '.hidden'],
  ] satisfies [string, RawEntry, string][])('can have names in %s', async (_case, entry, name) => {
    const { unpack, read } = await trial(rawZip([{ ...entry, data: 'x' }]));

    expect((await unpack()).map((file) => file.name)).toEqual([name]);
    expect(await read(name)).toBe('x');
  });

  it('can contain archives, which are not unpacked, unless the caller rejects them', async () => {
    const inner = rawZip([{ name: 'a', data: 'a' }]);
    const archive = rawZip([{ name: 'inner.zip', data: inner }]);

    expect(await (await trial(archive)).unpack()).toMatchObject([{ name: 'inner.zip', bytes: inner.length }]);
  });

  it('creates files that only the owner can access', async () => {
    const { unpack } = await trial(rawZip([{ name: 'run.sh', data: 'x', mode: 0o104777 }]));

    const [file] = await unpack();

    expect((await stat(file?.path ?? '')).mode & 0o7777).toBe(0o600);
  });
});

describe('damaged archive', () => {
  const good = rawZip([{ name: 'a.txt', data: 'some text', method: 8 }]);

  it.each([
    ['nothing', Buffer.alloc(0), 'not a ZIP archive'],
    ['text', Buffer.from('hello'), 'not a ZIP archive'],
    ['no files', rawZip([]), 'it contains no files'],
    ['folders only', rawZip([{ name: 'a/' }]), 'it contains no files'],
    ['half of it', good.subarray(0, good.length - 30), 'not a ZIP archive'],
    ['the first half missing', good.subarray(20), 'index is damaged'],
    ['a wrong checksum', rawZip([{ name: 'a', data: 'abc', crc: 1 }]), 'the checksum does not match'],
    ['broken packing', broken(), 'its data is damaged'],
    ['less data than it says', rawZip([{ name: 'a', data: 'abc', method: 8, inflatedBytes: 4 }]), 'contains 3 bytes'],
    [
      'more data than it says',
      rawZip([{ name: 'a', data: 'abc', method: 8, inflatedBytes: 2 }]),
      'contains more than the 2',
    ],
    ['stored data with two sizes', rawZip([{ name: 'a', data: 'abc', inflatedBytes: 2 }]), 'contains more than the 2'],
    [
      'compressed data beyond the end',
      rawZip([{ name: 'a', data: 'abc', packedBytes: 9_999 }]),
      'not at the offset in the index',
    ],
    ['an index beyond the end', rawZip([{ name: 'a' }], { indexOffset: 1_000_000 }), 'index is damaged'],
    ['an entry beyond the end', rawZip([{ name: 'a', offset: 1_000_000 }]), 'not at the offset in the index'],
    [
      'a ZIP64 index far outside',
      rawZip([{ name: 'a' }], { zip64: { indexOffset: 0xffff_ffff_ffff_ffffn } }),
      'index is damaged',
    ],
    [
      'ZIP64 records far outside',
      rawZip([{ name: 'a' }], { zip64: { recordOffset: 0x7fff_ffff_ffff_ffffn } }),
      'not a ZIP archive',
    ],
    ['more entries than the count', rawZip([{ name: 'a' }, { name: 'b' }], { entryCount: 1 }), 'index does not end'],
    ['fewer entries than the count', rawZip([{ name: 'a' }], { entryCount: 2 }), 'index is damaged'],
    [
      'data before the first entry',
      rawZip([{ name: 'a', data: 'x' }], { before: '#!/bin/sh\n' }),
      'before the first entry',
    ],
    ['data after the end', rawZip([{ name: 'a', data: 'x' }], { after: 'tail' }), 'not a ZIP archive'],
    ['another name in the local header', rawZip([{ name: 'a', localName: 'b' }]), 'do not match'],
    ['another compression method in the local header', rawZip([{ name: 'a', localMethod: 8 }]), 'do not match'],
    ['an unknown compression method', rawZip([{ name: 'a', method: 12 }]), 'method 12'],
    ['encryption', rawZip([{ name: 'a', flags: 0x801 }]), 'encrypted'],
    ['encryption in the local header only', rawZip([{ name: 'a', localFlags: 0x801 }]), 'encrypted'],
    ['an encrypted index', rawZip([{ name: 'a', flags: 0x2800 }]), 'encrypted'],
    ['a folder with content', rawZip([{ name: 'a/', data: 'x' }]), 'folder with content'],
    ['a name that is not UTF-8', rawZip([{ name: Buffer.from([0x61, 0xff]) }]), 'not valid UTF-8'],
    ['an overflowing field', rawZip([{ name: 'a', extra: Buffer.from([1, 0, 255, 0]) }]), 'index is damaged'],
  ])('is rejected with %s and leaves no files', async (_case, archive, reason) => {
    const { unpack, listing } = await trial(archive);

    await expect(unpack()).rejects.toMatchObject({
      code: 'archive-refused',
      message: expect.stringContaining(reason),
    });
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('is rejected if any byte of its index or headers is changed, or unpacks to the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: good.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, turn) => {
        const bad = Buffer.from(good);
        bad[at] = (bad[at] ?? 0) ^ turn;
        const { unpack, listing, read } = await trial(bad);

        const outcome = await unpack().catch((error: unknown) => error);

        if (Array.isArray(outcome)) {
          expect(await read(outcome[0].name)).toBe('some text');
        } else {
          expect(outcome).toMatchObject({ name: 'Problem' });
          expect(await listing()).toEqual(['spooled.zip']);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('caller', () => {
  it('can abort, and no files remain', async () => {
    const { unpack, listing } = await trial(rawZip([{ name: 'a', data: 'x' }]));

    await expect(unpack({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('must pass a new folder and an existing file', async () => {
    const { unpack, listing } = await trial(rawZip([{ name: 'a', data: 'x' }]));
    await unpack();

    await expect(unpack()).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await listing()).toContain('unpacked/a');
  });

  it('gets the name of the invalid entry in printable form', async () => {
    const { unpack } = await trial(rawZip([{ name: 'good.shp' }, { name: `bad\u0007\u202e${'x'.repeat(300)}` }]));

    await expect(unpack()).rejects.toThrow(
      `The archive cannot be unpacked because of its entry 'bad\ufffd\ufffd${'x'.repeat(95)}…': a part of its path is not a valid file name: it is longer than 255 bytes.`,
    );
  });

  it('can unpack the maximum number of entries', async () => {
    const entries = Array.from({ length: 50 }, (_, index) => ({ name: `folder/${index}.tif`, data: String(index) }));

    const files = await (await trial(rawZip(entries))).unpack({ limits: { ...limits.archive, maxEntries: 50 } });

    expect(files).toHaveLength(50);
  });
});

function unicodePath(oldName: string, newName: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(crc32(oldName), 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(newName)]));
}

function broken(): Buffer {
  const data = 'a text that is packed '.repeat(20);
  const packed = deflateRawSync(data);
  packed.fill(0xff, 2, 8);
  const archive = rawZip([{ name: 'a', data: packed, crc: crc32(data), inflatedBytes: data.length }]);
  // The same bytes, now declared as deflated.
  archive.writeUInt16LE(8, 8);
  archive.writeUInt16LE(8, archive.length - 22 - 47 + 10);
  return archive;
}
