/** Cells of a worksheet: values with their types, texts inside the cell. */
import { formatNumber } from '../../lib/values/number-text.ts';
import { escapeText } from '../../lib/xml/escape.ts';
import type { Attribute, Value } from '../../vector/port/port.ts';
import { formatMoment } from '../writing/format-moment.ts';
import { createSpecialCharacterTable, type Escaping, type TextWriter } from '../writing/text-writer.ts';

/** The limit of spreadsheet programs, which reject a workbook with longer texts. */
export const MAX_CELL_CHARACTERS = 32_767;

/** The end of a text that exceeds the limit. */
const TRUNCATED = '… (truncated)';

/** The indexes of the formats of cells in `styles.xml`. */
export const cellStyles = { bold: 1, date: 2, timestamp: 3 } as const;

const DAY_MS = 86_400_000;
/** Days are counted from the end of 1899. */
const EPOCH_SERIAL = 25_569;
/** Programs count 29 February 1900, which did not exist, so serial numbers are unambiguous only from March 1900. */
const FIRST_DAY_MS = Date.UTC(1900, 2, 1);
const END_MS = Date.UTC(10_000, 0);

/** Programs calculate with 15 digits; decimals with more remain texts. */
const MAX_EXACT_DIGITS = 15;

const escaping: Escaping = {
  special: createSpecialCharacterTable((character) => '&<>_'.includes(character) || character < ' '),
  escape: escapeCellText,
};

/** Writes control characters as `_x0007_`, and an underscore that would begin such a sequence as `_x005F_`. */
function escapeCellText(text: string): string {
  const encoded = text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them.
    /_(?=x[\da-f]{4}_)|[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/gi,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
  return escapeText(encoded);
}

export function writeTextCell(out: TextWriter, place: string, text: string, style?: number): void {
  out.writeRaw(
    `<c r="${place}"${style === undefined ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">`,
  );
  out.writeEscaped(truncateText(text), escaping);
  out.writeRaw('</t></is></c>');
}

function truncateText(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return text;
  // Does not split a surrogate pair.
  return `${text.slice(0, MAX_CELL_CHARACTERS - TRUNCATED.length).replace(/[\ud800-\udbff]$/, '')}${TRUNCATED}`;
}

export function writeValueCell(
  out: TextWriter,
  place: string,
  value: NonNullable<Value>,
  attribute: Attribute | undefined,
): void {
  const type = attribute?.kind === 'value' ? attribute.type : 'string';
  switch (typeof value) {
    case 'number':
      if (Number.isFinite(value)) writePlainCell(out, place, formatNumber(value));
      else out.writeRaw(`<c r="${place}" t="e"><v>#NUM!</v></c>`);
      return;
    case 'boolean':
      out.writeRaw(`<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`);
      return;
    case 'bigint':
      writeTextCell(out, place, String(value));
      return;
    case 'string':
      if (type === 'decimal' && isExactNumber(value)) writePlainCell(out, place, value);
      else writeTextCell(out, place, value);
      return;
    default:
      if (value instanceof Uint8Array) {
        // Base64 of so many bytes is already longer than a cell.
        writeTextCell(out, place, Buffer.from(value.subarray(0, MAX_CELL_CHARACTERS)).toString('base64'));
      } else if (isCountedDay(value)) {
        const serial = value.getTime() / DAY_MS + EPOCH_SERIAL;
        writePlainCell(out, place, formatNumber(serial), type === 'date' ? cellStyles.date : cellStyles.timestamp);
      } else writeTextCell(out, place, formatMoment(value, type));
  }
}

function writePlainCell(out: TextWriter, place: string, number: string, style?: number): void {
  out.writeRaw(`<c r="${place}"${style === undefined ? '' : ` s="${style}"`}><v>${number}</v></c>`);
}

function isExactNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text) && text.replace(/^-?[0.]*/, '').replace('.', '').length <= MAX_EXACT_DIGITS;
}

function isCountedDay(value: Date): boolean {
  const ms = value.getTime();
  return ms >= FIRST_DAY_MS && ms < END_MS;
}
