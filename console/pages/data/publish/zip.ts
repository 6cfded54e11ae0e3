/**
 * Writes and lists ZIP archives without holding files in memory: an archive is a Blob of other Blobs, and checksums are
 * computed from streams. Entries are not compressed.
 */

export interface ZipEntry {
  readonly name: string;
  readonly content: Blob;
}

const LOCAL_HEADER = 0x0403_4b50;
const CENTRAL_HEADER = 0x0201_4b50;
const END_OF_DIRECTORY = 0x0605_4b50;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const VERSION = 20;
/** The first day of 1980: dates of the files do not matter. */
const DATE = 0x21;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
/** The comment at the end of an archive is not longer. */
const MAX_COMMENT_BYTES = 65_535;
/** Larger archives need another format. */
const MAX_BYTES = 0xffff_ffff;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  return value;
});

/** Throws a RangeError for more than 4 GB. */
export async function createZip(entries: readonly ZipEntry[]): Promise<Blob> {
  const files: (Blob | ArrayBuffer | Uint8Array<ArrayBuffer>)[] = [];
  const directory: (Blob | ArrayBuffer | Uint8Array<ArrayBuffer>)[] = [];
  let offset = 0;
  let directoryBytes = 0;
  for (const { name, content } of entries) {
    const bytes = new TextEncoder().encode(name);
    const size = content.size;
    const fields = { crc: await computeCrc(content), size, nameBytes: bytes.length };
    const local = createHeader(LOCAL_BYTES, LOCAL_HEADER, fields);
    const central = createHeader(CENTRAL_BYTES, CENTRAL_HEADER, fields);
    new DataView(central).setUint32(42, offset, true);
    files.push(local, bytes, content);
    directory.push(central, bytes);
    offset += LOCAL_BYTES + bytes.length + size;
    directoryBytes += CENTRAL_BYTES + bytes.length;
    if (offset + directoryBytes > MAX_BYTES) throw new RangeError('The files are larger than 4 GB');
  }
  const end = new DataView(new ArrayBuffer(END_BYTES));
  end.setUint32(0, END_OF_DIRECTORY, true);
  end.setUint16(8, entries.length, true);
  end.setUint16(10, entries.length, true);
  end.setUint32(12, directoryBytes, true);
  end.setUint32(16, offset, true);
  return new Blob([...files, ...directory, end.buffer], { type: 'application/zip' });
}

interface HeaderFields {
  readonly crc: number;
  readonly size: number;
  readonly nameBytes: number;
}

/** Both headers have the same fields; those of the directory begin two bytes later. */
function createHeader(bytes: number, signature: number, { crc, size, nameBytes }: HeaderFields): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(bytes));
  const at = signature === CENTRAL_HEADER ? 2 : 0;
  view.setUint32(0, signature, true);
  if (at > 0) view.setUint16(4, VERSION, true);
  view.setUint16(4 + at, VERSION, true);
  view.setUint16(6 + at, FLAGS, true);
  view.setUint16(12 + at, DATE, true);
  view.setUint32(14 + at, crc, true);
  view.setUint32(18 + at, size, true);
  view.setUint32(22 + at, size, true);
  view.setUint16(26 + at, nameBytes, true);
  return view.buffer as ArrayBuffer;
}

async function computeCrc(content: Blob): Promise<number> {
  let crc = 0xffff_ffff;
  const reader = content.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return (crc ^ 0xffff_ffff) >>> 0;
    for (const byte of value) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  }
}

/** Returns the names in an archive from its directory; undefined if it is no archive or too large for this reader. */
export async function listZipNames(archive: Blob): Promise<readonly string[] | undefined> {
  const tailAt = Math.max(0, archive.size - END_BYTES - MAX_COMMENT_BYTES);
  const tail = new DataView(await archive.slice(tailAt).arrayBuffer());
  for (let at = tail.byteLength - END_BYTES; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END_OF_DIRECTORY) continue;
    const bytes = tail.getUint32(at + 12, true);
    const offset = tail.getUint32(at + 16, true);
    if (offset + bytes > archive.size) return undefined;
    return readDirectory(new DataView(await archive.slice(offset, offset + bytes).arrayBuffer()));
  }
  return undefined;
}

function readDirectory(directory: DataView): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at + CENTRAL_BYTES <= directory.byteLength; ) {
    if (directory.getUint32(at, true) !== CENTRAL_HEADER) break;
    const nameBytes = directory.getUint16(at + 28, true);
    const more = directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
    const start = at + CENTRAL_BYTES;
    if (start + nameBytes > directory.byteLength) break;
    names.push(new TextDecoder().decode(new Uint8Array(directory.buffer, directory.byteOffset + start, nameBytes)));
    at = start + nameBytes + more;
  }
  return names;
}
