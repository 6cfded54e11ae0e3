/** The types of FlatGeobuf columns, and their values in features. */
import type { Attribute, Value, ValueType } from '../port/port.ts';
import { readMoment } from '../support/value-text.ts';
import { checkRange, type FlatTable, MalformedMessageError } from './flat-table.ts';

export interface Column {
  readonly name: string;
  readonly isNullable: boolean;
  readonly format: ColumnFormat;
}

interface ColumnFormat {
  readonly type: ValueType;
  /** The size of a value; undefined if a length precedes it. */
  readonly bytes: number | undefined;
  /** `end` is only for values with a length. */
  readonly read: (bytes: Buffer, at: number, end: number) => Value;
}

/** The field numbers of a column. */
const fields = { name: 0, type: 1, nullable: 7 } as const;

const readText = (bytes: Buffer, at: number, end: number) => bytes.toString('utf8', at, end);

/** By the type number of the format. */
const formats: readonly ColumnFormat[] = [
  { type: 'short', bytes: 1, read: (bytes, at) => bytes.readInt8(at) },
  { type: 'short', bytes: 1, read: (bytes, at) => bytes.readUInt8(at) },
  { type: 'boolean', bytes: 1, read: (bytes, at) => bytes.readUInt8(at) !== 0 },
  { type: 'short', bytes: 2, read: (bytes, at) => bytes.readInt16LE(at) },
  { type: 'integer', bytes: 2, read: (bytes, at) => bytes.readUInt16LE(at) },
  { type: 'integer', bytes: 4, read: (bytes, at) => bytes.readInt32LE(at) },
  { type: 'long', bytes: 4, read: (bytes, at) => bytes.readUInt32LE(at) },
  { type: 'long', bytes: 8, read: (bytes, at) => toWhole(bytes.readBigInt64LE(at), (whole) => whole) },
  // A signed type cannot hold all of these numbers.
  { type: 'decimal', bytes: 8, read: (bytes, at) => toWhole(bytes.readBigUInt64LE(at), String) },
  { type: 'float', bytes: 4, read: (bytes, at) => toReal(bytes.readFloatLE(at)) },
  { type: 'double', bytes: 8, read: (bytes, at) => toReal(bytes.readDoubleLE(at)) },
  { type: 'string', bytes: undefined, read: readText },
  { type: 'string', bytes: undefined, read: readText },
  { type: 'timestamp', bytes: undefined, read: (bytes, at, end) => readMoment(readText(bytes, at, end)) },
  // Copied, because a view would keep its part of the file in memory.
  { type: 'bytes', bytes: undefined, read: (bytes, at, end) => Buffer.from(bytes.subarray(at, end)) },
];

export function readColumns(tables: Iterable<FlatTable>): readonly Column[] {
  return Array.from(tables, (table) => {
    const type = table.readByte(fields.type);
    const format = formats[type];
    if (format === undefined) throw new MalformedMessageError(`a column has the unknown type ${type}`);
    return { name: table.readText(fields.name) ?? '', isNullable: table.readByte(fields.nullable, 1) !== 0, format };
  });
}

export function toAttribute({ name, isNullable, format }: Column): Attribute {
  return { name, nillable: isNullable, kind: 'value', type: format.type };
}

/** Reads the values of a feature: pairs of a column number and a value. `accept` gets those of the wanted columns. */
export function readProperties(
  bytes: Buffer,
  columns: readonly Column[],
  isWanted: (column: number) => boolean,
  accept: (column: number, value: Value) => void,
): void {
  for (let at = 0; at < bytes.length; ) {
    const number = checkRange(bytes, at, 2).readUInt16LE(at);
    const format = columns[number]?.format;
    if (format === undefined)
      throw new MalformedMessageError(`a feature has a value for column ${number}, which does not exist`);
    let from = at + 2;
    let length = format.bytes;
    if (length === undefined) {
      length = checkRange(bytes, from, 4).readUInt32LE(from);
      from += 4;
    }
    checkRange(bytes, from, length);
    at = from + length;
    if (isWanted(number)) accept(number, format.read(bytes, from, at));
  }
}

function toWhole(whole: bigint, otherwise: (whole: bigint) => Value): Value {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : otherwise(whole);
}

/** NaN is not a value in any format of features. */
function toReal(number: number): number | null {
  return Number.isNaN(number) ? null : number;
}
