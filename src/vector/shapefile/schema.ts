/** The attributes of a shapefile: the geometry and the table fields with unique names. */

import type { Dimension, GeometryType } from '../../geometry/geometry.ts';
import type { Attribute } from '../port/port.ts';
import type { OpenedShapefile } from './opened-shapefile.ts';
import { toGeometryType } from './shapes/shape-types.ts';
import { createFieldReader, type FieldReader, getValueType } from './table/field-values.ts';

/** The name that the reference server uses. */
export const GEOMETRY_NAME = 'the_geom';

export function createGeometryAttribute(opened: OpenedShapefile, dimension: Dimension): Attribute {
  const { type } = opened.header;
  const geometryType: GeometryType = type === undefined ? 'Geometry' : toGeometryType(type.form);
  return { name: GEOMETRY_NAME, nillable: true, kind: 'geometry', type: geometryType, dimension, crs: opened.crs };
}

export function createFieldAttributes(opened: OpenedShapefile): readonly Attribute[] {
  const { table } = opened;
  if (table === undefined) return [];
  const taken = new Set([GEOMETRY_NAME]);
  return table.header.fields.map((field, index) => {
    const { nameBytes, width } = field;
    const bytes = Buffer.from(nameBytes.buffer, nameBytes.byteOffset, nameBytes.byteLength);
    const name = createUniqueName(table.decode(bytes, 0, bytes.length).trim() || `field${index + 1}`, taken);
    return { name, nillable: true, kind: 'value', type: getValueType(field), maxLength: width };
  });
}

export function createFieldReaders(opened: OpenedShapefile): readonly FieldReader[] {
  const { table } = opened;
  return table === undefined ? [] : table.header.fields.map((field) => createFieldReader(field, table.decode));
}

/** Duplicate field names are numbered like in the reference server. */
function createUniqueName(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let number = 1; taken.has(candidate); number += 1) candidate = `${name}${number}`;
  taken.add(candidate);
  return candidate;
}
