/**
 * The schemas that everybody refers to and nobody sends along: GML 2, 3.1 and 3.2, XLink, and the basics of ISO 19139. What
 * is in these namespaces is known without any network; the parts that application schemas build on have their structure here,
 * and any other name in them stands for something whose inside is not known.
 */
import type { GeometryType } from '../../vector/geometry.ts';
import { geometryTypesByGmlForm } from '../../vector/gml-forms.ts';
import type { ValueType } from '../../vector/port.ts';
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

/** Where their authors publish them. */
const locations =
  /^https?:\/\/(?:schemas\.opengis\.net\/(?:gml|iso|xlink)\/|www\.isotc211\.org\/2005\/|www\.w3\.org\/(?:1999\/xlink|2001\/xml)\.xsd)/i;

export function isWellKnownLocation(location: string): boolean {
  return locations.test(location);
}

/** Those from which every feature descends, by substitution. */
export const featureElements: ReadonlySet<NameKey> = new Set([`{${GML}}_Feature`, `{${GML_32}}AbstractFeature`]);

/** And by type. */
export const featureTypes: ReadonlySet<NameKey> = new Set([
  `{${GML}}AbstractFeatureType`,
  `{${GML_32}}AbstractFeatureType`,
]);

const valuesOfTypes: Readonly<Record<string, ValueType>> = {
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

/** What a type of XML Schema itself holds: what is neither number nor time is text. */
export function valueOfBuiltIn({ uri, local }: ExpandedName): ValueType | undefined {
  if (uri !== XS || local === 'anyType') return undefined;
  return Object.hasOwn(valuesOfTypes, local) ? valuesOfTypes[local] : 'string';
}

/** The geometry that a property of this type holds; undefined for other types. */
export function geometryOfType({ uri, local }: ExpandedName): GeometryType | undefined {
  const form = local.replace(/PropertyType$/, '');
  const isProperty = (uri === GML || uri === GML_32) && form !== local;
  return isProperty && Object.hasOwn(geometryTypesByGmlForm, form) ? geometryTypesByGmlForm[form] : undefined;
}

/** One element of a type: `name` or `name?` or `name*` or `name+`, with its namespace's prefix. */
function child(written: string): string {
  const [, name = '', sign = ''] = /^(.*?)([?*+]?)$/.exec(written) ?? [];
  const min = sign === '?' || sign === '*' ? ' minOccurs="0"' : '';
  const max = sign === '*' || sign === '+' ? ' maxOccurs="unbounded"' : '';
  return `<xs:element ref="${name}"${min}${max}/>`;
}

interface TypeParts {
  readonly base?: string;
  readonly children?: readonly string[];
  /** Attributes without a namespace, by name and type. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly more?: string;
}

function complexType(name: string, { base, children = [], attributes = {}, more = '' }: TypeParts): string {
  const sequence = `<xs:sequence>${children.map(child).join('')}</xs:sequence>`;
  const own = Object.entries(attributes).map(([local, type]) => `<xs:attribute name="${local}" type="${type}"/>`);
  const body = `${sequence}${own.join('')}${more}`;
  const content =
    base === undefined
      ? body
      : `<xs:complexContent><xs:extension base="${base}">${body}</xs:extension></xs:complexContent>`;
  return `<xs:complexType name="${name}">${content}</xs:complexType>`;
}

/** Text or a number with attributes. */
function textType(name: string, base: string, attributes: Readonly<Record<string, string>> = {}, more = ''): string {
  const own = Object.entries(attributes).map(([local, type]) => `<xs:attribute name="${local}" type="${type}"/>`);
  return `<xs:complexType name="${name}"><xs:simpleContent><xs:extension base="${base}">${own.join('')}${more}</xs:extension></xs:simpleContent></xs:complexType>`;
}

function element(name: string, type: string, head?: string): string {
  const substitution = head === undefined ? '' : ` substitutionGroup="${head}"`;
  return `<xs:element name="${name}" type="${type}"${substitution}${/^_|^Abstract/.test(name) ? ' abstract="true"' : ''}/>`;
}

function schema(namespace: string, parts: readonly string[]): string {
  const prefixes = Object.entries({ xs: XS, xlink: XLINK, gml: GML, gml32: GML_32, gco: `${ISO}gco` });
  const declared = prefixes.map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`).join(' ');
  return `<xs:schema ${declared} targetNamespace="${namespace}" elementFormDefault="qualified">${parts.join('\n')}</xs:schema>`;
}

const link = '<xs:attributeGroup ref="xlink:simpleLink"/>';

/** Both generations of GML name the same things, the later one with Abstract where the earlier had a line. */
function gml(prefix: 'gml' | 'gml32'): string {
  const isNew = prefix === 'gml32';
  const own = (name: string): string => `${prefix}:${name}`;
  const abstract = (name: string): string => (isNew ? `Abstract${name}` : `_${name}`);
  const association = `${link}<xs:attribute name="nilReason" type="xs:string"/>`;
  const property = (name: string, held: string): string =>
    complexType(name, { children: [`${own(held)}?`], more: association });
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
  const lowered = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
  const standard = isNew
    ? ['metaDataProperty*', 'description?', 'descriptionReference?', 'identifier?', 'name*']
    : ['metaDataProperty*', 'description?', 'name*'];
  const measures = ['Measure', 'Length', 'Angle', 'Area', 'Volume', 'Speed', 'Scale', 'Time', 'GridLength'];
  return schema(isNew ? GML_32 : GML, [
    '<xs:attribute name="id" type="xs:ID"/><xs:attribute name="remoteSchema" type="xs:anyURI"/>',
    `<xs:attributeGroup name="AssociationAttributeGroup">${association}</xs:attributeGroup>`,
    '<xs:attributeGroup name="OwnershipAttributeGroup"><xs:attribute name="owns" type="xs:boolean"/></xs:attributeGroup>',
    '<xs:attributeGroup name="SRSReferenceGroup"><xs:attribute name="srsName" type="xs:anyURI"/><xs:attribute name="srsDimension" type="xs:positiveInteger"/></xs:attributeGroup>',
    `<xs:group name="StandardObjectProperties"><xs:sequence>${standard.map((each) => child(own(each))).join('')}</xs:sequence></xs:group>`,
    element(abstract('Object'), 'xs:anyType'),
    element(abstract('GML'), own('AbstractGMLType'), own(abstract('Object'))),
    element(abstract('Feature'), own('AbstractFeatureType'), own(abstract('GML'))),
    element(abstract('FeatureCollection'), own('AbstractFeatureCollectionType'), own(abstract('Feature'))),
    element('FeatureCollection', own('FeatureCollectionType'), own(abstract('Feature'))),
    complexType('AbstractGMLType', {
      children: standard.map(own),
      more: `<xs:attribute ref="${own('id')}"${isNew ? ' use="required"' : ''}/>`,
    }),
    complexType('AbstractFeatureType', {
      base: own('AbstractGMLType'),
      children: [own('boundedBy?'), own('location?')],
    }),
    complexType('AbstractFeatureCollectionType', {
      base: own('AbstractFeatureType'),
      children: [own('featureMember*'), own('featureMembers?')],
    }),
    complexType('FeatureCollectionType', { base: own('AbstractFeatureCollectionType') }),
    element('metaDataProperty', own('MetaDataPropertyType')),
    complexType('MetaDataPropertyType', { more: link }),
    element('description', own('StringOrRefType')),
    textType('StringOrRefType', 'xs:string', {}, association),
    element('descriptionReference', own('ReferenceType')),
    element('identifier', own('CodeWithAuthorityType')),
    element('name', own('CodeType')),
    textType('CodeType', 'xs:string', { codeSpace: 'xs:anyURI' }),
    textType('CodeWithAuthorityType', own('CodeType')),
    textType('CodeListType', 'xs:string', { codeSpace: 'xs:anyURI' }),
    ...measures.map((name) => textType(`${name}Type`, 'xs:double', { uom: 'xs:anyURI' })),
    element('measure', own('MeasureType')),
    complexType('ReferenceType', { more: association }),
    complexType('AssociationType', { more: association }),
    complexType('AssociationRoleType', { more: association }),
    element('boundedBy', own('BoundingShapeType')),
    complexType('BoundingShapeType', { children: [own('Envelope?')], attributes: { nilReason: 'xs:string' } }),
    element('Envelope', own('EnvelopeType')),
    complexType('EnvelopeType', {
      children: [own('lowerCorner?'), own('upperCorner?')],
      more: `<xs:attributeGroup ref="${own('SRSReferenceGroup')}"/>`,
    }),
    element('lowerCorner', own('DirectPositionType')),
    element('upperCorner', own('DirectPositionType')),
    element('pos', own('DirectPositionType')),
    element('posList', own('DirectPositionListType')),
    textType('DirectPositionType', 'xs:string', {}, `<xs:attributeGroup ref="${own('SRSReferenceGroup')}"/>`),
    textType('DirectPositionListType', 'xs:string', { count: 'xs:positiveInteger' }),
    element('location', own('LocationPropertyType')),
    property('LocationPropertyType', abstract('Geometry')),
    element('featureMember', own('FeaturePropertyType')),
    property('FeaturePropertyType', abstract('Feature')),
    property('FeatureAssociationType', abstract('Feature')),
    element('featureMembers', own('FeatureArrayPropertyType')),
    complexType('FeatureArrayPropertyType', { children: [own(`${abstract('Feature')}*`)] }),
    element(abstract('Geometry'), own('AbstractGeometryType'), own(abstract('GML'))),
    element(abstract('GeometricPrimitive'), own('AbstractGeometryType'), own(abstract('Geometry'))),
    complexType('AbstractGeometryType', {
      base: own('AbstractGMLType'),
      more: `<xs:attributeGroup ref="${own('SRSReferenceGroup')}"/>`,
    }),
    property('GeometryPropertyType', abstract('Geometry')),
    property('GeometricPrimitivePropertyType', abstract('GeometricPrimitive')),
    ...forms.flatMap((form) => [
      element(form, own(`${form}Type`), own(abstract('Geometry'))),
      complexType(`${form}Type`, { base: own('AbstractGeometryType') }),
      property(`${form}PropertyType`, form),
      element(`${lowered(form)}Property`, own(`${form}PropertyType`)),
    ]),
    element(abstract('TimeObject'), own('AbstractTimeObjectType'), own(abstract('GML'))),
    element(abstract('TimePrimitive'), own('AbstractTimeObjectType'), own(abstract('TimeObject'))),
    complexType('AbstractTimeObjectType', { base: own('AbstractGMLType') }),
    element('timePosition', own('TimePositionType')),
    element('beginPosition', own('TimePositionType')),
    element('endPosition', own('TimePositionType')),
    textType('TimePositionType', 'xs:string', { frame: 'xs:anyURI', indeterminatePosition: 'xs:string' }),
    element('TimeInstant', own('TimeInstantType'), own(abstract('TimePrimitive'))),
    complexType('TimeInstantType', { base: own('AbstractTimeObjectType'), children: [own('timePosition')] }),
    element('TimePeriod', own('TimePeriodType'), own(abstract('TimePrimitive'))),
    complexType('TimePeriodType', {
      base: own('AbstractTimeObjectType'),
      children: [own('beginPosition'), own('endPosition')],
    }),
    property('TimePrimitivePropertyType', abstract('TimePrimitive')),
    property('TimeInstantPropertyType', 'TimeInstant'),
    property('TimePeriodPropertyType', 'TimePeriod'),
  ]);
}

function xlink(): string {
  const names = ['href', 'role', 'arcrole', 'title', 'show', 'actuate'];
  const group = names.map((name) => `<xs:attribute ref="xlink:${name}"/>`).join('');
  return schema(XLINK, [
    ...names.map((name) => `<xs:attribute name="${name}" type="xs:string"/>`),
    ...['simpleLink', 'simpleAttrs'].map((name) => `<xs:attributeGroup name="${name}">${group}</xs:attributeGroup>`),
  ]);
}

/** Its values are each wrapped in an element of their own. */
function gco(): string {
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
  return schema(`${ISO}gco`, [
    '<xs:attribute name="nilReason" type="xs:string"/>',
    `<xs:attributeGroup name="ObjectReference">${link}<xs:attribute name="uuidref" type="xs:string"/></xs:attributeGroup>`,
    '<xs:attributeGroup name="ObjectIdentification"><xs:attribute name="id" type="xs:ID"/><xs:attribute name="uuid" type="xs:string"/></xs:attributeGroup>',
    complexType('AbstractObject_Type', { more: '<xs:attributeGroup ref="gco:ObjectIdentification"/>' }),
    textType('CodeListValue_Type', 'xs:string', {
      codeList: 'xs:anyURI',
      codeListValue: 'xs:anyURI',
      codeSpace: 'xs:anyURI',
    }),
    ...Object.entries(values).flatMap(([name, type]) => [
      element(name, type),
      complexType(`${name}_PropertyType`, { children: [`gco:${name}?`], more: '<xs:attribute ref="gco:nilReason"/>' }),
    ]),
  ]);
}

/** By namespace. */
export function wellKnownSchemas(): ReadonlyMap<string, string> {
  return new Map([
    [GML, gml('gml')],
    [GML_32, gml('gml32')],
    [XLINK, xlink()],
    [`${ISO}gco`, gco()],
  ]);
}
