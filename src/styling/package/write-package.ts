/** Packs a style with its images into a ZIP archive again: the same files always give the same bytes. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

export interface PackedStyle {
  /** The name of its file: `roads.sld`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An image as the style names it (`icons/tree.svg`), with its bytes or the file that holds them. */
export type PackedImage =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly path: string };

/** The style comes first, then the images in the order of their names. */
export async function writePackage(style: PackedStyle, images: readonly PackedImage[]): Promise<Buffer> {
  const entries: ZipEntry[] = [style];
  for (const image of images.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    entries.push({ name: image.name, bytes: 'path' in image ? await readFile(image.path) : image.bytes });
  }
  return writeZip(entries);
}

/** Writes a small ZIP archive in memory, with no clock in it. */
interface ZipEntry {
  /** With slashes. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface PackedEntry {
  readonly name: Buffer;
  readonly method: number;
  readonly data: Uint8Array;
  readonly size: number;
  readonly checksum: number;
}

const deflate = promisify(deflateRaw);

const STORED = 0;
const DEFLATED = 8;
/** The version of ZIP that can do both. */
const VERSION_NEEDED = 20;
/** The same, said by a Unix program, so that the rights below are understood. */
const MADE_BY_UNIX = (3 << 8) | VERSION_NEEDED;
const NAMES_ARE_UTF8 = 0x0800;
/** 1 January 1980: the earliest day that ZIP knows. */
const FIRST_DAY = 0x0021;
const READABLE_FILE = (0o100644 << 16) >>> 0;

/** Readers that guard against bombs, ours included, refuse what is packed much better than this. */
const maxRatio = 100;

/** Without the 64-bit form, which styles are far from needing: all must be smaller than 4 GiB. */
async function writeZip(entries: readonly ZipEntry[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const index: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = await packEntry(entry);
    const header = buildLocalHeader(packed);
    index.push(buildIndexRecord(packed, offset));
    parts.push(header, packed.name, packed.data);
    offset += header.length + packed.name.length + packed.data.length;
  }
  const indexBytes = Buffer.concat(index);
  return Buffer.concat([...parts, indexBytes, buildEndRecord(entries.length, indexBytes.length, offset)]);
}

async function packEntry({ name, bytes }: ZipEntry): Promise<PackedEntry> {
  const deflated = await deflate(bytes, { level: 9 });
  const isWorthIt = deflated.length < bytes.length && bytes.length <= deflated.length * maxRatio;
  return {
    name: Buffer.from(name),
    method: isWorthIt ? DEFLATED : STORED,
    data: isWorthIt ? deflated : bytes,
    size: bytes.length,
    checksum: crc32(bytes),
  };
}

/** What both headers of an entry say, from the version on. */
function writeCommon(record: Buffer, at: number, { name, method, data, size, checksum }: PackedEntry): void {
  record.writeUInt16LE(VERSION_NEEDED, at);
  record.writeUInt16LE(NAMES_ARE_UTF8, at + 2);
  record.writeUInt16LE(method, at + 4);
  record.writeUInt16LE(0, at + 6);
  record.writeUInt16LE(FIRST_DAY, at + 8);
  record.writeUInt32LE(checksum, at + 10);
  record.writeUInt32LE(data.length, at + 14);
  record.writeUInt32LE(size, at + 18);
  record.writeUInt16LE(name.length, at + 22);
}

function buildLocalHeader(packed: PackedEntry): Buffer {
  const record = Buffer.alloc(30);
  record.writeUInt32LE(0x04034b50, 0);
  writeCommon(record, 4, packed);
  return record;
}

function buildIndexRecord(packed: PackedEntry, offset: number): Buffer {
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(MADE_BY_UNIX, 4);
  writeCommon(record, 6, packed);
  record.writeUInt32LE(READABLE_FILE, 38);
  record.writeUInt32LE(offset, 42);
  return Buffer.concat([record, packed.name]);
}

function buildEndRecord(count: number, indexBytes: number, indexStart: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(indexBytes, 12);
  record.writeUInt32LE(indexStart, 16);
  return record;
}
