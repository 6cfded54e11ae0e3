/** Finds the positions of .shp records: from the .shx file, or by walking the records without one. */
import { problem } from '../../../lib/problems/problem.ts';
import type { DataFile } from '../../support/data-file.ts';
import { createWindow, type FileWindow } from './file-window.ts';
import { HEADER_BYTES, type ShpHeader } from './shp-header.ts';

/** The position of a missing record: some writers leave zero entries in the index for deleted shapes. */
export const NO_RECORD = 0;

export const RECORD_HEADER_BYTES = 8;

const ENTRY_BYTES = 8;
const ENTRIES_AT_ONCE = 32_768;

/** The read-ahead of a walk: large for small records, with little waste for large ones. */
const WALK_CHUNK_BYTES = 262_144;

/** An index with a parsed header. */
export interface IndexFile {
  readonly file: DataFile;
  readonly entries: number;
}

/** Yields positions in batches, each validated against the file size. */
export function readRecordPositions(
  shp: DataFile,
  header: ShpHeader,
  shx: IndexFile | undefined,
): AsyncGenerator<Float64Array> {
  return shx === undefined ? walkRecords(shp, header) : readIndex(shp, shx);
}

/** Counts the entries of an index; a partial entry at the end is an error. */
export function countEntries(shx: DataFile, header: ShpHeader): number {
  const bytes = (header.lengthBytes < HEADER_BYTES ? shx.sizeBytes : header.lengthBytes) - HEADER_BYTES;
  if (bytes % ENTRY_BYTES === 0) return bytes / ENTRY_BYTES;
  throw problem('vector-file-truncated', {
    file: shx.name,
    offset: HEADER_BYTES + bytes,
    expectedBytes: HEADER_BYTES + Math.ceil(bytes / ENTRY_BYTES) * ENTRY_BYTES,
  });
}

async function* readIndex(shp: DataFile, { file: shx, entries: total }: IndexFile): AsyncGenerator<Float64Array> {
  const bytes = Buffer.allocUnsafeSlow(Math.min(total, ENTRIES_AT_ONCE) * ENTRY_BYTES);
  let claimedBytes = HEADER_BYTES;
  for (let first = 0; first < total; first += ENTRIES_AT_ONCE) {
    const count = Math.min(ENTRIES_AT_ONCE, total - first);
    const offset = HEADER_BYTES + first * ENTRY_BYTES;
    await shx.readInto(bytes.subarray(0, count * ENTRY_BYTES), offset);
    const positions = new Float64Array(count);
    for (let entry = 0; entry < count; entry += 1) {
      const position = bytes.readUInt32BE(entry * ENTRY_BYTES) * 2;
      const length = bytes.readUInt32BE(entry * ENTRY_BYTES + 4) * 2;
      if (position === 0 && length === 0) continue;
      const end = position + RECORD_HEADER_BYTES + length;
      claimedBytes += RECORD_HEADER_BYTES + length;
      if (position < HEADER_BYTES || end > shp.sizeBytes || claimedBytes > shp.sizeBytes) {
        throw createEntryProblem(shp, shx, offset + entry * ENTRY_BYTES, { number: first + entry + 1, position, end });
      }
      positions[entry] = position;
    }
    yield positions;
  }
}

/**
 * Distinguishes overlapping records from those outside the file. Both are rejected, because a few bytes could otherwise
 * represent endless data.
 */
function createEntryProblem(
  shp: DataFile,
  shx: DataFile,
  offset: number,
  { number, position, end }: { readonly number: number; readonly position: number; readonly end: number },
): Error {
  if (position >= HEADER_BYTES && end > shp.sizeBytes) {
    return problem('vector-file-truncated', { file: shp.name, offset: shp.sizeBytes, expectedBytes: end });
  }
  const reason =
    position < HEADER_BYTES
      ? `record ${number} would begin inside the header of ${shp.name}`
      : `the records up to ${number} would be longer than ${shp.name}, so some records overlap`;
  return problem('vector-file-malformed', { file: shx.name, offset, reason });
}

async function* walkRecords(shp: DataFile, header: ShpHeader): AsyncGenerator<Float64Array> {
  const window = createWindow(shp, WALK_CHUNK_BYTES);
  const end = header.lengthBytes > HEADER_BYTES ? header.lengthBytes : shp.sizeBytes;
  let position = HEADER_BYTES;
  while (position + RECORD_HEADER_BYTES <= end) {
    const positions = new Float64Array(ENTRIES_AT_ONCE);
    let count = 0;
    for (; count < ENTRIES_AT_ONCE && position + RECORD_HEADER_BYTES <= end; count += 1) {
      if (!window.isLoaded(position, RECORD_HEADER_BYTES)) await window.load(position, RECORD_HEADER_BYTES);
      positions[count] = position;
      position = getRecordEnd(window, position);
    }
    yield positions.subarray(0, count);
  }
}

/** Returns the end of the record from its header, which must be loaded. */
export function getRecordEnd(window: FileWindow, position: number): number {
  const end = position + RECORD_HEADER_BYTES + window.view.getUint32(position - window.start + 4) * 2;
  if (end <= window.file.sizeBytes) return end;
  throw problem('vector-file-truncated', {
    file: window.file.name,
    offset: window.file.sizeBytes,
    expectedBytes: end,
  });
}
