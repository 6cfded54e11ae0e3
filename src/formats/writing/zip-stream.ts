/** Streams a ZIP archive: the size of an entry follows its content. */
import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: () => AsyncIterable<Uint8Array>;
}

interface WrittenEntry {
  readonly name: Buffer;
  readonly offset: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
}

const VERSION = 20;
const DEFLATED = 8;
/** Sizes follow the content; the name is UTF-8. */
const FLAGS = 0x0808;

/** Supports entries up to 4 GB, which exceeds the maximum size of a shapefile. */
export async function* writeZip(entries: Iterable<ZipEntry>, modified: Date): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = [];
  const moment = toDosTime(modified);
  let offset = 0;
  for (const { name, content } of entries) {
    const nameBytes = Buffer.from(name);
    const start = offset;
    const head = encodeHeader({
      signature: 0x04034b50,
      flags: [VERSION, FLAGS, DEFLATED],
      moment,
      sizes: [0, 0, 0],
      nameBytes: nameBytes.length,
    });
    offset += head.length + nameBytes.length;
    yield Buffer.concat([head, nameBytes]);
    const counts = { checksum: 0, bytes: 0 };
    let packedBytes = 0;
    const deflating = pipeline(countBytes(content(), counts), createDeflateRaw(), () => undefined);
    for await (const piece of deflating as AsyncIterable<Buffer>) {
      packedBytes += piece.length;
      yield piece;
    }
    const sizes = Buffer.alloc(16);
    [0x08074b50, counts.checksum, packedBytes, counts.bytes].forEach((value, index) => {
      sizes.writeUInt32LE(value, index * 4);
    });
    offset += packedBytes + sizes.length;
    yield sizes;
    written.push({ name: nameBytes, offset: start, packedBytes, ...counts });
  }
  yield Buffer.concat(encodeCentralDirectory(written, moment, offset));
}

async function* countBytes(
  content: AsyncIterable<Uint8Array>,
  counts: { checksum: number; bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    counts.checksum = crc32(piece, counts.checksum);
    counts.bytes += piece.length;
    yield piece;
  }
}

function encodeCentralDirectory(entries: readonly WrittenEntry[], moment: number, offset: number): readonly Buffer[] {
  const index = entries.flatMap(({ name, checksum, packedBytes, bytes, offset: start }) => {
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(start, 10);
    const head = encodeHeader({
      signature: 0x02014b50,
      flags: [VERSION, VERSION, FLAGS, DEFLATED],
      moment,
      sizes: [checksum, packedBytes, bytes],
      nameBytes: name.length,
    });
    return [head, rest, name];
  });
  const size = index.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return [...index, end];
}

/** The common part of both headers of an entry. */
interface EntryHeader {
  readonly signature: number;
  readonly flags: readonly number[];
  /** In DOS format. */
  readonly moment: number;
  readonly sizes: readonly number[];
  readonly nameBytes: number;
}

function encodeHeader({ signature, flags, moment, sizes, nameBytes }: EntryHeader): Buffer {
  // The length of the extra field is 0.
  const lengths = [nameBytes, 0];
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
