/** Features of exchange files: values without declared types, and geometries of any type. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Dimension, Geometry, GeometryType } from '../../geometry/geometry.ts';
import type { Attribute, Feature, Value, ValueType } from '../port/port.ts';
import { readDate, readMoment, readWholeNumber } from '../support/value-text.ts';

export type RawValue = string | number | boolean | null;

export interface RawFeature {
  readonly id?: string;
  readonly geometry: Geometry | null;
  readonly values: ReadonlyMap<string, RawValue>;
}

/** The content of a file, row by row: no object per row is kept, because files can have millions of rows. */
export interface RawTable extends TableProperties {
  readonly columns: readonly string[];
  readonly count: number;
  getId?(row: number): string | undefined;
  getGeometry(row: number): Geometry | null;
  getValue(row: number, column: number): RawValue;
}

interface TableProperties {
  readonly crs: CrsReference;
  /** The geometry type, if the file declares a geometry that no feature has. */
  readonly emptyGeometry?: GeometryType;
  /** Whether all values are text, including numbers. */
  readonly isText?: boolean;
  readonly warnings?: readonly string[];
}

/** Features whose values are named one by one; `columns` adds declared columns that no feature uses. */
export function tabulateFeatures(
  features: readonly RawFeature[],
  { columns: declared = [], ...properties }: TableProperties & { readonly columns?: readonly string[] },
): RawTable {
  const names = new Set(declared);
  for (const { values } of features) for (const name of values.keys()) names.add(name);
  const columns = [...names];
  return {
    ...properties,
    columns,
    count: features.length,
    getId: (row) => features[row]?.id,
    getGeometry: (row) => features[row]?.geometry ?? null,
    getValue: (row, column) => features[row]?.values.get(columns[column] ?? '') ?? null,
  };
}

/** A malformed file, with the offset in bytes or characters. */
export class MalformedFileError extends Error {
  override readonly name = 'MalformedFileError';
  readonly offset: number;

  constructor(reason: string, offset = 0) {
    super(reason);
    this.offset = offset;
  }
}

export interface TypedTable {
  readonly attributes: readonly Attribute[];
  readonly count: number;
  /** Undefined for a table without geometries. */
  readonly defaultGeometry: string | undefined;
  getGeometry(row: number): Geometry | null;
  createFeature(row: number): Feature;
}

/** Infers the narrowest type of every column and a common geometry type. */
export function inferTypes(table: RawTable): TypedTable {
  const { columns, count, crs, emptyGeometry } = table;
  const types = columns.map((_, column) => inferColumnType(table, column));
  const geometries = inferGeometryType(table);
  const hasGeometry = emptyGeometry !== undefined || geometries.areAny;
  const geometryName = createUniqueName(columns, 'geom');
  const { type, dimension, adapt } = geometries;
  const attributes: readonly Attribute[] = [
    ...(hasGeometry ? [{ name: geometryName, nillable: true, kind: 'geometry' as const, type, dimension, crs }] : []),
    ...columns.map((name, at): Attribute => ({ name, nillable: true, kind: 'value', type: types[at] ?? 'string' })),
  ];
  const getGeometry = (row: number): Geometry | null => {
    const geometry = table.getGeometry(row);
    return geometry && adapt(geometry);
  };
  return {
    attributes,
    count,
    defaultGeometry: hasGeometry ? geometryName : undefined,
    getGeometry,
    createFeature(row) {
      const values: (Value | Geometry)[] = hasGeometry ? [getGeometry(row)] : [];
      for (const [column, each] of types.entries()) values.push(convertValue(table.getValue(row, column), each));
      return { id: table.getId?.(row) ?? String(row + 1), values };
    },
  };
}

/** Column names are case-insensitive in tables. */
function createUniqueName(taken: readonly string[], wanted: string): string {
  const lower = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let count = 2; lower.has(name); count += 1) name = `${wanted}${count}`;
  return name;
}

const textPatterns: Readonly<Partial<Record<ValueType, RegExp>>> = {
  integer: /^[+-]?(?:0|[1-9]\d{0,9})$/,
  long: /^[+-]?(?:0|[1-9]\d{0,18})$/,
  double: /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i,
  boolean: /^(?:true|false)$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/i,
};

/** The types to try for the first value of a column. */
const narrowestTypes: readonly ValueType[] = ['integer', 'boolean', 'date', 'timestamp'];

/** The next type that accepts all values of a type; others only become text. */
const widerTypes: Readonly<Partial<Record<ValueType, ValueType>>> = { integer: 'long', long: 'double' };

/** The range of 32-bit and 64-bit integers. */
const MAX_INTEGER = 2_147_483_647;
const MAX_LONG = 2n ** 63n;

function inferColumnType({ count, isText = false, getValue }: RawTable, column: number): ValueType {
  let type: ValueType | undefined;
  for (let row = 0; row < count; row += 1) {
    const value = getValue(row, column);
    if (value === null || (isText && value === '')) continue;
    if (type !== undefined && isOfType(type, value, isText)) continue;
    const before: ValueType | undefined = type;
    type =
      before === undefined
        ? narrowestTypes.map((each) => widenType(each, value, isText)).find((each) => each !== 'string')
        : widenType(before, value, isText);
    if (type === undefined || type === 'string') return 'string';
    // A double does not hold every long, so the values before this one are checked again.
    if (before === 'long' && type === 'double') row = -1;
  }
  return type ?? 'string';
}

function widenType(type: ValueType, value: NonNullable<RawValue>, isText: boolean): ValueType {
  for (let wider: ValueType | undefined = type; wider !== undefined; wider = widerTypes[wider]) {
    if (isOfType(wider, value, isText)) return wider;
  }
  return 'string';
}

function isOfType(type: ValueType, value: NonNullable<RawValue>, isText: boolean): boolean {
  if (typeof value === 'boolean') return type === 'boolean';
  if (typeof value === 'string') return isTextOfType(type, value, isText);
  if (type === 'double') return true;
  return Number.isSafeInteger(value) && (type === 'long' || (type === 'integer' && Math.abs(value) <= MAX_INTEGER));
}

/** Numbers out of range and invalid dates are text. */
function isTextOfType(type: ValueType, value: string, isText: boolean): boolean {
  if (textPatterns[type]?.test(value) !== true) return false;
  switch (type) {
    case 'integer':
      return isText && Math.abs(Number(value)) <= MAX_INTEGER;
    case 'long': {
      const number = isText ? BigInt(value.replace('+', '')) : MAX_LONG;
      return number < MAX_LONG && number >= -MAX_LONG;
    }
    case 'double':
      return isText && Number.isFinite(Number(value)) && keepsDigits(value);
    case 'boolean':
      return isText;
    default:
      return isMoment(value);
  }
}

const wholeNumber = /^[+-]?\d+$/;

/** Whether a whole number has the same digits as a double: long numbers are often keys. */
function keepsDigits(text: string): boolean {
  const number = Number(text);
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER || !wholeNumber.test(text)) return true;
  return String(number) === text.replace('+', '');
}

/** Rejects days and hours that overflow, because Date would change them. */
function isMoment(text: string): boolean {
  const [day = '', time = '00:00'] = text.slice(0, 19).split(/[ T]/i);
  const [hours = 0, minutes = 0, seconds = 0] = time
    .slice(0, 8)
    .split(/[:Z+-]/i)
    .map(Number);
  const isDay = readDate(day)?.toISOString().slice(0, 10) === day;
  return isDay && hours < 24 && minutes < 60 && seconds < 60 && isWithinYears(readDate(text));
}

/** A time zone can move a moment out of the range. */
function isWithinYears(moment: Date | null): boolean {
  return moment !== null && moment.getUTCFullYear() >= 0 && moment.getUTCFullYear() <= 9_999;
}

function convertValue(value: RawValue, type: ValueType): Value {
  if (value === null) return null;
  if (typeof value !== 'string') return type === 'string' ? String(value) : value;
  if (type === 'string') return value;
  if (value === '') return null;
  switch (type) {
    case 'integer':
    case 'long':
      return readWholeNumber(value);
    case 'double':
      return Number(value);
    case 'boolean':
      return value.toLowerCase() === 'true';
    case 'date':
      return readDate(value);
    default:
      return readMoment(value);
  }
}

interface TypedGeometries {
  readonly areAny: boolean;
  readonly type: GeometryType;
  readonly dimension: Dimension;
  /** Converts a geometry to the common type and dimension. */
  readonly adapt: (geometry: Geometry) => Geometry;
}

/** Promotes single geometries to multi geometries if both occur; keeps heights only if every position has one. */
function inferGeometryType({ count, emptyGeometry = 'Geometry', getGeometry }: RawTable): TypedGeometries {
  const types = new Set<Geometry['type']>();
  let haveHeights = true;
  for (let row = 0; row < count; row += 1) {
    const geometry = getGeometry(row);
    if (geometry === null) continue;
    types.add(geometry.type);
    haveHeights &&= hasHeight(geometry);
  }
  const [first = emptyGeometry] = types;
  const areAny = types.size > 0;
  const keepsHeights = areAny && haveHeights;
  const flatten = keepsHeights ? (geometry: Geometry) => geometry : removeHeight;
  const dimension: Dimension = keepsHeights ? 'XYZ' : 'XY';
  if (types.size <= 1) return { areAny, type: first, dimension, adapt: flatten };
  const single = [...types].map((type) => type.replace(/^Multi/, ''));
  const isOneKind = new Set(single).size === 1;
  const many = `Multi${single[0] ?? ''}` as Geometry['type'];
  return isOneKind
    ? { areAny, type: many, dimension, adapt: (geometry) => toMultiPart(flatten(geometry), many) }
    : { areAny, type: 'Geometry', dimension, adapt: flatten };
}

function hasHeight({ dimension, members }: Geometry): boolean {
  return members === undefined ? dimension === 'XYZ' || dimension === 'XYZM' : members.every(hasHeight);
}

const sizes: Readonly<Record<Dimension, number>> = { XY: 2, XYZ: 3, XYM: 3, XYZM: 4 };

function removeHeight(geometry: Geometry): Geometry {
  if (geometry.dimension === 'XY' && geometry.members === undefined) return geometry;
  const size = sizes[geometry.dimension];
  return {
    ...geometry,
    dimension: 'XY',
    ordinates: size === 2 ? geometry.ordinates : geometry.ordinates.filter((_, index) => index % size < 2),
    ...(geometry.members === undefined ? {} : { members: geometry.members.map(removeHeight) }),
  };
}

function toMultiPart(geometry: Geometry, type: Geometry['type']): Geometry {
  if (geometry.type === type) return geometry;
  return { ...geometry, type, parts: type === 'MultiPolygon' ? [geometry.ends.length] : [] };
}
