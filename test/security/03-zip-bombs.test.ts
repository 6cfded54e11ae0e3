/** Lesson 3: zip bombs. Limits apply to the actual output, which is counted during extraction. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/server/settings/limits.ts';
import { trial } from '../support/archives.ts';
import { type RawEntry, rawZip } from '../support/raw-zip.ts';

const small = {
  ...limits.archive,
  maxEntries: 3,
  maxEntryBytes: 10_000,
  maxTotalBytes: 25_000,
  maxRatio: 50,
  ratioFromBytes: 5_000,
};
const zeros = (length: number) => Buffer.alloc(length);
/** Incompressible data. */
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, index) => (index * 7919 * (index + 3)) % 251));

describe('lesson 3: zip bombs', () => {
  it.each([
    ['with too many entries', [1, 2, 3, 4].map((n) => ({ name: `${n}`, data: 'x' })), 'more than 3 entries'],
    ['with too many folders', [1, 2, 3, 4].map((n) => ({ name: `${n}/` })), 'more than 3 entries'],
    [
      'with an entry whose declared size is too large',
      [{ name: 'a', data: noise(10_001) }],
      'exceeds the limit of 10000 bytes',
    ],
    [
      'whose declared total size is too large',
      [1, 2, 3].map((n) => ({ name: `${n}`, data: noise(9_000) })),
      'exceed the limit of 25000 bytes',
    ],
    [
      'with too high a compression ratio',
      [{ name: 'a', data: zeros(9_000), method: 8 }],
      '50 times its compressed size',
    ],
  ] satisfies [string, RawEntry[], string][])('rejects an archive %s with 413', async (_case, entries, reason) => {
    const { unpack, listing } = await trial(rawZip(entries));

    const outcome = unpack({ limits: small });

    await expect(outcome).rejects.toMatchObject({ code: 'archive-too-large', status: 413 });
    await expect(outcome).rejects.toThrow(reason);
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('stops extraction at the declared size when an entry is larger than declared', async () => {
    const bomb = rawZip([{ name: 'a', data: zeros(50_000_000), method: 8, inflatedBytes: 100 }]);
    const { unpack, listing } = await trial(bomb);

    await expect(unpack()).rejects.toThrow('it contains more than the 100 bytes that the index declares');
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('rejects an archive whose entries overlap', async () => {
    const first = { name: 'a', data: noise(1_000) };
    const archive = rawZip([first, { name: 'b', localName: 'a', offset: 0 }]);
    const same = rawZip([first, { ...first, offset: 0 }]);

    await expect((await trial(archive)).unpack()).rejects.toMatchObject({ code: 'archive-refused' });
    await expect((await trial(same)).unpack()).rejects.toMatchObject({ code: 'archive-refused' });
    await expect((await trial(quine())).unpack()).rejects.toThrow('shares data with another entry');
  });

  it('never unpacks nested archives, and rejects them if the caller requires it', async () => {
    const inner = rawZip([{ name: 'a', data: 'a' }]);
    const named = rawZip([{ name: 'inner.ZIP', data: inner }]);
    const disguised = rawZip([{ name: 'data.tif', data: inner, method: 8 }]);

    const { unpack, listing } = await trial(named);
    await unpack();
    expect(await listing()).toEqual(['spooled.zip', 'unpacked', 'unpacked/inner.ZIP']);
    for (const archive of [named, disguised]) {
      const strict = await trial(archive);
      await expect(strict.unpack({ nested: 'refuse' })).rejects.toThrow('a nested archive');
      expect(await strict.listing()).toEqual(['spooled.zip']);
    }
  });

  it('accepts an archive with a page of zeros', async () => {
    const { unpack } = await trial(rawZip([{ name: 'a', data: zeros(4_000), method: 8 }]));

    expect(await unpack({ limits: small })).toMatchObject([{ bytes: 4_000 }]);
  });

  it('validates the index before writing any file, however long the index is', async () => {
    const entries = Array.from({ length: 5_000 }, (_, index) => ({ name: `${index}` }));
    const { unpack, listing } = await trial(rawZip([...entries, { name: '../evil' }]));

    await expect(unpack()).rejects.toMatchObject({ code: 'archive-refused' });
    expect(await listing()).toEqual(['spooled.zip']);
  });
});

/** The second entry lies inside the data of the first one, as in overlapping zip bombs. */
function quine(): Buffer {
  const inner = rawZip([{ name: 'b', data: 'inner' }]).subarray(0, 36);
  return rawZip([
    { name: 'a', data: inner },
    { name: 'b', data: 'inner', offset: 31 },
  ]);
}
