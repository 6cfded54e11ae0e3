/** The column types of PostgreSQL and PostGIS, and what they are to the vector port. */

import { type Dimension, type GeometryType, geometryTypes } from '../../../geometry/geometry.ts';
import type { Attribute, ValueType } from '../../port/port.ts';

/** A column as the system catalogue has it. */
export interface CatalogColumn {
  readonly name: string;
  readonly typeName: string;
  readonly typeSchema: string;
  /** What is in brackets behind the type, packed into a number; -1 when there is nothing. */
  readonly modifier: number;
  readonly isRequired: boolean;
  /** Its place in the primary key, from 1; undefined when it is not part of it. */
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

/** By PostGIS's numbers; curves are read as the lines and polygons they are turned into, solids by their faces. */
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

/** The largest PostgreSQL takes for a varchar. */
const MAX_VARCHAR = 10_485_760;

/** The four bytes by which the modifier of a text is larger than its length. */
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

/** What the type in brackets says: `geometry(PointZ, 4326)`; undefined for a column that says nothing. */
export function parseDeclaredForm({ modifier, typeName }: CatalogColumn): GeometryForm | undefined {
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

/** What stands behind the name of a column in a new table. */
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
