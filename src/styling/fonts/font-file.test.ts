import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { packCollection } from '../../../test/support/font-collections.ts';
import { listFontTables, packWoff } from '../../../test/support/woff-fonts.ts';
import { covers, describeFont, readCoverage, readFontFaces } from './font-file.ts';
import { extractFace, InvalidFont, readFontFile, wrapFontBytes } from './font-tables.ts';

const path = 'node_modules/@expo-google-fonts/tinos/700Bold_Italic/Tinos_700Bold_Italic.ttf';

describe('readFontFaces', () => {
  test('returns the names and the style of a face', () => {
    expect(readFontFile(path, readFontFaces)).toEqual([
      {
        family: 'Tinos',
        style: 'Bold Italic',
        fullName: 'Tinos Bold Italic',
        weight: 700,
        widthPercent: 100,
        isItalic: true,
      },
    ]);
  });

  test.each([
    ['a text', Buffer.from('This is a text, not a font.')],
    ['an empty file', Buffer.alloc(0)],
    ['a directory without tables', Buffer.from('00010000000000000000000000000000', 'hex')],
    ['a directory that is cut off', Buffer.from('00010000000a00000000000000000000', 'hex')],
    ['a truncated WOFF2 file', Buffer.from('774f463200010000000000000000000000000000', 'hex')],
  ])('rejects %s', (_what, bytes) => {
    expect(() => readFontFaces(wrapFontBytes(bytes))).toThrow(InvalidFont);
  });

  test('rejects or reads every truncated font without another error', async () => {
    const bytes = await readFile(path);
    for (let length = 0; length < bytes.length; length += 9_973) {
      const part = wrapFontBytes(bytes.subarray(0, length));
      try {
        readFontFaces(part);
        readCoverage(part);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidFont);
      }
    }
  });
});

test('readCoverage lists the characters of a font', () => {
  const coverage = readFontFile(path, readCoverage);

  expect(['A', 'é', 'Ж', 'Ω', 'א'].map((letter) => covers(coverage, letter.codePointAt(0) ?? 0))).toEqual(
    Array(5).fill(true),
  );
  expect(['中', 'ก', '\u{1f600}'].map((letter) => covers(coverage, letter.codePointAt(0) ?? 0))).toEqual(
    Array(3).fill(false),
  );
});

describe('describeFont', () => {
  test('reads every face of a collection like a font of its own', async () => {
    const other = 'node_modules/@expo-google-fonts/cousine/400Regular/Cousine_400Regular.ttf';
    const fonts = [await readFile(path), await readFile(other)];
    const collection = packCollection(fonts);

    expect(describeFont(collection).faces).toEqual(fonts.flatMap((font) => describeFont(font).faces));
    for (const index of [0, 1])
      expect(describeFont(extractFace(wrapFontBytes(collection), index)).faces).toEqual(
        describeFont(fonts[index] ?? collection).faces,
      );
  });

  test.each([0, 101, 0xffff_ffff])('rejects a collection that declares %s faces', async (count) => {
    const collection = packCollection([await readFile(path)]);
    collection.writeUInt32BE(count, 8);

    expect(() => describeFont(collection)).toThrow(new InvalidFont(`it has ${count} faces instead of 1 to 100`));
  });

  test('rejects a collection whose faces would be too large as files of their own', async () => {
    const font = await readFile(path);
    // Pads the file, so that each face has 10 MB of tables, and lists the only face several times.
    const createCollection = (faces: number): Buffer => {
      const padding = Buffer.alloc(10_000_000);
      const single = packCollection([Buffer.concat([font, padding])]);
      const head = Buffer.alloc(faces * 4 - 4);
      const collection = Buffer.concat([single.subarray(0, 12), head, single.subarray(12)]);
      collection.writeUInt32BE(faces, 8);
      const start = 12 + faces * 4;
      for (let face = 0; face < faces; face += 1) collection.writeUInt32BE(start, 12 + face * 4);
      for (let table = 0; table < font.readUInt16BE(4); table += 1) {
        const at = start + 12 + table * 16;
        collection.writeUInt32BE(collection.readUInt32BE(at + 8) + head.length, at + 8);
        const isPadded = collection.toString('latin1', at, at + 4) === 'post';
        if (!isPadded) continue;
        collection.writeUInt32BE(collection.length - padding.length, at + 8);
        collection.writeUInt32BE(padding.length, at + 12);
      }
      return collection;
    };

    expect(describeFont(createCollection(20)).faces).toHaveLength(20);
    expect(() => describeFont(createCollection(40))).toThrow(/its faces have \d+ bytes as separate fonts/);
  });

  test('rejects a face whose tables share their bytes', async () => {
    const font = await readFile(path);
    for (let table = 0; table < font.readUInt16BE(4); table += 1)
      font.writeUInt32BE(font.length - 1_000, 12 + table * 16 + 12);

    expect(() => extractFace(wrapFontBytes(packCollection([font])), 0)).toThrow(new InvalidFont('its tables overlap'));
  });

  test('decodes only the names that it uses', async () => {
    const font = await readFile(path);
    const records = 65_535;
    // All names with their own identifiers, and the same 65,535 bytes for each.
    const names = Buffer.alloc(6 + records * 12 + 65_535, 'A');
    names.writeUInt16BE(0, 0);
    names.writeUInt16BE(records, 2);
    names.writeUInt16BE(60_000, 4);
    for (let index = 0; index < records; index += 1) {
      const at = 6 + index * 12;
      for (const [field, value] of [3, 1, 0x409, index + 1, 65_535, 0].entries())
        names.writeUInt16BE(value, at + field * 2);
    }
    const at = font.indexOf('name', 12, 'latin1');
    font.writeUInt32BE(font.length, at + 8);
    font.writeUInt32BE(names.length, at + 12);
    const before = process.memoryUsage().rss;

    const [described] = describeFont(Buffer.concat([font, names])).faces;

    expect(described?.face.family.length).toBe(512);
    // Decoding all of them would take 4 GB.
    expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
  });

  test('rejects a collection whose last face is missing', async () => {
    const collection = packCollection([await readFile(path), await readFile(path)]);

    expect(() => describeFont(collection.subarray(0, collection.length / 2))).toThrow(InvalidFont);
  });

  test('reads a WOFF file like the font that it packs', async () => {
    const font = await readFile(path);

    expect(describeFont(packWoff(font)).faces).toEqual(describeFont(font).faces);
  });

  test('rejects a WOFF file with a damaged table of glyphs', async () => {
    const damaged = packWoff(await readFile(path), { damaged: 'glyf' });

    expect(() => describeFont(damaged)).toThrow(new InvalidFont('a table is damaged'));
  });

  test('rejects a WOFF file that declares fewer bytes of a table than it stores', async () => {
    const woff = packWoff(await readFile(path));
    woff.writeUInt32BE(1, woff.indexOf('name', 44, 'latin1') + 12);

    expect(() => describeFont(woff)).toThrow(new InvalidFont('a table is damaged'));
  });

  test('rejects a WOFF file whose tables together are too large', async () => {
    const content = Buffer.alloc(10_000_000);
    const extra = ['xxx1', 'xxx2', 'xxx3', 'xxx4'].map((tag) => ({ tag, content }));
    const font = await readFile(path);

    expect(describeFont(packWoff(font, { extra: extra.slice(0, 1) })).faces[0]?.face.family).toBe('Tinos');
    expect(() => describeFont(packWoff(font, { extra }))).toThrow(/unpacked tables exceed 33554432 bytes/);
  });

  test.each(['head', 'maxp', 'hhea', 'loca', 'glyf'])('rejects a font whose table %s is overwritten', async (tag) => {
    const font = await readFile(path);
    for (const table of listFontTables(font)) if (table.tag === tag) table.content.fill(0xff);

    expect(() => describeFont(font)).toThrow(InvalidFont);
  });

  test.each(['hmtx', 'loca'])('rejects a font whose table %s is too short', async (tag) => {
    const font = await readFile(path);
    font.writeUInt32BE(100, font.indexOf(tag, 12, 'latin1') + 12);

    expect(() => describeFont(font)).toThrow(new InvalidFont(`its table '${tag}' is damaged`));
  });
});
