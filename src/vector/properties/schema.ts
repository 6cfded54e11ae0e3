/** Parses the attribute line of a property file: `_=name:String,*place:Point:srid=4326`. */
import { resolveCrsReference } from '../../crs/resolve-crs-reference.ts';
import { findGeometryType } from '../../geometry/geometry.ts';
import type { Attribute, ValueType } from '../port/port.ts';
import { MalformedLineError, splitAt, unescapeText } from './property-lines.ts';

export interface PropertySchema {
  /** All geometries are XY here; the data shows whether they have a Z. */
  readonly attributes: readonly Attribute[];
  readonly defaultGeometry: string | undefined;
}

const typesByName: Readonly<Record<string, ValueType>> = {
  string: 'string',
  boolean: 'boolean',
  short: 'short',
  integer: 'integer',
  int: 'integer',
  long: 'long',
  float: 'float',
  double: 'double',
  bigdecimal: 'decimal',
  date: 'date',
  timestamp: 'timestamp',
  uuid: 'uuid',
};

/** Some files use the Java classes of the reference server. */
const packages = /^(?:java\.(?:lang|math|sql|util)|(?:org\.locationtech|com\.vividsolutions)\.jts\.geom)\./;

/** Parses the first line that is not a comment; anything else is an error. */
export async function readSchema(line: string): Promise<PropertySchema> {
  const [key = '', types] = splitAt(line, '=', 2);
  if (types === undefined || key.trim() !== '_') {
    throw new MalformedLineError(
      "the first line must declare the attributes, for example '_=name:String,place:Point:srid=4326'",
    );
  }
  const attributes: Attribute[] = [];
  const taken = new Set<string>();
  let marked: string | undefined;
  for (const written of unescapeText(types).split(',')) {
    const [name = '', typeName = 'String', ...suffixes] = written.split(':').map((part) => part.trim());
    const isMarked = name.startsWith('*');
    const plainName = isMarked ? name.slice(1).trim() : name;
    if (plainName === '') throw new MalformedLineError('an attribute has no name');
    if (taken.has(plainName))
      throw new MalformedLineError(`two attributes have the name '${formatExcerpt(plainName)}'`);
    taken.add(plainName);
    const attribute = await parseAttribute(plainName, typeName, suffixes);
    if (isMarked && attribute.kind !== 'geometry') {
      throw new MalformedLineError(
        `'${formatExcerpt(plainName)}' is marked with * as the default geometry, but is not a geometry`,
      );
    }
    if (isMarked && marked !== undefined) {
      throw new MalformedLineError(
        `both '${formatExcerpt(marked)}' and '${formatExcerpt(plainName)}' are marked with * as the default geometry`,
      );
    }
    marked = isMarked ? plainName : marked;
    attributes.push(attribute);
  }
  return { attributes, defaultGeometry: marked ?? attributes.find(({ kind }) => kind === 'geometry')?.name };
}

/** Every value can be missing, so `nillable` has no effect. */
async function parseAttribute(name: string, typeName: string, suffixes: readonly string[]): Promise<Attribute> {
  const plainName = typeName.replace(packages, '');
  const type = Object.hasOwn(typesByName, plainName.toLowerCase()) ? typesByName[plainName.toLowerCase()] : undefined;
  const geometryType = findGeometryType(plainName);
  if (type === undefined && geometryType === undefined) {
    throw new MalformedLineError(
      `the type '${formatExcerpt(typeName)}' of '${formatExcerpt(name)}' is unknown; use String, Integer, Long, Double, Float, Boolean, Date, Timestamp, or a geometry type such as Point`,
    );
  }
  let srid: number | undefined;
  for (const suffix of suffixes) {
    const [, number] = /^srid\s*=\s*(-?\d{1,9})$/i.exec(suffix) ?? [];
    const isSrid = number !== undefined && geometryType !== undefined;
    if (!isSrid && suffix.toLowerCase() !== 'nillable') {
      const expected = geometryType === undefined ? 'nillable' : 'nillable or srid=4326';
      throw new MalformedLineError(
        `the suffix '${formatExcerpt(suffix)}' after the type of '${formatExcerpt(name)}' is unknown; use ${expected}`,
      );
    }
    srid = isSrid ? Number(number) : srid;
  }
  if (geometryType === undefined) return { name, nillable: true, kind: 'value', type: type ?? 'string' };
  // The reference server writes 0 and -1 for an unknown CRS.
  const crs = srid === undefined || srid <= 0 ? {} : await resolveCrsReference({ code: `EPSG:${srid}` });
  return { name, nillable: true, kind: 'geometry', type: geometryType, dimension: 'XY', crs };
}

export function formatExcerpt(text: string): string {
  return text.slice(0, 50).toWellFormed();
}
