/** Detects the encoding of a .dbf file without a .cpg file: texts that are valid UTF-8 are almost always UTF-8. */
import { isAscii, isUtf8 } from 'node:buffer';
import { type DataFile, readBytes } from '../support/data-file.ts';
import { findCharacterEnd } from './table/charset.ts';
import { type DbfHeader, DELETED } from './table/dbf-header.ts';

/** ASCII is the same in every supported encoding. */
export type TextSurvey = 'ascii' | 'utf-8' | 'other';

/** Only the start of larger tables is inspected, because this runs whenever the file is opened. */
const MAX_SURVEYED_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export async function surveyTexts(file: DataFile, header: DbfHeader): Promise<TextSurvey> {
  const { fields, headerBytes, recordBytes, recordCount } = header;
  const texts = fields.filter(({ type }) => type === 'C');
  const names = fields.map(({ nameBytes }) => Buffer.from(nameBytes));
  const found = new Set(names.map((name) => surveyText(name, 0, name.length)));
  const wanted = Math.min(recordCount, Math.ceil(MAX_SURVEYED_BYTES / Math.max(1, recordBytes)));
  const perChunk = Math.max(1, Math.floor(CHUNK_BYTES / Math.max(1, recordBytes)));
  for (let first = 0; texts.length > 0 && first < wanted && !found.has('other'); first += perChunk) {
    const count = Math.min(perChunk, wanted - first);
    const bytes = await readBytes(file, headerBytes + first * recordBytes, count * recordBytes);
    if (isAscii(bytes)) continue;
    for (let record = 0; record < bytes.length; record += recordBytes) {
      if (bytes[record] === DELETED) continue;
      for (const { offset, width } of texts) {
        found.add(surveyText(bytes, record + offset, record + offset + width));
      }
    }
  }
  return found.has('other') ? 'other' : found.has('utf-8') ? 'utf-8' : 'ascii';
}

function surveyText(bytes: Buffer, start: number, end: number): TextSurvey {
  const text = bytes.subarray(start, end);
  if (isAscii(text)) return 'ascii';
  return isUtf8(bytes.subarray(start, findCharacterEnd(bytes, start, end))) ? 'utf-8' : 'other';
}
