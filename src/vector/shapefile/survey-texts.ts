/** Looks at the texts of a .dbf file that no .cpg file speaks of: those that are UTF-8 are hardly ever anything else. */
import { isAscii, isUtf8 } from 'node:buffer';
import { type DataFile, readBytes } from '../support/data-file.ts';
import { findCharacterEnd } from './table/charset.ts';
import { type DbfHeader, DELETED } from './table/dbf-header.ts';

/** Texts of plain ASCII are the same in every encoding that is read here. */
export type TextSurvey = 'ascii' | 'utf-8' | 'other';

/** Larger tables are judged by as much from their beginning: a file is opened for every reading of it. */
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
