/** Attribute types as clients know them: names of Java classes. */

import type { GeometryType } from '../../geometry/geometry.ts';
import type { Attribute, ValueType } from '../../vector/port/port.ts';

/** The former package name of the same classes. */
const geometryPackages = ['org.locationtech.jts.geom.', 'com.vividsolutions.jts.geom.', ''];

const geometryClasses: Readonly<Record<string, GeometryType>> = {
  Geometry: 'Geometry',
  Point: 'Point',
  LineString: 'LineString',
  LinearRing: 'LineString',
  Polygon: 'Polygon',
  MultiPoint: 'MultiPoint',
  MultiLineString: 'MultiLineString',
  MultiPolygon: 'MultiPolygon',
  GeometryCollection: 'GeometryCollection',
};

const valueBindings: Readonly<Record<ValueType, string>> = {
  string: 'java.lang.String',
  boolean: 'java.lang.Boolean',
  short: 'java.lang.Short',
  integer: 'java.lang.Integer',
  long: 'java.lang.Long',
  float: 'java.lang.Float',
  double: 'java.lang.Double',
  decimal: 'java.math.BigDecimal',
  date: 'java.sql.Date',
  time: 'java.sql.Time',
  timestamp: 'java.sql.Timestamp',
  bytes: '[B',
  uuid: 'java.util.UUID',
};

/** An object with attributes of its own. */
const COMPLEX = 'java.util.Collection';

/** Accepted in addition to the classes that are written. */
const aliasBindings: Readonly<Record<string, ValueType>> = {
  // A timestamp with milliseconds, despite its name.
  'java.util.Date': 'timestamp',
  'java.util.Calendar': 'timestamp',
  'java.math.BigInteger': 'decimal',
  'java.lang.Byte': 'short',
  'java.lang.Character': 'string',
  'java.lang.Number': 'double',
  'byte[]': 'bytes',
  [COMPLEX]: 'string',
};

const valueTypes: ReadonlyMap<string, ValueType> = new Map([
  ...Object.entries(valueBindings).map(([type, binding]) => [binding, type as ValueType] as const),
  ...Object.entries(aliasBindings),
  ...Object.entries(valueBindings)
    .filter(([, binding]) => binding.startsWith('java.lang.'))
    .map(([type, binding]) => [binding.slice('java.lang.'.length), type as ValueType] as const),
]);

/** Files store dates without time, which clients have always received as the general date. */
export function getBinding(attribute: Attribute | BoundType, source: 'database' | 'file'): string {
  if (attribute.kind === 'geometry') {
    return `${geometryPackages[0]}${attribute.type}`;
  }
  if ('attributes' in attribute && attribute.attributes !== undefined) {
    return COMPLEX;
  }
  return attribute.type === 'date' && source === 'file' ? 'java.util.Date' : valueBindings[attribute.type];
}

export type BoundType =
  | { readonly kind: 'geometry'; readonly type: GeometryType }
  | { readonly kind: 'value'; readonly type: ValueType };

/** Undefined for a class that is not a valid attribute type. */
export function parseBinding(text: string): BoundType | undefined {
  const binding = text.trim();
  for (const prefix of geometryPackages) {
    const name = binding.slice(prefix.length);
    if (binding.startsWith(prefix) && Object.hasOwn(geometryClasses, name)) {
      return { kind: 'geometry', type: geometryClasses[name] ?? 'Geometry' };
    }
  }
  const type = valueTypes.get(binding);
  return type === undefined ? undefined : { kind: 'value', type };
}
