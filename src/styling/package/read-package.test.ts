import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trial } from '../../../test/support/archives.ts';
import { type RawEntry, rawZip } from '../../../test/support/raw-zip.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { limits } from '../../server/settings/limits.ts';
import { type StylePackage, unpackPackage } from './read-package.ts';

const sld = '<StyledLayerDescriptor version="1.0.0"/>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0', 'latin1');
const gif = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0', 'latin1');
const jpeg = Buffer.from('\xff\xd8\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0', 'latin1');
const bmp = Buffer.alloc(58);
bmp.write('BM');
bmp.writeUInt32LE(40, 14);
bmp.writeInt32LE(1, 18);
bmp.writeInt32LE(-1, 22);

async function unpacked(entries: readonly RawEntry[], own = limits.archive): Promise<StylePackage> {
  const { spooled } = await trial(rawZip(entries));
  return unpackPackage(spooled, join(dirname(spooled), 'content'), { limits: own });
}

async function refusalOf(entries: readonly RawEntry[]): Promise<Problem> {
  const { spooled } = await trial(rawZip(entries));
  try {
    await unpackPackage(spooled, join(dirname(spooled), 'content'), { limits: limits.archive });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('The package was accepted.');
}

describe('valid package', () => {
  it('contains an SLD and its images', async () => {
    const { style, images, ignored } = await unpacked([
      { name: 'roads.sld', data: sld },
      { name: 'icons/tree.svg', data: svg },
      { name: 'a.png', data: png },
      { name: 'b.jpg', data: jpeg },
      { name: 'c.JPEG', data: jpeg },
      { name: 'd.gif', data: gif },
      { name: 'e.bmp', data: bmp },
    ]);

    expect(style.name).toBe('roads.sld');
    expect(Buffer.from(style.bytes).toString()).toBe(sld);
    expect(images.map(({ name }) => name)).toEqual(['a.png', 'b.jpg', 'c.JPEG', 'd.gif', 'e.bmp', 'icons/tree.svg']);
    expect(await readFile(images[0]?.path ?? '')).toEqual(png);
    expect(ignored).toEqual([]);
  });

  it('may contain only an SLD, with an extension in upper case', async () => {
    expect(await unpacked([{ name: 'Roads.SLD', data: sld }])).toMatchObject({
      style: { name: 'Roads.SLD' },
      images: [],
      ignored: [],
    });
  });

  it('may have a common folder', async () => {
    const { style, images } = await unpacked([
      { name: 'my style/' },
      { name: 'my style/roads.sld', data: sld },
      { name: 'my style/icons/tree.svg', data: svg },
    ]);

    expect(style.name).toBe('roads.sld');
    expect(images.map(({ name }) => name)).toEqual(['icons/tree.svg']);
  });

  it('lists ignored files of other types', async () => {
    const { images, ignored } = await unpacked([
      { name: 'style/roads.sld', data: sld },
      { name: 'style/readme.txt', data: 'read me' },
      { name: 'style/run.sh', data: '#!/bin/sh' },
      { name: 'style/picture.webp', data: 'RIFF' },
      { name: 'style/page.html', data: '<html/>' },
      { name: 'style/.hidden/tree.png', data: png },
      { name: 'style/.old.sld', data: sld },
      { name: 'elsewhere.png', data: png },
      { name: 'styles/near.png', data: png },
    ]);

    expect(images).toEqual([]);
    expect(ignored).toEqual([
      'elsewhere.png',
      'style/.hidden/tree.png',
      'style/.old.sld',
      'style/page.html',
      'style/picture.webp',
      'style/readme.txt',
      'style/run.sh',
      'styles/near.png',
    ]);
  });

  it('may contain system files', async () => {
    const { images, ignored } = await unpacked([
      { name: 'roads.sld', data: sld },
      { name: '__MACOSX/._roads.sld', data: 'shadow' },
      { name: '__MACOSX/tree.png', data: 'shadow' },
      { name: '.DS_Store', data: 'folder' },
      { name: 'icons/._tree.png', data: 'shadow' },
      { name: 'icons/Thumbs.db', data: 'thumbs' },
    ]);

    expect(images).toEqual([]);
    expect(ignored).toEqual([]);
  });
});

describe('package with a MapLibre style', () => {
  it('contains the sprite sheet and its list of icons', async () => {
    const index = JSON.stringify({ shop: { x: 0, y: 0, width: 8, height: 8, pixelRatio: 1 } });
    const { style, images, ignored } = await unpacked([
      { name: 'map/style.json', data: '{"version":8,"layers":[]}' },
      { name: 'map/sprites/icons.json', data: index },
      { name: 'map/readme.txt', data: 'x' },
    ]);

    expect([style.name, style.language]).toEqual(['style.json', 'mbstyle']);
    expect(images.map(({ name }) => name)).toEqual(['sprites/icons.json']);
    expect(ignored).toEqual(['map/readme.txt']);
  });
});

describe('package without exactly one style', () => {
  const start =
    'A style package must contain exactly one .sld file or MapLibre style (.json), and the images that it uses, but ';

  it.each<[string, readonly string[], string]>([
    ['none', ['readme.txt', 'tree.png'], "this one has none: it contains 'readme.txt', 'tree.png'."],
    ['only system files', ['__MACOSX/._roads.sld'], 'this one has none: it contains no files.'],
    ['two MapLibre styles', ['a.json', 'b.json'], "this one has 2: 'a.json', 'b.json'."],
    ['two', ['a.sld', 'old/B.SLD'], "this one has 2: 'a.sld', 'old/B.SLD'."],
    [
      'CSS',
      ['roads.css', 'tree.png'],
      "this one has none: it contains CSS ('roads.css'), which is sent without a package.",
    ],
    ['similar names', ['my-sld', 'a.sld.bak'], "this one has none: it contains 'a.sld.bak', 'my-sld'."],
  ])('is rejected with a list of its files: %s', async (_, names, found) => {
    const problem = await refusalOf(names.map((name) => ({ name, data: 'x' })));

    expect(problem).toMatchObject({ code: 'style-package-content', status: 400, message: `${start}${found}` });
  });

  it('is rejected with a truncated list of many files', async () => {
    const problem = await refusalOf(Array.from({ length: 50 }, (_, index) => ({ name: `${index}.sld`, data: 'x' })));

    expect(problem.message).toMatch(/this one has 50: '0.sld', .* and 40 more\.$/);
  });
});

describe('image in a package', () => {
  it.each<[string, string, string | Buffer, string]>([
    ['text', 'a.png', 'not a picture', 'its extension is .png, but it is not a complete image of a known format'],
    ['empty', 'a.gif', '', 'it is empty'],
    ['of another format', 'icons/a.jpg', png, 'its extension is .jpg, but it is a PNG image'],
    [
      'truncated',
      'a.png',
      png.subarray(0, 12),
      'its extension is .png, but it is not a complete image of a known format',
    ],
    [
      'a web page',
      'a.svg',
      '<html xmlns="http://www.w3.org/1999/xhtml"/>',
      "it is not an SVG document: its root element is 'html'",
    ],
    ['an SVG with another extension', 'a.png', svg, 'its extension is .png, but it is an SVG image'],
  ])('is rejected if it is %s', async (_, name, data, reason) => {
    const problem = await refusalOf([
      { name: 'roads.sld', data: sld },
      { name, data },
    ]);

    expect(problem).toMatchObject({
      code: 'style-package-image',
      status: 400,
      message: `The image '${name}' of the package is not accepted: ${reason}.`,
    });
  });
});

describe('archive gate', () => {
  it.each<[string, RawEntry]>([
    ['leaves the folder', { name: '../evil.png', data: png }],
    ['is absolute', { name: '/etc/evil.png', data: png }],
    ['contains backslashes', { name: '..\\evil.png', data: png }],
    ['is a link', { name: 'evil.png', data: '/etc/passwd', mode: 0o120777 }],
    ['is a duplicate', { name: 'ROADS.sld', data: sld }],
  ])('rejects a package with an entry that %s', async (_, entry) => {
    const { spooled } = await trial(rawZip([{ name: 'roads.sld', data: sld }, entry]));
    const folder = join(dirname(spooled), 'content');

    await expect(unpackPackage(spooled, folder, { limits: limits.archive })).rejects.toMatchObject({
      code: 'archive-refused',
    });
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('rejects a file that is not an archive', async () => {
    const { spooled } = await trial(Buffer.from(sld));

    await expect(
      unpackPackage(spooled, join(dirname(spooled), 'content'), { limits: limits.archive }),
    ).rejects.toMatchObject({ code: 'archive-refused' });
  });

  it('applies smaller limits to packages than to data', async () => {
    const huge: RawEntry = { name: 'a.png', data: Buffer.alloc(21_000_000), method: 8 };
    const many = Array.from({ length: 2_001 }, (_, index) => ({ name: `${index}.txt`, data: 'x' }));

    expect((await refusalOf([{ name: 'a.sld', data: sld }, huge])).code).toBe('archive-too-large');
    expect((await refusalOf([{ name: 'a.sld', data: sld }, ...many])).code).toBe('archive-too-large');
  });

  it('applies the limits of the server if they are smaller', async () => {
    const narrow = { ...limits.archive, maxEntryBytes: 10 };

    await expect(unpacked([{ name: 'a.sld', data: sld }], narrow as typeof limits.archive)).rejects.toMatchObject({
      code: 'archive-too-large',
    });
  });
});
