import { describe, expect, it } from 'vitest';
import { lineSld } from '../../../test/support/styles.ts';
import type { StyleProcessor } from '../../styling/style-processor.ts';
import type { StyleFile, WrittenContent } from '../kinds/style.ts';
import { readStyleAsPackage } from './read-style.ts';
import type { StyleContents } from './style-contents.ts';
import type { StyleView } from './style-view.ts';

const base = { id: 'x', version: 1, createdAtMs: 0, modifiedAtMs: 0, parent: null };
const written: WrittenContent = {
  format: { language: 'sld', version: '1.0.0' },
  charset: null,
  packaged: [],
  graphics: [],
};

const unwanted = () => Promise.reject(new Error('Unexpected read'));
const work: StyleProcessor = {
  describe: unwanted,
  convert: unwanted,
  draw: unwanted,
  summarise: unwanted,
  readModel: unwanted,
  writeMbLayers: unwanted,
  join: unwanted,
  checkGraphics: unwanted,
  checkImage: unwanted,
  describeFont: unwanted,
  classify: unwanted,
};

function file(path: string, sizeBytes: number, content: WrittenContent | null = null): StyleFile {
  return { ...base, kind: 'styleFile', name: `/${path}`, folder: '', path, content: path, sizeBytes, written: content };
}

function viewWith(images: readonly StyleFile[]): StyleView {
  const format = { language: 'sld', version: '1.0.0' } as const;
  return {
    style: { ...base, kind: 'style', name: 'a', filename: 'a.sld', format, legend: null, metadata: {} },
    workspace: null,
    file: file('a.sld', 100, written),
    images,
    version: 1,
    imageCount: images.length,
    modifiedAtMs: undefined,
  };
}

describe('style package', () => {
  it('is refused before any file is read if the images exceed the memory limit', async () => {
    const read: string[] = [];
    const contents: StyleContents = {
      async read(hash) {
        read.push(hash);
        return Buffer.from(lineSld('a'));
      },
    };
    const images = [file('b.png', 500), file('c.png', 500)];

    await expect(
      readStyleAsPackage({ contents, work, maxPackageBytes: 1_099 }, viewWith(images)),
    ).rejects.toMatchObject({
      code: 'style-package-too-large',
      status: 406,
    });
    expect(read).toEqual([]);

    expect(
      (await readStyleAsPackage({ contents, work, maxPackageBytes: 1_100 }, viewWith(images))).length,
    ).toBeGreaterThan(0);
    expect(read).toEqual(['a.sld', 'b.png', 'c.png']);
  });
});
