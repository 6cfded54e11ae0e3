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

/** The content of a file. */
export interface RawTable {
  readonly features: readonly RawFeature[];
  readonly crs: CrsReference;
  /** In file order, if the file declares columns that no feature uses. */
  readonly columns?: readonly string[];
  /** The geometry type, if the file declares a geometry that no feature has. */
  readonly emptyGeometry?: GeometryType;
  /** Whether all values are text, including numbers. */
  readonly isText?: boolean;
  readonly warnings?: readonly string[];
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
  readonly features: readonly Feature[];
  /** Undefined for a table without geometries. */
  readonly defaultGeometry: string | undefined;
}

/** Infers the narrowest type of every column and a common geometry type. */
export function inferTypes({ features, crs, columns = [], emptyGeometry, isText = false }: RawTable): TypedTable {
  const names = [...new Set([...columns, ...features.flatMap(({ values }) => [...values.keys()])])];
  const types = names.map((name) => inferColumnType(features, name, isText));
  const geometries = unifyGeometries(
    features.map(({ geometry }) => geometry),
    emptyGeometry,
  );
  const hasGeometry = emptyGeometry !== undefined || features.some(({ geometry }) => geometry !== null);
  const geometryName = createUniqueName(names, 'geom');
  const attributes: readonly Attribute[] = [
    ...(hasGeometry
      ? [
          {
            name: geometryName,
            nillable: true,
            kind: 'geometry' as const,
            type: geometries.type,
            dimension: geometries.dimension,
            crs,
          },
        ]
      : []),
    ...names.map((name, index): Attribute => ({ name, nillable: true, kind: 'value', type: types[index] ?? 'string' })),
  ];
  return {
    attributes,
    defaultGeometry: hasGeometry ? geometryName : undefined,
    features: features.map(({ id, values }, index) => ({
      id: id ?? String(index + 1),
      values: [
        ...(hasGeometry ? [geometries.all[index] ?? null] : []),
        ...names.map((name, at) => convertValue(values.get(name) ?? null, types[at] ?? 'string')),
      ],
    })),
  };
}

/** Column names are case-insensitive in tables. */
function createUniqueName(taken: readonly string[], wanted: string): string {
  const lower = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let count = 2; lower.has(name); count += 1) name = `${wanted}${count}`;
  return name;
}

/** From the narrowest type; used for files in which all values are text. */
const textTypes: readonly (readonly [ValueType, RegExp])[] = [
  ['integer', /^[+-]?(?:0|[1-9]\d{0,9})$/],
  ['long', /^[+-]?(?:0|[1-9]\d{0,18})$/],
  ['double', /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i],
  ['boolean', /^(?:true|false)$/i],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['timestamp', /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/i],
];

const MAX_INTEGER = 2_147_483_647;

function inferColumnType(features: readonly RawFeature[], name: string, isText: boolean): ValueType {
  let candidates: ReadonlySet<ValueType> | undefined;
  for (const { values } of features) {
    const value = values.get(name) ?? null;
    if (value === null || (isText && value === '')) continue;
    const fitting = new Set(listTypes(value, isText));
    candidates = candidates === undefined ? fitting : new Set([...candidates].filter((type) => fitting.has(type)));
    if (candidates.size === 0) return 'string';
  }
  const [narrowest] = textTypes.map(([type]) => type).filter((type) => candidates?.has(type));
  return narrowest ?? 'string';
}

/** Returns all types that a value matches. */
function listTypes(value: Exclude<RawValue, null>, isText: boolean): readonly ValueType[] {
  if (typeof value === 'boolean') return ['boolean'];
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) return ['double'];
    return Math.abs(value) <= MAX_INTEGER ? ['integer', 'long', 'double'] : ['long', 'double'];
  }
  return textTypes
    .filter(([type, pattern]) => (isText || type === 'date' || type === 'timestamp') && pattern.test(value))
    .map(([type]) => type)
    .filter((type) => isOfType(type, value));
}

/** Whether the text is a valid value of the type: numbers out of range and invalid dates are text. */
function isOfType(type: ValueType, value: string): boolean {
  switch (type) {
    case 'integer':
      return Math.abs(Number(value)) <= MAX_INTEGER;
    case 'long':
      return BigInt.asIntN(64, BigInt(value.replace('+', ''))) === BigInt(value.replace('+', ''));
    case 'double':
      return Number.isFinite(Number(value));
    case 'date':
    case 'timestamp':
      return isMoment(value);
    default:
      return true;
  }
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
  readonly type: GeometryType;
  readonly dimension: Dimension;
  readonly all: readonly (Geometry | null)[];
}

/** Promotes single geometries to multi geometries if both occur; keeps heights only if every position has one. */
function unifyGeometries(written: readonly (Geometry | null)[], ofNone: GeometryType = 'Geometry'): TypedGeometries {
  const there = written.filter((geometry) => geometry !== null);
  const hasHeights = there.length > 0 && there.every(hasHeight);
  const flat = hasHeights ? written : written.map((geometry) => geometry && removeHeight(geometry));
  const types = new Set(there.map(({ type }) => type));
  const [first = ofNone] = types;
  const dimension: Dimension = hasHeights ? 'XYZ' : 'XY';
  if (types.size <= 1) return { type: first, dimension, all: flat };
  const single = [...types].map((type) => type.replace(/^Multi/, ''));
  const isOneKind = new Set(single).size === 1;
  const many = `Multi${single[0] ?? ''}` as Geometry['type'];
  return isOneKind
    ? { type: many, dimension, all: flat.map((geometry) => geometry && toMultiPart(geometry, many)) }
    : { type: 'Geometry', dimension, all: flat };
}

function hasHeight({ dimension, members }: Geometry): boolean {
  return members === undefined ? dimension === 'XYZ' || dimension === 'XYZM' : members.every(hasHeight);
}

const sizes: Readonly<Record<Dimension, number>> = { XY: 2, XYZ: 3, XYM: 3, XYZM: 4 };

function removeHeight(geometry: Geometry): Geometry {
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
