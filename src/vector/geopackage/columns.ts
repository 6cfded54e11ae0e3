/** Maps GeoPackage column types to the vector port. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Attribute, Value, ValueType } from '../port/port.ts';
import { UnfitValueError } from '../support/convert-value.ts';
import { readDate, readMoment } from '../support/value-text.ts';

const valueTypes: Readonly<Record<string, ValueType>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'short',
  SMALLINT: 'short',
  MEDIUMINT: 'integer',
  INT: 'long',
  INTEGER: 'long',
  FLOAT: 'float',
  DOUBLE: 'double',
  REAL: 'double',
  TEXT: 'string',
  BLOB: 'bytes',
  DATE: 'date',
  DATETIME: 'timestamp',
};

/** The format has no types for decimals, times and UUIDs. */
const columnTypes: Readonly<Record<ValueType, string>> = {
  string: 'TEXT',
  boolean: 'BOOLEAN',
  short: 'SMALLINT',
  integer: 'MEDIUMINT',
  long: 'INTEGER',
  float: 'FLOAT',
  double: 'DOUBLE',
  decimal: 'DOUBLE',
  date: 'DATE',
  time: 'TEXT',
  timestamp: 'DATETIME',
  bytes: 'BLOB',
  uuid: 'TEXT(36)',
};

export function createValueAttribute(name: string, declared: string, nillable: boolean): Attribute {
  const [, base = '', length] = /^\s*([^(]*?)\s*(?:\(\s*(\d{1,9})\s*\)\s*)?$/.exec(declared.toUpperCase()) ?? [];
  const type = valueTypes[base] ?? getTypeByAffinity(declared);
  const maxLength = Number(length ?? 0);
  const hasLength = maxLength > 0 && (type === 'string' || type === 'bytes');
  return { name, nillable, kind: 'value', type, ...(hasLength ? { maxLength } : {}) };
}

/** Maps nonstandard types by their SQLite affinity. */
function getTypeByAffinity(declared: string): ValueType {
  if (/INT/i.test(declared)) return 'long';
  if (/CHAR|CLOB|TEXT/i.test(declared)) return 'string';
  if (/BLOB/i.test(declared)) return 'bytes';
  return /REAL|FLOA|DOUB|NUM|DEC/i.test(declared) ? 'double' : 'string';
}

export function getColumnType(attribute: Extract<Attribute, { kind: 'value' }>): string {
  const { type, maxLength } = attribute;
  const hasLength = maxLength !== undefined && Number.isInteger(maxLength) && maxLength > 0;
  return (type === 'string' || type === 'bytes') && hasLength
    ? `${columnTypes[type]}(${maxLength})`
    : columnTypes[type];
}

/** A column can contain values of any type; values that do not match are null. */
export function readValue(type: ValueType, value: SQLOutputValue): Value {
  if (value === null) return null;
  switch (type) {
    case 'boolean':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) !== 0 : null;
    case 'short':
    case 'integer':
    case 'long':
      return toWholeNumber(value);
    case 'float':
    case 'double':
      return toRealNumber(value);
    case 'date':
      return typeof value === 'string' ? readDate(value) : null;
    case 'timestamp':
      return typeof value === 'string' ? readMoment(value) : null;
    case 'bytes':
      return value instanceof Uint8Array ? value : Buffer.from(String(value));
    default:
      return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
  }
}

function toWholeNumber(value: SQLOutputValue): number | bigint | null {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return toRealNumber(value);
}

function toRealNumber(value: SQLOutputValue): number | null {
  if (value instanceof Uint8Array || value === '') return null;
  const number = Number(value);
  return Number.isNaN(number) ? null : number;
}

/** Converts to the storage form; texts of moments have a fixed length if possible, so that they can be compared. */
export function toStoredValue(type: ValueType, value: Value): SQLInputValue {
  if (value === null || value instanceof Uint8Array || typeof value === 'bigint') return value;
  if (value instanceof Date || (type === 'timestamp' && typeof value === 'string')) {
    const text = value instanceof Date ? value.toISOString() : value;
    if (/^[+-]/.test(text)) throw new UnfitValueError(`${text} is outside the years 0 to 9999`);
    return type === 'date' ? text.slice(0, 10) : text;
  }
  if (typeof value === 'boolean') return value ? 1 : 0;
  // Numbers are bound as REAL, which a column without affinity would keep.
  return typeof value === 'number' && Number.isSafeInteger(value) && wholeTypes.has(type) ? BigInt(value) : value;
}

const wholeTypes: ReadonlySet<ValueType> = new Set(['boolean', 'short', 'integer', 'long']);
