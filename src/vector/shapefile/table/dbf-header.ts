/** Parses the header of a .dbf file: record count, record length and fields. */
import { problem } from '../../../lib/problems/problem.ts';
import { checkWithin, type DataFile, readBytes } from '../../support/data-file.ts';

export interface DbfField {
  /** Not decoded, because the encoding is known only after the header is read. */
  readonly nameBytes: Uint8Array;
  /** The type letter, such as C for characters. */
  readonly type: string;
  /** The offset in a record; the first byte is the deletion flag. */
  readonly offset: number;
  readonly width: number;
  readonly decimals: number;
}

export interface DbfHeader {
  readonly recordCount: number;
  readonly headerBytes: number;
  readonly recordBytes: number;
  readonly languageDriver: number;
  readonly fields: readonly DbfField[];
}

const PROLOGUE_BYTES = 32;
const DESCRIPTOR_BYTES = 32;
const END_OF_FIELDS = 0x0d;

/** The deletion flag of a record. */
export const DELETED = 0x2a;

export async function readDbfHeader(file: DataFile): Promise<DbfHeader> {
  const prologue = await readBytes(file, 0, PROLOGUE_BYTES);
  const createMalformedProblem = (offset: number, reason: string): Error =>
    problem('vector-file-malformed', { file: file.name, offset, reason });
  const recordCount = prologue.readUInt32LE(4);
  const headerBytes = prologue.readUInt16LE(8);
  const recordBytes = prologue.readUInt16LE(10);
  if (headerBytes < PROLOGUE_BYTES + 1)
    throw createMalformedProblem(8, `the header length of ${headerBytes} bytes is invalid`);
  if (recordBytes < 1 && recordCount > 0) throw createMalformedProblem(10, 'the record length is 0 bytes');
  const descriptors = (await readBytes(file, 0, headerBytes)).subarray(PROLOGUE_BYTES);
  const fields = readFittingFields(descriptors, recordBytes);
  if (computeEnd(fields) > recordBytes) {
    throw createMalformedProblem(
      10,
      `the fields have ${computeEnd(fields)} bytes, but the records have ${recordBytes}`,
    );
  }
  checkWithin(file, headerBytes, recordCount * recordBytes);
  return { recordCount, headerBytes, recordBytes, languageDriver: prologue.readUInt8(29), fields };
}

/** Long texts use the decimals byte for their width; other writers leave garbage in it. */
function readFittingFields(descriptors: Buffer, recordBytes: number): readonly DbfField[] {
  const long = readFields(descriptors, (low, high) => low + high * 256);
  return computeEnd(long) <= recordBytes ? long : readFields(descriptors, (low) => low);
}

function computeEnd(fields: readonly DbfField[]): number {
  const last = fields.at(-1);
  return last === undefined ? 1 : last.offset + last.width;
}

function readFields(descriptors: Buffer, textWidth: (low: number, high: number) => number): readonly DbfField[] {
  const fields: DbfField[] = [];
  let offset = 1;
  for (let at = 0; at + DESCRIPTOR_BYTES <= descriptors.length; at += DESCRIPTOR_BYTES) {
    if (descriptors[at] === END_OF_FIELDS) break;
    const name = descriptors.subarray(at, at + 11);
    const nameEnd = name.indexOf(0);
    const type = String.fromCharCode(descriptors.readUInt8(at + 11)).toUpperCase();
    const low = descriptors.readUInt8(at + 16);
    const high = descriptors.readUInt8(at + 17);
    const width = type === 'C' ? textWidth(low, high) : low;
    fields.push({
      nameBytes: nameEnd < 0 ? name : name.subarray(0, nameEnd),
      type,
      offset,
      width,
      decimals: type === 'C' ? 0 : high,
    });
    offset += width;
  }
  return fields;
}
