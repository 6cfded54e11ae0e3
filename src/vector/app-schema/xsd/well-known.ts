/**
 * Namespaces that uploads refer to but do not contain: GML 2, 3.1 and 3.2, XLink, and the basics of ISO 19139. They are
 * known without network access: `well-known-schemas.ts` writes the components that application schemas build on, and
 * all other names in them have unknown content.
 */
import type { GeometryType } from '../../../geometry/geometry.ts';
import { geometryTypesByGmlForm } from '../../../geometry/gml/gml-forms.ts';
import type { ValueType } from '../../port/port.ts';
import { type ExpandedName, type NameKey, XS } from './schema-model.ts';

export const GML = 'http://www.opengis.net/gml';
export const GML_32 = 'http://www.opengis.net/gml/3.2';
export const XLINK = 'http://www.w3.org/1999/xlink';
export const ISO = 'http://www.isotc211.org/2005/';

const namespaces: ReadonlySet<string> = new Set([
  XS,
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2001/XMLSchema-instance',
  XLINK,
  GML,
  GML_32,
  ...['gmd', 'gco', 'gmx', 'gsr', 'gss', 'gts', 'srv'].map((name) => `${ISO}${name}`),
  'http://www.w3.org/2001/SMIL20/',
  'http://www.w3.org/2001/SMIL20/Language',
]);

export function isWellKnown(namespace: string): boolean {
  return namespaces.has(namespace);
}

/** The URLs at which their authors publish them. */
const locations =
  /^https?:\/\/(?:schemas\.opengis\.net\/(?:gml|iso|xlink)\/|www\.isotc211\.org\/2005\/|www\.w3\.org\/(?:1999\/xlink|2001\/xml)\.xsd)/i;

export function isWellKnownLocation(location: string): boolean {
  return locations.test(location);
}

/** The elements that every feature substitutes. */
export const featureElements: ReadonlySet<NameKey> = new Set([`{${GML}}_Feature`, `{${GML_32}}AbstractFeature`]);

/** The types that every feature extends. */
export const featureTypes: ReadonlySet<NameKey> = new Set([
  `{${GML}}AbstractFeatureType`,
  `{${GML_32}}AbstractFeatureType`,
]);

const valueTypes: Readonly<Record<string, ValueType>> = {
  boolean: 'boolean',
  byte: 'short',
  short: 'short',
  unsignedByte: 'short',
  int: 'integer',
  unsignedShort: 'integer',
  long: 'long',
  unsignedInt: 'long',
  integer: 'decimal',
  nonNegativeInteger: 'decimal',
  positiveInteger: 'decimal',
  nonPositiveInteger: 'decimal',
  negativeInteger: 'decimal',
  unsignedLong: 'decimal',
  decimal: 'decimal',
  float: 'float',
  double: 'double',
  date: 'date',
  time: 'time',
  dateTime: 'timestamp',
  base64Binary: 'bytes',
  hexBinary: 'bytes',
};

/** Maps a built-in type of XML Schema; types that are neither numbers nor times are text. */
export function findBuiltInValueType({ uri, local }: ExpandedName): ValueType | undefined {
  if (uri !== XS || local === 'anyType') return undefined;
  return Object.hasOwn(valueTypes, local) ? valueTypes[local] : 'string';
}

/** Returns the geometry type of a property type, or undefined for other types. */
export function findGeometryType({ uri, local }: ExpandedName): GeometryType | undefined {
  const form = local.replace(/PropertyType$/, '');
  const isProperty = (uri === GML || uri === GML_32) && form !== local;
  return isProperty && Object.hasOwn(geometryTypesByGmlForm, form) ? geometryTypesByGmlForm[form] : undefined;
}
