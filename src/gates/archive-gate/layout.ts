/** How the parts of an archive lie in its file: one after the other, with nothing before, between the lines or behind. */
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

/** Entries that share their data are how a small archive becomes endless; data outside is how one file is two. */
export async function checkLayout(file: FileHandle, { spans, indexStart, indexEnd, zip }: Layout): Promise<void> {
  const inOrder = spans.toSorted((one, other) => one.start - other.start);
  let end = 0;
  for (const span of inOrder) {
    if (span.start < end) {
      throw createArchiveRefusal(span.name, 'it shares its data with another entry');
    }
    if (end === 0 && span.start > 0) {
      throw createArchiveRefusal(null, 'there is other data before the first entry');
    }
    end = span.end;
  }
  if (end > indexStart) {
    throw createArchiveRefusal(null, 'its entries reach into its index');
  }
  // The library takes as many entries as the end record counts; there may be more than that.
  const endRecord = zip.fileSize - END_RECORD_BYTES - zip.comment.length;
  if (indexEnd + (await countZip64Bytes(file, indexEnd)) !== endRecord) {
    throw createArchiveRefusal(null, 'its index does not end where it should');
  }
}

/** How many bytes of 64-bit records lie between the index and the end record. */
async function countZip64Bytes(file: FileHandle, offset: number): Promise<number> {
  const head = Buffer.alloc(12);
  const { bytesRead } = await file.read(head, 0, head.length, offset);
  if (bytesRead < head.length || head.readUInt32LE(0) !== ZIP64_END_SIGNATURE) {
    return 0;
  }
  return head.length + Number(head.readBigUInt64LE(4)) + ZIP64_LOCATOR_BYTES;
}
