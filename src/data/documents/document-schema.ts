/** The schema of a collection as it is persisted: the JSON that other servers of this interface write and read too. */
import type { ValueType } from '../vector/port.ts';
import { GEOJSON_CRS, parseCrsName } from './geojson.ts';

export interface DocumentSchema {
  readonly typeName: string;
  readonly collection: string;
  /** The geometry to draw; undefined for documents without any. */
  readonly geometry?: { readonly name: string; readonly crs: string };
  readonly attributes: readonly DocumentAttribute[];
}

export type DocumentAttribute = {
  readonly name: string;
  /** The way to it in a document, with dots. */
  readonly path: string;
} & (
  | { readonly kind: 'geometry'; readonly encoding: GeometryEncoding }
  /** `list` is an array of values; `isMany` what lies in an array of objects, and so has many values as well. */
  | { readonly kind: 'value'; readonly type: ValueType | 'list'; readonly isMany: boolean }
);

/** `Legacy` are pairs of coordinates, which came before GeoJSON. */
export type GeometryEncoding = 'GeoJSON' | 'Legacy';

/** What a text that is no schema has wrong with it; the end of a sentence. */
export class SchemaMistake extends Error {
  override readonly name = 'SchemaMistake';
}

const GEOMETRY_BINDING = 'org.locationtech.jts.geom.Geometry';
const UNBOUNDED = 2_147_483_647;

const bindings: Readonly<Record<Exclude<ValueType, never> | 'list', string>> = {
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
  timestamp: 'java.util.Date',
  bytes: '[B',
  uuid: 'java.util.UUID',
  list: 'java.util.List',
};

/** Without indentation, as others write it. */
export function writeDocumentSchema({ typeName, collection, geometry, attributes }: DocumentSchema): string {
  return JSON.stringify({
    typeName,
    userData: { collection },
    ...(geometry === undefined
      ? {}
      : {
          geometryDescriptor: {
            localName: geometry.name,
            crs: { type: 'name', properties: { name: `urn:ogc:def:crs:${geometry.crs}` } },
          },
        }),
    attributeDescriptors: attributes.map((attribute) =>
      attribute.kind === 'geometry'
        ? {
            localName: attribute.name,
            type: { binding: GEOMETRY_BINDING },
            userData: { encoding: attribute.encoding, mapping: attribute.path },
          }
        : {
            localName: attribute.name,
            minOccurs: 0,
            maxOccurs: attribute.isMany ? UNBOUNDED : 1,
            type: { binding: bindings[attribute.type] },
            userData: { mapping: attribute.path },
          },
    ),
  });
}

/** Throws a SchemaMistake; what is written by hand or by others may leave out what goes without saying. */
export function readDocumentSchema(text: string): DocumentSchema {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new SchemaMistake('it is no JSON');
  }
  return schemaOf(json);
}

/** The same of what JSON was parsed to. */
export function schemaOf(json: unknown): DocumentSchema {
  const typeName = textIn(json, 'typeName');
  if (typeName === undefined) throw new SchemaMistake("it has no 'typeName'");
  const described = memberOf(json, 'attributeDescriptors');
  if (!Array.isArray(described)) throw new SchemaMistake("it has no list 'attributeDescriptors'");
  const attributes = described.map(attributeOf);
  const names = new Set(attributes.map(({ name }) => name));
  if (names.size < attributes.length) throw new SchemaMistake('two of its attributes have one name');
  const drawn = memberOf(json, 'geometryDescriptor');
  const name = textIn(drawn, 'localName');
  if (name !== undefined && !attributes.some((each) => each.kind === 'geometry' && each.name === name)) {
    throw new SchemaMistake(`its geometry '${name.slice(0, 60)}' is none of its geometry attributes`);
  }
  const crs = textIn(memberOf(memberOf(drawn, 'crs'), 'properties'), 'name');
  return {
    typeName,
    collection: textIn(memberOf(json, 'userData'), 'collection') ?? typeName,
    ...(name === undefined ? {} : { geometry: { name, crs: (crs && parseCrsName(crs)) ?? GEOJSON_CRS } }),
    attributes,
  };
}

function attributeOf(json: unknown): DocumentAttribute {
  const name = textIn(json, 'localName');
  if (name === undefined || name === '') throw new SchemaMistake("an attribute has no 'localName'");
  const userData = memberOf(json, 'userData');
  const path = textIn(userData, 'mapping') ?? name;
  const binding = textIn(memberOf(json, 'type'), 'binding') ?? '';
  if (/(?:^|\.)jts\.geom\.\w+$/.test(binding)) {
    return { kind: 'geometry', name, path, encoding: textIn(userData, 'encoding') === 'Legacy' ? 'Legacy' : 'GeoJSON' };
  }
  const [type] = Object.entries(bindings).find(([, each]) => each === binding) ?? [];
  const most = memberOf(json, 'maxOccurs');
  return {
    kind: 'value',
    name,
    path,
    // What is bound to a class that is not known here can still be shown.
    type: type === undefined ? 'string' : (type as ValueType | 'list'),
    isMany: typeof most === 'number' && (most > 1 || most < 0),
  };
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, name)
    ? (json as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function textIn(json: unknown, name: string): string | undefined {
  const member = memberOf(json, name);
  return typeof member === 'string' ? member : undefined;
}
