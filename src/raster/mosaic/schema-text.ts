/** The attributes of an index as in indexers: `*the_geom:Polygon,location:String,time:java.util.Date`. */

import { findGeometryType } from '../../geometry/geometry.ts';
import type { GranuleValueType } from '../granules/port/port.ts';
import type { SchemaAttribute } from './definition.ts';
import { createDefinitionError, type DefinitionWarnings, type Entry, formatExcerpt } from './definition-error.ts';

const typesByName: Readonly<Record<string, GranuleValueType>> = {
  string: 'string',
  byte: 'integer',
  short: 'integer',
  integer: 'integer',
  int: 'integer',
  long: 'long',
  biginteger: 'long',
  float: 'float',
  double: 'double',
  number: 'double',
  bigdecimal: 'double',
  date: 'timestamp',
  timestamp: 'timestamp',
};

/** The name of the location attribute. */
export const LOCATION = 'location';

const packages = /^(?:java\.(?:lang|math|sql|util)|(?:org\.locationtech|com\.vividsolutions)\.jts\.geom)\./;

/** More than any real index has; databases accept slightly more. */
const MAX_ATTRIBUTES = 200;

/** The limit of databases for column names. */
const MAX_NAME_BYTES = 63;

/** Returns attributes in order. */
export function readSchemaText(entry: Entry, notes: DefinitionWarnings): readonly SchemaAttribute[] {
  const createError = (reason: string): Error => createDefinitionError(entry, entry.key, reason);
  const attributes: SchemaAttribute[] = [];
  const taken = new Set<string>();
  const written = entry.value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (written.length > MAX_ATTRIBUTES)
    throw createError(`it has ${written.length} attributes; the limit is ${MAX_ATTRIBUTES}`);
  for (const text of written) {
    const [marked = '', typeName = '', ...suffixes] = text.split(':').map((part) => part.trim());
    const name = marked.replace(/^\*\s*/, '');
    const objection = findNameObjection(name);
    if (objection !== undefined) throw createError(`the name of attribute '${formatExcerpt(text)}' ${objection}`);
    if (taken.has(name.toLowerCase())) throw createError(`two attributes are named '${name}'`);
    taken.add(name.toLowerCase());
    const typed = typeName.replace(/_+$/, '');
    if (typed !== typeName) notes.warnIgnored(entry, typeName, `the type of '${name}' is read as ${typed}`);
    const attribute = parseAttribute(name, typed);
    if (attribute === undefined) {
      throw createError(
        `attribute '${name}' has the unknown type '${formatExcerpt(typeName)}'; use Polygon, MultiPolygon, String, Integer, Long, Float, Double or java.util.Date`,
      );
    }
    if (attribute.role !== 'footprint' && marked.startsWith('*')) {
      throw createError(`'${name}' is marked with * as the default geometry, but is not a geometry`);
    }
    for (const suffix of suffixes) notes.warnIgnored(entry, suffix, `unexpected text after the type of '${name}'`);
    attributes.push(attribute);
  }
  const geometries = attributes.filter(({ role }) => role === 'footprint');
  if (geometries.length !== 1) {
    throw createError(
      `exactly one geometry such as the_geom:Polygon is required, but ${geometries.length} are defined`,
    );
  }
  return attributes;
}

function findNameObjection(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `exceeds the limit of ${MAX_NAME_BYTES} bytes`;
  return /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name) ? undefined : 'may contain only letters, digits and _';
}

/** Footprints are polygons: other geometry types are rejected. */
function parseAttribute(name: string, typeName: string): SchemaAttribute | undefined {
  const plain = typeName.replace(packages, '');
  const geometry = findGeometryType(plain);
  if (geometry !== undefined) {
    const isFootprint = geometry === 'Polygon' || geometry === 'MultiPolygon' || geometry === 'Geometry';
    return isFootprint ? { role: 'footprint', name } : undefined;
  }
  const type = Object.entries(typesByName).find(([each]) => each === plain.toLowerCase())?.[1];
  if (type === undefined) return undefined;
  if (name === LOCATION && type === 'string') return { role: 'location', name };
  return /^imageindex$/i.test(name) && type === 'integer'
    ? { role: 'imageindex', name }
    : { role: 'value', name, type };
}
