/** Writes the components of GML 3.1 and 3.2 that application schemas build on. */
import { GML, GML_32 } from './well-known.ts';
import { link, writeChild, writeComplexType, writeElement, writeSchema, writeTextType } from './write-schema.ts';

const association = `${link}<xs:attribute name="nilReason" type="xs:string"/>`;

const measures = ['Measure', 'Length', 'Angle', 'Area', 'Volume', 'Speed', 'Scale', 'Time', 'GridLength'];

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

/** The spelling of names in one version. */
interface GmlNames {
  readonly isNew: boolean;
  qualify(name: string): string;
  /** GML 3.2 uses an Abstract prefix for names that have a leading underscore in GML 3.1. */
  formatAbstract(name: string): string;
  qualifyAbstract(name: string): string;
}

function createGmlNames(prefix: 'gml' | 'gml32'): GmlNames {
  const isNew = prefix === 'gml32';
  const qualify = (name: string): string => `${prefix}:${name}`;
  const formatAbstract = (name: string): string => (isNew ? `Abstract${name}` : `_${name}`);
  return { isNew, qualify, formatAbstract, qualifyAbstract: (name) => qualify(formatAbstract(name)) };
}

export function writeGmlSchema(prefix: 'gml' | 'gml32'): string {
  const names = createGmlNames(prefix);
  return writeSchema(names.isNew ? GML_32 : GML, [
    ...writeObjectParts(names),
    ...writeValueParts(names),
    ...writeMemberParts(names),
    ...writeGeometryParts(names),
    ...writeTimeParts(names),
  ]);
}

/** Writes attributes, objects, features and collections. */
function writeObjectParts(names: GmlNames): readonly string[] {
  const { isNew } = names;
  const standard = isNew
    ? ['metaDataProperty*', 'description?', 'descriptionReference?', 'identifier?', 'name*']
    : ['metaDataProperty*', 'description?', 'name*'];
  return [
    '<xs:attribute name="id" type="xs:ID"/><xs:attribute name="remoteSchema" type="xs:anyURI"/>',
    `<xs:attributeGroup name="AssociationAttributeGroup">${association}</xs:attributeGroup>`,
    '<xs:attributeGroup name="OwnershipAttributeGroup"><xs:attribute name="owns" type="xs:boolean"/></xs:attributeGroup>',
    '<xs:attributeGroup name="SRSReferenceGroup"><xs:attribute name="srsName" type="xs:anyURI"/><xs:attribute name="srsDimension" type="xs:positiveInteger"/></xs:attributeGroup>',
    `<xs:group name="StandardObjectProperties"><xs:sequence>${standard.map((each) => writeChild(names.qualify(each))).join('')}</xs:sequence></xs:group>`,
    writeElement(names.formatAbstract('Object'), 'xs:anyType'),
    writeElement(names.formatAbstract('GML'), names.qualify('AbstractGMLType'), names.qualifyAbstract('Object')),
    writeElement(names.formatAbstract('Feature'), names.qualify('AbstractFeatureType'), names.qualifyAbstract('GML')),
    writeElement(
      names.formatAbstract('FeatureCollection'),
      names.qualify('AbstractFeatureCollectionType'),
      names.qualifyAbstract('Feature'),
    ),
    writeElement('FeatureCollection', names.qualify('FeatureCollectionType'), names.qualifyAbstract('Feature')),
    writeComplexType('AbstractGMLType', {
      children: standard.map(names.qualify),
      more: `<xs:attribute ref="${names.qualify('id')}"${isNew ? ' use="required"' : ''}/>`,
    }),
    writeComplexType('AbstractFeatureType', {
      base: names.qualify('AbstractGMLType'),
      children: [names.qualify('boundedBy?'), names.qualify('location?')],
    }),
    writeComplexType('AbstractFeatureCollectionType', {
      base: names.qualify('AbstractFeatureType'),
      children: [names.qualify('featureMember*'), names.qualify('featureMembers?')],
    }),
    writeComplexType('FeatureCollectionType', { base: names.qualify('AbstractFeatureCollectionType') }),
  ];
}

/** Writes the properties of all objects, with texts, codes, measures and references. */
function writeValueParts(names: GmlNames): readonly string[] {
  return [
    writeElement('metaDataProperty', names.qualify('MetaDataPropertyType')),
    writeComplexType('MetaDataPropertyType', { more: link }),
    writeElement('description', names.qualify('StringOrRefType')),
    writeTextType('StringOrRefType', 'xs:string', {}, association),
    writeElement('descriptionReference', names.qualify('ReferenceType')),
    writeElement('identifier', names.qualify('CodeWithAuthorityType')),
    writeElement('name', names.qualify('CodeType')),
    writeTextType('CodeType', 'xs:string', { codeSpace: 'xs:anyURI' }),
    writeTextType('CodeWithAuthorityType', names.qualify('CodeType')),
    writeTextType('CodeListType', 'xs:string', { codeSpace: 'xs:anyURI' }),
    ...measures.map((name) => writeTextType(`${name}Type`, 'xs:double', { uom: 'xs:anyURI' })),
    writeElement('measure', names.qualify('MeasureType')),
    writeComplexType('ReferenceType', { more: association }),
    writeComplexType('AssociationType', { more: association }),
    writeComplexType('AssociationRoleType', { more: association }),
  ];
}

/** Writes envelopes, positions and the members of features. */
function writeMemberParts(names: GmlNames): readonly string[] {
  return [
    writeElement('boundedBy', names.qualify('BoundingShapeType')),
    writeComplexType('BoundingShapeType', {
      children: [names.qualify('Envelope?')],
      attributes: { nilReason: 'xs:string' },
    }),
    writeElement('Envelope', names.qualify('EnvelopeType')),
    writeComplexType('EnvelopeType', {
      children: [names.qualify('lowerCorner?'), names.qualify('upperCorner?')],
      more: `<xs:attributeGroup ref="${names.qualify('SRSReferenceGroup')}"/>`,
    }),
    writeElement('lowerCorner', names.qualify('DirectPositionType')),
    writeElement('upperCorner', names.qualify('DirectPositionType')),
    writeElement('pos', names.qualify('DirectPositionType')),
    writeElement('posList', names.qualify('DirectPositionListType')),
    writeTextType(
      'DirectPositionType',
      'xs:string',
      {},
      `<xs:attributeGroup ref="${names.qualify('SRSReferenceGroup')}"/>`,
    ),
    writeTextType('DirectPositionListType', 'xs:string', { count: 'xs:positiveInteger' }),
    writeElement('location', names.qualify('LocationPropertyType')),
    writePropertyType(names, 'LocationPropertyType', names.formatAbstract('Geometry')),
    writeElement('featureMember', names.qualify('FeaturePropertyType')),
    writePropertyType(names, 'FeaturePropertyType', names.formatAbstract('Feature')),
    writePropertyType(names, 'FeatureAssociationType', names.formatAbstract('Feature')),
    writeElement('featureMembers', names.qualify('FeatureArrayPropertyType')),
    writeComplexType('FeatureArrayPropertyType', { children: [`${names.qualifyAbstract('Feature')}*`] }),
  ];
}

function writeGeometryParts(names: GmlNames): readonly string[] {
  return [
    writeElement(names.formatAbstract('Geometry'), names.qualify('AbstractGeometryType'), names.qualifyAbstract('GML')),
    writeElement(
      names.formatAbstract('GeometricPrimitive'),
      names.qualify('AbstractGeometryType'),
      names.qualifyAbstract('Geometry'),
    ),
    writeComplexType('AbstractGeometryType', {
      base: names.qualify('AbstractGMLType'),
      more: `<xs:attributeGroup ref="${names.qualify('SRSReferenceGroup')}"/>`,
    }),
    writePropertyType(names, 'GeometryPropertyType', names.formatAbstract('Geometry')),
    writePropertyType(names, 'GeometricPrimitivePropertyType', names.formatAbstract('GeometricPrimitive')),
    ...forms.flatMap((form) => [
      writeElement(form, names.qualify(`${form}Type`), names.qualifyAbstract('Geometry')),
      writeComplexType(`${form}Type`, { base: names.qualify('AbstractGeometryType') }),
      writePropertyType(names, `${form}PropertyType`, form),
      writeElement(`${lowerFirst(form)}Property`, names.qualify(`${form}PropertyType`)),
    ]),
  ];
}

function writeTimeParts(names: GmlNames): readonly string[] {
  return [
    writeElement(
      names.formatAbstract('TimeObject'),
      names.qualify('AbstractTimeObjectType'),
      names.qualifyAbstract('GML'),
    ),
    writeElement(
      names.formatAbstract('TimePrimitive'),
      names.qualify('AbstractTimeObjectType'),
      names.qualifyAbstract('TimeObject'),
    ),
    writeComplexType('AbstractTimeObjectType', { base: names.qualify('AbstractGMLType') }),
    writeElement('timePosition', names.qualify('TimePositionType')),
    writeElement('beginPosition', names.qualify('TimePositionType')),
    writeElement('endPosition', names.qualify('TimePositionType')),
    writeTextType('TimePositionType', 'xs:string', { frame: 'xs:anyURI', indeterminatePosition: 'xs:string' }),
    writeElement('TimeInstant', names.qualify('TimeInstantType'), names.qualifyAbstract('TimePrimitive')),
    writeComplexType('TimeInstantType', {
      base: names.qualify('AbstractTimeObjectType'),
      children: [names.qualify('timePosition')],
    }),
    writeElement('TimePeriod', names.qualify('TimePeriodType'), names.qualifyAbstract('TimePrimitive')),
    writeComplexType('TimePeriodType', {
      base: names.qualify('AbstractTimeObjectType'),
      children: [names.qualify('beginPosition'), names.qualify('endPosition')],
    }),
    writePropertyType(names, 'TimePrimitivePropertyType', names.formatAbstract('TimePrimitive')),
    writePropertyType(names, 'TimeInstantPropertyType', 'TimeInstant'),
    writePropertyType(names, 'TimePeriodPropertyType', 'TimePeriod'),
  ];
}

function writePropertyType({ qualify }: GmlNames, name: string, held: string): string {
  return writeComplexType(name, { children: [`${qualify(held)}?`], more: association });
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
