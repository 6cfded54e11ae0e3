/** The fields of a .dbf file: names, widths and value formats. */

import type { Geometry } from '../../geometry/geometry.ts';
import type { Attribute, Value, ValueType } from '../../vector/port/port.ts';
import { formatMoment } from '../writing/format-moment.ts';
import { isGeometry } from '../writing/writable-geometry.ts';

export type TextEncode = (text: string) => Buffer;

export interface TableField {
  /** The index of its value in a feature. */
  readonly index: number;
  readonly name: Buffer;
  /** The type letter, such as C for characters. */
  readonly letter: string;
  readonly width: number;
  readonly decimals: number;
  readonly text: (value: NonNullable<Value>) => string | Buffer;
}

const NAME_BYTES = 10;
const MOST_TEXT_BYTES = 254;
/** Includes nine fractional digits. */
const MOMENT_BYTES = 30;
/** The maximum number of digits that readers accept for an integer. */
const LONG_DIGITS = 18;
const REAL = { letter: 'N', width: 24, decimals: 15 } as const;

/** Byte attributes are omitted, because the format does not support them. */
export function createTableFields(attributes: readonly Attribute[], encode: TextEncode): readonly TableField[] {
  const taken = new Set<string>();
  return attributes.flatMap((attribute, index): readonly TableField[] => {
    if (attribute.kind === 'geometry' || attribute.type === 'bytes') return [];
    const name = createShortName(attribute.name, taken, encode);
    return [{ index, name, ...getFieldForm(attribute, encode) }];
  });
}

/** Truncates to ten bytes, with a number at the end to keep names unique. */
function createShortName(name: string, taken: Set<string>, encode: TextEncode): Buffer {
  const plain = name.replaceAll('\0', '') || 'field';
  let candidate = truncateText(plain, NAME_BYTES, encode);
  for (let number = 1; taken.has(candidate.toString('latin1').toLowerCase()); number += 1) {
    const suffix = String(number);
    candidate = Buffer.concat([truncateText(plain, NAME_BYTES - suffix.length, encode), Buffer.from(suffix)]);
  }
  taken.add(candidate.toString('latin1').toLowerCase());
  return candidate;
}

/** Truncates to a number of bytes without splitting a character. */
export function truncateText(text: string, bytes: number, encode: TextEncode): Buffer {
  const whole = encode(text);
  if (whole.length <= bytes) return whole;
  let length = 0;
  let kept = '';
  for (const character of text) {
    length += encode(character).length;
    if (length > bytes) break;
    kept += character;
  }
  return encode(kept);
}

type FieldForm = Pick<TableField, 'letter' | 'width' | 'decimals' | 'text'>;

function getFieldForm({ type, maxLength }: Extract<Attribute, { kind: 'value' }>, encode: TextEncode): FieldForm {
  switch (type) {
    case 'boolean':
      return { letter: 'L', width: 1, decimals: 0, text: (value) => (value === true ? 'T' : 'F') };
    case 'short':
      return createIntegerForm(6);
    case 'integer':
      return createIntegerForm(11);
    case 'long':
      return createIntegerForm(LONG_DIGITS);
    case 'float':
    case 'double':
    case 'decimal':
      return { ...REAL, text: (value) => formatReal(value, REAL.width) };
    case 'date':
      return { letter: 'D', width: 8, decimals: 0, text: formatDay };
    case 'timestamp':
      return createTextForm(MOMENT_BYTES, type, encode);
    default:
      return createTextForm(Math.min(MOST_TEXT_BYTES, (maxLength ?? MOST_TEXT_BYTES) * 4), type, encode);
  }
}

function createIntegerForm(width: number): FieldForm {
  return { letter: 'N', width, decimals: 0, text: (value) => formatReal(value, width) };
}

/** Formats with all digits if they fit, otherwise rounded. */
function formatReal(value: NonNullable<Value>, width: number): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return '';
  const text = String(value);
  return text.length <= width ? text : number.toPrecision(width - 8);
}

/** The format supports only four-digit years. */
function formatDay(value: NonNullable<Value>): string {
  const day = value instanceof Date ? formatMoment(value, 'date').replaceAll('-', '') : '';
  return day.length === 8 ? day : '';
}

function createTextForm(width: number, type: ValueType, encode: TextEncode): FieldForm {
  return {
    letter: 'C',
    width,
    decimals: 0,
    text: (value) => truncateText(value instanceof Date ? formatMoment(value, type) : String(value), width, encode),
  };
}

/** Encodes one row with its deletion flag. */
export function encodeTableRow(
  fields: readonly TableField[],
  values: readonly (Value | Geometry)[],
  bytes: number,
): Buffer {
  const row = Buffer.alloc(bytes, ' ');
  let at = 1;
  for (const { index, letter, width, text } of fields) {
    const value = values[index] ?? null;
    if (value !== null && !isGeometry(value)) {
      const written = text(value);
      const start = letter === 'N' ? at + width - written.length : at;
      if (typeof written === 'string') row.write(written, start, 'latin1');
      else row.set(written, start);
    } else if (letter === 'L') {
      row.write('?', at, 'latin1');
    }
    at += width;
  }
  return row;
}
