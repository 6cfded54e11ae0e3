import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeletion, createInsertion, createMutatedDocument } from '../../../../test/support/text-mutations.ts';
import { readSchemas, type SchemaOptions } from './read-schemas.ts';
import type { SchemaSet } from './schema-set.ts';
import type { PropertyStructure } from './structure.ts';

const options: SchemaOptions = { limits: { maxDepth: 100, maxNodes: 200_000 }, maxFiles: 100 };
const neededBy = { file: 'main.appschema', line: 7 };

function read(files: Readonly<Record<string, string>>, overrides: Partial<SchemaOptions> = {}, location = 'main.xsd') {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  return readSchemas(bytes, [{ location, neededBy }], { ...options, ...overrides });
}

function schemasOf(...given: Parameters<typeof read>): SchemaSet {
  const outcome = read(...given);
  if (outcome.kind !== 'read') throw new Error(JSON.stringify(outcome));
  return outcome.schemas;
}

function refusalOf(...given: Parameters<typeof read>) {
  const outcome = read(...given);
  if (outcome.kind !== 'refused') throw new Error('The schema was accepted.');
  return {
    missing: outcome.missing,
    complaints: outcome.complaints.map(({ file, line, message }) => `${file}:${line}: ${message}`),
  };
}

const uri = 'http://example.com/x';
const x = (local: string) => ({ uri, local });

function schema(content: string, attributes = `targetNamespace="${uri}" elementFormDefault="qualified"`): string {
  return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:x="${uri}" xmlns:gml="http://www.opengis.net/gml" xmlns:g32="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:gco="http://www.isotc211.org/2005/gco" ${attributes}>
${content}</xs:schema>`;
}

/** Prints one line per property: its type, cardinality and nested properties. */
function printed(structure: PropertyStructure | undefined, indent = ''): readonly string[] {
  if (structure === undefined) return ['nothing'];
  const { name, isAttribute, type, value, minOccurs, maxOccurs, isCut, properties } = structure;
  const what = [
    `${isAttribute ? '@' : ''}${name.local}`,
    type === undefined ? '-' : type.local,
    value === undefined ? '-' : value.type,
    `${minOccurs}..${maxOccurs === Number.POSITIVE_INFINITY ? '*' : maxOccurs}`,
    ...(isCut ? ['cut'] : []),
  ];
  return [`${indent}${what.join(' ')}`, ...properties.flatMap((each) => printed(each, `${indent}  `))];
}

describe('XML schemas', () => {
  it('list their elements and which of them are features', () => {
    const schemas = schemasOf({
      'main.xsd': schema(`
        <xs:import namespace="http://www.opengis.net/gml" schemaLocation="http://schemas.opengis.net/gml/3.1.1/base/gml.xsd"/>
        <xs:element name="BySubstitution" substitutionGroup="gml:_Feature"/>
        <xs:element name="Further" substitutionGroup="x:BySubstitution"/>
        <xs:element name="ByType" type="x:FeatureType"/>
        <xs:element name="New" substitutionGroup="g32:AbstractFeature"/>
        <xs:element name="Collection" substitutionGroup="gml:_FeatureCollection"/>
        <xs:element name="Plain" type="xs:string"/>
        <xs:element name="Object" substitutionGroup="gml:_GML"/>
        <xs:complexType name="BaseType"><xs:complexContent><xs:extension base="gml:AbstractFeatureType"/></xs:complexContent></xs:complexType>
        <xs:complexType name="FeatureType"><xs:complexContent><xs:extension base="x:BaseType"/></xs:complexContent></xs:complexType>`),
    });

    const found = schemas.elements.map((name) => [name.local, schemas.isFeature(name)]);
    expect(found).toEqual([
      ['BySubstitution', true],
      ['Further', true],
      ['ByType', true],
      ['New', true],
      ['Collection', true],
      ['Plain', false],
      ['Object', false],
    ]);
    expect(schemas.hasElement(x('Plain'))).toBe(true);
    expect(schemas.hasElement(x('Nothing'))).toBe(false);
    expect(schemas.hasElement({ uri: '', local: 'Plain' })).toBe(false);
    expect(schemas.isFeature(x('Nothing'))).toBe(false);
    expect(schemas.findStructure(x('Nothing'))).toBeUndefined();
    expect(schemas.canReplace(x('Further'), x('BySubstitution'))).toBe(true);
    expect(schemas.canReplace(x('BySubstitution'), x('Further'))).toBe(false);
  });

  it('describe the structure of a feature with types and cardinalities', () => {
    const schemas = schemasOf({
      'main.xsd': schema(`
        <xs:element name="Station" type="x:StationType" substitutionGroup="gml:_Feature"/>
        <xs:complexType name="StationType"><xs:complexContent><xs:extension base="gml:AbstractFeatureType"><xs:sequence>
          <xs:element name="height" type="gml:MeasureType" minOccurs="0" nillable="true"/>
          <xs:element name="kind" type="x:Kind"/>
          <xs:element name="place" type="gml:PointPropertyType"/>
          <xs:element name="contact" maxOccurs="unbounded"><xs:complexType><xs:sequence>
            <xs:element name="mail" type="xs:string" maxOccurs="3"/><xs:element name="since" type="xs:date"/>
          </xs:sequence><xs:attribute name="role" type="xs:string" use="required"/></xs:complexType></xs:element>
        </xs:sequence><xs:attributeGroup ref="x:marks"/></xs:extension></xs:complexContent></xs:complexType>
        <xs:attributeGroup name="marks"><xs:attribute ref="xlink:href"/><xs:attribute name="n"><xs:simpleType><xs:restriction base="xs:int"/></xs:simpleType></xs:attribute></xs:attributeGroup>
        <xs:simpleType name="Kind"><xs:restriction base="xs:string"><xs:enumeration value="a"/></xs:restriction></xs:simpleType>`),
    });

    expect(printed(schemas.findStructure(x('Station'), { maxDepth: 2, maxProperties: 100 }))).toEqual([
      'Station StationType - 1..1',
      '  @id ID string 0..1',
      '  @href string string 0..1',
      '  @n - integer 0..1',
      '  metaDataProperty MetaDataPropertyType - 0..*',
      '    @href string string 0..1',
      '    @role string string 0..1',
      '    @arcrole string string 0..1',
      '    @title string string 0..1',
      '    @show string string 0..1',
      '    @actuate string string 0..1',
      '  description StringOrRefType string 0..1',
      '    @href string string 0..1',
      '    @role string string 0..1',
      '    @arcrole string string 0..1',
      '    @title string string 0..1',
      '    @show string string 0..1',
      '    @actuate string string 0..1',
      '    @nilReason string string 0..1',
      '  name CodeType string 0..*',
      '    @codeSpace anyURI string 0..1',
      '  boundedBy BoundingShapeType - 0..1',
      '    @nilReason string string 0..1',
      '    Envelope EnvelopeType - 0..1 cut',
      '  location LocationPropertyType - 0..1',
      '    @href string string 0..1',
      '    @role string string 0..1',
      '    @arcrole string string 0..1',
      '    @title string string 0..1',
      '    @show string string 0..1',
      '    @actuate string string 0..1',
      '    @nilReason string string 0..1',
      '    _Geometry AbstractGeometryType - 0..1 cut',
      '  height MeasureType double 0..1',
      '    @uom anyURI string 0..1',
      '  kind Kind string 1..1',
      '  place PointPropertyType Point 1..1',
      '    @href string string 0..1',
      '    @role string string 0..1',
      '    @arcrole string string 0..1',
      '    @title string string 0..1',
      '    @show string string 0..1',
      '    @actuate string string 0..1',
      '    @nilReason string string 0..1',
      '  contact - - 1..*',
      '    @role string string 1..1',
      '    mail string string 1..3',
      '    since date date 1..1',
    ]);
    expect(schemas.findStructure(x('Station'))?.properties.find(({ name }) => name.local === 'height')).toMatchObject({
      isNillable: true,
      name: { uri, local: 'height' },
    });
  });

  it.each([
    ['<xs:sequence><xs:element name="a"/><xs:element name="b" minOccurs="0"/></xs:sequence>', ['a 1..1', 'b 0..1']],
    ['<xs:choice><xs:element name="a"/><xs:element name="b"/></xs:choice>', ['a 0..1', 'b 0..1']],
    ['<xs:choice maxOccurs="unbounded"><xs:element name="a"/><xs:element name="b"/></xs:choice>', ['a 0..*', 'b 0..*']],
    ['<xs:all><xs:element name="a"/><xs:element name="b" minOccurs="0"/></xs:all>', ['a 1..1', 'b 0..1']],
    ['<xs:sequence minOccurs="2" maxOccurs="3"><xs:element name="a" maxOccurs="2"/></xs:sequence>', ['a 2..6']],
    [
      '<xs:sequence><xs:element name="a"/><xs:element name="b"/><xs:element name="a"/></xs:sequence>',
      ['a 2..2', 'b 1..1'],
    ],
    [
      '<xs:choice><xs:sequence><xs:element name="a"/><xs:element name="b"/></xs:sequence><xs:element name="a" maxOccurs="4"/></xs:choice>',
      ['a 1..4', 'b 0..1'],
    ],
    ['<xs:sequence><xs:element name="a" minOccurs="0" maxOccurs="0"/></xs:sequence>', []],
    ['<xs:group ref="x:pair" maxOccurs="2"/>', ['p 1..2', 'q 0..2']],
    ['<xs:sequence minOccurs="0"><xs:group ref="x:pair"/><xs:any/></xs:sequence>', ['p 0..1', 'q 0..1']],
  ])('counts the elements of %s', (content, expected) => {
    const group =
      '<xs:group name="pair"><xs:sequence><xs:element name="p"/><xs:element name="q" minOccurs="0"/></xs:sequence></xs:group>';
    const schemas = schemasOf({
      'main.xsd': schema(`<xs:element name="E"><xs:complexType>${content}</xs:complexType></xs:element>${group}`),
    });

    const lines = schemas.findStructure(x('E'))?.properties.map((each) => {
      const [line = ''] = printed(each);
      return line.replace(/ - -/, '');
    });
    expect(lines).toEqual(expected);
  });

  it('require restrictions to repeat all elements and keep attributes that are not prohibited', () => {
    const schemas = schemasOf({
      'main.xsd': schema(`
        <xs:element name="E" type="x:Less"/>
        <xs:complexType name="More"><xs:sequence><xs:element name="a" type="xs:int"/><xs:element name="b" minOccurs="0" type="xs:boolean"/></xs:sequence><xs:attribute name="p" type="xs:string"/><xs:attribute name="q" type="xs:string"/></xs:complexType>
        <xs:complexType name="Less"><xs:complexContent><xs:restriction base="x:More"><xs:sequence><xs:element name="a" type="xs:int"/></xs:sequence><xs:attribute name="q" use="prohibited"/></xs:restriction></xs:complexContent></xs:complexType>`),
    });

    expect(printed(schemas.findStructure(x('E')))).toEqual([
      'E Less - 1..1',
      '  @p string string 0..1',
      '  a int integer 1..1',
    ]);
  });

  it('derive value types from base types and treat lists and unions as text', () => {
    const types = [
      'xs:dateTime',
      'xs:decimal',
      'xs:anyURI',
      'x:Percent',
      'x:List',
      'x:Union',
      'gco:CharacterString_PropertyType',
      'gml:Unheard',
    ];
    const schemas = schemasOf({
      'main.xsd': schema(`${types.map((type, index) => `<xs:element name="e${index}" type="${type}"/>`).join('')}
        <xs:simpleType name="Percent"><xs:restriction><xs:simpleType><xs:restriction base="xs:double"/></xs:simpleType></xs:restriction></xs:simpleType>
        <xs:simpleType name="List"><xs:list itemType="xs:int"/></xs:simpleType>
        <xs:simpleType name="Union"><xs:union memberTypes="xs:int xs:string"/></xs:simpleType>`),
    });

    expect(types.map((_, index) => printed(schemas.findStructure(x(`e${index}`)))[0])).toEqual([
      'e0 dateTime timestamp 1..1',
      'e1 decimal decimal 1..1',
      'e2 anyURI string 1..1',
      'e3 Percent double 1..1',
      'e4 List string 1..1',
      'e5 Union string 1..1',
      'e6 CharacterString_PropertyType - 1..1',
      'e7 Unheard - 1..1',
    ]);
    expect(printed(schemas.findStructure(x('e6')))).toContain('  CharacterString string string 0..1');
  });

  it('leave local element names unqualified unless they are declared qualified', () => {
    const schemas = schemasOf({
      'main.xsd': schema(
        '<xs:element name="E"><xs:complexType><xs:sequence><xs:element name="a"/><xs:element name="b" form="qualified"/></xs:sequence></xs:complexType></xs:element>',
        `targetNamespace="${uri}"`,
      ),
    });

    expect(schemas.findStructure(x('E'))?.properties.map(({ name }) => name)).toEqual([
      { uri: '', local: 'a' },
      x('b'),
    ]);
  });
});

describe('schemas in several files', () => {
  it('support include, import and chameleon include from any folder', () => {
    const schemas = schemasOf(
      {
        'main.xsd': schema(
          '<xs:include schemaLocation="parts/types.xsd"/><xs:import namespace="urn:y" schemaLocation="y.xsd"/><xs:element name="E" type="x:T"/><xs:element name="F" type="y:Y" xmlns:y="urn:y"/>',
        ),
        'parts/types.xsd': schema(
          '<xs:complexType name="T"><xs:sequence><xs:element name="t" type="N"/></xs:sequence></xs:complexType><xs:include schemaLocation="../main.xsd"/><xs:include schemaLocation="none.xsd"/>',
          'elementFormDefault="qualified"',
        ),
        'y.xsd': schema(
          '<xs:complexType name="Y"><xs:attribute name="a" type="xs:int"/></xs:complexType><xs:include schemaLocation="parts/none.xsd"/>',
          'targetNamespace="urn:y"',
        ),
        'parts/none.xsd': schema('<xs:simpleType name="N"><xs:restriction base="xs:long"/></xs:simpleType>', ''),
      } as Record<string, string>,
      {},
      'main.xsd',
    );

    expect(schemas.findStructure(x('F'))?.properties).toMatchObject([{ name: { uri: '', local: 'a' } }]);
    expect(schemas.hasElement(x('E'))).toBe(true);
  });

  it('support redefine', () => {
    const schemas = schemasOf({
      'main.xsd': schema(`<xs:redefine schemaLocation="old.xsd">
        <xs:complexType name="T"><xs:complexContent><xs:extension base="x:T"><xs:sequence><xs:element name="b"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
        <xs:group name="G"><xs:sequence><xs:group ref="x:G"/><xs:element name="h"/></xs:sequence></xs:group>
        <xs:attributeGroup name="A"><xs:attributeGroup ref="x:A"/><xs:attribute name="m"/></xs:attributeGroup></xs:redefine>
        <xs:element name="E" type="x:T"/><xs:element name="F"><xs:complexType><xs:group ref="x:G"/><xs:attributeGroup ref="x:A"/></xs:complexType></xs:element>`),
      'old.xsd': schema(
        '<xs:complexType name="T"><xs:sequence><xs:element name="a"/></xs:sequence></xs:complexType><xs:group name="G"><xs:sequence><xs:element name="g"/></xs:sequence></xs:group><xs:attributeGroup name="A"><xs:attribute name="l"/></xs:attributeGroup>',
      ),
    });

    expect(schemas.findStructure(x('E'))?.properties.map(({ name }) => name.local)).toEqual(['a', 'b']);
    expect(schemas.findStructure(x('F'))?.properties.map(({ name }) => name.local)).toEqual(['l', 'm', 'g', 'h']);
  });

  it('report every missing file with all files that refer to it', () => {
    const refusal = refusalOf({
      'main.xsd': schema(
        '<xs:include schemaLocation="a.xsd"/>\n<xs:include schemaLocation="b.xsd"/>\n<xs:import namespace="urn:y" schemaLocation="http://example.com/y.xsd"/>',
      ),
      'b.xsd': schema(
        '<xs:include schemaLocation="a.xsd"/><xs:include schemaLocation="../out.xsd"/><xs:element name="E" type="x:NotThere"/>',
      ),
    });

    expect(refusal).toEqual({
      missing: [
        {
          location: 'a.xsd',
          isRemote: false,
          neededBy: [
            { file: 'main.xsd', line: 2 },
            { file: 'b.xsd', line: 2 },
          ],
        },
        {
          location: 'http://example.com/y.xsd',
          isRemote: true,
          address: 'http://example.com/y.xsd',
          neededBy: [{ file: 'main.xsd', line: 4 }],
        },
        { location: '../out.xsd', isRemote: false, neededBy: [{ file: 'b.xsd', line: 2 }] },
      ],
      complaints: [],
    });
    expect(refusalOf({})).toEqual({
      missing: [{ location: 'main.xsd', isRemote: false, neededBy: [neededBy] }],
      complaints: [],
    });
  });

  it('can be copies of remote schemas', () => {
    const files = {
      'main.xsd': schema(
        '<xs:import namespace="urn:y" schemaLocation="http://example.com/y.xsd"/><xs:element name="E" type="y:Y" xmlns:y="urn:y"/>',
      ),
      'cache/y.xsd': schema(
        '<xs:simpleType name="Y"><xs:restriction base="xs:int"/></xs:simpleType>',
        'targetNamespace="urn:y"',
      ),
    };

    const schemas = schemasOf(files, {
      findCopy: (url) => (url === 'http://example.com/y.xsd' ? 'cache/y.xsd' : undefined),
    });

    expect(printed(schemas.findStructure(x('E')))).toEqual(['E Y integer 1..1']);
  });

  it('do not need to include well-known schemas', () => {
    const locations = [
      ['http://www.opengis.net/gml', 'http://schemas.opengis.net/gml/2.1.2/feature.xsd'],
      ['http://www.opengis.net/gml', 'http://schemas.opengis.net/gml/3.1.1/base/gml.xsd'],
      ['http://www.opengis.net/gml/3.2', 'http://schemas.opengis.net/gml/3.2.1/gml.xsd'],
      ['http://www.w3.org/1999/xlink', 'http://www.w3.org/1999/xlink.xsd'],
      ['http://www.isotc211.org/2005/gmd', 'http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd'],
      ['http://www.isotc211.org/2005/gsr', '../gsr/gsr.xsd'],
      ['http://www.isotc211.org/2005/gts', ''],
    ];

    const imports = locations.map(
      ([namespace, location]) => `<xs:import namespace="${namespace}" schemaLocation="${location}"/>`,
    );
    const outcome = read({ 'main.xsd': schema(`${imports.join('')}<xs:element name="E" type="gml:CodeType"/>`) });

    expect(outcome.kind).toBe('read');
  });

  it('take precedence over the built-in well-known schemas', () => {
    const schemas = schemasOf({
      'main.xsd': schema(
        '<xs:import namespace="http://www.opengis.net/gml" schemaLocation="gml.xsd"/><xs:element name="E" type="gml:CodeType"/>',
      ),
      'gml.xsd': schema(
        '<xs:complexType name="CodeType"><xs:attribute name="own"/></xs:complexType>',
        'targetNamespace="http://www.opengis.net/gml"',
      ),
    });

    expect(schemas.findStructure(x('E'))?.properties.map(({ name }) => name.local)).toEqual(['own']);
  });
});

describe('invalid schemas', () => {
  it.each([
    ['<a/>', "1: The root element must be schema in the namespace http://www.w3.org/2001/XMLSchema, not 'a'."],
    ['<!DOCTYPE a><a/>', '1: The XML contains a DOCTYPE declaration.'],
    [schema('<xs:element/>'), "2: 'element' requires a name."],
    [schema('<xs:include/>'), "2: 'include' requires a schemaLocation."],
    [schema('<xs:element name="E" type="foo:T"/>'), "2: 'foo:T' in 'element' has the undeclared prefix 'foo'."],
    [schema('<xs:element name="E" type="x: T"/>'), "2: 'x: T' in 'element' is not a valid name."],
    [
      schema('\n<xs:element name="E" type="x:T"/>'),
      "3: The schemas define no type 'T' in the namespace 'http://example.com/x'.",
    ],
    [schema('<xs:element name="E" substitutionGroup="x:H"/>'), "2: The schemas define no element 'H' in the namespace"],
    [
      schema('<xs:group name="G"><xs:sequence><xs:element ref="x:E"/></xs:sequence></xs:group>'),
      "2: The schemas define no element 'E'",
    ],
    [
      schema('<xs:complexType name="T"><xs:group ref="x:G"/><xs:attribute ref="x:a"/></xs:complexType>'),
      "2: The schemas define no group 'G'",
    ],
    [
      schema('<xs:complexType name="T"><xs:attributeGroup ref="x:A"/></xs:complexType>'),
      "2: The schemas define no attribute group 'A'",
    ],
    [
      schema('<xs:complexType name="T"><xs:complexContent/></xs:complexType>'),
      "2: 'complexContent' requires an extension or a restriction.",
    ],
    [
      schema('<xs:complexType name="T"><xs:sequence><xs:element/></xs:sequence></xs:complexType>'),
      "2: 'element' requires a name or a ref.",
    ],
    [
      schema('<xs:complexType name="T"><xs:sequence maxOccurs="many"/></xs:complexType>'),
      '2: minOccurs must be a number and maxOccurs a number or unbounded',
    ],
    [
      schema(
        '<xs:complexType name="T"><xs:complexContent><xs:extension base="x:T"/></xs:complexContent></xs:complexType>',
      ),
      '2: The type contains itself.',
    ],
    [
      schema(
        '<xs:group name="G"><xs:sequence><xs:group ref="x:G"/></xs:sequence></xs:group><xs:complexType name="T"><xs:group ref="x:G"/></xs:complexType>',
      ),
      "2: The group 'G' contains itself.",
    ],
    [
      schema(
        '<xs:attributeGroup name="A"><xs:attributeGroup ref="x:A"/></xs:attributeGroup><xs:complexType name="T"><xs:attributeGroup ref="x:A"/></xs:complexType>',
      ),
      "2: The attribute group 'A' contains itself.",
    ],
  ])('are rejected with their line (%#)', (text, expected) => {
    expect(refusalOf({ 'main.xsd': text }).complaints.join('\n')).toContain(`main.xsd:${expected}`);
  });
});

describe('schemas designed to be slow', () => {
  const levels = Array.from({ length: 40 }, (_, index) => index);

  it('can contain recursive types, which end at the repetition', () => {
    const schemas = schemasOf({
      'main.xsd': schema(
        '<xs:element name="E" type="x:T"/><xs:complexType name="T"><xs:sequence><xs:element name="a" type="x:T"/><xs:element ref="x:E"/></xs:sequence></xs:complexType>',
      ),
    });

    expect(printed(schemas.findStructure(x('E')))).toEqual(['E T - 1..1', '  a T - 1..1 cut', '  E T - 1..1 cut']);
  });

  it('can contain too many nested types to list; the outer levels are returned', () => {
    const types = levels.map(
      (level) =>
        `<xs:complexType name="T${level}"><xs:sequence>${levels
          .slice(0, 10)
          .map((each) => `<xs:element name="e${each}" type="x:T${level + 1}"/>`)
          .join('')}</xs:sequence></xs:complexType>`,
    );
    const schemas = schemasOf({
      'main.xsd': schema(`<xs:element name="E" type="x:T0"/>${types.join('')}<xs:complexType name="T40"/>`),
    });

    const lines = printed(schemas.findStructure(x('E'), { maxDepth: 12, maxProperties: 500 }));

    expect(lines.length).toBeLessThanOrEqual(501);
    expect(lines.filter((line) => /^ {2}e/.test(line))).toHaveLength(10);
    expect(lines.some((line) => line.endsWith('cut'))).toBe(true);
  });

  it('can contain groups that double in size at each level', () => {
    const groups = levels.map(
      (level) =>
        `<xs:group name="G${level}"><xs:sequence><xs:group ref="x:G${level + 1}"/><xs:group ref="x:G${level + 1}"/></xs:sequence></xs:group>`,
    );
    const schemas = schemasOf({
      'main.xsd': schema(
        `<xs:element name="E"><xs:complexType><xs:group ref="x:G0"/></xs:complexType></xs:element>${groups.join('')}<xs:group name="G40"><xs:sequence><xs:element name="a"/></xs:sequence></xs:group>`,
      ),
    });

    expect(schemas.findStructure(x('E'))?.properties).toMatchObject([{ minOccurs: 2 ** 40, maxOccurs: 2 ** 40 }]);
  });

  it('are rejected if types and groups are too large or too deep', () => {
    const named = Array.from({ length: 3_000 }, (_, index) => `<xs:element name="e${index}"/>`);
    const elements = named.join('');
    const types = Array.from(
      { length: 400 },
      (_, level) =>
        `<xs:complexType name="T${level + 1}"><xs:complexContent><xs:extension base="x:T${level}"><xs:sequence>${named.slice(0, 10).join('')}</xs:sequence></xs:extension></xs:complexContent></xs:complexType>`,
    );
    const wide = schema(
      `<xs:complexType name="T0"><xs:sequence>${elements}</xs:sequence></xs:complexType>${types.join('')}${types.map((each) => each.replaceAll('name="T', 'name="U')).join('')}`,
    );
    const deep = schema(
      `${Array.from({ length: 2_000 }, (_, level) => `<xs:complexType name="T${level}"><xs:complexContent><xs:extension base="x:T${level + 1}"/></xs:complexContent></xs:complexType>`).join('')}<xs:complexType name="T2000"/>`,
    );

    expect(refusalOf({ 'main.xsd': wide }).complaints.join()).toContain('too large when expanded');
    expect(refusalOf({ 'main.xsd': deep }).complaints.join()).toContain(
      'Types or groups are nested more than 500 levels deep.',
    );
  });

  it('are rejected if they exceed the file limit', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [
        index === 0 ? 'main.xsd' : `${index}.xsd`,
        schema(`<xs:include schemaLocation="${index + 1}.xsd"/>`),
      ]),
    );

    expect(refusalOf(chain).complaints).toEqual(['99.xsd:2: The schema consists of more than 100 files.']);
  });

  it('are read or rejected after arbitrary mutations', { timeout: 120_000 }, () => {
    const sample = schema(
      '<xs:redefine schemaLocation="main.xsd"/><xs:element name="E" type="x:T" substitutionGroup="gml:_Feature"/><xs:complexType name="T"><xs:complexContent><xs:extension base="gml:AbstractFeatureType"><xs:choice maxOccurs="unbounded"><xs:element ref="x:E"/><xs:group ref="x:G"/></xs:choice><xs:attribute ref="xlink:href" use="required"/></xs:extension></xs:complexContent></xs:complexType><xs:group name="G"><xs:all><xs:element name="a" type="xs:int"/></xs:all></xs:group>',
    );
    const pieces = [
      '<',
      '>',
      '"',
      'x:',
      'E',
      'T',
      'G',
      'name="E"',
      'ref="x:G"',
      '/',
      '<xs:sequence>',
      ' ',
      '0',
      ':',
      '\0',
      '&amp;',
    ];
    const mutation = fc.oneof(createInsertion(pieces), createDeletion(15));

    fc.assert(
      fc.property(createMutatedDocument([sample], mutation), (text) => {
        const outcome = read({ 'main.xsd': text });

        if (outcome.kind === 'refused') expect(outcome.complaints.length + outcome.missing.length).toBeGreaterThan(0);
        else for (const name of outcome.schemas.elements) expect(outcome.schemas.findStructure(name)).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });
});
