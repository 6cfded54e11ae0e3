/** The types of Parquet columns, and the conversion of their values. */
import { toExactMoment } from '../../lib/values/exact-moment.ts';
import type { Value, ValueType } from '../port/port.ts';
import type { RawValue } from './decode-values.ts';
import type { SchemaElement } from './parquet-library.ts';

export interface ColumnType {
  readonly type: ValueType;
  readonly convert: (raw: RawValue) => Value;
}

const DAY_MS = 86_400_000;

/** The range of moments that a date can have. */
const MAX_MOMENT_MS = 8_640_000_000_000_000;

export function findColumnType(element: SchemaElement): ColumnType {
  const { type, converted_type: older, logical_type: logical, scale = 0 } = element;
  const digits = logical?.type === 'DECIMAL' ? logical.scale : scale;
  if ((older === 'DECIMAL' || logical?.type === 'DECIMAL') && isScale(digits)) {
    return { type: 'decimal', convert: (raw) => formatDecimal(toBigInt(raw), digits) };
  }
  switch (type) {
    case 'BOOLEAN':
      return { type: 'boolean', convert: (raw) => raw === true };
    case 'INT32':
      return findInt32Type(element);
    case 'INT64':
      return findInt64Type(element);
    case 'INT96':
      // Nanoseconds of the day, and a Julian day in the upper 32 bits.
      return { type: 'timestamp', convert: (raw) => toMoment(toJulianNanoseconds(toBigInt(raw)), 9) };
    case 'FLOAT':
    case 'DOUBLE':
      return { type: type === 'FLOAT' ? 'float' : 'double', convert: (raw) => toReal(Number(raw)) };
    case 'BYTE_ARRAY': {
      const isText =
        older === 'UTF8' || older === 'ENUM' || older === 'JSON' || /^(?:STRING|ENUM|JSON)$/.test(logical?.type ?? '');
      return isText ? { type: 'string', convert: toText } : { type: 'bytes', convert: copyBytes };
    }
    default:
      if (logical?.type === 'UUID') return { type: 'uuid', convert: formatUuid };
      if (logical?.type === 'FLOAT16') return { type: 'float', convert: readHalf };
      return { type: 'bytes', convert: copyBytes };
  }
}

/** More than the digits of 256 bits. */
const MAX_SCALE = 100;

/** The parser returns fields with the type that they have in the file. */
function isScale(digits: unknown): boolean {
  return typeof digits === 'number' && Number.isInteger(digits) && digits >= 0 && digits <= MAX_SCALE;
}

function findInt32Type({ converted_type: older, logical_type: logical }: SchemaElement): ColumnType {
  if (older === 'DATE' || logical?.type === 'DATE')
    return { type: 'date', convert: (raw) => toDate(Number(raw) * DAY_MS) };
  if (older === 'TIME_MILLIS' || logical?.type === 'TIME')
    return { type: 'time', convert: (raw) => formatTime(BigInt(Number(raw)), 3) };
  const [bits, isSigned] =
    logical?.type === 'INTEGER' ? [logical.bitWidth, logical.isSigned] : [parseBits(older), !older?.startsWith('U')];
  if (isSigned) return { type: bits <= 16 ? 'short' : 'integer', convert: Number };
  if (bits <= 16) return { type: bits === 8 ? 'short' : 'integer', convert: Number };
  return { type: 'long', convert: (raw) => Number(raw) >>> 0 };
}

/** Of a name such as `UINT_16`. */
function parseBits(older: string | undefined): number {
  return Number(/^U?INT_(\d+)$/.exec(older ?? '')?.[1] ?? 32);
}

const unitDigits = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

function findInt64Type({ converted_type: older, logical_type: logical }: SchemaElement): ColumnType {
  if (logical?.type === 'TIMESTAMP' || older === 'TIMESTAMP_MILLIS' || older === 'TIMESTAMP_MICROS') {
    const digits = logical?.type === 'TIMESTAMP' ? unitDigits[logical.unit] : older === 'TIMESTAMP_MILLIS' ? 3 : 6;
    return { type: 'timestamp', convert: (raw) => toMoment(toBigInt(raw), digits) };
  }
  if (logical?.type === 'TIME' || older === 'TIME_MICROS') {
    const digits = logical?.type === 'TIME' ? unitDigits[logical.unit] : 6;
    return { type: 'time', convert: (raw) => formatTime(toBigInt(raw), digits) };
  }
  const isUnsigned = older === 'UINT_64' || (logical?.type === 'INTEGER' && !logical.isSigned);
  // A signed type cannot hold all of these numbers.
  if (isUnsigned) return { type: 'decimal', convert: (raw) => toWhole(BigInt.asUintN(64, toBigInt(raw)), String) };
  return { type: 'long', convert: (raw) => toWhole(toBigInt(raw), (whole) => whole) };
}

function toWhole(whole: bigint, otherwise: (whole: bigint) => Value): Value {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : otherwise(whole);
}

/** The decimals of known writers have at most 32 bytes. The time for the conversion grows with the square. */
const MAX_NUMBER_BYTES = 1_024;

function toBigInt(raw: RawValue): bigint {
  if (typeof raw === 'bigint') return raw;
  if (!(raw instanceof Uint8Array)) return BigInt(raw);
  if (raw.length > MAX_NUMBER_BYTES) throw new RangeError('The number is too long.');
  let value = 0n;
  for (const byte of raw) value = value * 256n + BigInt(byte);
  return BigInt.asIntN(raw.length * 8, value);
}

function formatDecimal(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const sign = unscaled < 0n ? '-' : '';
  return scale <= 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** NaN is not a value in any format of features. */
function toReal(number: number): number | null {
  return Number.isNaN(number) ? null : number;
}

const decoder = new TextDecoder();

function toText(raw: RawValue): string {
  return raw instanceof Uint8Array ? decoder.decode(raw) : String(raw);
}

/** Copied, because a view would keep its page in memory. */
function copyBytes(raw: RawValue): Uint8Array {
  return Buffer.from(raw instanceof Uint8Array ? raw : []);
}

function formatUuid(raw: RawValue): string {
  const hex = Buffer.from(raw instanceof Uint8Array ? raw : []).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function readHalf(raw: RawValue): number | null {
  const bits = raw instanceof Uint8Array ? (raw[0] ?? 0) + (raw[1] ?? 0) * 256 : 0;
  const [exponent, fraction] = [(bits >> 10) & 31, (bits & 1023) / 1024];
  const size = exponent === 0 ? 2 ** -14 * fraction : exponent === 31 ? (fraction === 0 ? Infinity : Number.NaN) : 0;
  const value = exponent > 0 && exponent < 31 ? 2 ** (exponent - 15) * (1 + fraction) : size;
  return toReal(bits >= 32_768 ? -value : value);
}

function toDate(ms: number): Date | null {
  return Math.abs(ms) <= MAX_MOMENT_MS ? new Date(ms) : null;
}

/** `digits` is the number of decimals of a second that one unit has. */
function toMoment(units: bigint, digits: number): Date | string | null {
  const perSecond = 10n ** BigInt(digits);
  const rest = ((units % perSecond) + perSecond) % perSecond;
  const seconds = (units - rest) / perSecond;
  const fraction = String(rest).padStart(digits, '0');
  const ms = Number(seconds) * 1000 + Number(fraction.slice(0, 3));
  if (Math.abs(ms) > MAX_MOMENT_MS) return null;
  const moment = toExactMoment(ms, fraction);
  return typeof moment === 'number' ? new Date(moment) : moment;
}

const DAY_OF_1970 = 2_440_588n;

function toJulianNanoseconds(raw: bigint): bigint {
  return ((raw >> 64n) - DAY_OF_1970) * 86_400_000_000_000n + BigInt.asUintN(64, raw);
}

function formatTime(units: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const total = units / perSecond;
  const fraction = String(units % perSecond)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  const [hour, minute, second] = [total / 3600n, (total / 60n) % 60n, total % 60n].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${hour}:${minute}:${second}${fraction === '' ? '' : `.${fraction}`}`;
}
