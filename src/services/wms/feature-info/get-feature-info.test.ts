import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, fillSld, publishSquares, SMALL_MAP } from '../../../../test/support/maps.ts';
import { putTiff } from '../../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(() => publishSquares(server));

/** The pixel 4, 4 is in `high`, 4, 15 in `low`, 15, 4 in `whole`. */
const INFO = `${SMALL_MAP.replace('GetMap', 'GetFeatureInfo')}&layers=topo:west,topo:east&query_layers=topo:west,topo:east`;

async function ask(query: string): Promise<string> {
  return (await askMap(server, `${INFO}&${query}`)).text;
}

interface Collection {
  readonly features: readonly { readonly id: string; readonly properties: { readonly kind: string } }[];
}

async function kindsAt(query: string): Promise<readonly string[]> {
  const { features } = JSON.parse(await ask(`info_format=application/json&${query}`)) as Collection;
  return features.map(({ properties }) => properties.kind);
}

describe('GetFeatureInfo', () => {
  it('returns the features drawn at the pixel', async () => {
    expect(await kindsAt('x=4&y=4')).toEqual(['high']);
    expect(await kindsAt('x=4&y=15')).toEqual(['low']);
    expect(await kindsAt('i=15&j=4')).toEqual(['whole']);
  });

  it('returns one feature per layer, or the requested number, within the requested radius', async () => {
    expect(await kindsAt('x=9&y=10&buffer=3')).toEqual(['low', 'whole']);
    expect(await kindsAt('x=9&y=10&buffer=3&feature_count=10')).toEqual(['low', 'high', 'whole']);
  });

  it('respects filters and access rules', async () => {
    const rule =
      '<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>low</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>';
    const sld = encodeURIComponent(fillSld('#00ff00', { layer: 'topo:west', rule }));

    expect(await kindsAt("x=4&y=4&cql_filter=kind='low';INCLUDE")).toEqual([]);
    expect(await kindsAt(`x=4&y=4&sld_body=${sld}`)).toEqual([]);
    expect(await kindsAt(`x=4&y=15&sld_body=${sld}`)).toEqual(['low']);
  });

  it('returns coordinates in the CRS of the map', async () => {
    const mercator = INFO.replace('EPSG:4326&bbox=0,0,10,10', 'EPSG:3857&bbox=0,0,1113194.9,1118889.97');

    const reply = await askMap(server, `${mercator}&x=15&y=4&info_format=application/json`);

    expect(reply.json()).toMatchObject({ crs: { properties: { name: 'urn:ogc:def:crs:EPSG::3857' } } });
    expect(reply.text).toContain('556597.45');
  });

  it('returns the requested properties', async () => {
    const text = await ask('x=4&y=4&info_format=application/json&propertyName=(rank)(kind)');

    expect(JSON.parse(text)).toMatchObject({ features: [{ properties: { rank: 2 } }] });
    expect(text).not.toContain('high');
  });
});

describe('GetFeatureInfo with an XML document', () => {
  const box = '<BoundingBox srsName="EPSG:4326" minx="0" miny="0" maxx="10" maxy="10"/>';
  const size = '<Size><Width>20</Width><Height>20</Height></Size>';
  const layers = '<Layers>topo:west</Layers><Layers>topo:east</Layers>';
  const map = `<GetMap>${layers}${box}<Output><Format>image/png</Format>${size}</Output></GetMap>`;
  const post = (parts: string, path = 'wms') => {
    const head = 'service="WMS" version="1.1.1" xmlns="http://www.opengis.net/ows"';
    const text = `<GetFeatureInfo ${head}>${parts}</GetFeatureInfo>`;
    return server.post(`//geoserver/${path}`, text, { as: null, type: 'text/xml' });
  };
  const kinds = (text: string) => (JSON.parse(text) as Collection).features.map(({ properties }) => properties.kind);

  it('returns features of the map in the document, in its format and number', async () => {
    const asked = '<QueryLayer>topo:west</QueryLayer><QueryLayer>topo:east</QueryLayer>';
    const wishes = '<Output><InfoFormat>application/json</InfoFormat><FeatureCount>10</FeatureCount></Output>';
    const around = '<Vendor><buffer>3</buffer></Vendor>';

    expect(kinds((await post(`${map}${asked}<I>4</I><J>15</J>${wishes}`)).text)).toEqual(['low']);
    expect(kinds((await post(`${map}${asked}<I>9</I><J>10</J>${wishes}${around}`, 'ows')).text)).toEqual([
      ...['low', 'high', 'whole'],
    ]);
    expect((await post(`${map}${asked}<X>15</X><Y>4</Y>`)).text).toContain('kind = whole\n');
  });

  it('accepts the elements of the map beside its own, and a style in the document', async () => {
    const rule =
      '<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>low</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>';
    const parts = `${fillSld('#00ff00', { layer: 'topo:west', rule })}${box}<Output>${size}</Output><QueryLayers>topo:west</QueryLayers><InfoFormat>application/json</InfoFormat>`;

    expect(kinds((await post(`${parts}<I>4</I><J>15</J>`)).text)).toEqual(['low']);
    expect(kinds((await post(`${parts}<I>4</I><J>4</J>`)).text)).toEqual([]);
  });

  it('reports missing elements', async () => {
    const said = '<Exceptions>application/json</Exceptions>';

    expect((await post(`${map}<I>4</I><J>4</J>`)).text).toContain('locator="query_layers"');
    expect((await post(`${map}<QueryLayer>topo:west</QueryLayer><I>4</I>${said}`)).json()).toMatchObject({
      exceptions: [{ code: 'MissingParameterValue', locator: 'y' }],
    });
    expect((await post(`${map}<QueryLayer>topo:nothing</QueryLayer><I>4</I><J>4</J>`)).text).toContain(
      'code="LayerNotDefined"',
    );
  });
});

describe('formats of GetFeatureInfo', () => {
  it('default to plain text, as scripts expect', async () => {
    expect(await ask('x=4&y=4')).toBe(`Results for FeatureType 'http://topo:west':
--------------------------------------------
the_geom = [GEOMETRY (Polygon) with 5 points]
kind = high
rank = 2
--------------------------------------------
`);
    expect(await ask("x=4&y=4&cql_filter=kind='low';INCLUDE")).toBe('no features were found\n');
  });

  it.each([
    ['text/html', 'text/html;charset=utf-8', '<td>high</td>'],
    ['application/json', 'application/json;charset=utf-8', '"totalFeatures":"unknown"'],
    ['application/vnd.ogc.gml', 'application/vnd.ogc.gml', '<topo:kind>high</topo:kind>'],
    ['text/xml', 'text/xml', '<gml:featureMember>'],
    ['application/vnd.ogc.gml/3.1.1', 'application/vnd.ogc.gml/3.1.1', 'gml:id="west.2"'],
    ['text/xml; subtype=gml/3.1.1', 'text/xml; subtype=gml/3.1.1', 'gml:id="west.2"'],
  ])('include %s', async (format, type, expected) => {
    const reply = await askMap(server, `${INFO}&x=4&y=4&info_format=${encodeURIComponent(format)}`);

    expect(reply.headers['content-type']).toBe(type);
    expect(reply.text).toContain(expected);
  });
});

describe('invalid GetFeatureInfo request', () => {
  it.each([
    ['x=20&y=4', 'code="InvalidPoint" locator="x"'],
    ['x=4&y=20', 'code="InvalidPoint" locator="y"'],
    ['x=-1&y=4', 'code="InvalidPoint"'],
    ['x=a&y=4', 'code="InvalidPoint"'],
    ['x=4', 'code="MissingParameterValue" locator="y"'],
    ['x=4&y=4&info_format=text/nothing', 'code="InvalidFormat" locator="info_format"'],
  ])('is rejected with a reason: %s', async (query, expected) => {
    expect(await ask(query)).toContain(expected);
  });

  it('is rejected for a layer that is not on the map or not queryable', async () => {
    const other = INFO.replace('query_layers=topo:west,topo:east', 'query_layers=topo:nothing');
    expect((await askMap(server, `${other}&x=4&y=4`)).text).toContain('code="LayerNotDefined"');

    await server.put('/layers/topo:west', '<layer><queryable>false</queryable></layer>', { type: 'xml' });
    const refused = await ask('x=4&y=4');
    await server.put('/layers/topo:west', '<layer><queryable>true</queryable></layer>', { type: 'xml' });

    expect(refused).toContain('code="LayerNotQueryable"');
  });
});

describe('GetFeatureInfo of a coverage', () => {
  let map = '';

  beforeAll(async () => {
    await putTiff(server, '/workspaces/topo/coveragestores/relief/file.geotiff');
    const coverage = '/workspaces/topo/coveragestores/relief/coverages/relief.json';
    const { minx, miny, maxx, maxy } = (
      (await server.get(coverage)).json() as {
        readonly coverage: { readonly nativeBoundingBox: Readonly<Record<'minx' | 'miny' | 'maxx' | 'maxy', number>> };
      }
    ).coverage.nativeBoundingBox;
    map = `service=WMS&version=1.1.1&request=GetFeatureInfo&layers=topo:relief&query_layers=topo:relief&styles=&format=image/png&srs=EPSG:32633&bbox=${minx},${miny},${maxx},${maxy}&width=30&height=20`;
  });

  async function readProperties(more = ''): Promise<unknown> {
    const json = await askMap(server, `${map}&x=2&y=1&info_format=application/json${more}`);
    const { features } = JSON.parse(json.text) as { readonly features: readonly { readonly properties: unknown }[] };
    return features.map(({ properties }) => properties);
  }

  it('returns its values as attributes with the names of its bands in the catalog', async () => {
    const text = await askMap(server, `${map}&x=2&y=1&info_format=text/plain`);

    // The samples of the file are consecutive numbers.
    expect(await readProperties()).toEqual([{ GRAY_INDEX: 32 }]);
    expect(text.text).toContain('GRAY_INDEX = 32\n');
  });

  function withLabels(type: string, options: Readonly<Record<string, string>>): string {
    const entries = [
      [10, 'low'],
      [32, 'middle'],
      [50, 'high'],
    ].map(([quantity, label]) => `<ColorMapEntry color="#000000" quantity="${quantity}" label="${label}"/>`);
    const written = Object.entries(options).map(
      ([name, value]) => `<VendorOption name="${name}">${value}</VendorOption>`,
    );
    const symbolizer = `<RasterSymbolizer><ColorMap type="${type}">${entries.join('')}</ColorMap>${written.join('')}</RasterSymbolizer>`;
    const sld = `<StyledLayerDescriptor version="1.0.0"><NamedLayer><Name>topo:relief</Name><UserStyle><FeatureTypeStyle><Rule>${symbolizer}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    return `&sld_body=${encodeURIComponent(sld)}`;
  }

  it('returns the label of the colour of a value if the style requests it', async () => {
    const add = { labelInFeatureInfo: 'add' };

    expect(await readProperties(withLabels('ramp', add))).toEqual([{ GRAY_INDEX: 32, Label_GRAY_INDEX: 'middle' }]);
    expect(await readProperties(withLabels('intervals', add))).toEqual([{ GRAY_INDEX: 32, Label_GRAY_INDEX: 'high' }]);
    expect(await readProperties(withLabels('values', { labelInFeatureInfo: 'replace' }))).toEqual([
      { Label_GRAY_INDEX: 'middle' },
    ]);
    expect(await readProperties(withLabels('ramp', { ...add, labelAttributeName: 'my class' }))).toEqual([
      { GRAY_INDEX: 32, 'my class': 'middle' },
    ]);
    expect(await readProperties(withLabels('ramp', { labelInFeatureInfo: 'none' }))).toEqual([{ GRAY_INDEX: 32 }]);
  });

  it('keeps the value of a band if the label has the same name', async () => {
    const sameName = { labelAttributeName: 'GRAY_INDEX' };

    expect(await readProperties(withLabels('ramp', { ...sameName, labelInFeatureInfo: 'add' }))).toEqual([
      { GRAY_INDEX: 32, Label_GRAY_INDEX: 'middle' },
    ]);
    expect(await readProperties(withLabels('ramp', { ...sameName, labelInFeatureInfo: 'replace' }))).toEqual([
      { GRAY_INDEX: 'middle' },
    ]);
  });

  it('writes labels with names that are not XML names as well-formed XML', async () => {
    const named = withLabels('ramp', { labelInFeatureInfo: 'add', labelAttributeName: '1 &lt; class' });

    const { text } = await askMap(server, `${map}&x=2&y=1&info_format=application/vnd.ogc.gml${named}`);

    expect(text).toMatch(/<topo:[A-Za-z_][\w.-]*>middle<\//);
  });
});
