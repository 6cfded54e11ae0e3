/** The Parquet columns of attributes without geometries. */
import type { Value, ValueType } from '../../vector/port/port.ts';
import type { SchemaElement } from './parquet-writer-library.ts';

type StoredValue = string | number | bigint | boolean | Uint8Array | null;

interface ColumnForm {
  readonly element: Omit<SchemaElement, 'name'>;
  readonly convert: (value: NonNullable<Value>) => StoredValue;
}

const DAY_MS = 86_400_000;

const toText = (value: NonNullable<Value>): string => (value instanceof Date ? value.toISOString() : String(value));
const defineForm = (
  type: NonNullable<SchemaElement['type']>,
  convert: ColumnForm['convert'],
  converted?: NonNullable<SchemaElement['converted_type']>,
): ColumnForm => ({
  element: { type, repetition_type: 'OPTIONAL', ...(converted === undefined ? {} : { converted_type: converted }) },
  convert,
});

const text = defineForm('BYTE_ARRAY', toText, 'UTF8');

/** Decimals have no common scale, and times can have a zone: as texts they are exact. */
const forms: Readonly<Record<ValueType, ColumnForm>> = {
  string: text,
  uuid: text,
  time: text,
  boolean: defineForm('BOOLEAN', (value) => value === true),
  short: defineForm('INT32', Number, 'INT_16'),
  integer: defineForm('INT32', Number),
  long: defineForm('INT64', (value) => BigInt(value as number | bigint)),
  float: defineForm('FLOAT', Number),
  double: defineForm('DOUBLE', Number),
  decimal: text,
  date: defineForm('INT32', toDays, 'DATE'),
  timestamp: defineForm('INT64', toMicroseconds, 'TIMESTAMP_MICROS'),
  bytes: defineForm('BYTE_ARRAY', (value) => (value instanceof Uint8Array ? value : Buffer.from(toText(value)))),
};

export function findColumnForm(type: ValueType): ColumnForm {
  return forms[type];
}

function toDays(value: NonNullable<Value>): number | null {
  const ms = value instanceof Date ? value.getTime() : Date.parse(String(value));
  return Number.isNaN(ms) ? null : Math.floor(ms / DAY_MS);
}

/** Moments with more precision than milliseconds are texts. */
function toMicroseconds(value: NonNullable<Value>): bigint | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : BigInt(value.getTime()) * 1000n;
  const moment = String(value);
  const ms = Date.parse(moment);
  const [, finer = ''] = /\.\d{3}(\d{1,3})/.exec(moment) ?? [];
  return Number.isNaN(ms) ? null : BigInt(ms) * 1000n + BigInt(finer.padEnd(3, '0'));
}
