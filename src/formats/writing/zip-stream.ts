/** Streams a ZIP archive: the size of an entry follows its content. */
import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: () => AsyncIterable<Uint8Array>;
  /** Whether the content can exceed 4 GB; programs that do not support ZIP64 cannot read such an entry. */
  readonly isLarge?: boolean;
}

/** An entry whose content has been written at `offset`. */
export interface WrittenEntry {
  readonly name: Buffer;
  readonly offset: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
}

const VERSION = 20;
const ZIP64_VERSION = 45;
const DEFLATED = 8;
/** Sizes follow the content; the name is UTF-8. */
const FLAGS = 0x0808;

/** The values from which on the fields of the original format refer to ZIP64. */
const MAX_UINT32 = 0xffff_ffff;
const MAX_UINT16 = 0xffff;

/** Entries of at least this size are large. */
export const LARGE_ENTRY_BYTES = MAX_UINT32;

/**
 * Writes ZIP64 records for archives above 4 GB or 65,535 entries. Whether an
 * entry is large must be known before its content, because its header precedes the content.
 */
export async function* writeZip(entries: Iterable<ZipEntry>, modified: Date): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = [];
  const moment = toDosTime(modified);
  let offset = 0;
  for (const { name, content, isLarge = false } of entries) {
    const nameBytes = Buffer.from(name);
    const start = offset;
    const sizesToFollow = isLarge ? encodeZip64Field([0, 0]) : Buffer.alloc(0);
    const head = encodeHeader({
      signature: 0x04034b50,
      flags: [isLarge ? ZIP64_VERSION : VERSION, FLAGS, DEFLATED],
      moment,
      sizes: isLarge ? [0, MAX_UINT32, MAX_UINT32] : [0, 0, 0],
      nameBytes: nameBytes.length,
      extraBytes: sizesToFollow.length,
    });
    const parts = Buffer.concat([head, nameBytes, sizesToFollow]);
    offset += parts.length;
    yield parts;
    const counts = { checksum: 0, bytes: 0 };
    let packedBytes = 0;
    const deflating = pipeline(countBytes(content(), counts, isLarge), createDeflateRaw(), () => undefined);
    for await (const piece of deflating as AsyncIterable<Buffer>) {
      packedBytes += piece.length;
      yield piece;
    }
    const sizes = encodeSizes({ ...counts, packedBytes }, isLarge);
    offset += packedBytes + sizes.length;
    yield sizes;
    written.push({ name: nameBytes, offset: start, packedBytes, ...counts });
  }
  yield* encodeCentralDirectory(written, moment, offset);
}

/** The record after the content of an entry. */
function encodeSizes(
  { checksum, packedBytes, bytes }: Pick<WrittenEntry, 'checksum' | 'packedBytes' | 'bytes'>,
  isLarge: boolean,
): Buffer {
  const record = Buffer.alloc(isLarge ? 24 : 16);
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(checksum, 4);
  if (isLarge) {
    record.writeBigUInt64LE(BigInt(packedBytes), 8);
    record.writeBigUInt64LE(BigInt(bytes), 16);
  } else {
    record.writeUInt32LE(packedBytes, 8);
    record.writeUInt32LE(bytes, 12);
  }
  return record;
}

/** The extra field with numbers that exceed four bytes. */
function encodeZip64Field(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(values.length * 8, 2);
  values.forEach((value, index) => {
    field.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  });
  return field;
}

async function* countBytes(
  content: AsyncIterable<Uint8Array>,
  counts: { checksum: number; bytes: number },
  isLarge: boolean,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    counts.checksum = crc32(piece, counts.checksum);
    counts.bytes += piece.length;
    if (counts.bytes >= MAX_UINT32 && !isLarge) throw new Error('An entry of a ZIP archive exceeds 4 GB.');
    yield piece;
  }
}

export function* encodeCentralDirectory(
  entries: readonly WrittenEntry[],
  moment: number,
  offset: number,
): Generator<Uint8Array> {
  let size = 0;
  for (const entry of entries) {
    const encoded = encodeDirectoryEntry(entry, moment);
    size += encoded.length;
    yield encoded;
  }
  if (entries.length >= MAX_UINT16 || offset >= MAX_UINT32 || size >= MAX_UINT32) {
    yield encodeZip64End(entries.length, size, offset);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries.length, MAX_UINT16), 8);
  end.writeUInt16LE(Math.min(entries.length, MAX_UINT16), 10);
  end.writeUInt32LE(Math.min(size, MAX_UINT32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_UINT32), 16);
  yield end;
}

function encodeDirectoryEntry({ name, checksum, packedBytes, bytes, offset }: WrittenEntry, moment: number): Buffer {
  // The order that the format requires.
  const extra = encodeZip64Field([bytes, packedBytes, offset].filter((value) => value >= MAX_UINT32));
  const version = extra.length === 0 ? VERSION : ZIP64_VERSION;
  const head = encodeHeader({
    signature: 0x02014b50,
    flags: [version, version, FLAGS, DEFLATED],
    moment,
    sizes: [checksum, Math.min(packedBytes, MAX_UINT32), Math.min(bytes, MAX_UINT32)],
    nameBytes: name.length,
    extraBytes: extra.length,
  });
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(Math.min(offset, MAX_UINT32), 10);
  return Buffer.concat([head, rest, name, extra]);
}

/** The end record of ZIP64 and its locator. */
function encodeZip64End(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(ZIP64_VERSION, 12);
  end.writeUInt16LE(ZIP64_VERSION, 14);
  end.writeBigUInt64LE(BigInt(entries), 24);
  end.writeBigUInt64LE(BigInt(entries), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

/** The common part of both headers of an entry. */
interface EntryHeader {
  readonly signature: number;
  readonly flags: readonly number[];
  /** In DOS format. */
  readonly moment: number;
  readonly sizes: readonly number[];
  readonly nameBytes: number;
  readonly extraBytes: number;
}

function encodeHeader({ signature, flags, moment, sizes, nameBytes, extraBytes }: EntryHeader): Buffer {
  const lengths = [nameBytes, extraBytes];
  const bytes = Buffer.alloc(4 + flags.length * 2 + 4 + sizes.length * 4 + lengths.length * 2);
  let at = bytes.writeUInt32LE(signature, 0);
  for (const each of flags) at = bytes.writeUInt16LE(each, at);
  at = bytes.writeUInt32LE(moment, at);
  for (const each of sizes) at = bytes.writeUInt32LE(each, at);
  for (const each of lengths) at = bytes.writeUInt16LE(each, at);
  return bytes;
}

/** Converts to DOS format: steps of two seconds, from 1980 on. */
function toDosTime(date: Date): number {
  const year = Math.max(0, date.getUTCFullYear() - 1980);
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 65_536 + time;
}
