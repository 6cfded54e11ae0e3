/** Tiles with client options: filters, times, styles and environment values, each cached separately. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { colourAt, setFill } from '../../../test/support/maps.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';
import { featuresOfTile, readVectorTile } from '../../../test/support/vector-tiles.ts';

const server = useTestServer({ clock: () => Date.parse('2024-06-10T12:00:00Z') });

/** Four quarters of the box 0, 0, 10, 10 with four times and two heights. */
const attributes = [
  geometryColumn('Polygon'),
  column('name', 'string'),
  column('at', 'timestamp'),
  column('height', 'double'),
];
const rows = [
  [wkt('POLYGON ((0 5, 5 5, 5 10, 0 10, 0 5))'), 'a', new Date('2024-01-15T00:00:00Z'), 0],
  [wkt('POLYGON ((5 5, 10 5, 10 10, 5 10, 5 5))'), 'b', new Date('2024-02-15T12:30:00Z'), 0],
  [wkt('POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))'), 'c', new Date('2024-02-20T00:00:00Z'), 100],
  [wkt('POLYGON ((5 0, 10 0, 10 5, 5 5, 5 0))'), 'd', new Date('2024-06-01T00:00:00Z'), 100],
];

const BY_VALUE = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>any</Name><UserStyle><FeatureTypeStyle><Rule><PolygonSymbolizer><Fill><CssParameter name="fill"><ogc:Function name="env"><ogc:Literal>colour</ogc:Literal><ogc:Literal>#00ff00</ogc:Literal></ogc:Function></CssParameter></Fill></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

/** Blue in French, else green. */
const BY_LANGUAGE = BY_VALUE.replace(
  /<ogc:Function.*<\/ogc:Function>/,
  '<ogc:Function name="if_then_else"><ogc:Function name="equalTo"><ogc:Function name="language"/><ogc:Literal>fr</ogc:Literal></ogc:Function><ogc:Literal>#0000ff</ogc:Literal><ogc:Literal>#00ff00</ogc:Literal></ogc:Function>',
);

beforeAll(async () => {
  await publishTables(
    server,
    'topo',
    ['plain', 'moments', 'latest'].map((name) => ({ name, attributes, rows })),
  );
  for (const name of ['plain', 'moments']) await setFill(server, 'topo', name, `red_${name}`, '#ff0000');
  await server.post('/workspaces/topo/styles?name=by_value', BY_VALUE, { type: 'application/vnd.ogc.sld+xml' });
  await server.post('/workspaces/topo/styles?name=by_language', BY_LANGUAGE, { type: 'application/vnd.ogc.sld+xml' });
  await setDimension('moments', '');
  await setDimension(
    'latest',
    '<defaultValue><strategy>NEAREST</strategy><referenceValue>current</referenceValue></defaultValue>',
  );
});

async function setDimension(layer: string, more: string): Promise<void> {
  const info = '<enabled>true</enabled><presentation>LIST</presentation>';
  const entries = [
    `<entry key="time"><dimensionInfo><attribute>at</attribute>${info}${more}</dimensionInfo></entry>`,
    `<entry key="custom_dimension_level"><dimensionInfo><attribute>height</attribute>${info}<defaultValue><strategy>MAXIMUM</strategy></defaultValue></dimensionInfo></entry>`,
  ];
  const body = `<featureType><metadata>${entries.join('')}</metadata></featureType>`;
  const reply = await server.put(`/workspaces/topo/datastores/data/featuretypes/${layer}`, body, { type: 'xml' });
  expect(reply.status, reply.text).toBe(200);
}

/** The tile with the four quarters at every address; `%f` is the format, `%e` its extension. */
const addresses = {
  WMTS: '/gwc/service/wmts?request=GetTile&layer=topo:%l&tilematrixset=EPSG:4326&tilematrix=3&tilerow=3&tilecol=8&format=%f',
  'WMTS by path': '/gwc/service/wmts/rest/topo:%l/EPSG:4326/3/3/8?format=%f',
  TMS: '/gwc/service/tms/1.0.0/topo:%l@EPSG:4326@%e/3/8/4.%e?',
  XYZ: '/gwc/service/xyz/topo:%l@EPSG:4326@%e/3/8/3.%e?',
  'WMS-C':
    '/gwc/service/wms?request=GetMap&layers=topo:%l&srs=EPSG:4326&bbox=0,0,22.5,22.5&width=256&height=256&format=%f',
} as const;

function ask(address: keyof typeof addresses, layer: string, query: string, isVector = true): Promise<Reply> {
  const [format, ending] = isVector ? ['application/vnd.mapbox-vector-tile', 'pbf'] : ['image/png', 'png'];
  const path = addresses[address].replace('%l', layer).replaceAll('%f', format).replaceAll('%e', ending);
  return server.get(`//geoserver${path}&${query}`, { as: null });
}

function namesIn({ status, bytes }: Reply): readonly unknown[] {
  return status === 204 ? [] : featuresOfTile(bytes).map(({ properties }) => properties['name']);
}

/** Returns the names of the quarters that are red. */
async function drawn(reply: Reply): Promise<readonly string[]> {
  const places = { a: [28, 171], b: [85, 171], c: [28, 227], d: [85, 227] } as const;
  const found = await Promise.all(
    Object.entries(places).map(async ([name, [x, y]]) => ({ name, colour: await colourAt(reply, x, y) })),
  );
  return found.filter(({ colour }) => colour === '#ff0000').map(({ name }) => name);
}

it.each(Object.keys(addresses) as (keyof typeof addresses)[])('%s filters its tiles', async (address) => {
  const query = 'cql_filter=height=0%20AND%20name%3C%3E%27a%27';

  expect(namesIn(await ask(address, 'plain', query))).toEqual(['b']);
  expect(await drawn(await ask(address, 'plain', query, false))).toEqual(['b']);
});

describe('tile filter', () => {
  it.each([
    ['cql_filter=name=%27a%27', ['a']],
    ['CQL_FILTER=height%20%3E%2050', ['c', 'd']],
    [
      'filter=<Filter><PropertyIsEqualTo><PropertyName>name</PropertyName><Literal>b</Literal></PropertyIsEqualTo></Filter>',
      ['b'],
    ],
    ['cql_filter=name=%27nobody%27', []],
    ['', ['a', 'b', 'c', 'd']],
  ])('applies %s to vector and image tiles, also from the cache', async (query, expected) => {
    const tiles = [await ask('WMTS', 'plain', query), await ask('WMTS', 'plain', query)];
    const pictures = [await ask('WMTS', 'plain', query, false), await ask('WMTS', 'plain', query, false)];

    expect(tiles.map(namesIn)).toEqual([expected, expected]);
    expect(await Promise.all(pictures.map(drawn))).toEqual([expected, expected]);
    for (const [, again] of [tiles, pictures]) expect(again?.headers['geowebcache-cache-result']).toBe('HIT');
  });
});

const SLD_TYPE = 'application/vnd.ogc.sld+xml';

function addOptions(options: Readonly<Record<string, string>>): string {
  const elements = Object.entries(options).map(
    ([name, value]) => `<VendorOption name="${name}">${value}</VendorOption>`,
  );
  return BY_VALUE.replace('</Rule>', `${elements.join('')}</Rule>`);
}

describe('attributes of vector tiles', () => {
  it.each(Object.keys(addresses) as (keyof typeof addresses)[])('are selected by properties in %s', async (address) => {
    const tiles = [await ask(address, 'plain', 'properties=name'), await ask(address, 'plain', '')];

    const [named, all] = tiles.map(({ bytes }) => Object.keys(featuresOfTile(bytes)[0]?.properties ?? {}).sort());
    expect(named).toEqual(['name']);
    expect(all).toEqual(['at', 'height', 'name']);
  });

  it('are selected by the style unless the request has properties, also after a change of the style', async () => {
    const selecting = (names: string): string =>
      BY_VALUE.replace('</Rule>', `<VendorOption name="vt-attributes">${names}</VendorOption></Rule>`);
    const type = 'application/vnd.ogc.sld+xml';
    const listNames = async (query: string): Promise<readonly string[]> => {
      const { bytes } = await ask('XYZ', 'plain', `styles=chosen&${query}`);
      return Object.keys(featuresOfTile(bytes)[0]?.properties ?? {}).sort();
    };
    await server.post('/workspaces/topo/styles?name=chosen', selecting('height, nome,name'), { type });

    expect(await listNames('')).toEqual(['height', 'name']);
    expect(await listNames('properties=at')).toEqual(['at']);
    await server.put('/workspaces/topo/styles/chosen', selecting('at'), { type });
    expect(await listNames('')).toEqual(['at']);
    const map = await server.get(
      '//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=topo:plain&styles=chosen&srs=EPSG:4326&bbox=0,0,10,10&width=256&height=256&format=application/vnd.mapbox-vector-tile',
      { as: null },
    );
    expect(Object.keys(featuresOfTile(map.bytes)[0]?.properties ?? {})).toEqual(['at']);
  });

  it('are equal in merged features if the style has vt-coalesce', async () => {
    const options = { 'vt-attributes': 'height', 'vt-coalesce': 'true' };
    await server.post('/workspaces/topo/styles?name=merged', addOptions(options), { type: SLD_TYPE });

    const features = featuresOfTile((await ask('XYZ', 'plain', 'styles=merged')).bytes);

    expect(features.map(({ properties }) => properties)).toEqual([{ height: 0 }, { height: 100 }]);
    expect(features.map(({ id }) => id)).toEqual([undefined, undefined]);
  });

  it('can be others in the layer of labels, which vt-labels adds', async () => {
    const options = { 'vt-attributes': 'height', 'vt-labels': 'true', 'vt-label-attributes': 'name, nome' };
    await server.post('/workspaces/topo/styles?name=labelled', addOptions(options), { type: SLD_TYPE });
    await server.put('/layers/topo:latest', '<layer><defaultStyle><name>topo:labelled</name></defaultStyle></layer>', {
      type: 'xml',
    });

    const { bytes } = await ask('XYZ', 'plain', 'styles=labelled');
    const set = await server.get('//geoserver/ogc/tiles/v1/collections/topo:latest/tiles/WebMercatorQuad?f=tilejson', {
      as: null,
    });

    const [shapes, labels] = readVectorTile(bytes);
    expect([shapes?.name, labels?.name]).toEqual(['plain', 'plain-labels']);
    expect(shapes?.features.map(({ properties }) => properties)).toEqual(
      [0, 0, 100, 100].map((height) => ({ height })),
    );
    expect(labels?.features.map(({ properties }) => properties)).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => ({ name })),
    );
    expect(set.json()).toMatchObject({
      vector_layers: [
        { id: 'latest', fields: { height: 'Number' } },
        { id: 'latest-labels', fields: { name: 'String' } },
      ],
    });
    const [{ fields = {} } = {}] = (set.json() as { vector_layers: { fields: object }[] }).vector_layers;
    expect(Object.keys(fields)).toEqual(['height']);
  });

  it('must exist', async () => {
    expect((await ask('XYZ', 'plain', 'properties=nome')).text).toContain('nome');
  });
});

describe('layer with a time and a custom dimension', () => {
  it.each([
    ['', ['d']],
    ['time=2024-02-20T00:00:00Z', ['c']],
    ['time=2024-01-01/2024-12-31', ['c', 'd']],
    ['time=2024-01-01/2024-12-31&dim_level=0', ['a', 'b']],
    ['time=P1M/PRESENT', ['d']],
    ['time=2023', []],
  ])('draws the requested or default values: %s', async (query, expected) => {
    expect(namesIn(await ask('WMTS', 'moments', query))).toEqual(expected);
    expect(await drawn(await ask('XYZ', 'moments', query, false))).toEqual(expected);
  });

  it('is not cached for the current time', async () => {
    const results = async (layer: string, query: string) => {
      await ask('WMTS', layer, query);
      return (await ask('WMTS', layer, query)).headers['geowebcache-cache-result'];
    };

    expect(await results('moments', 'time=P1Y/PRESENT')).toBe('MISS');
    expect(await results('latest', '')).toBe('MISS');
    expect(await results('latest', 'time=2024-06-01&dim_level=100')).toBe('HIT');
  });

  it('is listed with its values and with address templates for them', async () => {
    const { text } = await server.get('//geoserver/gwc/service/wmts?request=GetCapabilities', { as: null });

    expect(text).toContain(
      '<Dimension><ows:Identifier>time</ows:Identifier><ows:UOM>ISO8601</ows:UOM><Default>2024-06-01T00:00:00Z</Default><Value>2024-01-15T00:00:00.000Z</Value>',
    );
    expect(text).toContain('<ows:Identifier>dim_level</ows:Identifier>');
    expect(text).toContain('{TileCol}?format=image/png&amp;time={time}&amp;dim_level={dim_level}');
  });

  it('rejects an invalid time', async () => {
    const reply = await ask('WMTS', 'moments', 'time=yesterday');

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('locator="time"')]);
  });
});

describe('appearance of image tiles', () => {
  it.each([
    ['styles=by_value', '#00ff00', '#00000000'],
    ['styles=by_value&env=colour:%23123456', '#123456', '#00000000'],
    ['styles=by_language', '#00ff00', '#00000000'],
    ['styles=by_language&language=fr', '#0000ff', '#00000000'],
    ['transparent=false', '#ff0000', '#ffffff'],
    ['bgcolor=0x00aabb', '#ff0000', '#00aabb'],
    ['', '#ff0000', '#00000000'],
  ])('follows %s', async (query, inside, outside) => {
    const reply = await ask('XYZ', 'plain', query, false);

    expect([await colourAt(reply, 28, 171), await colourAt(reply, 200, 20)]).toEqual([inside, outside]);
  });

  it('is ignored by vector tiles, which are the same for all values', async () => {
    await ask('XYZ', 'plain', '');

    expect((await ask('XYZ', 'plain', 'env=colour:red')).headers['geowebcache-cache-result']).toBe('HIT');
  });
});

describe('unsupported tile options', () => {
  it.each([
    ['sld_body=<x/>', 'sld_body'],
    ['sld=http://localhost/x', 'sld'],
    ['angle=45', 'angle'],
    ['sortby=name', 'sortby'],
    ['cql_filter=nothing=1', 'cql_filter'],
    ['cql_filter=name=%27a%27&featureid=plain.1', 'cql_filter'],
  ])('are rejected: %s', async (query, parameter) => {
    const reply = await ask('WMTS', 'plain', query);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(`locator="${parameter}"`)]);
  });

  it('include a size other than that of tiles', async () => {
    const path = addresses['WMS-C'].replace('%l', 'plain').replace('%f', 'image/png').replace('width=256', 'width=512');

    expect((await server.get(`//geoserver${path}`, { as: null })).status).toBe(400);
  });
});

describe('OGC API tiles and maps', () => {
  const tile = '/ogc/tiles/v1/collections/topo:%l/tiles/WorldCRS84Quad/3/3/8?f=mvt';
  const picture = '/ogc/tiles/v1/collections/topo:%l/map/tiles/WorldCRS84Quad/3/3/8?f=png';
  const map = '/ogc/maps/v1/collections/topo:%l/map?f=png&bbox=0,0,22.5,22.5&width=256&height=256';
  const get = (path: string, layer: string, query: string) =>
    server.get(`//geoserver${path.replace('%l', layer)}&${query}`, { as: null });

  it.each([
    ['plain', "filter=name='a'", ['a']],
    ['plain', 'filter={"op":"=","args":[{"property":"name"},"b"]}&filter-lang=cql2-json', ['b']],
    ['moments', 'datetime=2024-06-01T00:00:00Z', ['d']],
    ['moments', 'datetime=../2024-03-01T00:00:00Z', ['c']],
    ['moments', '', ['d']],
  ])('of %s apply %s', async (layer, query, expected) => {
    expect(namesIn(await get(tile, layer, query))).toEqual(expected);
    expect(await drawn(await get(picture, layer, query))).toEqual(expected);
    expect(await drawn(await get(map, layer, query))).toEqual(expected);
  });

  it('reject invalid filters and times', async () => {
    const replies = [
      await get(tile, 'plain', 'filter=nothing=1'),
      await get(tile, 'moments', 'datetime=1/2/3'),
      await get(map, 'plain', "filter=name='a'&filter-lang=sql"),
      await get(tile, 'plain', 'cql_filter=name=1'),
    ];

    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });
});
