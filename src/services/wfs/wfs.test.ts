import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { type PublishedTable, publishTables } from '../../../test/support/published-features.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';

const towns: PublishedTable = {
  name: 'towns',
  attributes: [geometryColumn('Point'), column('name', 'string'), column('people', 'integer')],
  rows: [
    [wkt('POINT (7.5 47)'), 'Bern', 134],
    [wkt('POINT (8.5 47.4)'), 'Zürich', 421],
    [wkt('POINT (6.1 46.2)'), 'Genève', null],
    [wkt('POINT (-70.6 -33.4)'), 'Santiago & <co>', 5_600],
  ],
};

const fields: PublishedTable = {
  name: 'fields',
  attributes: [geometryColumn('Polygon', 'EPSG:2056'), column('crop', 'string')],
  rows: [[wkt('POLYGON ((2600000 1200000, 2600010 1200000, 2600010 1200020, 2600000 1200000))'), 'rye']],
};

const server = useTestServer();

/** A row without a geometry, and a text that exceeds the limit of a drawing. */
const notes: PublishedTable = {
  name: 'notes',
  attributes: [geometryColumn('Point'), column('name', 'string')],
  rows: [
    [wkt('POINT (1 2)'), 'ä'.repeat(300)],
    [null, 'nowhere'],
  ],
};

beforeAll(() => publishTables(server, 'topo', [towns, fields, notes]));

function wfs(query: string, path = '//geoserver/wfs'): Promise<Reply> {
  return server.get(`${path}?service=WFS&${query}`, { as: null });
}

function post(body: string, type = 'text/xml', path = '//geoserver/wfs'): Promise<Reply> {
  return server.post(path, body, { as: null, type });
}

interface Collection {
  readonly features: readonly {
    readonly id: string;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly geometry: { readonly coordinates: readonly number[] } | null;
  }[];
  readonly numberMatched?: number;
  readonly numberReturned: number;
  readonly links?: readonly { readonly rel: string; readonly href: string }[];
}

async function features(query: string): Promise<Collection> {
  const reply = await wfs(
    `version=2.0.0&request=GetFeature&outputFormat=application/json&typeNames=topo:towns&${query}`,
  );
  expect(reply.text).toMatch(/^\{"type":"FeatureCollection"/);
  return reply.json() as Collection;
}

async function names(query: string): Promise<readonly unknown[]> {
  return (await features(query)).features.map(({ properties }) => properties['name']);
}

it('counts features, also beyond the last page', async () => {
  expect(await features('startIndex=100')).toMatchObject({ features: [], numberMatched: 4, numberReturned: 0 });
});

describe('GetCapabilities', () => {
  it.each([
    ['version=1.0.0', '<WFS_Capabilities version="1.0.0"'],
    ['version=1.1.0', '<wfs:WFS_Capabilities version="1.1.0"'],
    ['version=2.0.0', '<wfs:WFS_Capabilities version="2.0.0"'],
    ['acceptVersions=1.1.0,2.0.0', '<wfs:WFS_Capabilities version="1.1.0"'],
    ['', '<wfs:WFS_Capabilities version="2.0.0"'],
  ])('lists every type: %s', async (query, root) => {
    const reply = await wfs(`request=GetCapabilities&${query}`);

    expect({ status: reply.status, type: reply.headers['content-type'] }).toEqual({
      status: 200,
      type: 'application/xml;charset=utf-8',
    });
    expect(reply.text).toContain(root);
    expect(reply.text).toContain('<Name>topo:towns</Name>');
    expect(reply.text).toContain('<Name>topo:fields</Name>');
  });

  it.each([
    '//geoserver/wfs',
    '//geoserver/ows',
    '//geoserver/topo/wfs',
    '//geoserver/topo/ows',
    '//geoserver/topo/towns/wfs',
    '//geoserver/topo/towns/ows',
    '//wfs',
  ])('is answered at %s', async (path) => {
    const reply = await wfs('request=getcapabilities', path);

    expect(reply.text).toContain('<Name>topo:towns</Name>');
    expect(reply.text.includes('<Name>topo:fields</Name>')).toBe(!path.includes('towns'));
  });

  it('contains the address of the request', async () => {
    const reply = await server.get('//geoserver/topo/ows?service=WFS&request=GetCapabilities', {
      as: null,
      headers: { host: 'maps.example:8443' },
    });

    expect(reply.text).toContain('<ows:Get xlink:href="http://maps.example:8443/geoserver/topo/wfs"/>');
  });

  it('reports that the client has the current state', async () => {
    const current = /updateSequence="(\d+)"/.exec((await wfs('request=GetCapabilities')).text)?.[1];

    const same = await wfs(`request=GetCapabilities&updateSequence=${current}`);
    const older = await wfs('request=GetCapabilities&updateSequence=0');

    expect(same.text).toContain('exceptionCode="CurrentUpdateSequence"');
    expect(older.text).toContain('<Name>topo:towns</Name>');
  });
});

describe('DescribeFeatureType', () => {
  it.each([
    ['1.0.0', 'text/xml', 'http://www.opengis.net/gml'],
    ['1.1.0', 'text/xml; subtype=gml/3.1.1', 'http://www.opengis.net/gml'],
    ['2.0.0', 'application/gml+xml; version=3.2', 'http://www.opengis.net/gml/3.2'],
  ])('returns the schema in the GML version of WFS %s', async (version, type, gml) => {
    const reply = await wfs(`version=${version}&request=DescribeFeatureType&typeName=topo:towns`);

    expect(reply.headers['content-type']).toBe(type);
    expect(reply.text).toContain(`xmlns:gml="${gml}"`);
    expect(reply.text).toContain('name="people"');
    expect(reply.text).toContain('type="gml:PointPropertyType"');
  });

  it('returns the schema in JSON', async () => {
    const reply = await wfs('version=2.0.0&request=DescribeFeatureType&typeNames=towns&outputFormat=application/json');

    expect(reply.json()).toMatchObject({
      targetPrefix: 'topo',
      featureTypes: [{ typeName: 'towns', properties: [{ name: 'the_geom' }, { name: 'name' }, { name: 'people' }] }],
    });
  });

  it('returns the schema of several types and of all types', async () => {
    const several = await wfs('version=1.1.0&request=DescribeFeatureType&typeName=topo:towns,topo:fields');
    const all = await wfs('version=1.1.0&request=DescribeFeatureType');

    for (const { text } of [several, all]) {
      expect(text).toContain('<xsd:element name="towns"');
      expect(text).toContain('<xsd:element name="fields"');
    }
  });
});

describe('GetFeature', () => {
  it.each([
    [
      'DXF',
      'layers:my town;colors:3;ltypes:dash!-_!2;withattributes:true;version:14',
      '2\nMY_TOWN\n70\n0\n62\n3\n6\nDASH\n',
    ],
    ['application/dxf', 'asblock:true', '2\nFEATURE_4\n'],
    ['DXF-ZIP', 'asblock:false', 'towns.dxf'],
  ])('returns a drawing as %s with the options %s', async (format, options, content) => {
    const reply = await wfs(
      `version=2.0.0&request=GetFeature&typeNames=topo:towns&outputFormat=${format}&format_options=${options}`,
    );

    expect([reply.status, reply.headers['warning']]).toEqual([200, undefined]);
    expect(reply.headers['content-type']).toBe(format === 'DXF-ZIP' ? 'application/zip' : 'application/dxf');
    expect(reply.text).toContain(content);
  });

  it('accepts common spellings of flags of a drawing, and warns about other values', async () => {
    const draw = (options: string): Promise<Reply> =>
      wfs(`version=2.0.0&request=GetFeature&typeNames=topo:towns&outputFormat=DXF&format_options=${options}`);
    const block = '2\nFEATURE_4\n';

    for (const value of ['yes', '1', 'TRUE']) expect((await draw(`asblock:${value}`)).text).toContain(block);
    for (const value of ['no', '0']) {
      const { text, headers } = await draw(`asblock:${value}`);
      expect([text.includes(block), headers['warning']]).toEqual([false, undefined]);
    }
    const { text, headers } = await draw('asblock:maybe');
    expect([text.includes(block), headers['warning']]).toEqual([
      false,
      `199 - "Invalid value 'maybe' of the format option 'asblock': expected true or false. It counts as false."`,
    ]);
  });

  it('warns about features without a geometry and marks long texts in a drawing', async () => {
    const query = 'version=2.0.0&request=GetFeature&typeNames=topo:notes&outputFormat=DXF';
    for (const asBlock of [true, false]) {
      const { text, headers } = await wfs(`${query}&format_options=withattributes:true;asblock:${asBlock}`);

      expect(headers['warning']).toBe(
        `199 - "Matching features of 'topo:notes' without a geometry: 1. They are omitted."`,
      );
      expect(text).toContain('999\nFeatures without a geometry, which are omitted: 1\n');
      expect(text).toContain('999\nTexts above 255 characters, which end with "...": 1\n');
      expect(/^(?:\\U\+00E4)+\.\.\.$/m.exec(text)?.[0].length).toBe(255 - ((255 - 3) % 7));
    }
    const drawn = await wfs(`${query}&cql_filter=name<>'nowhere'`);
    expect([drawn.status, drawn.headers['warning']]).toEqual([200, undefined]);
  });

  it('reads options of the format from the attribute formatOptions of a document', async () => {
    const reply = await post(
      `<GetFeature service="WFS" version="2.0.0" xmlns="http://www.opengis.net/wfs/2.0" outputFormat="DXF" formatOptions="layers:my town;sparkle:on">
        <Query typeNames="topo:towns"/></GetFeature>`,
    );

    expect(reply.text).toContain('2\nMY_TOWN\n');
    expect(reply.headers['warning']).toBe(`199 - "Unknown format option 'sparkle'. It is ignored."`);
  });

  it.each(['version:15', 'colors:0', 'colors:red', 'ltypes:dash', 'ltypes:a!-_-_-_-_-_-_-', 'layers:a,b'])(
    'rejects the option %s of a drawing',
    async (options) => {
      const reply = await wfs(
        `version=2.0.0&request=GetFeature&typeNames=topo:towns&outputFormat=DXF&format_options=${options}`,
      );

      expect(reply.status).toBe(400);
      expect(reply.text).toContain('exceptionCode="InvalidParameterValue"');
    },
  );

  it.each([
    ['excel2007', undefined],
    ['excel', '199 - "The format of Excel 97 (.xls) is unsupported. The response is an Excel 2007 workbook (.xlsx)."'],
  ])('returns an Excel workbook as %s, in requests of both kinds', async (format, warning) => {
    const query = '<Query xmlns="http://www.opengis.net/wfs/2.0" typeNames="topo:towns"/>';
    const replies = [
      await wfs(`version=2.0.0&request=GetFeature&typeNames=topo:towns&outputFormat=${format}`),
      await post(
        `<GetFeature service="WFS" version="2.0.0" xmlns="http://www.opengis.net/wfs/2.0" outputFormat="${format}">${query}</GetFeature>`,
      ),
    ];

    for (const { status, headers, text } of replies) {
      expect([status, headers['warning']]).toEqual([200, warning]);
      expect(headers).toMatchObject({
        'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'content-disposition': 'attachment; filename=towns.xlsx',
      });
      expect(text).toContain('[Content_Types].xml');
    }
  });

  it('returns features as GeoJSON', async () => {
    const reply = await wfs(
      'version=2.0.0&request=GetFeature&typeNames=topo:towns&outputFormat=application/json&count=1&sortBy=name',
    );

    expect(reply.headers).toMatchObject({
      'content-type': 'application/json;charset=utf-8',
      'content-disposition': 'inline; filename=towns.json',
    });
    expect(reply.json()).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'towns.1',
          geometry: { type: 'Point', coordinates: [7.5, 47] },
          geometry_name: 'the_geom',
          properties: { name: 'Bern', people: 134 },
        },
      ],
      totalFeatures: 4,
      numberMatched: 4,
      numberReturned: 1,
      timeStamp: expect.stringMatching(/^\d{4}-/),
      links: [{ rel: 'next', href: expect.stringContaining('startindex=1') }],
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4326' } },
    });
  });

  it.each([
    ['1.0.0', 'text/xml; subtype=gml/2.1.2', '<gml:featureMember><topo:towns fid="towns.1">'],
    ['1.1.0', 'text/xml; subtype=gml/3.1.1', '<gml:featureMembers><topo:towns gml:id="towns.1">'],
    ['2.0.0', 'application/gml+xml; version=3.2', '<wfs:member><topo:towns gml:id="towns.1">'],
  ])('returns features in the GML version of WFS %s', async (version, type, start) => {
    const reply = await wfs(`version=${version}&request=GetFeature&typeName=topo:towns&maxFeatures=1`);

    expect(reply.headers['content-type']).toBe(type);
    expect(reply.text).toContain(start);
    expect(reply.text).toContain('<topo:name>Bern</topo:name>');
  });

  it('accepts the same request as a form and as a document', async () => {
    const query = 'service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:towns&outputFormat=json&count=1';
    const document = `<wfs:GetFeature service="WFS" version="2.0.0" outputFormat="json" count="1"
      xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:t="http://topo"><wfs:Query typeNames="t:towns"/></wfs:GetFeature>`;

    const form = await post(query, 'application/x-www-form-urlencoded');
    // The last one is the default of curl for any body.
    const types = ['text/xml', 'application/xml', 'text/plain', 'application/x-www-form-urlencoded'];
    const bodies = await Promise.all(types.map((type) => post(document, type)));

    expect(form.json()).toMatchObject({ numberReturned: 1, numberMatched: 4 });
    for (const each of bodies) expect(each.json()).toMatchObject({ numberReturned: 1, numberMatched: 4 });
  });

  it.each([
    ['sortBy=name', ['Bern', 'Genève', 'Santiago & <co>', 'Zürich']],
    ['sortBy=people+D&count=2&cql_filter=people IS NOT NULL', ['Santiago & <co>', 'Zürich']],
    ['startIndex=1&count=2&sortBy=name', ['Genève', 'Santiago & <co>']],
    ['startIndex=100', []],
    ['count=0', []],
    ['featureID=towns.2,towns.4', ['Zürich', 'Santiago & <co>']],
    ['featureID=other.1', []],
    ["cql_filter=name LIKE 'Z%25'", ['Zürich']],
    ['cql_filter=people BETWEEN 100 AND 500', ['Bern', 'Zürich']],
    [
      'filter=<Filter><PropertyIsEqualTo><PropertyName>topo:name</PropertyName><Literal>Bern</Literal></PropertyIsEqualTo></Filter>',
      ['Bern'],
    ],
    [
      'filter=<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0"><fes:PropertyIsGreaterThan><fes:ValueReference>people</fes:ValueReference><fes:Literal>500</fes:Literal></fes:PropertyIsGreaterThan></fes:Filter>',
      ['Santiago & <co>'],
    ],
  ])('selects features: %s', async (query, found) => {
    expect(await names(query)).toEqual(found);
  });

  it('returns the requested properties', async () => {
    const { features: found } = await features('propertyName=topo:towns/topo:name&count=1');
    const { features: all } = await features('propertyName=*&count=1');

    expect(found).toMatchObject([{ geometry: null, properties: { name: 'Bern' } }]);
    expect(found[0]?.properties).not.toHaveProperty('people');
    expect(all).toMatchObject([{ properties: { name: 'Bern', people: 134 } }]);
  });

  it('counts features', async () => {
    const newer = await wfs('version=2.0.0&request=GetFeature&typeNames=topo:towns&resultType=hits');
    const older = await wfs('version=1.1.0&request=GetFeature&typeName=topo:towns&resultType=hits');

    expect(newer.text).toContain('numberMatched="4" numberReturned="0"');
    expect(newer.text).toContain('resulttype=results&amp;startindex=0"');
    expect(older.text).toContain('numberOfFeatures="4"');
  });

  it('returns several types in sequence, and pages through them', async () => {
    const query = 'version=2.0.0&request=GetFeature&typeNames=(topo:towns)(topo:fields)&outputFormat=json';

    const whole = (await wfs(query)).json() as Collection;
    const across = (await wfs(`${query}&startIndex=3&count=2`)).json() as Collection;

    expect(whole).toMatchObject({ numberMatched: 5, numberReturned: 5 });
    expect(across.features.map(({ id }) => id)).toEqual(['towns.4', 'fields.1']);
    expect((await wfs('version=1.1.0&request=GetFeature&typeName=topo:towns,topo:fields')).text).toContain(
      'numberOfFeatures="5"',
    );
  });

  it('has no next link on an empty page, which would loop forever', async () => {
    const gml = await wfs('version=2.0.0&request=GetFeature&typeNames=topo:towns&count=0');

    expect(gml.text).toContain('numberMatched="4" numberReturned="0"');
    expect(gml.text).not.toContain('next=');
    expect((await features('count=0')).links ?? []).toEqual([]);
  });

  it('is not accepted by another service', async () => {
    const reply = await server.get('//geoserver/wfs?service=WPS&request=GetCapabilities', { as: null });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('exceptionCode="InvalidParameterValue" locator="service"');
  });

  it('links the pages up to the last one', async () => {
    const seen: unknown[] = [];
    let address: string | undefined =
      '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:towns&outputFormat=json&count=3&sortBy=name';
    while (address !== undefined) {
      const page = (await server.get(address, { as: null })).json() as Collection;
      seen.push(...page.features.map(({ properties }) => properties['name']));
      const next = page.links?.find(({ rel }) => rel === 'next')?.href;
      address = next === undefined ? undefined : `/${next.replace(/^http:\/\/[^/]+/, '')}`;
    }

    expect(seen).toEqual(['Bern', 'Genève', 'Santiago & <co>', 'Zürich']);
  });

  it('returns one feature by its id without a collection', async () => {
    const byId = 'version=2.0.0&request=GetFeature&storedQuery_id=urn:ogc:def:query:OGC-WFS::GetFeatureById';

    const found = await wfs(`${byId}&id=towns.2`);
    const missing = await wfs(`${byId}&id=towns.99`);
    const nowhere = await wfs(`${byId}&id=nothing.1`);

    expect(found.text).toMatch(/^<\?xml[^>]*>\n<topo:towns gml:id="towns\.2"/);
    expect(missing).toMatchObject({ status: 404, text: expect.stringContaining('exceptionCode="NotFound"') });
    expect(nowhere.text).toBe(missing.text.replace('towns.99', 'nothing.1'));
  });
});

describe('GetPropertyValue', () => {
  it('returns the values of a property without nulls', async () => {
    const reply = await wfs('version=2.0.0&request=GetPropertyValue&typeNames=topo:towns&valueReference=people');

    expect(reply.text.match(/<topo:people>\d+<\/topo:people>/g)).toEqual([
      '<topo:people>134</topo:people>',
      '<topo:people>421</topo:people>',
      '<topo:people>5600</topo:people>',
    ]);
    expect(reply.text).toContain('numberMatched="3" numberReturned="3"');
  });

  it('returns geometries', async () => {
    const reply = await wfs(
      'version=2.0.0&request=GetPropertyValue&typeNames=topo:towns&valueReference=the_geom&count=1',
    );

    expect(reply.text).toContain('<gml:pos>47 7.5</gml:pos>');
  });
});

describe('stored queries', () => {
  it('are listed with the types they can return, and described', async () => {
    const list = await wfs('version=2.0.0&request=ListStoredQueries');
    const description = await wfs('version=2.0.0&request=DescribeStoredQueries');

    expect(list.text).toContain('id="urn:ogc:def:query:OGC-WFS::GetFeatureById"');
    expect(list.text).toContain('>topo:towns</wfs:ReturnFeatureType>');
    expect(description.text).toContain('<wfs:Parameter name="ID" type="xs:string"/>');
  });
});

describe('invalid WFS request', () => {
  it.each([
    ['', 'MissingParameterValue', 'request', 400],
    ['request=Nothing', 'OperationNotSupported', 'Nothing', 400],
    ['request=Transaction', 'OptionNotSupported', 'request', 400],
    ['request=GetFeature&typeNames=topo:nothing', 'InvalidParameterValue', 'typeName', 400],
    ['request=GetFeature&typeNames=nowhere:towns', 'InvalidParameterValue', 'typeName', 400],
    ['request=GetFeature&typeNames=topo:towns&outputFormat=tin-foil', 'InvalidParameterValue', 'outputFormat', 400],
    ['request=GetFeature&typeNames=topo:towns&srsName=EPSG:999999', 'InvalidParameterValue', 'srsName', 400],
    ['request=GetFeature&typeNames=topo:towns&propertyName=secret', 'InvalidParameterValue', 'propertyName', 400],
    ['request=GetFeature&typeNames=topo:towns&propertyName=//name', 'InvalidParameterValue', 'propertyName', 400],
    ['request=GetFeature&typeNames=topo:towns&propertyName=../name', 'InvalidParameterValue', 'propertyName', 400],
    ['request=GetFeature&typeNames=topo:towns&propertyName=./name', 'InvalidParameterValue', 'propertyName', 400],
    ['request=GetFeature&typeNames=topo:towns&propertyName=other/name', 'InvalidParameterValue', 'propertyName', 400],
    ['request=GetFeature&typeNames=topo:towns&sortBy=../name', 'InvalidParameterValue', 'sortBy', 400],
    ['request=GetFeature&typeNames=topo:towns&propertyName=exec(name)', 'InvalidParameterValue', 'propertyName', 400],
    ['request=GetFeature&typeNames=topo:towns&sortBy=secret', 'InvalidParameterValue', 'sortBy', 400],
    ['request=GetFeature&typeNames=topo:towns&cql_filter=secret=1', 'InvalidParameterValue', 'cql_filter', 400],
    ['request=GetFeature&typeNames=topo:towns&cql_filter=name=', 'InvalidParameterValue', 'cql_filter', 400],
    ['request=GetFeature&typeNames=topo:towns&bbox=1,2,3,4,EPSG:1', 'InvalidParameterValue', 'bbox', 400],
    [
      'request=GetFeature&typeNames=topo:towns&bbox=1,2,3,4&cql_filter=people=1',
      'OperationProcessingFailed',
      'cql_filter',
      400,
    ],
    [
      'request=GetPropertyValue&typeNames=topo:towns&valueReference=secret',
      'InvalidParameterValue',
      'valueReference',
      400,
    ],
    ['request=DescribeFeatureType&typeNames=topo:nothing', 'InvalidParameterValue', 'typeName', 400],
    ['request=GetCapabilities&acceptVersions=9.0.0', 'VersionNegotiationFailed', 'acceptVersions', 400],
  ])('returns a reason: %s', async (query, code, locator, status) => {
    const reply = await wfs(query);

    expect({ status: reply.status, head: reply.text.split('\n')[2]?.trim() }).toEqual({
      status,
      head: `<ows:Exception exceptionCode="${code}" locator="${locator}">`,
    });
  });

  it('returns status 200 and the report of the version in older versions', async () => {
    const oldest = await wfs('version=1.0.0&request=GetFeature&typeName=nothing');
    const older = await wfs('version=1.1.0&request=GetFeature&typeName=nothing');
    const document = await post('<wfs:GetFeature version="1.1.0" xmlns:wfs="http://www.opengis.net/wfs"/>');

    expect(oldest).toMatchObject({
      status: 200,
      text: expect.stringContaining('<ServiceExceptionReport version="1.2.0"'),
    });
    expect(older).toMatchObject({ status: 200, text: expect.stringContaining('version="1.0.0"') });
    expect(document).toMatchObject({ status: 200, text: expect.stringContaining('OperationParsingFailed') });
  });

  it('returns JSON on request', async () => {
    const reply = await wfs('version=2.0.0&request=GetFeature&typeNames=nothing&exceptions=application/json');

    expect(reply.json()).toEqual({
      version: '2.0.0',
      exceptions: [{ code: 'InvalidParameterValue', locator: 'typeName', text: "Unknown feature type 'nothing'." }],
    });
  });

  it('must name the service at the shared address', async () => {
    const none = await server.get('//geoserver/ows?request=GetCapabilities', { as: null });
    const other = await server.get('//geoserver/ows?service=WPS&request=GetCapabilities', { as: null });

    expect(none.text).toContain('exceptionCode="MissingParameterValue" locator="service"');
    expect(other.text).toContain('exceptionCode="InvalidParameterValue" locator="service"');
  });

  it('returns 404 for an unknown workspace', async () => {
    expect(await wfs('request=GetCapabilities', '//geoserver/nowhere/wfs')).toMatchObject({ status: 404 });
  });

  it('finds no types of another workspace', async () => {
    await publishTables(server, 'other', [{ ...towns, name: 'villages' }]);

    const reply = await wfs('version=2.0.0&request=GetFeature&typeNames=topo:towns', '//geoserver/other/wfs');

    expect(reply).toMatchObject({ status: 400, text: expect.stringContaining('Unknown feature type') });
  });
});
