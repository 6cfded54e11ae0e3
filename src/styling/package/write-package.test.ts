import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trial } from '../../../test/support/archives.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { limits } from '../../server/settings/limits.ts';
import { unpackPackage } from './read-package.ts';
import { writePackage } from './write-package.ts';

const folder = useTemporaryFolder('package');

const style = { name: 'roads.sld', bytes: Buffer.from('<StyledLayerDescriptor version="1.0.0"/>\n'.repeat(100)) };
const tree = { name: 'icons/tree.svg', bytes: Buffer.from('<svg/>') };
const stone = { name: 'bäume/石.svg', bytes: Buffer.from('<svg width="1"/>') };

describe('writePackage', () => {
  it('packs the style and its images, from memory or from files', async () => {
    const path = join(folder, 'stored');
    await writeFile(path, stone.bytes);
    const archive = await writePackage(style, [tree, { name: stone.name, path }]);
    const { spooled } = await trial(archive);

    const back = await unpackPackage(spooled, join(dirname(spooled), 'content'), { limits: limits.archive });

    expect(back.style).toEqual({ ...style, language: 'sld' });
    expect(await Promise.all(back.images.map(async (image) => [image.name, await readFile(image.path)]))).toEqual([
      [stone.name, stone.bytes],
      [tree.name, tree.bytes],
    ]);
    expect(archive.length).toBeLessThan(style.bytes.length);
  });

  it('returns the same bytes for any order of the images', async () => {
    expect(await writePackage(style, [tree, stone])).toEqual(await writePackage(style, [stone, tree]));
  });

  it('passes the compression limits of the archive gate, even if the content compresses well', async () => {
    const flat = { name: 'flat.svg', bytes: Buffer.from(`<svg>${' '.repeat(12_000_000)}</svg>`) };
    const { unpack } = await trial(await writePackage(style, [flat]));

    expect((await unpack()).map(({ name, bytes }) => [name, bytes])).toEqual([
      [style.name, style.bytes.length],
      [flat.name, flat.bytes.length],
    ]);
  });

  it('preserves arbitrary bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), fc.uint8Array({ maxLength: 50 }), async (one, other) => {
        const archive = await writePackage({ name: 'a.sld', bytes: one }, [{ name: 'b.bin', bytes: other }]);
        const { unpack } = await trial(archive);
        const files = await unpack();
        expect(await Promise.all(files.map(({ path }) => readFile(path)))).toEqual([
          Buffer.from(one),
          Buffer.from(other),
        ]);
      }),
      { numRuns: 20 },
    );
  });
});
