/** Converts values between column types without loss, or rejects them. */

import type { Dimension, Geometry, GeometryType } from '../../geometry/geometry.ts';
import type { Value, ValueType } from '../port/port.ts';

/** A value that does not fit its column; callers that know the feature convert it to a problem. */
export class UnfitValueError extends Error {
  override readonly name = 'UnfitValueError';
}

export type ValueConverter = (value: Value) => Value;

const wholeRanges: Readonly<Partial<Record<ValueType, readonly [least: bigint, most: bigint]>>> = {
  short: [-32_768n, 32_767n],
  integer: [-2_147_483_648n, 2_147_483_647n],
  long: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
};

const realTypes: ReadonlySet<ValueType> = new Set(['float', 'double', 'decimal']);

const DAY_MS = 86_400_000;

/** Returns undefined if no value of one type is valid in the other. */
export function createValueConverter(from: ValueType, to: ValueType): ValueConverter | undefined {
  const range = wholeRanges[to];
  if (range !== undefined) return isNumeric(from) ? skipNull((value) => toWholeNumber(value, ...range)) : undefined;
  if (realTypes.has(to)) {
    if (!isNumeric(from)) return undefined;
    return to === 'decimal' ? (value) => value : skipNull(toRealNumber);
  }
  if (from === to) return (value) => value;
  switch (to) {
    case 'string':
      return from === 'bytes' ? undefined : skipNull((value) => formatText(value, from));
    case 'timestamp':
      return from === 'date' ? (value) => value : undefined;
    case 'date':
      return from === 'timestamp' ? skipNull(toWholeDay) : undefined;
    case 'uuid':
    case 'time':
      // Formats without these types store them as text, which the database validates.
      return from === 'string' ? (value) => value : undefined;
    default:
      return undefined;
  }
}

function skipNull(convert: (value: NonNullable<Value>) => Value): ValueConverter {
  return (value) => (value === null ? null : convert(value));
}

function isNumeric(type: ValueType): boolean {
  return realTypes.has(type) || wholeRanges[type] !== undefined;
}

function toWholeNumber(value: NonNullable<Value>, least: bigint, most: bigint): Value {
  const whole = toBigInt(value);
  if (whole === undefined) throw new UnfitValueError(`${formatExcerpt(value)} is not an integer`);
  if (whole < least || whole > most)
    throw new UnfitValueError(`${formatExcerpt(value)} is outside the range ${least} to ${most}`);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
}

function toBigInt(value: NonNullable<Value>): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  // A decimal is text; zeros after the point are insignificant.
  const [, digits] = (typeof value === 'string' ? /^(-?\d+)(?:\.0*)?$/.exec(value) : null) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}

function toRealNumber(value: NonNullable<Value>): Value {
  const number = Number(value);
  const isExact = typeof value !== 'bigint' || BigInt(number) === value;
  if (!isExact) throw new UnfitValueError(`${formatExcerpt(value)} has more digits than the column stores`);
  return number;
}

function toWholeDay(value: NonNullable<Value>): Value {
  if (value instanceof Date && value.getTime() % DAY_MS === 0) return value;
  throw new UnfitValueError(`${formatExcerpt(value)} has a time of day, which the column cannot store`);
}

function formatText(value: NonNullable<Value>, from: ValueType): string {
  if (!(value instanceof Date)) return String(value);
  return from === 'date' ? value.toISOString().slice(0, -14) : value.toISOString();
}

function formatExcerpt(value: NonNullable<Value>): string {
  return value instanceof Date ? value.toISOString() : String(value).slice(0, 50);
}

export interface GeometryForm {
  readonly type: GeometryType;
  /** Undefined if every dimension is accepted. */
  readonly dimension?: Dimension;
}

/** Adapts a geometry to its column: single geometries become multi geometries, and the reverse. */
export function fitGeometry(geometry: Geometry, form: GeometryForm): Geometry {
  const { type, dimension } = geometry;
  if (form.dimension !== undefined && form.dimension !== dimension) {
    throw new UnfitValueError(`the geometry is ${dimension}, but the column accepts only ${form.dimension}`);
  }
  if (form.type === 'Geometry' || form.type === type) return geometry;
  const fitted = form.type === `Multi${type}` ? toMultiple(geometry) : toSingle(geometry, form.type);
  if (fitted === undefined)
    throw new UnfitValueError(`the geometry is a ${type}, but the column accepts only ${form.type}`);
  return fitted;
}

function toMultiple(geometry: Geometry): Geometry | undefined {
  const { ordinates, ends } = geometry;
  const isEmpty = ordinates.length === 0;
  switch (geometry.type) {
    case 'Point':
      return { ...geometry, type: 'MultiPoint' };
    case 'LineString':
      return { ...geometry, type: 'MultiLineString', ends: isEmpty ? [] : ends };
    case 'Polygon':
      return { ...geometry, type: 'MultiPolygon', parts: isEmpty ? [] : [ends.length] };
    default:
      return undefined;
  }
}

function toSingle(geometry: Geometry, wanted: GeometryType): Geometry | undefined {
  if (geometry.type !== `Multi${wanted}`) return undefined;
  const { type, dimension, ordinates, ends, parts } = geometry;
  switch (type) {
    case 'MultiPoint':
      return ordinates.length === dimension.length ? { ...geometry, type: 'Point' } : undefined;
    case 'MultiLineString':
      return ends.length === 1 ? { ...geometry, type: 'LineString' } : undefined;
    case 'MultiPolygon':
      return parts.length === 1 ? { ...geometry, type: 'Polygon' } : undefined;
    default:
      return undefined;
  }
}
