/** Builds ZIP archives byte by byte, because libraries do not write malicious archives. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface RawEntry {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  /** Stored (0), deflated (8), or any other number. */
  readonly method?: number;
  /** Bit 11 marks the name as UTF-8; set by default. */
  readonly flags?: number;
  /** Unix file type and permissions. */
  readonly mode?: number;
  readonly dosAttributes?: number;
  readonly crc?: number;
  /** False values to write into the headers. */
  readonly inflatedBytes?: number;
  readonly packedBytes?: number;
  readonly extra?: Buffer;
  readonly localName?: string | Buffer;
  readonly localMethod?: number;
  readonly localFlags?: number;
  /** The entry offset in the central directory. */
  readonly offset?: number;
}

export interface RawZipOptions {
  readonly before?: string;
  readonly after?: string;
  readonly comment?: string;
  /** The entry count in the end record. */
  readonly entryCount?: number;
  readonly indexOffset?: number;
  /** Adds 64-bit end records with this offset of the central directory. */
  readonly zip64?: { readonly indexOffset?: bigint; readonly recordOffset?: bigint };
}

const UTF8_NAME = 0x800;

export function rawZip(entries: readonly RawEntry[], options: RawZipOptions = {}): Buffer {
  const parts: Buffer[] = [Buffer.from(options.before ?? '', 'latin1')];
  const index: Buffer[] = [];
  let position = parts[0]?.length ?? 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '');
    const packed = entry.method === 8 ? deflateRawSync(data) : data;
    const local = localHeader(entry, data, packed);
    index.push(indexEntry(entry, data, packed, entry.offset ?? position));
    parts.push(local, packed);
    position += local.length + packed.length;
  }
  const indexBytes = Buffer.concat(index);
  const zip64 =
    options.zip64 === undefined ? Buffer.alloc(0) : zip64Records(entries, indexBytes, position, options.zip64);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(options.entryCount ?? entries.length, 8);
  end.writeUInt16LE(options.entryCount ?? entries.length, 10);
  end.writeUInt32LE(indexBytes.length, 12);
  end.writeUInt32LE(options.indexOffset ?? position, 16);
  const comment = Buffer.from(options.comment ?? '');
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, indexBytes, zip64, end, comment, Buffer.from(options.after ?? '', 'latin1')]);
}

function localHeader(entry: RawEntry, data: Buffer, packed: Buffer): Buffer {
  const name = Buffer.from(entry.localName ?? entry.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(entry.localFlags ?? entry.flags ?? UTF8_NAME, 6);
  header.writeUInt16LE(entry.localMethod ?? entry.method ?? 0, 8);
  header.writeUInt32LE(entry.crc ?? crc32(data), 14);
  header.writeUInt32LE(entry.packedBytes ?? packed.length, 18);
  header.writeUInt32LE(entry.inflatedBytes ?? data.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function indexEntry(entry: RawEntry, data: Buffer, packed: Buffer, offset: number): Buffer {
  const name = Buffer.from(entry.name);
  const extra = entry.extra ?? Buffer.alloc(0);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(entry.mode === undefined ? 20 : 0x031e, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(entry.flags ?? UTF8_NAME, 8);
  header.writeUInt16LE(entry.method ?? 0, 10);
  header.writeUInt32LE(entry.crc ?? crc32(data), 16);
  header.writeUInt32LE(entry.packedBytes ?? packed.length, 20);
  header.writeUInt32LE(entry.inflatedBytes ?? data.length, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE((((entry.mode ?? 0) << 16) | (entry.dosAttributes ?? 0)) >>> 0, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name, extra]);
}

function zip64Records(
  entries: readonly RawEntry[],
  index: Buffer,
  position: number,
  { indexOffset, recordOffset }: NonNullable<RawZipOptions['zip64']>,
): Buffer {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(entries.length), 24);
  record.writeBigUInt64LE(BigInt(entries.length), 32);
  record.writeBigUInt64LE(BigInt(index.length), 40);
  record.writeBigUInt64LE(indexOffset ?? BigInt(position), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(recordOffset ?? BigInt(position + index.length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

/** An extra field of an entry. */
export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}
