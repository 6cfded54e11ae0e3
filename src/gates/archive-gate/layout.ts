/** Checks the layout of an archive file: entries in sequence, without other data before, between or after them. */
import type { FileHandle } from 'node:fs/promises';
import type { ZipFile } from 'yauzl';
import { createArchiveRefusal } from './archive-problems.ts';

export interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface Layout {
  readonly spans: readonly Span[];
  readonly indexStart: number;
  readonly indexEnd: number;
  readonly zip: ZipFile;
}

const END_RECORD_BYTES = 22;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_LOCATOR_BYTES = 20;

/** Overlapping entries are used in ZIP bombs; extra data lets one file be two formats. */
export async function checkLayout(file: FileHandle, { spans, indexStart, indexEnd, zip }: Layout): Promise<void> {
  const inOrder = spans.toSorted((one, other) => one.start - other.start);
  let end = 0;
  for (const span of inOrder) {
    if (span.start < end) {
      throw createArchiveRefusal(span.name, 'it shares data with another entry');
    }
    if (end === 0 && span.start > 0) {
      throw createArchiveRefusal(null, 'it has other data before the first entry');
    }
    end = span.end;
  }
  if (end > indexStart) {
    throw createArchiveRefusal(null, 'its entries overlap its index');
  }
  // The library reads as many entries as the end record counts; there can be more.
  const endRecord = zip.fileSize - END_RECORD_BYTES - zip.comment.length;
  if (indexEnd + (await countZip64Bytes(file, indexEnd)) !== endRecord) {
    throw createArchiveRefusal(null, 'its index does not end at the expected offset');
  }
}

/** Returns the size of the ZIP64 records between the index and the end record. */
async function countZip64Bytes(file: FileHandle, offset: number): Promise<number> {
  const head = Buffer.alloc(12);
  const { bytesRead } = await file.read(head, 0, head.length, offset);
  if (bytesRead < head.length || head.readUInt32LE(0) !== ZIP64_END_SIGNATURE) {
    return 0;
  }
  return head.length + Number(head.readBigUInt64LE(4)) + ZIP64_LOCATOR_BYTES;
}
