/** The types of .dbf fields and their value readers. */
import type { Value, ValueType } from '../../port/port.ts';
import type { TextDecode } from './charset.ts';
import type { DbfField } from './dbf-header.ts';
import { readInteger, readNumber } from './field-numbers.ts';

/** Reads one field of the record that starts at `record`. */
export type FieldReader = (bytes: Buffer, record: number) => Value;

/** The number of digits that always fit: nine in 32 bits, eighteen in 64. */
const INTEGER_DIGITS = 9;
const LONG_DIGITS = 18;

export function getValueType(field: DbfField): ValueType {
  switch (field.type) {
    case 'N':
      if (field.decimals > 0 || field.width > LONG_DIGITS) return 'double';
      return field.width > INTEGER_DIGITS ? 'long' : 'integer';
    case 'F':
      return 'double';
    case 'D':
      return 'date';
    case 'L':
      return 'boolean';
    case 'I':
    case '+':
      return field.width === 4 ? 'integer' : 'string';
    case 'O':
    case 'B':
    case 'Y':
      return field.width === 8 ? 'double' : 'string';
    case 'T':
    case '@':
      return field.width === 8 ? 'timestamp' : 'string';
    default:
      return 'string';
  }
}

export function createFieldReader(field: DbfField, decode: TextDecode): FieldReader {
  const { offset, width } = field;
  switch (getValueType(field)) {
    case 'integer':
    case 'long':
      if (field.type === 'N') return (bytes, record) => readInteger(bytes, record + offset, record + offset + width);
      return (bytes, record) => bytes.readInt32LE(record + offset);
    case 'double':
      return createDoubleReader(field);
    case 'date':
      return (bytes, record) => readDate(bytes, record + offset, width);
    case 'boolean':
      return (bytes, record) => readBoolean(bytes[record + offset]);
    case 'timestamp':
      return (bytes, record) => readTimestamp(bytes, record + offset);
    default:
      return (bytes, record) => readText(bytes, record + offset, record + offset + width, decode);
  }
}

function createDoubleReader({ type, offset, width }: DbfField): FieldReader {
  switch (type) {
    case 'Y':
      return (bytes, record) => Number(bytes.readBigInt64LE(record + offset)) / 10_000;
    case 'O':
    case 'B':
      return (bytes, record) => {
        const value = bytes.readDoubleLE(record + offset);
        return Number.isFinite(value) ? value : null;
      };
    default:
      return (bytes, record) => readNumber(bytes, record + offset, record + offset + width);
  }
}

/** Trims blanks; a blank text is null, because the format has no other null. */
function readText(bytes: Buffer, start: number, end: number, decode: TextDecode): string | null {
  let first = start;
  let last = end;
  while (last > first && isBlank(bytes[last - 1])) last -= 1;
  while (first < last && isBlank(bytes[first])) first += 1;
  return first === last ? null : decode(bytes, first, last);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0;
}

function readBoolean(byte: number | undefined): boolean | null {
  switch (byte) {
    case 0x54: // T
    case 0x74: // t
    case 0x59: // Y
    case 0x79: // y
    case 0x31: // 1
      return true;
    case 0x46: // F
    case 0x66: // f
    case 0x4e: // N
    case 0x6e: // n
    case 0x30: // 0
      return false;
    default:
      return null;
  }
}

/** Midnight UTC. */
function readDate(bytes: Buffer, start: number, width: number): Date | null {
  if (width < 8) return null;
  let digits = 0;
  for (let at = start; at < start + 8; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return null;
    digits = digits * 10 + digit;
  }
  const year = Math.floor(digits / 10_000);
  const month = Math.floor(digits / 100) % 100;
  const day = digits % 100;
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > countDays(year, month)) return null;
  // Date.UTC maps years below 100 to the twentieth century, so 400 years are added, after which the calendar repeats.
  return new Date(Date.UTC(year + 400, month - 1, day) - DAYS_OF_400_YEARS * DAY_MS);
}

function countDays(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const DAYS_OF_400_YEARS = 146_097;
const DAY_MS = 86_400_000;
/** The Julian day number of 1 January 1970. */
const EPOCH_DAY = 2_440_588;

/** A Julian day number and the milliseconds of the day. */
function readTimestamp(bytes: Buffer, start: number): Date | null {
  const day = bytes.readInt32LE(start);
  const millisecond = bytes.readInt32LE(start + 4);
  if (day <= 0 || millisecond < 0 || millisecond >= DAY_MS) return null;
  const date = new Date((day - EPOCH_DAY) * DAY_MS + millisecond);
  return Number.isNaN(date.getTime()) ? null : date;
}
