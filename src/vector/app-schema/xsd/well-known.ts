/**
 * Schemas that uploads refer to but do not contain: GML 2, 3.1 and 3.2, XLink, and the basics of ISO 19139. These
 * namespaces are known without network access; the components that application schemas build on are defined here, and
 * all other names in them have unknown content.
 */
import type { GeometryType } from '../../../geometry/geometry.ts';
import { geometryTypesByGmlForm } from '../../../geometry/gml/gml-forms.ts';
import type { ValueType } from '../../port/port.ts';
import { type ExpandedName, type NameKey, XS } from './schema-model.ts';

export const GML = 'http://www.opengis.net/gml';
export const GML_32 = 'http://www.opengis.net/gml/3.2';
const XLINK = 'http://www.w3.org/1999/xlink';
const ISO = 'http://www.isotc211.org/2005/';

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

/** Writes an element of a type: `name`, `name?`, `name*` or `name+`, with a namespace prefix. */
function writeChild(written: string): string {
  const [, name = '', sign = ''] = /^(.*?)([?*+]?)$/.exec(written) ?? [];
  const min = sign === '?' || sign === '*' ? ' minOccurs="0"' : '';
  const max = sign === '*' || sign === '+' ? ' maxOccurs="unbounded"' : '';
  return `<xs:element ref="${name}"${min}${max}/>`;
}

interface TypeParts {
  readonly base?: string;
  readonly children?: readonly string[];
  /** Unqualified attributes by name and type. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly more?: string;
}

function writeComplexType(name: string, { base, children = [], attributes = {}, more = '' }: TypeParts): string {
  const sequence = `<xs:sequence>${children.map(writeChild).join('')}</xs:sequence>`;
  const own = Object.entries(attributes).map(([local, type]) => `<xs:attribute name="${local}" type="${type}"/>`);
  const body = `${sequence}${own.join('')}${more}`;
  const content =
    base === undefined
      ? body
      : `<xs:complexContent><xs:extension base="${base}">${body}</xs:extension></xs:complexContent>`;
  return `<xs:complexType name="${name}">${content}</xs:complexType>`;
}

/** Writes a simple content type with attributes. */
function writeTextType(
  name: string,
  base: string,
  attributes: Readonly<Record<string, string>> = {},
  more = '',
): string {
  const own = Object.entries(attributes).map(([local, type]) => `<xs:attribute name="${local}" type="${type}"/>`);
  return `<xs:complexType name="${name}"><xs:simpleContent><xs:extension base="${base}">${own.join('')}${more}</xs:extension></xs:simpleContent></xs:complexType>`;
}

function writeElement(name: string, type: string, head?: string): string {
  const substitution = head === undefined ? '' : ` substitutionGroup="${head}"`;
  return `<xs:element name="${name}" type="${type}"${substitution}${/^_|^Abstract/.test(name) ? ' abstract="true"' : ''}/>`;
}

function writeSchema(namespace: string, parts: readonly string[]): string {
  const prefixes = Object.entries({ xs: XS, xlink: XLINK, gml: GML, gml32: GML_32, gco: `${ISO}gco` });
  const declared = prefixes.map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`).join(' ');
  return `<xs:schema ${declared} targetNamespace="${namespace}" elementFormDefault="qualified">${parts.join('\n')}</xs:schema>`;
}

const link = '<xs:attributeGroup ref="xlink:simpleLink"/>';

/** GML 3.2 uses an Abstract prefix for names that have a leading underscore in GML 3.1. */
function writeGmlSchema(prefix: 'gml' | 'gml32'): string {
  const isNew = prefix === 'gml32';
  const qualifyName = (name: string): string => `${prefix}:${name}`;
  const formatAbstractName = (name: string): string => (isNew ? `Abstract${name}` : `_${name}`);
  const association = `${link}<xs:attribute name="nilReason" type="xs:string"/>`;
  const writePropertyType = (name: string, held: string): string =>
    writeComplexType(name, { children: [`${qualifyName(held)}?`], more: association });
  const forms = [
    'Point',
    'LineString',
    'Curve',
    'Polygon',
    'Surface',
    'MultiPoint',
    'MultiLineString',
    'MultiCurve',
    'MultiPolygon',
    'MultiSurface',
    'MultiGeometry',
  ];
  const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
  const standard = isNew
    ? ['metaDataProperty*', 'description?', 'descriptionReference?', 'identifier?', 'name*']
    : ['metaDataProperty*', 'description?', 'name*'];
  const measures = ['Measure', 'Length', 'Angle', 'Area', 'Volume', 'Speed', 'Scale', 'Time', 'GridLength'];
  return writeSchema(isNew ? GML_32 : GML, [
    '<xs:attribute name="id" type="xs:ID"/><xs:attribute name="remoteSchema" type="xs:anyURI"/>',
    `<xs:attributeGroup name="AssociationAttributeGroup">${association}</xs:attributeGroup>`,
    '<xs:attributeGroup name="OwnershipAttributeGroup"><xs:attribute name="owns" type="xs:boolean"/></xs:attributeGroup>',
    '<xs:attributeGroup name="SRSReferenceGroup"><xs:attribute name="srsName" type="xs:anyURI"/><xs:attribute name="srsDimension" type="xs:positiveInteger"/></xs:attributeGroup>',
    `<xs:group name="StandardObjectProperties"><xs:sequence>${standard.map((each) => writeChild(qualifyName(each))).join('')}</xs:sequence></xs:group>`,
    writeElement(formatAbstractName('Object'), 'xs:anyType'),
    writeElement(formatAbstractName('GML'), qualifyName('AbstractGMLType'), qualifyName(formatAbstractName('Object'))),
    writeElement(
      formatAbstractName('Feature'),
      qualifyName('AbstractFeatureType'),
      qualifyName(formatAbstractName('GML')),
    ),
    writeElement(
      formatAbstractName('FeatureCollection'),
      qualifyName('AbstractFeatureCollectionType'),
      qualifyName(formatAbstractName('Feature')),
    ),
    writeElement('FeatureCollection', qualifyName('FeatureCollectionType'), qualifyName(formatAbstractName('Feature'))),
    writeComplexType('AbstractGMLType', {
      children: standard.map(qualifyName),
      more: `<xs:attribute ref="${qualifyName('id')}"${isNew ? ' use="required"' : ''}/>`,
    }),
    writeComplexType('AbstractFeatureType', {
      base: qualifyName('AbstractGMLType'),
      children: [qualifyName('boundedBy?'), qualifyName('location?')],
    }),
    writeComplexType('AbstractFeatureCollectionType', {
      base: qualifyName('AbstractFeatureType'),
      children: [qualifyName('featureMember*'), qualifyName('featureMembers?')],
    }),
    writeComplexType('FeatureCollectionType', { base: qualifyName('AbstractFeatureCollectionType') }),
    writeElement('metaDataProperty', qualifyName('MetaDataPropertyType')),
    writeComplexType('MetaDataPropertyType', { more: link }),
    writeElement('description', qualifyName('StringOrRefType')),
    writeTextType('StringOrRefType', 'xs:string', {}, association),
    writeElement('descriptionReference', qualifyName('ReferenceType')),
    writeElement('identifier', qualifyName('CodeWithAuthorityType')),
    writeElement('name', qualifyName('CodeType')),
    writeTextType('CodeType', 'xs:string', { codeSpace: 'xs:anyURI' }),
    writeTextType('CodeWithAuthorityType', qualifyName('CodeType')),
    writeTextType('CodeListType', 'xs:string', { codeSpace: 'xs:anyURI' }),
    ...measures.map((name) => writeTextType(`${name}Type`, 'xs:double', { uom: 'xs:anyURI' })),
    writeElement('measure', qualifyName('MeasureType')),
    writeComplexType('ReferenceType', { more: association }),
    writeComplexType('AssociationType', { more: association }),
    writeComplexType('AssociationRoleType', { more: association }),
    writeElement('boundedBy', qualifyName('BoundingShapeType')),
    writeComplexType('BoundingShapeType', {
      children: [qualifyName('Envelope?')],
      attributes: { nilReason: 'xs:string' },
    }),
    writeElement('Envelope', qualifyName('EnvelopeType')),
    writeComplexType('EnvelopeType', {
      children: [qualifyName('lowerCorner?'), qualifyName('upperCorner?')],
      more: `<xs:attributeGroup ref="${qualifyName('SRSReferenceGroup')}"/>`,
    }),
    writeElement('lowerCorner', qualifyName('DirectPositionType')),
    writeElement('upperCorner', qualifyName('DirectPositionType')),
    writeElement('pos', qualifyName('DirectPositionType')),
    writeElement('posList', qualifyName('DirectPositionListType')),
    writeTextType(
      'DirectPositionType',
      'xs:string',
      {},
      `<xs:attributeGroup ref="${qualifyName('SRSReferenceGroup')}"/>`,
    ),
    writeTextType('DirectPositionListType', 'xs:string', { count: 'xs:positiveInteger' }),
    writeElement('location', qualifyName('LocationPropertyType')),
    writePropertyType('LocationPropertyType', formatAbstractName('Geometry')),
    writeElement('featureMember', qualifyName('FeaturePropertyType')),
    writePropertyType('FeaturePropertyType', formatAbstractName('Feature')),
    writePropertyType('FeatureAssociationType', formatAbstractName('Feature')),
    writeElement('featureMembers', qualifyName('FeatureArrayPropertyType')),
    writeComplexType('FeatureArrayPropertyType', { children: [qualifyName(`${formatAbstractName('Feature')}*`)] }),
    writeElement(
      formatAbstractName('Geometry'),
      qualifyName('AbstractGeometryType'),
      qualifyName(formatAbstractName('GML')),
    ),
    writeElement(
      formatAbstractName('GeometricPrimitive'),
      qualifyName('AbstractGeometryType'),
      qualifyName(formatAbstractName('Geometry')),
    ),
    writeComplexType('AbstractGeometryType', {
      base: qualifyName('AbstractGMLType'),
      more: `<xs:attributeGroup ref="${qualifyName('SRSReferenceGroup')}"/>`,
    }),
    writePropertyType('GeometryPropertyType', formatAbstractName('Geometry')),
    writePropertyType('GeometricPrimitivePropertyType', formatAbstractName('GeometricPrimitive')),
    ...forms.flatMap((form) => [
      writeElement(form, qualifyName(`${form}Type`), qualifyName(formatAbstractName('Geometry'))),
      writeComplexType(`${form}Type`, { base: qualifyName('AbstractGeometryType') }),
      writePropertyType(`${form}PropertyType`, form),
      writeElement(`${lowerFirst(form)}Property`, qualifyName(`${form}PropertyType`)),
    ]),
    writeElement(
      formatAbstractName('TimeObject'),
      qualifyName('AbstractTimeObjectType'),
      qualifyName(formatAbstractName('GML')),
    ),
    writeElement(
      formatAbstractName('TimePrimitive'),
      qualifyName('AbstractTimeObjectType'),
      qualifyName(formatAbstractName('TimeObject')),
    ),
    writeComplexType('AbstractTimeObjectType', { base: qualifyName('AbstractGMLType') }),
    writeElement('timePosition', qualifyName('TimePositionType')),
    writeElement('beginPosition', qualifyName('TimePositionType')),
    writeElement('endPosition', qualifyName('TimePositionType')),
    writeTextType('TimePositionType', 'xs:string', { frame: 'xs:anyURI', indeterminatePosition: 'xs:string' }),
    writeElement('TimeInstant', qualifyName('TimeInstantType'), qualifyName(formatAbstractName('TimePrimitive'))),
    writeComplexType('TimeInstantType', {
      base: qualifyName('AbstractTimeObjectType'),
      children: [qualifyName('timePosition')],
    }),
    writeElement('TimePeriod', qualifyName('TimePeriodType'), qualifyName(formatAbstractName('TimePrimitive'))),
    writeComplexType('TimePeriodType', {
      base: qualifyName('AbstractTimeObjectType'),
      children: [qualifyName('beginPosition'), qualifyName('endPosition')],
    }),
    writePropertyType('TimePrimitivePropertyType', formatAbstractName('TimePrimitive')),
    writePropertyType('TimeInstantPropertyType', 'TimeInstant'),
    writePropertyType('TimePeriodPropertyType', 'TimePeriod'),
  ]);
}

function writeXlinkSchema(): string {
  const names = ['href', 'role', 'arcrole', 'title', 'show', 'actuate'];
  const group = names.map((name) => `<xs:attribute ref="xlink:${name}"/>`).join('');
  return writeSchema(XLINK, [
    ...names.map((name) => `<xs:attribute name="${name}" type="xs:string"/>`),
    ...['simpleLink', 'simpleAttrs'].map((name) => `<xs:attributeGroup name="${name}">${group}</xs:attributeGroup>`),
  ]);
}

/** Each value is wrapped in its own element. */
function writeGcoSchema(): string {
  const values = {
    CharacterString: 'xs:string',
    Boolean: 'xs:boolean',
    Integer: 'xs:integer',
    Decimal: 'xs:decimal',
    Real: 'xs:double',
    Date: 'xs:string',
    DateTime: 'xs:dateTime',
    Distance: 'gml32:LengthType',
    Measure: 'gml32:MeasureType',
    Length: 'gml32:LengthType',
  };
  return writeSchema(`${ISO}gco`, [
    '<xs:attribute name="nilReason" type="xs:string"/>',
    `<xs:attributeGroup name="ObjectReference">${link}<xs:attribute name="uuidref" type="xs:string"/></xs:attributeGroup>`,
    '<xs:attributeGroup name="ObjectIdentification"><xs:attribute name="id" type="xs:ID"/><xs:attribute name="uuid" type="xs:string"/></xs:attributeGroup>',
    writeComplexType('AbstractObject_Type', { more: '<xs:attributeGroup ref="gco:ObjectIdentification"/>' }),
    writeTextType('CodeListValue_Type', 'xs:string', {
      codeList: 'xs:anyURI',
      codeListValue: 'xs:anyURI',
      codeSpace: 'xs:anyURI',
    }),
    ...Object.entries(values).flatMap(([name, type]) => [
      writeElement(name, type),
      writeComplexType(`${name}_PropertyType`, {
        children: [`gco:${name}?`],
        more: '<xs:attribute ref="gco:nilReason"/>',
      }),
    ]),
  ]);
}

/** Returns the schemas by namespace. */
export function writeWellKnownSchemas(): ReadonlyMap<string, string> {
  return new Map([
    [GML, writeGmlSchema('gml')],
    [GML_32, writeGmlSchema('gml32')],
    [XLINK, writeXlinkSchema()],
    [`${ISO}gco`, writeGcoSchema()],
  ]);
}
