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

describe('an honest archive', () => {
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

  it('may be in the 64-bit form', async () => {
    const archive = await yazlArchive((zip) => zip.addBuffer(Buffer.from('big'), 'a.tif', { forceZip64Format: true }), {
      forceZip64Format: true,
    });
    const { unpack, read } = await trial(archive);

    await unpack();

    expect(await read('a.tif')).toBe('big');
  });

  it('may have a comment, and sizes that follow the data', async () => {
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
    ['UTF-8 that says so', { name: 'größe.shp' }, 'größe.shp'],
    ['UTF-8 that does not say so', { name: 'größe.shp', flags: 0 }, 'größe.shp'],
    ['the old code page', { name: Buffer.from([0x67, 0x72, 0x94, 0xe1, 0x65]), flags: 0 }, 'größe'],
    ['the field for it', { name: 'gr__e.shp', flags: 0, extra: unicodePath('gr__e.shp', 'größe.shp') }, 'größe.shp'],
    [
      'the field for another name, which does not count',
      { name: 'plain.shp', flags: 0, extra: unicodePath('renamed.shp', 'größe.shp') },
      'plain.shp',
    ],
    ['a dot in front', { name: './data/a.shp' }, 'data/a.shp'],
    ['spaces and dots inside', { name: 'my data.v1/a b.shp' }, 'my data.v1/a b.shp'],
    ['hidden files', { name: '.hidden' }, '.hidden'],
  ] satisfies [string, RawEntry, string][])('may write its names in %s', async (_case, entry, name) => {
    const { unpack, read } = await trial(rawZip([{ ...entry, data: 'x' }]));

    expect((await unpack()).map((file) => file.name)).toEqual([name]);
    expect(await read(name)).toBe('x');
  });

  it('may hold archives, which stay as they are unless the caller refuses them', async () => {
    const inner = rawZip([{ name: 'a', data: 'a' }]);
    const archive = rawZip([{ name: 'inner.zip', data: inner }]);

    expect(await (await trial(archive)).unpack()).toMatchObject([{ name: 'inner.zip', bytes: inner.length }]);
  });

  it('never gives its files more rights than their owner needs', async () => {
    const { unpack } = await trial(rawZip([{ name: 'run.sh', data: 'x', mode: 0o104777 }]));

    const [file] = await unpack();

    expect((await stat(file?.path ?? '')).mode & 0o7777).toBe(0o600);
  });
});

describe('a damaged archive', () => {
  const good = rawZip([{ name: 'a.txt', data: 'some text', method: 8 }]);

  it.each([
    ['nothing', Buffer.alloc(0), 'not a ZIP archive'],
    ['text', Buffer.from('hello'), 'not a ZIP archive'],
    ['no file', rawZip([]), 'there is no file in it'],
    ['folders only', rawZip([{ name: 'a/' }]), 'there is no file in it'],
    ['half of it', good.subarray(0, good.length - 30), 'not a ZIP archive'],
    ['the first half missing', good.subarray(20), 'index is damaged'],
    ['a wrong checksum', rawZip([{ name: 'a', data: 'abc', crc: 1 }]), 'the checksum is another one'],
    ['broken packing', broken(), 'its data is damaged'],
    ['less data than it says', rawZip([{ name: 'a', data: 'abc', method: 8, inflatedBytes: 4 }]), 'holds 3 bytes'],
    [
      'more data than it says',
      rawZip([{ name: 'a', data: 'abc', method: 8, inflatedBytes: 2 }]),
      'holds more than the 2',
    ],
    ['stored data of two sizes', rawZip([{ name: 'a', data: 'abc', inflatedBytes: 2 }]), 'holds more than the 2'],
    [
      'packed data beyond its end',
      rawZip([{ name: 'a', data: 'abc', packedBytes: 9_999 }]),
      'not where the index says',
    ],
    ['an index beyond its end', rawZip([{ name: 'a' }], { indexOffset: 1_000_000 }), 'index is damaged'],
    ['an entry beyond its end', rawZip([{ name: 'a', offset: 1_000_000 }]), 'not where the index says'],
    [
      'a 64-bit index far outside',
      rawZip([{ name: 'a' }], { zip64: { indexOffset: 0xffff_ffff_ffff_ffffn } }),
      'index is damaged',
    ],
    [
      '64-bit records far outside',
      rawZip([{ name: 'a' }], { zip64: { recordOffset: 0x7fff_ffff_ffff_ffffn } }),
      'not a ZIP archive',
    ],
    ['entries that are not counted', rawZip([{ name: 'a' }, { name: 'b' }], { entryCount: 1 }), 'index does not end'],
    ['entries that are not there', rawZip([{ name: 'a' }], { entryCount: 2 }), 'index is damaged'],
    ['data in front', rawZip([{ name: 'a', data: 'x' }], { before: '#!/bin/sh\n' }), 'before the first entry'],
    ['data behind', rawZip([{ name: 'a', data: 'x' }], { after: 'tail' }), 'not a ZIP archive'],
    ['another name beside the data', rawZip([{ name: 'a', localName: 'b' }]), 'contradict each other'],
    ['another packing beside the data', rawZip([{ name: 'a', localMethod: 8 }]), 'contradict each other'],
    ['an unknown packing', rawZip([{ name: 'a', method: 12 }]), 'method 12'],
    ['encryption', rawZip([{ name: 'a', flags: 0x801 }]), 'encrypted'],
    ['encryption beside the data only', rawZip([{ name: 'a', localFlags: 0x801 }]), 'encrypted'],
    ['an encrypted index', rawZip([{ name: 'a', flags: 0x2800 }]), 'encrypted'],
    ['a folder with content', rawZip([{ name: 'a/', data: 'x' }]), 'folder with content'],
    ['a name that is no UTF-8', rawZip([{ name: Buffer.from([0x61, 0xff]) }]), 'not valid UTF-8'],
    ['a field that overflows', rawZip([{ name: 'a', extra: Buffer.from([1, 0, 255, 0]) }]), 'index is damaged'],
  ])('with %s is refused, and leaves nothing', async (_case, archive, reason) => {
    const { unpack, listing } = await trial(archive);

    await expect(unpack()).rejects.toMatchObject({
      code: 'archive-refused',
      message: expect.stringContaining(reason),
    });
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('is refused wherever a byte of its index or headers is turned, or unpacks to the same', async () => {
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

describe('the caller', () => {
  it('may give up, and nothing is left', async () => {
    const { unpack, listing } = await trial(rawZip([{ name: 'a', data: 'x' }]));

    await expect(unpack({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('must give a folder that is not there yet, and a file that is', async () => {
    const { unpack, listing } = await trial(rawZip([{ name: 'a', data: 'x' }]));
    await unpack();

    await expect(unpack()).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await listing()).toContain('unpacked/a');
  });

  it('is told the entry at fault, in a form that can be shown', async () => {
    const { unpack } = await trial(rawZip([{ name: 'good.shp' }, { name: `bad\u0007\u202e${'x'.repeat(300)}` }]));

    await expect(unpack()).rejects.toThrow(
      `The archive cannot be unpacked because of its entry 'bad\ufffd\ufffd${'x'.repeat(95)}…': a part of its path cannot be a file name: it is longer than 255 bytes.`,
    );
  });

  it('can unpack as many entries as the limit says', async () => {
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
  // The same bytes, now said to be deflated.
  archive.writeUInt16LE(8, 8);
  archive.writeUInt16LE(8, archive.length - 22 - 47 + 10);
  return archive;
}
