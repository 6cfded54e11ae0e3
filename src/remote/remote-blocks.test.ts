import { describe, expect, it } from 'vitest';
import type { RangedSource, RemoteVersion } from './ranged-source.ts';
import { BLOCK_BYTES, RemoteBlocks } from './remote-blocks.ts';

const never = new AbortController().signal;
const url = 'https://data.example.com/dem.tif';
const SIZE = 100 * BLOCK_BYTES + 5;

/** A source whose bytes are their block numbers, plus 100 for each version. */
function createSource(sizeBytes = SIZE) {
  let number = 0;
  const asked: string[] = [];
  const createVersion = (): RemoteVersion => ({ sizeBytes, etag: `"${number}"`, lastModified: undefined });
  const source: RangedSource = {
    async readRange(_, { first, last }, known) {
      asked.push(`${first / BLOCK_BYTES}-${(last + 1) / BLOCK_BYTES}`);
      if (known !== undefined && known.etag !== `"${number}"`) return undefined;
      const length = Math.min(last + 1, sizeBytes) - first;
      const bytes = Buffer.from(
        Array.from({ length }, (_byte, at) => Math.floor((first + at) / BLOCK_BYTES) + 100 * number),
      );
      return { bytes, version: createVersion() };
    },
  };
  return { source, asked, change: () => (number += 1) };
}

function createBlocks(source: RangedSource, maxBytes = 50 * BLOCK_BYTES) {
  let now = 0;
  const blocks = new RemoteBlocks({ source, maxBytes, clock: () => now });
  const read = async (...numbers: number[]) => {
    const file = await blocks.open(url, never);
    const ranges = numbers.map((each) => ({ position: each * BLOCK_BYTES, length: 1 }));
    return (await blocks.read(file, ranges, never)).map(([byte]) => byte);
  };
  return { blocks, read, wait: (ms: number) => (now += ms) };
}

describe('blocks of remote files', () => {
  it('are read with the head first, then in runs that include short gaps', async () => {
    const { source, asked } = createSource();
    const { read } = createBlocks(source);

    expect(await read(1, 10, 11, 14, 20)).toEqual([1, 10, 11, 14, 20]);
    expect(asked).toEqual(['0-2', '10-15', '20-21']);
  });

  it('are read once for simultaneous readers', async () => {
    const { source, asked } = createSource();
    const { read } = createBlocks(source);

    const results = await Promise.all([read(10, 11), read(11), read(10)]);

    expect(results).toEqual([[10, 11], [11], [10]]);
    expect(asked).toEqual(['0-2', '10-12']);
  });

  it('are kept up to the limit, the last used ones', async () => {
    const { source, asked } = createSource();
    const { blocks, read } = createBlocks(source, 3 * BLOCK_BYTES);
    await read(10);
    await read(0);
    await read(20);
    asked.length = 0;

    expect(await read(0, 20, 10)).toEqual([0, 20, 10]);
    expect([asked, blocks.countBytes()]).toEqual([[], 3 * BLOCK_BYTES]);
    await read(1);
    expect(asked).toEqual(['1-2']);
  });

  it('return ranges across blocks and at the end of the file', async () => {
    const { source } = createSource();
    const { blocks } = createBlocks(source);
    const file = await blocks.open(url, never);

    const [across, end] = await blocks.read(
      file,
      [
        { position: 3 * BLOCK_BYTES - 2, length: 4 },
        { position: SIZE - 7, length: 7 },
      ],
      never,
    );

    expect([...(across ?? [])]).toEqual([2, 2, 3, 3]);
    expect([...(end ?? [])]).toEqual([99, 99, 100, 100, 100, 100, 100]);
  });

  it('are confirmed with one byte after a minute', async () => {
    const { source, asked } = createSource();
    const { read, wait } = createBlocks(source);
    await read(0);

    wait(59_999);
    await read(0);
    expect(asked).toEqual(['0-2']);
    wait(1);
    expect(await read(0)).toEqual([0]);
    expect(asked).toEqual(['0-2', `0-${1 / BLOCK_BYTES}`]);
  });

  it('are read again for a changed file, also within the minute', async () => {
    const { source, change } = createSource();
    const { blocks, read, wait } = createBlocks(source);
    const file = await blocks.open(url, never);
    change();

    await expect(blocks.read(file, [{ position: 5 * BLOCK_BYTES, length: 1 }], never)).rejects.toMatchObject({
      code: 'remote-file-changed',
    });
    expect(await read(0, 5)).toEqual([100, 105]);
    change();
    wait(60_000);
    expect(await read(0, 5)).toEqual([200, 205]);
  });

  it('are kept after a failed request, which is repeated by the next reader', async () => {
    const { source } = createSource();
    let fails = false;
    const { read } = createBlocks({
      readRange: (...args) => (fails ? Promise.reject(new Error('broken')) : source.readRange(...args)),
    });
    await read(1);
    fails = true;

    await expect(read(1, 10)).rejects.toThrow('broken');
    expect(await read(1)).toEqual([1]);
    fails = false;
    expect(await read(1, 10)).toEqual([1, 10]);
  });

  it('can be abandoned by one reader while another one waits for them', async () => {
    const { source } = createSource();
    const gate = Promise.withResolvers<void>();
    const { blocks } = createBlocks({
      readRange: async (...args) => {
        if (args[1].first > 0) await gate.promise;
        return source.readRange(...args);
      },
    });
    const file = await blocks.open(url, never);
    const leaving = new AbortController();
    const range = [{ position: 10 * BLOCK_BYTES, length: 1 }];
    const [first, second] = [blocks.read(file, range, leaving.signal), blocks.read(file, range, never)];

    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    gate.resolve();

    expect((await second).map(([byte]) => byte)).toEqual([10]);
  });
});
