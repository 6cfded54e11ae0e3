/** Reads the tables of font files: TrueType, OpenType, collections, WOFF and WOFF2. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { brotliDecompressSync, inflateSync } from 'node:zlib';

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

export interface FontTables {
  /** The total size of the tables, after WOFF2 has restored their form. */
  readonly unpackedBytes: number;
  readonly tags: readonly string[];
  has(tag: string): boolean;
  isTransformed(tag: string): boolean;
  read(tag: string, maxBytes?: number): Buffer;
}

interface TableEntry {
  readonly offset: number;
  readonly storedBytes: number;
  readonly bytes: number;
  /** Whether WOFF2 stores it in another form. */
  readonly isTransformed?: boolean;
  /** The size of its usual form. */
  readonly restoredBytes?: number;
}

/** Returns the tables of a face; `index` is its position in a collection. Throws `InvalidFont` if the file is not a font. */
export function readTables(packed: FontBytes, index = 0): FontTables {
  const { file, entries } = guardRange(() => readDirectory(packed, index));
  return {
    unpackedBytes: [...entries.values()].reduce((sum, { bytes, restoredBytes = bytes }) => sum + restoredBytes, 0),
    tags: [...entries.keys()],
    has: (tag) => entries.has(tag),
    isTransformed: (tag) => entries.get(tag)?.isTransformed === true,
    read(tag, maxBytes = MAX_TABLE_BYTES) {
      const entry = entries.get(tag);
      if (entry === undefined) throw new InvalidFont(`it has no table '${tag}'`);
      if (entry.bytes > maxBytes) throw new InvalidFont(`its table '${tag}' is too large`);
      const stored = file.read(entry.offset, entry.storedBytes);
      if (stored.length < entry.storedBytes) throw new InvalidFont(`its table '${tag}' is truncated`);
      return entry.storedBytes < entry.bytes ? inflateTable(stored, entry.bytes) : stored;
    },
  };
}

function inflateTable(stored: Buffer, bytes: number): Buffer {
  let table: Buffer | undefined;
  try {
    table = inflateSync(stored, { maxOutputLength: bytes });
  } catch {
    // Reported below.
  }
  if (table?.length !== bytes) throw new InvalidFont('a table is damaged');
  return table;
}

const PLAIN_SIGNATURES: readonly number[] = [0x0001_0000, 0x4f54_544f, 0x7472_7565];
const COLLECTION = 0x7474_6366;
const WOFF = 0x774f_4646;
const WOFF2 = 0x774f_4632;

interface TableDirectory {
  /** The bytes that contain the tables. */
  readonly file: FontBytes;
  readonly entries: ReadonlyMap<string, TableEntry>;
}

function readDirectory(file: FontBytes, index: number): TableDirectory {
  const signature = file.read(0, 4).readUInt32BE(0);
  if (signature === COLLECTION) return { file, entries: readPlainDirectory(file, findFaceStart(file, index)) };
  if (signature === WOFF) return { file, entries: readWoffDirectory(file) };
  if (signature === WOFF2) return readWoff2Directory(file);
  return { file, entries: readPlainDirectory(file, 0) };
}

/** The largest collections have about 40 faces. */
const MAX_FACES = 100;

/** Returns the number of faces: 1 unless the file is a collection. Throws `InvalidFont` for an invalid collection. */
export function countFaces(file: FontBytes): number {
  return guardRange(() => {
    if (file.length < 12 || file.read(0, 4).readUInt32BE(0) !== COLLECTION) return 1;
    const count = file.read(8, 4).readUInt32BE(0);
    if (count === 0 || count > MAX_FACES) throw new InvalidFont(`it has ${count} faces instead of 1 to ${MAX_FACES}`);
    return count;
  });
}

function findFaceStart(file: FontBytes, index: number): number {
  return file.read(12 + index * 4, 4).readUInt32BE(0);
}

function readPlainDirectory(file: FontBytes, start: number): ReadonlyMap<string, TableEntry> {
  const head = file.read(start, 12);
  if (!PLAIN_SIGNATURES.includes(head.readUInt32BE(0)))
    throw new InvalidFont('the file is not TTF, OTF, TTC, WOFF or WOFF2');
  const count = checkCount(head.readUInt16BE(4));
  const list = file.read(start + 12, count * 16);
  let total = 0;
  const entries = Array.from({ length: count }, (_, index) => {
    const at = index * 16;
    const bytes = list.readUInt32BE(at + 12);
    total += bytes;
    const entry: TableEntry = { offset: list.readUInt32BE(at + 8), storedBytes: bytes, bytes };
    return [list.toString('latin1', at, at + 4), entry] as const;
  });
  // A copy of the face would contain the shared bytes several times.
  if (total > file.length) throw new InvalidFont('its tables overlap');
  return new Map(entries);
}

function readWoffDirectory(file: FontBytes): ReadonlyMap<string, TableEntry> {
  const count = checkCount(file.read(12, 2).readUInt16BE(0));
  const list = file.read(44, count * 20);
  const entries = new Map<string, TableEntry>();
  let total = 0;
  for (let at = 0; at < count * 20; at += 20) {
    const [offset = 0, storedBytes = 0, bytes = 0] = [4, 8, 12].map((field) => list.readUInt32BE(at + field));
    if (storedBytes > bytes) throw new InvalidFont('a table is damaged');
    total += bytes;
    entries.set(list.toString('latin1', at, at + 4), { offset, storedBytes, bytes });
  }
  if (total > MAX_UNPACKED_BYTES) throw rejectUnpackedSize();
  return entries;
}

function rejectUnpackedSize(): InvalidFont {
  return new InvalidFont(`its unpacked tables exceed ${MAX_UNPACKED_BYTES} bytes`);
}

/** The tags that WOFF2 abbreviates by their number. */
const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt fpgm glyf loca prep CFF VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .split(' ')
    .map((tag) => tag.padEnd(4));

/** The limit of all tables of a font. The largest fonts have 20 MB. */
export const MAX_UNPACKED_BYTES = 33_554_432;

/** All tables are compressed as one. The tables of names and characters are stored unchanged in it. */
function readWoff2Directory(packed: FontBytes): TableDirectory {
  const head = packed.read(0, 48);
  if (head.readUInt32BE(4) === COLLECTION) throw new InvalidFont('collections in WOFF2 are not supported');
  const count = checkCount(head.readUInt16BE(12));
  // A table takes at most 16 bytes: flags, tag and two lengths.
  const list = packed.read(48, count * 16);
  const entries = new Map<string, TableEntry>();
  let [at, offset, restored] = [0, 0, 0];
  const readLength = (): number => {
    for (let value = 0, byte = 0; ; at += 1) {
      byte = list.readUInt8(at);
      value = value * 128 + (byte & 0x7f);
      if (value > MAX_UNPACKED_BYTES) throw new InvalidFont('a table is too large');
      if (byte < 128) {
        at += 1;
        return value;
      }
    }
  };
  for (let index = 0; index < count; index += 1) {
    const flags = list.readUInt8(at);
    at += 1;
    const number = flags & 0x3f;
    const tag = number === 0x3f ? list.toString('latin1', at, at + 4) : (knownTags[number] ?? '');
    if (number === 0x3f) at += 4;
    const length = readLength();
    // Only `glyf` and `loca` are transformed by default; for them, version 3 is the plain one.
    const isGlyphs = tag === 'glyf' || tag === 'loca';
    const isTransformed = isGlyphs ? flags >> 6 !== 3 : flags >> 6 !== 0;
    const bytes = isTransformed ? readLength() : length;
    entries.set(tag, { offset, storedBytes: bytes, bytes, isTransformed, restoredBytes: length });
    offset += bytes;
    restored += length;
  }
  if (restored > MAX_UNPACKED_BYTES) throw rejectUnpackedSize();
  const stream = packed.read(48 + at, head.readUInt32BE(20));
  return { file: wrapFontBytes(unpackStream(stream)), entries };
}

function unpackStream(stream: Buffer): Buffer {
  try {
    return brotliDecompressSync(stream, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    throw new InvalidFont('its compressed tables are damaged');
  }
}

/** Returns a WOFF file as a plain font, which the library can map into memory; undefined for other files. */
export function unpackWoff(bytes: Uint8Array): Buffer | undefined {
  const file = wrapFontBytes(bytes);
  if (file.length < 4 || file.read(0, 4).readUInt32BE(0) !== WOFF) return undefined;
  return writePlainFont(file.read(4, 4).readUInt32BE(0), readTables(file));
}

/** Returns a face of a collection as a font of its own, because the library reads only the first face. */
export function extractFace(file: FontBytes, index: number): Buffer {
  return guardRange(() =>
    writePlainFont(file.read(findFaceStart(file, index), 4).readUInt32BE(0), readTables(file, index)),
  );
}

function writePlainFont(signature: number, tables: FontTables): Buffer {
  const tags = tables.tags.toSorted();
  const contents = tags.map((tag) => tables.read(tag, MAX_UNPACKED_BYTES));
  const head = Buffer.alloc(12 + tags.length * 16);
  head.writeUInt32BE(signature, 0);
  head.writeUInt16BE(tags.length, 4);
  let offset = head.length;
  const padded = contents.map((content, index) => {
    const at = 12 + index * 16;
    head.write(tags[index] ?? '', at, 'latin1');
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(content.length, at + 12);
    offset += content.length + (-content.length & 3);
    return [content, Buffer.alloc(-content.length & 3)];
  });
  return Buffer.concat([head, ...padded.flat()]);
}

function checkCount(count: number): number {
  if (count === 0 || count > MAX_TABLES) throw new InvalidFont('it has an invalid number of tables');
  return count;
}

/** Positions beyond the end of a table are faults of the font. */
export function guardRange<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidFont('it is truncated or damaged');
    throw error;
  }
}
