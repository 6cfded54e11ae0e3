import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeletion, createInsertion, createMutatedDocument } from '../../../../test/support/text-mutations.ts';
import { isDocumentExpression } from './expressions.ts';
import { type MappingOptions, readMappings } from './read-mappings.ts';

const options: MappingOptions = {
  limits: { maxDepth: 50, maxNodes: 100_000 },
  maxFiles: 100,
  properties: new Map([['db.host', 'localhost']]),
};

function read(
  files: Readonly<Record<string, string>>,
  main = 'main.appschema',
  overrides: Partial<MappingOptions> = {},
) {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  return readMappings({ files: bytes, main }, { ...options, ...overrides });
}

function complaintsOf(...given: Parameters<typeof read>) {
  const outcome = read(...given);
  return outcome.kind === 'refused'
    ? outcome.complaints.map(({ file, line, message }) => `${file}:${line}: ${message}`)
    : [];
}

function only(text: string) {
  const outcome = read({ 'main.appschema': text });
  if (outcome.kind !== 'read') throw new Error(JSON.stringify(outcome.complaints));
  const [mapping] = outcome.mappings;
  if (mapping === undefined) throw new Error('The mapping was rejected.');
  return mapping;
}

const namespaces = `<namespaces>
    <Namespace><prefix>gml</prefix><uri>http://www.opengis.net/gml</uri></Namespace>
    <Namespace><prefix>xlink</prefix><uri>http://www.w3.org/1999/xlink</uri></Namespace>
    <Namespace><prefix>st</prefix><uri>http://example.com/stations</uri></Namespace>
  </namespaces>`;

/** Wraps sections in a mapping document; they start in line six. */
function documentOf(sections: string): string {
  return `<as:AppSchemaDataAccess xmlns:as="http://www.geotools.org/app-schema">${namespaces}\n${sections}\n</as:AppSchemaDataAccess>`;
}

const store =
  '<sourceDataStores><DataStore><id>data</id><parameters><Parameter><name>directory</name><value>file:./</value></Parameter></parameters></DataStore></sourceDataStores>';

function typeOf(target: string, attributes: string, more = ''): string {
  return `<FeatureTypeMapping><sourceDataStore>data</sourceDataStore><sourceType>table</sourceType><targetElement>${target}</targetElement>${more}<attributeMappings>
${attributes}
</attributeMappings></FeatureTypeMapping>`;
}

function mappingOf(types: string, more = ''): string {
  return documentOf(`${more}${store}<typeMappings>${types}</typeMappings>`);
}

const property = (name: string) => ({ kind: 'property', name });
const literal = (value: string) => ({ kind: 'literal', value });
const gml = (local: string) => ({ prefix: 'gml', local, uri: 'http://www.opengis.net/gml' });
const st = (local: string) => ({ prefix: 'st', local, uri: 'http://example.com/stations' });

describe('mapping documents', () => {
  it('contain namespaces, stores with replaced placeholders, schemas, includes and the catalog', () => {
    const outcome = read({
      'main.appschema': documentOf(`<includedTypes><Include>more/other.xml</Include></includedTypes>
<sourceDataStores><DataStore><id>db</id><parameters>
<Parameter><name>host</name><value>\${db.host}</value></Parameter>
<Parameter><name>passwd</name><value/></Parameter></parameters><isDataAccess>true</isDataAccess></DataStore>
<SolrDataStore><id>index</id><url>http://localhost/solr</url></SolrDataStore></sourceDataStores>
<catalog>catalog.xml</catalog>
<targetTypes><FeatureType><schemaUri>stations.xsd</schemaUri><schemaUri>more.xsd</schemaUri></FeatureType></targetTypes><typeMappings/>`),
      'more/other.xml': documentOf('<typeMappings/>'),
    });

    expect(outcome).toMatchObject({
      kind: 'read',
      mappings: [
        {
          file: 'main.appschema',
          namespaces: new Map([
            ['gml', 'http://www.opengis.net/gml'],
            ['xlink', 'http://www.w3.org/1999/xlink'],
            ['st', 'http://example.com/stations'],
          ]),
          includes: [{ path: 'more/other.xml', line: 6 }],
          stores: [
            {
              id: 'db',
              element: 'DataStore',
              parameters: { host: 'localhost', passwd: '' },
              isDataAccess: true,
              line: 7,
            },
            {
              id: 'index',
              element: 'SolrDataStore',
              parameters: { url: 'http://localhost/solr' },
              isDataAccess: false,
            },
          ],
          catalog: 'catalog.xml',
          schemas: [
            { uri: 'stations.xsd', line: 12 },
            { uri: 'more.xsd', line: 12 },
          ],
          types: [],
        },
        { file: 'more/other.xml', stores: [] },
      ],
    });
  });

  it('contain the source of a type', () => {
    const { types } = only(
      mappingOf(
        typeOf(
          'st:Station',
          '',
          '<mappingName>one</mappingName><sourceDatabaseSchema>public</sourceDatabaseSchema><defaultGeometry>st:place/st:Where</defaultGeometry><isDenormalised>false</isDenormalised><indexDataStore>data</indexDataStore><indexType>ix</indexType><isXmlDataStore>true</isXmlDataStore><itemXpath>a/b</itemXpath>',
        ),
      ),
    );

    expect(types).toMatchObject([
      {
        name: 'one',
        sourceStore: 'data',
        sourceType: 'table',
        databaseSchema: 'public',
        targetElement: st('Station'),
        defaultGeometry: { text: 'st:place/st:Where', steps: [{ name: st('place') }, { name: st('Where') }] },
        isDenormalised: false,
        isXmlStore: true,
        itemXpath: 'a/b',
        indexStore: 'data',
        indexType: 'ix',
        attributes: [],
        line: 6,
      },
    ]);
  });

  it('contain the source of each property', () => {
    const attribute = (parts: string): string => `<AttributeMapping>${parts}</AttributeMapping>`;
    const { types } = only(
      mappingOf(
        typeOf(
          'st:Station',
          [
            attribute(
              "<targetAttribute>st:Station</targetAttribute><idExpression><OCQL>strConcat('st.', ID)</OCQL></idExpression>",
            ),
            attribute(
              "<targetAttribute>gml:name[2]</targetAttribute><sourceExpression><OCQL>NAME</OCQL><index>LAST</index></sourceExpression><isMultiple>true</isMultiple><isList>true</isList><encodeIfEmpty>true</encodeIfEmpty><ClientProperty><name>codeSpace</name><value>'urn:x'</value></ClientProperty><ClientProperty><name>xlink:title</name><value>if_then_else(isNull(A), 'a', B + 1)</value></ClientProperty>",
            ),
            attribute(
              '<targetAttribute>st:place/@xlink:href</targetAttribute><sourceExpression><OCQL>HREF</OCQL><index>1</index></sourceExpression>',
            ),
            attribute(
              '<label>l</label><targetAttribute>st:a</targetAttribute><targetAttributeNode>st:AType</targetAttributeNode><targetQueryString>q</targetQueryString>',
            ),
            attribute(
              '<parentLabel>l</parentLabel><instancePath>x/y</instancePath><sourceExpression><inputAttribute>x/@id</inputAttribute></sourceExpression><idExpression><inputAttribute>x/@id</inputAttribute></idExpression>',
            ),
            attribute(
              '<targetAttribute>st:tag</targetAttribute><jdbcMultipleValue><sourceColumn>ID</sourceColumn><targetTable>TAGS</targetTable><targetColumn>STATION</targetColumn><targetValue>TAG</targetValue></jdbcMultipleValue><anonymousAttribute><name>st:x</name><value>Y</value></anonymousAttribute>',
            ),
          ].join('\n'),
        ),
      ),
    );

    const plain = {
      isMultiple: false,
      isList: false,
      encodeIfEmpty: false,
      clientProperties: [],
      anonymousAttributes: [],
    };
    expect(types[0]?.attributes).toEqual([
      {
        ...plain,
        target: {
          text: 'st:Station',
          steps: [{ name: st('Station'), isAttribute: false, index: 1 }],
          isFeatureLink: false,
        },
        id: {
          kind: 'expression',
          expression: { kind: 'function', name: 'strConcat', arguments: [literal('st.'), property('ID')] },
        },
        line: 7,
      },
      {
        target: {
          text: 'gml:name[2]',
          steps: [{ name: gml('name'), isAttribute: false, index: 2 }],
          isFeatureLink: false,
        },
        source: { kind: 'expression', expression: property('NAME'), index: 'last' },
        isMultiple: true,
        isList: true,
        encodeIfEmpty: true,
        clientProperties: [
          { name: { prefix: '', local: 'codeSpace', uri: '' }, value: literal('urn:x') },
          {
            name: { prefix: 'xlink', local: 'title', uri: 'http://www.w3.org/1999/xlink' },
            value: expect.objectContaining({ name: 'if_then_else' }),
          },
        ],
        anonymousAttributes: [],
        line: 8,
      },
      {
        ...plain,
        target: {
          text: 'st:place/@xlink:href',
          steps: [
            { name: st('place'), isAttribute: false, index: 1 },
            {
              name: { prefix: 'xlink', local: 'href', uri: 'http://www.w3.org/1999/xlink' },
              isAttribute: true,
              index: 1,
            },
          ],
          isFeatureLink: false,
        },
        source: { kind: 'expression', expression: property('HREF'), index: 1 },
        line: 9,
      },
      {
        ...plain,
        target: expect.objectContaining({ text: 'st:a' }),
        targetNode: st('AType'),
        label: 'l',
        targetQuery: 'q',
        line: 10,
      },
      {
        ...plain,
        parentLabel: 'l',
        instancePath: 'x/y',
        source: { kind: 'path', path: 'x/@id' },
        id: { kind: 'path', path: 'x/@id' },
        line: 11,
      },
      {
        ...plain,
        target: expect.objectContaining({ text: 'st:tag' }),
        multipleValue: { sourceColumn: 'ID', targetTable: 'TAGS', targetColumn: 'STATION', value: property('TAG') },
        anonymousAttributes: [{ name: st('x'), value: property('Y') }],
        line: 12,
      },
    ]);
  });

  it('chain types by a property or FEATURE_LINK, by name, mappingName or the value of an expression', () => {
    const link = (element: string, field: string): string =>
      `<AttributeMapping><targetAttribute>st:part</targetAttribute><sourceExpression><OCQL>ID</OCQL><linkElement>${element}</linkElement><linkField>${field}</linkField></sourceExpression></AttributeMapping>`;
    const { types } = only(
      mappingOf(
        typeOf(
          'st:Whole',
          [
            link('st:Part', 'gml:name[3]'),
            link("'parts'", 'FEATURE_LINK[1]'),
            link("Recode(KIND, 'a', 'parts')", 'FEATURE_LINK'),
          ].join('\n'),
        ) +
          typeOf(
            'st:Part',
            '<AttributeMapping><targetAttribute>FEATURE_LINK[2]</targetAttribute><sourceExpression><OCQL>WHOLE</OCQL></sourceExpression></AttributeMapping>',
          ) +
          typeOf('st:Part', '', '<mappingName>parts</mappingName>'),
      ),
    );

    expect(types[0]?.attributes.map(({ source }) => source)).toMatchObject([
      {
        kind: 'link',
        expression: property('ID'),
        type: st('Part'),
        field: { steps: [{ name: gml('name'), index: 3 }] },
      },
      { kind: 'link', type: { prefix: '', local: 'parts', uri: '' }, field: { isFeatureLink: true } },
      { kind: 'link', type: { kind: 'function', name: 'Recode' }, field: { isFeatureLink: true } },
    ]);
    expect(types[1]?.attributes[0]?.target).toMatchObject({ isFeatureLink: true, steps: [{ index: 2 }] });
  });

  it('contain paths into documents', () => {
    const expressions = [
      "jsonSelect('properties.city')",
      "collectionLink('contacts')",
      'collectionId()',
      'nestedCollectionLink()',
      'CITY',
    ];
    const { types } = only(
      mappingOf(
        typeOf(
          'st:Station',
          expressions
            .map(
              (each) =>
                `<AttributeMapping><targetAttribute>st:a</targetAttribute><sourceExpression><OCQL>${each}</OCQL></sourceExpression></AttributeMapping>`,
            )
            .join('\n'),
        ),
      ),
    );

    const found = types[0]?.attributes.map(
      ({ source }) => source?.kind === 'expression' && isDocumentExpression(source.expression),
    );
    expect(found).toEqual([true, true, true, true, false]);
  });

  it('are rejected if a pattern is not a regular expression or does not run in linear time', () => {
    const refusalOf = (pattern: string) =>
      complaintsOf({
        'main.appschema': mappingOf(
          typeOf(
            'st:A',
            `<AttributeMapping><targetAttribute>st:a</targetAttribute><sourceExpression><OCQL>strReplace(b, '${pattern}', '')</OCQL></sourceExpression></AttributeMapping>`,
          ),
        ),
      });

    expect(refusalOf('[a-z]+')).toEqual([]);
    expect(refusalOf('(a')[0]).toContain(
      "main.appschema:7: The expression is invalid: the pattern of strReplace ('(a') is invalid at character ",
    );
    expect(refusalOf('(a)\\1')[0]).toContain("the pattern of strReplace ('(a)\\1') is invalid at character ");
  });

  it('report all errors together, each with its line and the expectation', () => {
    const attribute = (parts: string): string => `<AttributeMapping>${parts}</AttributeMapping>`;
    const expression = (text: string): string =>
      attribute(`<targetAttribute>st:a</targetAttribute><sourceExpression><OCQL>${text}</OCQL></sourceExpression>`);
    const text = mappingOf(
      `${typeOf(
        'st:Station',
        [
          attribute(''),
          attribute('<targetAtribute>x</targetAtribute><targetAttribute>foo:a</targetAttribute>'),
          expression('a +'),
          expression('\n\n  nonsense(1)'),
          expression('toWKT()'),
          expression('jsonSelect(city)'),
          expression(''),
          attribute('<targetAttribute>st:a[0]</targetAttribute><isMultiple>maybe</isMultiple>'),
          attribute('<targetAttribute>@id/st:a</targetAttribute><idExpression/>'),
          attribute(
            '<targetAttribute>st:a</targetAttribute><parentLabel>none</parentLabel><sourceExpression><index>0</index><linkField>st:a</linkField></sourceExpression>',
          ),
          attribute(
            '<targetAttribute>st:a</targetAttribute><sourceExpression><linkElement>st:Nowhere</linkElement></sourceExpression>',
          ),
          attribute(
            '<targetAttribute>FEATURE_LINK/st:a</targetAttribute><ClientProperty><name>x</name></ClientProperty>',
          ),
        ].join('\n'),
      )}<FeatureTypeMapping><sourceDataStore>\${nowhere}</sourceDataStore><targetElement>a b</targetElement></FeatureTypeMapping>`,
    );

    expect(complaintsOf({ 'main.appschema': text })).toEqual([
      "main.appschema:7: 'AttributeMapping' requires a non-empty 'targetAttribute'.",
      "main.appschema:8: Unknown element 'targetAtribute' in 'AttributeMapping'; did you mean 'targetAttribute'?",
      "main.appschema:8: 'targetAttribute' is invalid: the prefix 'foo' of 'foo:a' is not declared in the namespaces of the mapping.",
      'main.appschema:9: The expression is invalid: a value or a condition was expected, but the end was found.',
      "main.appschema:12: The expression is invalid: unknown function 'nonsense' in a mapping.",
      "main.appschema:13: The expression is invalid: the function 'toWKT' requires 1 argument, but has 0.",
      "main.appschema:14: The expression is invalid: the function 'jsonSelect' requires a path in single quotes.",
      'main.appschema:15: The expression is invalid: an expression was expected.',
      "main.appschema:16: 'targetAttribute' is invalid: the index of 'st:a[0]' must be at least 1.",
      "main.appschema:16: 'isMultiple' must be true or false, not 'maybe'.",
      "main.appschema:17: 'targetAttribute' is invalid: the attribute '@id' must be the last step and must have no index.",
      "main.appschema:17: 'idExpression' requires 'OCQL' or 'inputAttribute'.",
      "main.appschema:18: 'index' must be a positive number or LAST, not '0'.",
      "main.appschema:18: 'linkField' requires a 'linkElement'.",
      "main.appschema:18: 'parentLabel' refers to the unknown label 'none'.",
      "main.appschema:19: The mapping of 'st:Station' chains 'st:Nowhere', which is neither the targetElement nor the mappingName of a mapping.",
      "main.appschema:20: 'targetAttribute' is invalid: no step is allowed after FEATURE_LINK.",
      "main.appschema:20: 'ClientProperty' requires 'name' and 'value'.",
      `main.appschema:21: Unknown property 'nowhere' in the placeholder '\${nowhere}'.`,
      "main.appschema:21: 'FeatureTypeMapping' requires a non-empty 'sourceType'.",
      "main.appschema:21: 'targetElement' is invalid: 'a b' is not a name such as gml:name.",
    ]);
  });

  it.each([
    [
      'another root element',
      '<mapping/>',
      "1: The root element must be AppSchemaDataAccess in the namespace http://www.geotools.org/app-schema, not 'mapping'.",
    ],
    ['a DOCTYPE', '<!DOCTYPE x><x/>', '1: The XML contains a DOCTYPE declaration.'],
    ['broken XML', '<a>\n<b></a>', '2: The XML is not well-formed at line 2'],
    [
      'bytes that are not text',
      '<?xml version="1.0" encoding="klingon"?><a/>',
      "1: The body could not be decoded as text in the encoding 'klingon'.",
    ],
    [
      'a misspelt section',
      documentOf('<typeMapping/>'),
      "6: Unknown element 'typeMapping' in 'AppSchemaDataAccess'; did you mean 'typeMappings'?",
    ],
    [
      'an element of another namespace',
      documentOf('<x:a xmlns:x="urn:x"/>'),
      "6: The element 'x:a' in 'AppSchemaDataAccess' has the namespace 'urn:x'. Mapping elements have no namespace.",
    ],
    [
      'text between elements',
      documentOf('hello'),
      "1: Unexpected text 'hello' in 'AppSchemaDataAccess'. Only elements are allowed.",
    ],
    [
      'two stores with the same id',
      documentOf(
        '<sourceDataStores><DataStore><id>a</id></DataStore><DataStore><id>a</id></DataStore></sourceDataStores>',
      ),
      "6: Duplicate source data store id 'a'.",
    ],
    [
      'an unknown store',
      documentOf(`<typeMappings>${typeOf('st:A', '')}</typeMappings>`),
      "6: The mapping of 'st:A' refers to the unknown source data store 'data'.",
    ],
    [
      'two mappings with the same target',
      mappingOf(typeOf('st:A', '') + typeOf('st:A', '')),
      "8: 'st:A' is also mapped in 'main.appschema', line 6. Set a unique mappingName on one of the mappings.",
    ],
  ])('are rejected with %s', (_, text, expected) => {
    expect(complaintsOf({ 'main.appschema': text }).join('\n')).toContain(`main.appschema:${expected}`);
  });

  it('are rejected if they have too many elements', () => {
    const text = documentOf(`<typeMappings>${typeOf('st:A', '<AttributeMapping/>'.repeat(200))}</typeMappings>`);

    const complaints = complaintsOf({ 'main.appschema': text }, 'main.appschema', {
      limits: { maxDepth: 50, maxNodes: 100 },
    });

    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain('100');
  });

  it('report at most 100 errors', () => {
    expect(
      complaintsOf({ 'main.appschema': mappingOf(typeOf('st:A', '<AttributeMapping/>'.repeat(500))) }),
    ).toHaveLength(100);
  });
});

describe('included mappings', () => {
  const including = (...paths: readonly string[]): string =>
    documentOf(`<includedTypes>${paths.map((path) => `<Include>${path}</Include>`).join('')}</includedTypes>`);

  it('are resolved relative to the including file, once each, and share stores and types', () => {
    const outcome = read(
      {
        'a/main.appschema': including('b/one.xml', '../two.xml'),
        'a/b/one.xml': including('../../two.xml'),
        'two.xml': mappingOf(typeOf('st:B', '')),
        'unused.xml': '<nonsense/>',
      },
      'a/main.appschema',
    );

    expect(outcome.kind === 'read' && outcome.mappings.map(({ file }) => file)).toEqual([
      'a/main.appschema',
      'a/b/one.xml',
      'two.xml',
    ]);
  });

  it.each([
    [
      { 'main.appschema': including('main.appschema') },
      'main.appschema:6: Mappings include each other in a cycle: main.appschema -> main.appschema.',
    ],
    [
      { 'main.appschema': including('a.xml'), 'a.xml': including('b.xml'), 'b.xml': including('a.xml') },
      'b.xml:6: Mappings include each other in a cycle: a.xml -> b.xml -> a.xml.',
    ],
    [
      { 'main.appschema': including('a.xml'), 'a.xml': including('main.appschema') },
      'a.xml:6: Mappings include each other in a cycle: main.appschema -> a.xml -> main.appschema.',
    ],
  ])('must not form a cycle (%#)', (files, expected) => {
    expect(complaintsOf(files as unknown as Record<string, string>)).toEqual([expected]);
  });

  it('must all exist; every missing file is reported', () => {
    expect(
      complaintsOf({ 'main.appschema': including('a.xml', 'b.xml', 'c.xml'), 'b.xml': including('d.xml') }),
    ).toEqual([
      "main.appschema:6: The included mapping 'a.xml' is missing from the uploaded files.",
      "main.appschema:6: The included mapping 'c.xml' is missing from the uploaded files.",
      "b.xml:6: The included mapping 'd.xml' is missing from the uploaded files.",
    ]);
    expect(complaintsOf({})).toEqual([
      "main.appschema:1: The mapping 'main.appschema' is missing from the uploaded files.",
    ]);
  });

  it.each(['/etc/passwd', 'http://example.com/a.xml', 'file:a.xml', '../a.xml', 'C:\\a.xml', '', '.'])(
    'must not be at %j',
    (path) => {
      expect(complaintsOf({ 'main.appschema': including(path) })).toEqual([
        `main.appschema:6: The included mapping '${path}' cannot be read: the path must be relative to this file and refer to another file of the upload.`,
      ]);
    },
  );

  it('must not exceed the file limit at any depth', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`${index}.xml`, including(`${index + 1}.xml`)]),
    );
    const names = Array.from({ length: 10_000 }, (_, index) => `${index}.xml`);
    const empty = Object.fromEntries(names.map((name) => [name, documentOf('')]));

    expect(complaintsOf(chain, '0.xml')).toEqual(['99.xml:6: The mapping consists of more than 100 files.']);
    expect(complaintsOf({ 'main.appschema': including(...names), ...empty })).toEqual([
      'main.appschema:6: The mapping consists of more than 100 files.',
    ]);
  });
});

describe('mutated mappings', () => {
  it('are read, or rejected with diagnostics', { timeout: 120_000 }, () => {
    const sample = mappingOf(
      typeOf(
        'st:A',
        "<AttributeMapping><targetAttribute>gml:name[1]/@xlink:href</targetAttribute><sourceExpression><OCQL>strConcat('a', B + 1)</OCQL></sourceExpression><isMultiple>true</isMultiple></AttributeMapping>",
      ),
    );
    const pieces = [
      '<',
      '>',
      '/',
      '&amp;',
      '&',
      '[',
      ']',
      "'",
      '(',
      '${',
      '}',
      ':',
      '@',
      '<OCQL>',
      '</OCQL>',
      '\0',
      '\ud800',
      ']]>',
      '<!--',
    ];
    const mutation = fc.oneof(createInsertion(pieces), createDeletion(15));

    fc.assert(
      fc.property(createMutatedDocument([sample], mutation), (text) => {
        const outcome = read({ 'main.appschema': text });

        if (outcome.kind === 'refused') expect(outcome.complaints.length).toBeGreaterThan(0);
        else expect(outcome.mappings).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });
});
