/** Reads the names and the covered characters of font files: TrueType, OpenType, collections, WOFF and WOFF2. */
import {
  countFaces,
  type FontBytes,
  type FontTables,
  guardRange,
  InvalidFont,
  MAX_UNPACKED_BYTES,
  readTables,
  unpackWoff,
  wrapFontBytes,
} from './font-tables.ts';
import { type FontVariations, parseVariations } from './font-variation.ts';
import { NORMAL_WEIGHT, parseWeight, toWidthPercent } from './font-weight.ts';

/** One face of a font family. */
export interface FontFace {
  readonly family: string;
  /** Such as `Bold Italic`. */
  readonly style: string;
  readonly fullName: string;
  /** From 1 to 1000; 400 is normal, and 700 is bold. */
  readonly weight: number;
  readonly widthPercent: number;
  readonly isItalic: boolean;
  /** Set for variable fonts. */
  readonly variations?: FontVariations;
}

/** Sorted pairs of first and last code point. */
export type Coverage = ArrayLike<number>;

/** The extensions of font files, in error messages. */
export const FONT_EXTENSIONS = '.ttf, .otf, .ttc, .otc, .woff, .woff2';

export function isFontName(path: string): boolean {
  return /\.(ttf|otf|ttc|otc|woff2?)$/i.test(path);
}

/** Unicode has 0x110000 code points; even fonts of all Chinese characters have a few thousand ranges. */
const MAX_RANGES = 100_000;

/** Returns the extension for the bytes of a font. */
export function findFontExtension(bytes: Uint8Array): '.ttf' | '.otf' | '.ttc' | '.woff' | '.woff2' {
  const signature = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (signature === 'wOFF') return '.woff';
  if (signature === 'wOF2') return '.woff2';
  if (signature === 'ttcf') return '.ttc';
  return signature === 'OTTO' ? '.otf' : '.ttf';
}

/** Returns the faces of a collection, or the only one of another file. Throws `InvalidFont` if the file is not a font. */
export function readFontFaces(bytes: FontBytes): readonly FontFace[] {
  return Array.from({ length: countFaces(bytes) }, (_, index) => readFontFace(readTables(bytes, index)));
}

/** Returns the full name of a face and those of the instances of a variable font. */
export function listFaceNames({ family, fullName, variations }: FontFace): readonly string[] {
  return [fullName, ...(variations?.instances ?? []).map(({ name }) => `${family} ${name}`)];
}

function readFontFace(tables: FontTables): FontFace {
  const names = parseNames(tables.read('name'));
  const family = names.get(16) ?? names.get(1);
  const style = names.get(17) ?? names.get(2) ?? 'Regular';
  if (family === undefined || family.trim() === '') throw new InvalidFont('it has no family name');
  for (const tag of ['head', 'cmap', 'maxp', 'hhea']) tables.read(tag);
  if (!outlineTables.some((tag) => tables.has(tag))) throw new InvalidFont('it has no glyphs');
  const metrics = tables.has('OS/2') ? tables.read('OS/2') : undefined;
  const [weight, widthClass] =
    metrics !== undefined && metrics.length >= 8
      ? [metrics.readUInt16BE(4), metrics.readUInt16BE(6)]
      : [NORMAL_WEIGHT, 0];
  return {
    family: family.trim(),
    style: style.trim(),
    fullName: (names.get(4) ?? `${family} ${style}`).trim(),
    // Some old fonts declare a weight from 1 to 9, or a normal one although they are bold.
    weight:
      weight >= 100 && weight <= 1_000 && weight !== NORMAL_WEIGHT ? weight : (readStyleWeight(style) ?? NORMAL_WEIGHT),
    widthPercent: toWidthPercent(widthClass),
    isItalic: /italic|oblique/i.test(style),
    ...(tables.has('fvar') ? { variations: guardRange(() => parseVariations(tables.read('fvar'), names)) } : {}),
  };
}

/** Returns the weight that the name of a style contains. */
function readStyleWeight(style: string): number | undefined {
  return style
    .split(/\s+/)
    .map((word) => parseWeight(word))
    .find((weight) => weight !== undefined);
}

/** Returns the characters of the face with this position in the file. Throws `InvalidFont` if the file is not a font. */
export function readCoverage(bytes: FontBytes, index = 0): Coverage {
  return guardRange(() => parseCharacterMap(readTables(bytes, index).read('cmap')));
}

/** The content of a face that selects it for a text. */
export interface DescribedFace {
  readonly face: FontFace;
  readonly coverage: Uint32Array;
  /** The size of its tables, and of a copy of a face of a collection. */
  readonly tableBytes: number;
}

export interface MeasuredFont {
  readonly faces: readonly DescribedFace[];
  /** The size of the font in memory, which exceeds that of a compressed file. */
  readonly unpackedBytes: number;
}

/**
 * The maximum size of all faces of a collection but the first, which become files of their own. Faces share tables: ten
 * faces of all Chinese characters have 20 MB together, and 180 MB as files.
 */
const MAX_COLLECTION_COPY_BYTES = 268_435_456;

/** Throws `InvalidFont` if the file is not a font or if a compressed table is damaged. */
export function describeFont(bytes: Uint8Array): MeasuredFont {
  const file = wrapFontBytes(unpackWoff(bytes) ?? bytes);
  const count = countFaces(file);
  const sizes = Array.from({ length: count }, (_, index) => readTables(file, index).unpackedBytes);
  const copied = sizes.slice(1).reduce((sum, bytes) => sum + bytes, 0);
  if (copied > MAX_COLLECTION_COPY_BYTES)
    throw new InvalidFont(`its faces have ${copied} bytes as separate fonts, more than ${MAX_COLLECTION_COPY_BYTES}`);
  const unpackedBytes = Math.max(file.length, ...sizes);
  const faces = readFontFaces(file).map((face, index) => {
    guardRange(() => checkGlyphTables(readTables(file, index)));
    return { face, coverage: Uint32Array.from(readCoverage(file, index)), tableBytes: sizes[index] ?? 0 };
  });
  return { faces, unpackedBytes };
}

const HEAD_MAGIC = 0x5f0f_3cf5;

/** Checks the tables that the library needs to find and to place glyphs. */
function checkGlyphTables(tables: FontTables): void {
  const head = tables.read('head');
  const unitsPerEm = head.readUInt16BE(18);
  checkTable('head', head.readUInt32BE(12) === HEAD_MAGIC && unitsPerEm >= 16 && unitsPerEm <= 16_384);
  const glyphs = tables.read('maxp').readUInt16BE(4);
  checkTable('maxp', glyphs > 0);
  const metrics = tables.read('hhea').readUInt16BE(34);
  checkTable('hhea', metrics > 0 && metrics <= glyphs);
  // WOFF2 may store these tables in another form.
  if (!tables.isTransformed('hmtx')) checkTable('hmtx', tables.read('hmtx').length >= metrics * 4);
  if (!tables.has('glyf') || tables.isTransformed('glyf')) return;
  const isLong = head.readInt16BE(50) === 1;
  const [offsets, outlines] = [tables.read('loca'), tables.read('glyf', MAX_UNPACKED_BYTES)];
  checkTable('loca', offsets.length >= (glyphs + 1) * (isLong ? 4 : 2));
  const findOutline = (glyph: number): number =>
    isLong ? offsets.readUInt32BE(glyph * 4) : offsets.readUInt16BE(glyph * 2) * 2;
  for (let glyph = 0; glyph < glyphs; glyph += 1) {
    const [start, end] = [findOutline(glyph), findOutline(glyph + 1)];
    checkTable('loca', start <= end && end <= outlines.length);
    // A negative number of contours marks a glyph of components, which starts with the number of the first one.
    if (start < end && outlines.readInt16BE(start) < 0) checkTable('glyf', outlines.readUInt16BE(start + 12) < glyphs);
  }
}

function checkTable(tag: string, isValid: boolean): void {
  if (!isValid) throw new InvalidFont(`its table '${tag}' is damaged`);
}

/** The tables that contain glyphs, of outlines or of pictures. */
const outlineTables = ['glyf', 'CFF ', 'CFF2', 'CBDT', 'sbix', 'SVG ', 'COLR'];

const WINDOWS = 3;
const MACINTOSH = 1;
const AMERICAN_ENGLISH = 0x0409;

/** The maximum size of a name; the longest names have about 60 characters. */
const MAX_NAME_BYTES = 1_024;

/** The names of a font by their identifier, in English if possible. */
export interface FontNames {
  get(id: number): string | undefined;
}

/**
 * Names are decoded when they are read: a table can have 65,535 names, which may all refer to the same 65,535 bytes.
 */
function parseNames(table: Buffer): FontNames {
  return guardRange(() => {
    const names = new Map<number, { readonly bytes: Buffer; readonly isLatin: boolean; readonly rank: number }>();
    const strings = table.readUInt16BE(4);
    for (let index = 0; index < table.readUInt16BE(2); index += 1) {
      const at = 6 + index * 12;
      const [platform, , language, id, length, offset] = [0, 2, 4, 6, 8, 10].map((field) =>
        table.readUInt16BE(at + field),
      );
      if (id === undefined || length === undefined || offset === undefined || (id > 17 && id < 256)) continue;
      const end = strings + offset + Math.min(length, MAX_NAME_BYTES);
      const bytes = table.subarray(strings + offset, end);
      const rank = platform === WINDOWS && language === AMERICAN_ENGLISH ? 3 : platform === MACINTOSH ? 2 : 1;
      if (bytes.length > (platform === MACINTOSH ? 0 : 1) && rank > (names.get(id)?.rank ?? 0))
        names.set(id, { bytes, isLatin: platform === MACINTOSH, rank });
    }
    return {
      get(id) {
        const name = names.get(id);
        return name && (name.isLatin ? name.bytes.toString('latin1') : decodeUtf16(name.bytes));
      },
    };
  });
}

function decodeUtf16(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
    .toWellFormed();
}

/** Prefers the table of all of Unicode. */
function parseCharacterMap(table: Buffer): Coverage {
  const ranges: number[] = [];
  let best: { readonly offset: number; readonly format: number } | undefined;
  for (let index = 0; index < table.readUInt16BE(2); index += 1) {
    const offset = table.readUInt32BE(8 + index * 8);
    const format = table.readUInt16BE(offset);
    if ((format === 4 || format === 12) && format > (best?.format ?? 0)) best = { offset, format };
  }
  if (best === undefined) return [];
  if (best.format === 12) addLongRanges(table, best.offset, ranges);
  else addShortRanges(table, best.offset, ranges);
  return ranges;
}

function addLongRanges(table: Buffer, offset: number, ranges: number[]): void {
  const count = table.readUInt32BE(offset + 12);
  if (count > MAX_RANGES) throw new InvalidFont('it maps too many ranges of characters');
  for (let index = 0; index < count; index += 1) {
    const at = offset + 16 + index * 12;
    ranges.push(table.readUInt32BE(at), table.readUInt32BE(at + 4));
  }
}

function addShortRanges(table: Buffer, offset: number, ranges: number[]): void {
  const count = table.readUInt16BE(offset + 6) / 2;
  for (let index = 0; index < count; index += 1) {
    const last = table.readUInt16BE(offset + 14 + index * 2);
    const first = table.readUInt16BE(offset + 16 + count * 2 + index * 2);
    if (first !== 0xffff) ranges.push(first, last);
  }
}

/** Finds a code point by binary search. */
export function covers(coverage: Coverage, codePoint: number): boolean {
  let [from, to] = [0, coverage.length / 2];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((coverage[middle * 2 + 1] ?? 0) < codePoint) from = middle + 1;
    else to = middle;
  }
  return from < coverage.length / 2 && (coverage[from * 2] ?? Number.POSITIVE_INFINITY) <= codePoint;
}
