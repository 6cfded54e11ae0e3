/** Reads the names and the covered characters of font files: TrueType, OpenType, collections (first face) and WOFF. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

/** One face of a font family. */
export interface FontFace {
  readonly family: string;
  /** Such as `Bold Italic`. */
  readonly style: string;
  readonly fullName: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** Sorted pairs of first and last code point. */
export type Coverage = readonly number[];

/** The bytes of a file, in memory or on disk. */
export interface FontBytes {
  readonly length: number;
  read(start: number, length: number): Buffer;
}

export class InvalidFont extends Error {
  override readonly name = 'InvalidFont';
}

/** A font has about twenty tables. */
const MAX_TABLES = 100;

/** Tables of names and of characters are a few hundred kilobytes at most. */
const MAX_TABLE_BYTES = 8_388_608;

/** Unicode has 0x110000 code points; even fonts of all Chinese characters have a few thousand ranges. */
const MAX_RANGES = 100_000;

export function wrapFontBytes(bytes: Uint8Array): FontBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { length: buffer.length, read: (start, length) => buffer.subarray(start, start + length) };
}

/** Reads parts of a file, because a font of several megabytes has a few kilobytes of names. */
export function readFontFile<T>(path: string, use: (bytes: FontBytes) => T): T {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    return use({
      length: size,
      read(start, length) {
        const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
        return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, start));
      },
    });
  } finally {
    closeSync(file);
  }
}

/** Throws `InvalidFont` if the file is not a font. */
export function readFontFace(bytes: FontBytes): FontFace {
  const tables = readTables(bytes);
  const names = parseNames(tables.read('name'));
  const family = names.get(16) ?? names.get(1);
  const style = names.get(17) ?? names.get(2) ?? 'Regular';
  if (family === undefined || family.trim() === '') throw new InvalidFont('it has no family name');
  for (const tag of ['head', 'cmap', 'maxp']) tables.read(tag);
  const metrics = tables.has('OS/2') ? tables.read('OS/2') : undefined;
  const weight = metrics !== undefined && metrics.length >= 6 ? metrics.readUInt16BE(4) : 400;
  return {
    family: family.trim(),
    style: style.trim(),
    fullName: (names.get(4) ?? `${family} ${style}`).trim(),
    isBold: weight >= 600 || /bold|black|heavy/i.test(style),
    isItalic: /italic|oblique/i.test(style),
  };
}

/** Throws `InvalidFont` if the file is not a font. */
export function readCoverage(bytes: FontBytes): Coverage {
  return guardRange(() => parseCharacterMap(readTables(bytes).read('cmap')));
}

interface FontTables {
  has(tag: string): boolean;
  read(tag: string): Buffer;
}

interface TableEntry {
  readonly offset: number;
  readonly storedBytes: number;
  readonly bytes: number;
}

function readTables(file: FontBytes): FontTables {
  const entries = guardRange(() => readDirectory(file));
  return {
    has: (tag) => entries.has(tag),
    read(tag) {
      const entry = entries.get(tag);
      if (entry === undefined) throw new InvalidFont(`it has no table '${tag}'`);
      if (entry.bytes > MAX_TABLE_BYTES) throw new InvalidFont(`its table '${tag}' is too large`);
      const stored = file.read(entry.offset, entry.storedBytes);
      if (stored.length < entry.storedBytes) throw new InvalidFont(`its table '${tag}' is truncated`);
      return entry.storedBytes < entry.bytes ? inflateTable(stored, entry.bytes) : stored;
    },
  };
}

function inflateTable(stored: Buffer, bytes: number): Buffer {
  try {
    return inflateSync(stored, { maxOutputLength: bytes });
  } catch {
    throw new InvalidFont('a table is damaged');
  }
}

const PLAIN_SIGNATURES: readonly number[] = [0x0001_0000, 0x4f54_544f, 0x7472_7565];
const COLLECTION = 0x7474_6366;
const WOFF = 0x774f_4646;
const WOFF2 = 0x774f_4632;

function readDirectory(file: FontBytes): ReadonlyMap<string, TableEntry> {
  const head = file.read(0, 16);
  const signature = head.readUInt32BE(0);
  if (signature === COLLECTION) return readPlainDirectory(file, head.readUInt32BE(12));
  if (signature === WOFF) return readWoffDirectory(file);
  if (signature === WOFF2) throw new InvalidFont('WOFF2 is not supported. Use TTF, OTF or WOFF');
  return readPlainDirectory(file, 0);
}

function readPlainDirectory(file: FontBytes, start: number): ReadonlyMap<string, TableEntry> {
  const head = file.read(start, 12);
  if (!PLAIN_SIGNATURES.includes(head.readUInt32BE(0))) throw new InvalidFont('the file is not TTF, OTF or WOFF');
  const count = checkCount(head.readUInt16BE(4));
  const list = file.read(start + 12, count * 16);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = index * 16;
      const bytes = list.readUInt32BE(at + 12);
      return [list.toString('latin1', at, at + 4), { offset: list.readUInt32BE(at + 8), storedBytes: bytes, bytes }];
    }),
  );
}

function readWoffDirectory(file: FontBytes): ReadonlyMap<string, TableEntry> {
  const count = checkCount(file.read(12, 2).readUInt16BE(0));
  const list = file.read(44, count * 20);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = index * 20;
      const [offset, storedBytes, bytes] = [4, 8, 12].map((field) => list.readUInt32BE(at + field));
      return [
        list.toString('latin1', at, at + 4),
        { offset: offset ?? 0, storedBytes: storedBytes ?? 0, bytes: bytes ?? 0 },
      ];
    }),
  );
}

function checkCount(count: number): number {
  if (count === 0 || count > MAX_TABLES) throw new InvalidFont('it has an invalid number of tables');
  return count;
}

/** Positions beyond the end of a table are faults of the font. */
function guardRange<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidFont('it is truncated or damaged');
    throw error;
  }
}

const WINDOWS = 3;
const MACINTOSH = 1;
const AMERICAN_ENGLISH = 0x0409;

/** Returns the names by their identifier, in English if possible. */
function parseNames(table: Buffer): ReadonlyMap<number, string> {
  return guardRange(() => {
    const names = new Map<number, { readonly text: string; readonly rank: number }>();
    const strings = table.readUInt16BE(4);
    for (let index = 0; index < table.readUInt16BE(2); index += 1) {
      const at = 6 + index * 12;
      const [platform, , language, id, length, offset] = [0, 2, 4, 6, 8, 10].map((field) =>
        table.readUInt16BE(at + field),
      );
      if (id === undefined || length === undefined || offset === undefined || id > 17) continue;
      const bytes = table.subarray(strings + offset, strings + offset + length);
      const text = platform === MACINTOSH ? bytes.toString('latin1') : decodeUtf16(bytes);
      const rank = platform === WINDOWS && language === AMERICAN_ENGLISH ? 3 : platform === MACINTOSH ? 2 : 1;
      if (text !== '' && rank > (names.get(id)?.rank ?? 0)) names.set(id, { text, rank });
    }
    return new Map([...names].map(([id, { text }]) => [id, text]));
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
