/** Reads and replaces the document in a configuration archive; all other entries stay unchanged. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

const DOCUMENT = 'configuration.json';

/** Signatures of the ZIP records. */
const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_RECORD = 0x02014b50;
const END_RECORD = 0x06054b50;

const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_RECORD_BYTES = 46;
const END_RECORD_BYTES = 22;
const DEFLATED = 8;

/** An entry: its local record with content, and its record in the central directory. */
interface Entry {
  readonly name: string;
  readonly record: Buffer;
  readonly listed: Buffer;
}

/** Returns undefined if the document is missing or unreadable; the server then reports the error. */
export function readArchivedDocument(archive: Buffer): string | undefined {
  try {
    const entry = readArchiveEntries(archive)?.find(({ name }) => name === DOCUMENT);
    if (entry === undefined) return undefined;
    const { record, listed } = entry;
    const start = LOCAL_HEADER_BYTES + record.readUInt16LE(26) + record.readUInt16LE(28);
    const content = record.subarray(start, start + listed.readUInt32LE(20));
    return (listed.readUInt16LE(10) === DEFLATED ? inflateRawSync(content) : content).toString();
  } catch {
    return undefined;
  }
}

/** Returns the archive with the document replaced. */
export function replaceArchivedDocument(archive: Buffer, document: string): Buffer {
  const entries = (readArchiveEntries(archive) ?? []).map((entry) =>
    entry.name === DOCUMENT ? packEntry(entry, Buffer.from(document)) : entry,
  );
  const lists: Buffer[] = [];
  let offset = 0;
  for (const { record, listed } of entries) {
    const moved = Buffer.from(listed);
    moved.writeUInt32LE(offset, 42);
    lists.push(moved);
    offset += record.length;
  }
  const list = Buffer.concat(lists);
  const end = Buffer.alloc(END_RECORD_BYTES);
  end.writeUInt32LE(END_RECORD, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...entries.map(({ record }) => record), list, end]);
}

function packEntry({ name, listed }: Entry, content: Buffer): Entry {
  const packed = deflateRawSync(content);
  const nameBytes = Buffer.from(name);
  const inList = Buffer.concat([listed.subarray(0, DIRECTORY_RECORD_BYTES), nameBytes]);
  // Clear the flags: sizes precede the content, and no data descriptor follows it.
  inList.writeUInt16LE(0, 8);
  inList.writeUInt16LE(DEFLATED, 10);
  inList.writeUInt32LE(crc32(content), 16);
  inList.writeUInt32LE(packed.length, 20);
  inList.writeUInt32LE(content.length, 24);
  inList.writeUInt16LE(nameBytes.length, 28);
  inList.writeUInt32LE(0, 30);
  const head = Buffer.alloc(LOCAL_HEADER_BYTES);
  head.writeUInt32LE(LOCAL_HEADER, 0);
  // Both records share the fields from "version needed" to the length of the name.
  inList.copy(head, 4, 6, 30);
  return { name, record: Buffer.concat([head, nameBytes, packed]), listed: inList };
}

/** Returns entries in the order of their content; undefined for anything but a plain ZIP archive. */
function readArchiveEntries(archive: Buffer): readonly Entry[] | undefined {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + END_RECORD_BYTES > archive.length) return undefined;
  const [count, listStart] = [archive.readUInt16LE(end + 10), archive.readUInt32LE(end + 16)];
  const listed: Buffer[] = [];
  for (let at = listStart; listed.length < count; at += listed.at(-1)?.length ?? 0) {
    // ZIP64 archives store their sizes elsewhere and are not supported.
    if (at + DIRECTORY_RECORD_BYTES > end || archive.readUInt32LE(at) !== DIRECTORY_RECORD) return undefined;
    const further = archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    listed.push(archive.subarray(at, at + DIRECTORY_RECORD_BYTES + further));
  }
  const inOrder = listed.toSorted((one, other) => readLocalOffset(one) - readLocalOffset(other));
  return inOrder.map((each, index) => {
    const next = inOrder[index + 1];
    return {
      name: each.subarray(DIRECTORY_RECORD_BYTES, DIRECTORY_RECORD_BYTES + each.readUInt16LE(28)).toString(),
      record: archive.subarray(readLocalOffset(each), next === undefined ? listStart : readLocalOffset(next)),
      listed: each,
    };
  });
}

function readLocalOffset(listed: Buffer): number {
  return listed.readUInt32LE(42);
}
