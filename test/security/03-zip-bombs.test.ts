/** Lesson 3: zip bombs. What counts is what really comes out, and it is counted while it comes. */
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
/** Does not get smaller. */
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, index) => (index * 7919 * (index + 3)) % 251));

describe('lesson 3: an archive', () => {
  it.each([
    ['of too many entries', [1, 2, 3, 4].map((n) => ({ name: `${n}`, data: 'x' })), 'more than 3 entries'],
    ['of too many folders', [1, 2, 3, 4].map((n) => ({ name: `${n}/` })), 'more than 3 entries'],
    [
      'with an entry that says it is too large',
      [{ name: 'a', data: noise(10_001) }],
      'exceeds the limit of 10000 bytes',
    ],
    [
      'that says it is too large in all',
      [1, 2, 3].map((n) => ({ name: `${n}`, data: noise(9_000) })),
      'exceed the limit of 25000 bytes',
    ],
    ['that inflates too much', [{ name: 'a', data: zeros(9_000), method: 8 }], '50 times its compressed size'],
  ] satisfies [string, RawEntry[], string][])('%s is refused with 413', async (_case, entries, reason) => {
    const { unpack, listing } = await trial(rawZip(entries));

    const outcome = unpack({ limits: small });

    await expect(outcome).rejects.toMatchObject({ code: 'archive-too-large', status: 413 });
    await expect(outcome).rejects.toThrow(reason);
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('that lies about its sizes is cut off where it said it ends', async () => {
    const bomb = rawZip([{ name: 'a', data: zeros(50_000_000), method: 8, inflatedBytes: 100 }]);
    const { unpack, listing } = await trial(bomb);

    await expect(unpack()).rejects.toThrow('it contains more than the 100 bytes that the index declares');
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('whose entries share their data, so that a little becomes endless, is refused', async () => {
    const first = { name: 'a', data: noise(1_000) };
    const archive = rawZip([first, { name: 'b', localName: 'a', offset: 0 }]);
    const same = rawZip([first, { ...first, offset: 0 }]);

    await expect((await trial(archive)).unpack()).rejects.toMatchObject({ code: 'archive-refused' });
    await expect((await trial(same)).unpack()).rejects.toMatchObject({ code: 'archive-refused' });
    await expect((await trial(quine())).unpack()).rejects.toThrow('shares data with another entry');
  });

  it('that holds archives is never unpacked twice, and is refused if the caller wants none', async () => {
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

  it('of a page of zeros is no bomb', async () => {
    const { unpack } = await trial(rawZip([{ name: 'a', data: zeros(4_000), method: 8 }]));

    expect(await unpack({ limits: small })).toMatchObject([{ bytes: 4_000 }]);
  });

  it('is judged by its index before anything is written, however long that is', async () => {
    const entries = Array.from({ length: 5_000 }, (_, index) => ({ name: `${index}` }));
    const { unpack, listing } = await trial(rawZip([...entries, { name: '../evil' }]));

    await expect(unpack()).rejects.toMatchObject({ code: 'archive-refused' });
    expect(await listing()).toEqual(['spooled.zip']);
  });
});

/** The second entry lies inside the data of the first one, as in the bombs that overlap. */
function quine(): Buffer {
  const inner = rawZip([{ name: 'b', data: 'inner' }]).subarray(0, 36);
  return rawZip([
    { name: 'a', data: inner },
    { name: 'b', data: 'inner', offset: 31 },
  ]);
}
