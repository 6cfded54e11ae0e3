/** Writes the XML Schema of feature types for each GML version. */

import type { GeometryType } from '../../../geometry/geometry.ts';
import { type GmlVersion, vocabularies } from '../../../geometry/gml/version.ts';
import { escapeAttribute } from '../../../lib/xml/escape.ts';
import type { Attribute, ValueType } from '../../../vector/port/port.ts';
import type { SchemaLocation } from '../../port/port.ts';
import { toXmlName, toXmlPrefix } from '../xml-names.ts';
import { type DescribedType, getOccurrences } from './described-type.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

export const xsdTypes: Readonly<Record<ValueType, string>> = {
  string: 'string',
  boolean: 'boolean',
  short: 'short',
  integer: 'int',
  long: 'long',
  float: 'float',
  double: 'double',
  decimal: 'decimal',
  date: 'date',
  time: 'time',
  timestamp: 'dateTime',
  bytes: 'base64Binary',
  uuid: 'string',
};

/** The property type of each geometry type, matching the elements that the encoders write. */
const geometryTypes: Readonly<Record<GmlVersion, Readonly<Record<GeometryType, string>>>> = {
  '2.1.2': {
    Geometry: 'GeometryPropertyType',
    Point: 'PointPropertyType',
    LineString: 'LineStringPropertyType',
    Polygon: 'PolygonPropertyType',
    MultiPoint: 'MultiPointPropertyType',
    MultiLineString: 'MultiLineStringPropertyType',
    MultiPolygon: 'MultiPolygonPropertyType',
    GeometryCollection: 'MultiGeometryPropertyType',
  },
  '3.1.1': {
    Geometry: 'GeometryPropertyType',
    Point: 'PointPropertyType',
    LineString: 'LineStringPropertyType',
    Polygon: 'PolygonPropertyType',
    MultiPoint: 'MultiPointPropertyType',
    MultiLineString: 'MultiCurvePropertyType',
    MultiPolygon: 'MultiSurfacePropertyType',
    GeometryCollection: 'MultiGeometryPropertyType',
  },
  '3.2.1': {
    Geometry: 'GeometryPropertyType',
    Point: 'PointPropertyType',
    LineString: 'CurvePropertyType',
    Polygon: 'SurfacePropertyType',
    MultiPoint: 'MultiPointPropertyType',
    MultiLineString: 'MultiCurvePropertyType',
    MultiPolygon: 'MultiSurfacePropertyType',
    GeometryCollection: 'MultiGeometryPropertyType',
  },
};

/** Other schemas of the same namespace with further types. */
export interface IncludedSchemas {
  readonly uri: string;
  /** Their URLs. */
  readonly included: readonly string[];
}

/** All types have the same namespace. */
export function writeXmlSchema(
  types: readonly DescribedType[],
  version: GmlVersion,
  { uri, included }: IncludedSchemas = { uri: types[0]?.typeName.uri ?? '', included: [] },
): string {
  const prefix = types[0]?.typeName.prefix;
  return [
    writeSchemaStart(version, prefix, { uri, included }),
    ...types.map((type) => writeTypeSchema(type, version, prefix ?? '')),
    schemaEnd,
  ].join('');
}

/** Writes the text before the types, which have the namespace of that prefix; undefined without types. */
export function writeSchemaStart(
  version: GmlVersion,
  prefix: string | undefined,
  { uri, included }: IncludedSchemas,
): string {
  const { gml, gmlSchema } = vocabularies[version];
  const needsGml = prefix !== undefined || included.length === 0;
  return [
    `${XML}<xsd:schema xmlns:xsd="${XSD}" xmlns:gml="${gml}" xmlns:${toXmlPrefix(prefix ?? '')}="${escapeAttribute(uri)}"`,
    ` elementFormDefault="qualified" targetNamespace="${escapeAttribute(uri)}">`,
    ...(needsGml ? [`<xsd:import namespace="${gml}" schemaLocation="${escapeAttribute(gmlSchema)}"/>`] : []),
    ...included.map((location) => `<xsd:include schemaLocation="${escapeAttribute(location)}"/>`),
  ].join('');
}

export const schemaEnd = '</xsd:schema>';

/** Writes a schema that imports several namespaces. */
export function writeImportingSchema(locations: readonly SchemaLocation[]): string {
  return [
    `${XML}<xsd:schema xmlns:xsd="${XSD}" elementFormDefault="qualified">`,
    ...locations.map(
      ({ uri, location }) =>
        `<xsd:import namespace="${escapeAttribute(uri)}" schemaLocation="${escapeAttribute(location)}"/>`,
    ),
    '</xsd:schema>',
  ].join('');
}

/** The prefix is that of the enclosing schema. */
export function writeTypeSchema({ typeName, description }: DescribedType, version: GmlVersion, prefix: string): string {
  const name = toXmlName(typeName.local);
  const feature = version === '3.2.1' ? 'gml:AbstractFeature' : 'gml:_Feature';
  return [
    `<xsd:complexType name="${name}Type"><xsd:complexContent><xsd:extension base="gml:AbstractFeatureType"><xsd:sequence>`,
    ...description.attributes.map((attribute) => writeElement(attribute, version)),
    '</xsd:sequence></xsd:extension></xsd:complexContent></xsd:complexType>',
    `<xsd:element name="${name}" substitutionGroup="${feature}" type="${toXmlPrefix(prefix)}:${name}Type"/>`,
  ].join('');
}

function writeElement(attribute: Attribute, version: GmlVersion): string {
  const { min, max } = getOccurrences(attribute);
  return [
    `<xsd:element maxOccurs="${max < 0 ? 'unbounded' : max}" minOccurs="${min}" name="${toXmlName(attribute.name)}"`,
    `${attribute.nillable ? ' nillable="true"' : ''} type="${getXmlType(attribute, version)}"/>`,
  ].join('');
}

function getXmlType(attribute: Attribute, version: GmlVersion): string {
  if (attribute.kind === 'geometry') return `gml:${geometryTypes[version][attribute.type]}`;
  return attribute.attributes === undefined ? `xsd:${xsdTypes[attribute.type]}` : 'xsd:anyType';
}
