/** The persisted schema of a collection, in the JSON format that other servers share. */
import type { ValueType } from '../port/port.ts';
import { GEOJSON_CRS, parseCrsName } from './geojson.ts';

export interface DocumentSchema {
  readonly typeName: string;
  readonly collection: string;
  /** The default geometry; undefined for documents without geometries. */
  readonly geometry?: { readonly name: string; readonly crs: string };
  readonly attributes: readonly DocumentAttribute[];
}

export type DocumentAttribute = {
  readonly name: string;
  /** The dotted path in a document. */
  readonly path: string;
} & (
  | { readonly kind: 'geometry'; readonly encoding: GeometryEncoding }
  /** `list` is an array of values; `isMany` what lies in an array of objects, and so has many values as well. */
  | { readonly kind: 'value'; readonly type: ValueType | 'list'; readonly isMany: boolean }
);

/** `Legacy` geometries are coordinate pairs, which precede GeoJSON. */
export type GeometryEncoding = 'GeoJSON' | 'Legacy';

/** An error in a schema; the message is the end of a sentence. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
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

/** Without indentation, like other servers. */
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

/** Throws a SchemaError; members with a default can be missing. */
export function readDocumentSchema(text: string): DocumentSchema {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new SchemaError('it is not valid JSON');
  }
  return parseSchema(json);
}

/** Parses a schema from parsed JSON. */
export function parseSchema(json: unknown): DocumentSchema {
  const typeName = readText(json, 'typeName');
  if (typeName === undefined) throw new SchemaError("it has no 'typeName'");
  const described = getMember(json, 'attributeDescriptors');
  if (!Array.isArray(described)) throw new SchemaError("it has no 'attributeDescriptors' list");
  const attributes = described.map(parseAttribute);
  const names = new Set(attributes.map(({ name }) => name));
  if (names.size < attributes.length) throw new SchemaError('two attributes have the same name');
  const drawn = getMember(json, 'geometryDescriptor');
  const name = readText(drawn, 'localName');
  if (name !== undefined && !attributes.some((each) => each.kind === 'geometry' && each.name === name)) {
    throw new SchemaError(`its geometry '${name.slice(0, 60)}' is not one of its geometry attributes`);
  }
  const crs = readText(getMember(getMember(drawn, 'crs'), 'properties'), 'name');
  return {
    typeName,
    collection: readText(getMember(json, 'userData'), 'collection') ?? typeName,
    ...(name === undefined ? {} : { geometry: { name, crs: (crs && parseCrsName(crs)) ?? GEOJSON_CRS } }),
    attributes,
  };
}

function parseAttribute(json: unknown): DocumentAttribute {
  const name = readText(json, 'localName');
  if (name === undefined || name === '') throw new SchemaError("an attribute has no 'localName'");
  const userData = getMember(json, 'userData');
  const path = readText(userData, 'mapping') ?? name;
  const binding = readText(getMember(json, 'type'), 'binding') ?? '';
  if (/(?:^|\.)jts\.geom\.\w+$/.test(binding)) {
    return {
      kind: 'geometry',
      name,
      path,
      encoding: readText(userData, 'encoding') === 'Legacy' ? 'Legacy' : 'GeoJSON',
    };
  }
  const [type] = Object.entries(bindings).find(([, each]) => each === binding) ?? [];
  const most = getMember(json, 'maxOccurs');
  return {
    kind: 'value',
    name,
    path,
    // Values of an unknown class are shown as text.
    type: type === undefined ? 'string' : (type as ValueType | 'list'),
    isMany: typeof most === 'number' && (most > 1 || most < 0),
  };
}

function getMember(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, name)
    ? (json as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function readText(json: unknown, name: string): string | undefined {
  const member = getMember(json, name);
  return typeof member === 'string' ? member : undefined;
}
