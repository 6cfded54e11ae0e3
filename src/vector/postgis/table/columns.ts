/** Maps PostgreSQL and PostGIS column types to the vector port. */

import { type Dimension, type GeometryType, geometryTypes } from '../../../geometry/geometry.ts';
import type { Attribute, ValueType } from '../../port/port.ts';

/** A column of the system catalogue. */
export interface CatalogColumn {
  readonly name: string;
  readonly typeName: string;
  readonly typeSchema: string;
  /** The type modifier; -1 if there is none. */
  readonly modifier: number;
  readonly isRequired: boolean;
  /** Its position in the primary key, starting at 1; undefined if it is not part of it. */
  readonly keyPosition?: number;
}

const valueTypes: Readonly<Record<string, ValueType>> = {
  bool: 'boolean',
  int2: 'short',
  int4: 'integer',
  int8: 'long',
  oid: 'long',
  float4: 'float',
  float8: 'double',
  numeric: 'decimal',
  date: 'date',
  time: 'time',
  timetz: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  bytea: 'bytes',
  uuid: 'uuid',
};

const columnTypes: Readonly<Record<ValueType, string>> = {
  string: 'text',
  boolean: 'boolean',
  short: 'smallint',
  integer: 'integer',
  long: 'bigint',
  float: 'real',
  double: 'double precision',
  decimal: 'numeric',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  bytes: 'bytea',
  uuid: 'uuid',
};

/** By PostGIS type number; curves are read as lines and polygons, solids by their faces. */
const typesByNumber: readonly GeometryType[] = [
  ...geometryTypes,
  'LineString',
  'LineString',
  'Polygon',
  'MultiLineString',
  'MultiPolygon',
  'MultiPolygon',
  'Polygon',
  'MultiPolygon',
];

/** The maximum length of a varchar. */
const MAX_VARCHAR = 10_485_760;

/** The offset between the type modifier and the length of a text. */
const LENGTH_OFFSET = 4;

const WGS_84 = 4326;

export function isGeometryColumn(column: Pick<CatalogColumn, 'typeName'>): boolean {
  return column.typeName === 'geometry' || column.typeName === 'geography';
}

export function createValueAttribute(column: CatalogColumn): Attribute {
  const type = valueTypes[column.typeName] ?? 'string';
  const hasLength = (column.typeName === 'varchar' || column.typeName === 'bpchar') && column.modifier > LENGTH_OFFSET;
  return {
    name: column.name,
    nillable: !column.isRequired,
    kind: 'value',
    type,
    ...(hasLength ? { maxLength: column.modifier - LENGTH_OFFSET } : {}),
  };
}

export interface GeometryForm {
  readonly type: GeometryType;
  readonly dimension: Dimension;
  readonly srid: number;
}

/** Parses a type such as `geometry(PointZ, 4326)`; returns undefined if the column declares nothing. */
export function parseDeclaredForm({
  modifier,
  typeName,
}: Pick<CatalogColumn, 'modifier' | 'typeName'>): GeometryForm | undefined {
  if (modifier < 0) {
    return typeName === 'geography' ? { type: 'Geometry', dimension: 'XY', srid: WGS_84 } : undefined;
  }
  return {
    type: typesByNumber[(modifier & 0xfc) >> 2] ?? 'Geometry',
    dimension: getDimension((modifier & 2) !== 0, (modifier & 1) !== 0),
    srid: ((modifier & 0x0fff_ff00) - (modifier & 0x1000_0000)) >> 8,
  };
}

export function getDimension(hasZ: boolean, hasM: boolean): Dimension {
  if (hasZ) return hasM ? 'XYZM' : 'XYZ';
  return hasM ? 'XYM' : 'XY';
}

/** Writes the type of a column in a new table. */
export function writeColumnType(
  attribute: Attribute,
  geometryType: (form: GeometryForm) => string,
  srid: number,
): string {
  if (attribute.kind === 'geometry') {
    return geometryType({ type: attribute.type, dimension: attribute.dimension, srid });
  }
  const { maxLength } = attribute;
  const isLimited = maxLength !== undefined && Number.isInteger(maxLength) && maxLength > 0 && maxLength <= MAX_VARCHAR;
  return attribute.type === 'string' && isLimited ? `varchar(${maxLength})` : columnTypes[attribute.type];
}
