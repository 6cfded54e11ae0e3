/** The image file directories of a TIFF or BigTIFF file. Tags are read on demand. */
import { problem } from '../../lib/problems/problem.ts';
import { MAX_DIRECTORIES, MAX_TEXT_BYTES } from '../port/limits.ts';
import type { RasterFile } from '../port/raster-file.ts';

/** One directory: an image, a reduced image or a mask. */
export interface TiffDirectory {
  has(tag: number): boolean;
  /** Returns the number of values of a tag; 0 if it is missing. */
  count(tag: number): number;
  /** Returns all numbers of a tag; undefined if it is missing. Integers that are not exact throw a problem. */
  readNumbers(tag: number): readonly number[] | undefined;
  /** Returns one number without reading the others. */
  readNumber(tag: number, index?: number): number | undefined;
  /** Returns the text up to a zero byte. */
  readText(tag: number): string | undefined;
  readBytes(tag: number): Uint8Array | undefined;
}

export interface TiffFile {
  readonly file: RasterFile;
  readonly isLittleEndian: boolean;
  readonly directories: readonly TiffDirectory[];
}

interface Entry {
  readonly type: number;
  readonly count: number;
  /** The position of its values in the file. */
  readonly position: number;
}

/** The size of one value by type number. */
const typeBytes: readonly (number | undefined)[] = [
  ...[undefined, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, undefined, undefined, 8, 8, 8],
];

const SUB_DIRECTORIES = 330;

/** More than any real directory has; the values of tags are stored elsewhere. */
const MAX_TAGS = 4_096;

/** The limit of numbers that are read at once. Block offsets may exceed it and are read one by one. */
const MAX_NUMBERS = 1_000_000;

export function readTiff(file: RasterFile): TiffFile {
  const layout = readLayout(file);
  const directories: TiffDirectory[] = [];
  const seen = new Set<number>();
  const follow = (first: number, isChain: boolean): void => {
    let position = first;
    while (position !== 0) {
      // A cyclic chain has been read completely by then; other readers accept it too.
      if (seen.has(position)) return;
      seen.add(position);
      if (seen.size > MAX_DIRECTORIES)
        throw createMalformedError(file, `it has more than ${MAX_DIRECTORIES} image file directories`);
      const { directory, next } = readDirectory(file, layout, position);
      directories.push(directory);
      for (const below of isChain ? (directory.readNumbers(SUB_DIRECTORIES) ?? []) : []) follow(below, false);
      position = isChain ? next : 0;
    }
  };
  follow(layout.firstDirectory, true);
  if (directories.length === 0) throw createMalformedError(file, 'it has no image file directory');
  return { file, isLittleEndian: layout.isLittleEndian, directories };
}

/** Returns whether the first bytes are those of a TIFF file. */
export function isTiff(head: Uint8Array): boolean {
  const [a, b, c, d] = head;
  return (
    (a === 0x49 && b === 0x49 && (c === 42 || c === 43) && d === 0) ||
    (a === 0x4d && b === 0x4d && c === 0 && (d === 42 || d === 43))
  );
}

interface Layout {
  readonly isLittleEndian: boolean;
  readonly isBig: boolean;
  readonly firstDirectory: number;
}

function readLayout(file: RasterFile): Layout {
  const head = file.read(0, 8);
  if (!isTiff(head)) throw createMalformedError(file, 'its TIFF signature is missing');
  const isLittleEndian = head[0] === 0x49;
  const view = createView(head);
  const isBig = view.getUint16(2, isLittleEndian) === 43;
  if (!isBig) return { isLittleEndian, isBig, firstDirectory: view.getUint32(4, isLittleEndian) };
  const rest = createView(file.read(4, 12));
  if (rest.getUint16(0, isLittleEndian) !== 8)
    throw createMalformedError(file, 'its BigTIFF offset size is not 8 bytes');
  return { isLittleEndian, isBig, firstDirectory: toExactNumber(file, rest.getBigUint64(4, isLittleEndian)) };
}

function readDirectory(
  file: RasterFile,
  { isLittleEndian, isBig }: Layout,
  position: number,
): { readonly directory: TiffDirectory; readonly next: number } {
  const countBytes = isBig ? 8 : 2;
  const entryBytes = isBig ? 20 : 12;
  const head = createView(file.read(position, countBytes));
  const count = isBig ? toExactNumber(file, head.getBigUint64(0, isLittleEndian)) : head.getUint16(0, isLittleEndian);
  if (count === 0) throw createMalformedError(file, 'an image file directory is empty');
  if (count > MAX_TAGS)
    throw createMalformedError(file, `an image file directory has ${count} tags, which exceeds the limit`);
  const pointerBytes = isBig ? 8 : 4;
  const start = position + countBytes;
  const view = createView(file.read(start, count * entryBytes));
  const entries = new Map<number, Entry>();
  for (let at = 0; at < count * entryBytes; at += entryBytes) {
    const type = view.getUint16(at + 2, isLittleEndian);
    const size = typeBytes[type];
    if (size === undefined) continue;
    const values = isBig
      ? toExactNumber(file, view.getBigUint64(at + 4, isLittleEndian))
      : view.getUint32(at + 4, isLittleEndian);
    const field = at + (isBig ? 12 : 8);
    const isInline = values * size <= pointerBytes;
    const readPointer = (): number =>
      isBig ? toExactNumber(file, view.getBigUint64(field, isLittleEndian)) : view.getUint32(field, isLittleEndian);
    entries.set(view.getUint16(at, isLittleEndian), {
      type,
      count: values,
      position: isInline ? start + field : readPointer(),
    });
  }
  return {
    directory: createDirectory(file, entries, isLittleEndian),
    next: readNext(file, start + count * entryBytes, isLittleEndian, isBig),
  };
}

/** Some writers omit the end of the chain at the end of the file. */
function readNext(file: RasterFile, position: number, isLittleEndian: boolean, isBig: boolean): number {
  const length = isBig ? 8 : 4;
  if (position + length > file.sizeBytes) return 0;
  const view = createView(file.read(position, length));
  return isBig ? toExactNumber(file, view.getBigUint64(0, isLittleEndian)) : view.getUint32(0, isLittleEndian);
}

function createDirectory(
  file: RasterFile,
  entries: ReadonlyMap<number, Entry>,
  isLittleEndian: boolean,
): TiffDirectory {
  const known = new Map<number, readonly number[]>();

  const read = ({ type, position }: Entry, first: number, count: number): readonly number[] => {
    const size = typeBytes[type] ?? 1;
    const values = { file, type, view: createView(file.read(position + first * size, count * size)), isLittleEndian };
    return Array.from({ length: count }, (_, index) => decodeNumber(values, index * size));
  };
  const bytes = (tag: number): Uint8Array | undefined => {
    const entry = entries.get(tag);
    if (entry === undefined) return undefined;
    const length = entry.count * (typeBytes[entry.type] ?? 1);
    if (length > MAX_TEXT_BYTES)
      throw createMalformedError(file, `tag ${tag} has ${length} bytes, which exceeds the limit`);
    return file.read(entry.position, length);
  };

  return {
    has: (tag) => entries.has(tag),
    count: (tag) => entries.get(tag)?.count ?? 0,
    readNumbers(tag) {
      const entry = entries.get(tag);
      if (entry === undefined) return undefined;
      const found = known.get(tag);
      if (found !== undefined) return found;
      if (entry.count > MAX_NUMBERS)
        throw createMalformedError(file, `tag ${tag} has ${entry.count} values, which exceeds the limit`);
      const values = read(entry, 0, entry.count);
      known.set(tag, values);
      return values;
    },
    readNumber(tag, index = 0) {
      const entry = entries.get(tag);
      return entry === undefined || index >= entry.count ? undefined : read(entry, index, 1)[0];
    },
    readText(tag) {
      const found = bytes(tag);
      if (found === undefined) return undefined;
      const end = found.indexOf(0);
      return Buffer.from(end < 0 ? found : found.subarray(0, end)).toString('utf8');
    },
    readBytes: bytes,
  };
}

/** Values of one type, in the byte order of their file. */
interface EncodedValues {
  readonly file: RasterFile;
  readonly type: number;
  readonly view: DataView;
  readonly isLittleEndian: boolean;
}

function decodeNumber({ file, type, view, isLittleEndian }: EncodedValues, at: number): number {
  switch (type) {
    case 3:
      return view.getUint16(at, isLittleEndian);
    case 4:
    case 13:
      return view.getUint32(at, isLittleEndian);
    case 5:
      return view.getUint32(at, isLittleEndian) / view.getUint32(at + 4, isLittleEndian);
    case 6:
      return view.getInt8(at);
    case 8:
      return view.getInt16(at, isLittleEndian);
    case 9:
      return view.getInt32(at, isLittleEndian);
    case 10:
      return view.getInt32(at, isLittleEndian) / view.getInt32(at + 4, isLittleEndian);
    case 11:
      return view.getFloat32(at, isLittleEndian);
    case 12:
      return view.getFloat64(at, isLittleEndian);
    case 16:
    case 18:
      return toExactNumber(file, view.getBigUint64(at, isLittleEndian));
    case 17:
      return toExactNumber(file, view.getBigInt64(at, isLittleEndian));
    default:
      return view.getUint8(at);
  }
}

function toExactNumber(file: RasterFile, value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw createMalformedError(file, `${value} is an invalid size or offset`);
  return number;
}

function createView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function createMalformedError(file: Pick<RasterFile, 'name'>, reason: string): Error {
  return problem('raster-file-malformed', { file: file.name, reason });
}

export function createUnsupportedError(file: Pick<RasterFile, 'name'>, reason: string): Error {
  return problem('raster-file-unsupported', { file: file.name, reason });
}
