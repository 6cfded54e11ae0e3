/** Tiles by WMTS (key-value pairs and paths), TMS and WMS-C. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { type RequestOptions, useTestServer } from '../../../test/support/test-server.ts';
import { featuresOfTile, readVectorTile } from '../../../test/support/vector-tiles.ts';

const GWC = '/geoserver/gwc/service';
const MVT = 'application/vnd.mapbox-vector-tile';

const tables = [
  {
    name: 'fields',
    attributes: [geometryColumn('Polygon'), column('name', 'string')],
    rows: [
      [wkt('POLYGON ((0 0, 90 0, 90 80, 0 80, 0 0))'), 'north east'],
      [wkt('POLYGON ((-90 -80, 0 -80, 0 0, -90 0, -90 -80))'), 'south west'],
    ],
  },
  { name: 'notes', attributes: [column('text', 'string')], rows: [['without a place']] },
];

describe('tiles of WMTS, TMS and WMS-C', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishTables(server, 'acme', tables);
    await server.post(
      '/workspaces/acme/layergroups',
      JSON.stringify({
        layerGroup: {
          name: 'all',
          mode: 'SINGLE',
          publishables: { published: [{ '@type': 'layer', name: 'acme:fields' }] },
        },
      }),
    );
  });

  const ask = (path: string, options: RequestOptions = {}) => server.get(`/${GWC}${path}`, { as: null, ...options });
  const kvp = (parameters: Readonly<Record<string, string>>, options?: RequestOptions) =>
    ask(`/wmts?${new URLSearchParams({ service: 'WMTS', version: '1.0.0', ...parameters })}`, options);
  const tile = {
    request: 'GetTile',
    layer: 'acme:fields',
    style: '',
    format: MVT,
    tilematrixset: 'EPSG:900913',
    tilematrix: 'EPSG:900913:1',
    tilerow: '0',
    tilecol: '1',
  };
  const namesIn = (bytes: Buffer) => featuresOfTile(bytes).map(({ properties }) => properties['name']);

  it('are listed by WMTS with their formats, grids and addresses', async () => {
    const reply = await kvp({ request: 'GetCapabilities' });

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/xml;charset=utf-8']);
    expect(reply.text).toContain('<ows:Identifier>acme:fields</ows:Identifier>');
    expect(reply.text).toContain('<ows:Identifier>acme:all</ows:Identifier>');
    expect(reply.text).not.toContain('acme:notes');
    expect(reply.text).toContain(`<Format>${MVT}</Format>`);
    expect(reply.text).toContain('<TopLeftCorner>90 -180</TopLeftCorner>');
    for (const grid of ['EPSG:4326', 'EPSG:900913', 'WebMercatorQuad', 'WorldCRS84Quad']) {
      expect(reply.text).toContain(`<TileMatrixSet><ows:Identifier>${grid}</ows:Identifier>`);
    }
    expect((await ask('/wmts/rest/WMTSCapabilities.xml')).text).toBe(reply.text);
  });

  it('are listed with their limits', async () => {
    const { text } = await kvp({ request: 'GetCapabilities' });
    const limits = (grid: string, level: string) => {
      const [, link = ''] =
        new RegExp(`<TileMatrixSetLink><TileMatrixSet>${grid}</TileMatrixSet>(.*?)</TileMatrixSetLink>`).exec(text) ??
        [];
      const [, found = ''] =
        new RegExp(`<TileMatrixLimits><TileMatrix>${level}</TileMatrix>(.*?)</TileMatrixLimits>`).exec(link) ?? [];
      return found.match(/\d+/g)?.map(Number);
    };

    // From 90° W, 80° S to 90° E, 80° N: first and last row, then first and last column.
    expect(limits('EPSG:4326', 'EPSG:4326:0')).toEqual([0, 0, 0, 1]);
    expect(limits('EPSG:4326', 'EPSG:4326:2')).toEqual([0, 3, 2, 5]);
    expect(limits('WebMercatorQuad', '2')).toEqual([0, 3, 1, 2]);
    expect(limits('EPSG:900913', 'EPSG:900913:3')).toEqual([0, 7, 2, 5]);
  });

  it.each([
    'request=getcapabilities',
    'REQUEST=GetCapabilities&SERVICE=wmts&AcceptVersions=1.0.0',
    'request=GetCapabilities&SERVICE=WMS&REQUEST=GetCapabilities',
  ])('are listed for %s too', async (query) => {
    const reply = await ask(`/wmts?${query}`);

    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('<Capabilities xmlns')]);
  });

  it('return an error for tiles of another service', async () => {
    expect((await kvp({ ...tile, service: 'WMS' })).text).toContain('locator="service"');
  });

  it('return 304 for an unchanged list', async () => {
    const { text } = await kvp({ request: 'GetCapabilities' });
    const [, current = ''] = /updateSequence="(\d+)"/.exec(text) ?? [];

    expect((await kvp({ request: 'GetCapabilities', updatesequence: current })).text).toContain(
      'CurrentUpdateSequence',
    );
  });

  it('are returned for key-value pairs, for paths with and without a style, and for every grid name', async () => {
    const expected = await kvp(tile);
    const paths = [
      '/wmts/rest/acme:fields/polygon/EPSG:900913/EPSG:900913:1/0/1?format=pbf',
      `/wmts/rest/acme:fields/EPSG:900913/EPSG:900913:1/0/1?format=${encodeURIComponent(MVT)}`,
      '/wmts/rest/acme:fields/WebMercatorQuad/1/0/1?format=mvt',
      '/tms/1.0.0/acme%3Afields@EPSG%3A900913@pbf/1/1/1.pbf',
      '/tms/1.0.0/acme:fields@EPSG:900913@pbf/1/1/0.pbf?flipY=true',
      '/xyz/acme:fields@WebMercatorQuad@pbf/1/1/0.pbf',
      `/gmaps?layers=acme:fields&zoom=1&x=1&y=0&format=${MVT}`,
      `/wms?service=WMS&request=GetMap&version=1.1.1&layers=acme:fields&styles=&srs=EPSG:900913&bbox=0,0,20037508.34,20037508.34&width=256&height=256&format=${MVT}`,
    ];

    expect([expected.status, expected.headers['content-type']]).toEqual([200, MVT]);
    expect(namesIn(expected.bytes)).toContain('north east');
    for (const path of paths) {
      const reply = await ask(path);
      expect([path, reply.status, reply.bytes.equals(expected.bytes)]).toEqual([path, 200, true]);
    }
  });

  it('are returned by the workspace service for names without a prefix', async () => {
    const reply = await server.get(
      '//geoserver/acme/gwc/service/wmts/rest/fields/EPSG:4326/EPSG:4326:0/0/1?format=pbf',
      { as: null },
    );

    expect(namesIn(reply.bytes)).toContain('north east');
    expect(
      (await server.get('//geoserver/acme/gwc/service/wmts?request=GetCapabilities', { as: null })).text,
    ).toContain('<ows:Identifier>fields</ows:Identifier>');
  });

  it('of a group contain the layers of its members', async () => {
    const reply = await kvp({ ...tile, layer: 'acme:all' });

    expect(readVectorTile(reply.bytes).map(({ name }) => name)).toEqual(['fields']);
  });

  it('have headers with their bounds, and come from the cache the second time', async () => {
    const at = { ...tile, tilematrix: '3', tilerow: '3', tilecol: '4' };

    const replies = [await kvp(at), await kvp(at)];

    expect(replies.map(({ headers }) => headers['geowebcache-cache-result'])).toEqual(['MISS', 'HIT']);
    expect(replies[0]?.headers['geowebcache-tile-index']).toBe('[4, 4, 3]');
    expect(replies[0]?.bytes).toEqual(replies[1]?.bytes);
    const tagged = await kvp(at, { headers: { 'if-none-match': String(replies[0]?.headers['etag']) } });
    expect(tagged.status).toBe(304);
  });

  it('return 204 if they are empty, also from the cache', async () => {
    const nowhere = { ...tile, tilematrix: '5', tilerow: '31', tilecol: '31' };

    const replies = [await kvp(nowhere), await kvp(nowhere)];

    expect(replies.map(({ status }) => status)).toEqual([204, 204]);
    expect(replies.map(({ headers }) => headers['geowebcache-cache-result'])).toEqual(['MISS', 'HIT']);
  });

  it('are redrawn when the data of their layer is replaced', async () => {
    const at = { ...tile, layer: 'changing:fields', tilematrix: '0', tilerow: '0', tilecol: '0' };
    await publishTables(server, 'changing', tables.slice(0, 1));
    const before = await kvp(at);

    await publishTables(server, 'changing', [
      { ...tables[0], rows: [[wkt('POLYGON ((0 0, 9 0, 9 8, 0 8, 0 0))'), 'moved']] } as never,
    ]);

    expect(namesIn(before.bytes)).toEqual(['north east', 'south west']);
    expect(namesIn((await kvp(at)).bytes)).toEqual(['moved']);
  });

  it.each([
    [{ layer: 'acme:nothing' }, 'InvalidParameterValue', 'Layer'],
    [{ layer: '' }, 'MissingParameterValue', 'Layer'],
    [{ style: 'nothing' }, 'InvalidParameterValue', 'Style'],
    [{ format: 'image/x-pcx' }, 'InvalidParameterValue', 'Format'],
    [{ tilematrixset: 'EPSG:2056' }, 'InvalidParameterValue', 'TileMatrixSet'],
    [{ tilematrix: 'EPSG:900913:99' }, 'InvalidParameterValue', 'TileMatrix'],
    [{ tilematrix: 'EPSG:4326:1' }, 'InvalidParameterValue', 'TileMatrix'],
    [{ tilerow: '2' }, 'TileOutOfRange', 'TileRow'],
    [{ tilecol: '-1' }, 'TileOutOfRange', 'TileCol'],
    [{ tilecol: 'x' }, 'InvalidParameterValue', 'TileCol'],
    [{ tilerow: '1.5' }, 'InvalidParameterValue', 'TileRow'],
    [{ request: 'GetMap' }, 'OperationNotSupported', 'Request'],
    [{ service: 'WMS' }, 'InvalidParameterValue', 'service'],
  ])('reject %j', async (changes, code, locator) => {
    const reply = await kvp({ ...tile, ...changes });

    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'text/xml;charset=utf-8']);
    expect(reply.text).toContain(`exceptionCode="${code}" locator="${locator}"`);
  });

  it.each([
    '/tms/1.0.0/acme:fields@EPSG:900913@pbf/1/1/1.png',
    '/tms/1.0.0/acme:fields@EPSG:900913@pbf/1/1/2.pbf',
    '/tms/1.0.0/acme:fields@EPSG:900913@exe/1/1/1.exe',
    '/wms?request=GetMap&layers=acme:fields&srs=EPSG:900913&bbox=100000,0,20037508.34,20037508.34&format=pbf',
    '/wms?request=GetMap&layers=acme:fields&srs=EPSG:900913&bbox=NaN,0,1,1&format=pbf',
    '/wms?request=GetFeature',
    '/gmaps?layers=acme:fields&zoom=1&x=9&y=0&format=pbf',
  ])('reject %s', async (path) => {
    expect((await ask(path)).status).toBe(400);
  });

  describe('feature information', () => {
    const info = { ...tile, request: 'GetFeatureInfo', infoformat: 'application/json', i: '20', j: '200' };
    const found = ({ text }: { readonly text: string }) =>
      (JSON.parse(text) as { features: readonly { properties: { name: string } }[] }).features.map(
        ({ properties }) => properties.name,
      );

    it('is returned for key-value pairs and paths, for layers and groups', async () => {
      const paths = [
        '/wmts/rest/acme:fields/polygon/EPSG:900913/EPSG:900913:1/0/1/200/20?format=application/json',
        '/wmts/rest/acme:fields/EPSG:900913/EPSG:900913:1/0/1/200/20?format=application/json',
        '/wmts/rest/acme:all/WebMercatorQuad/1/0/1/200/20?format=application/json',
      ];

      const replies = [await kvp(info), ...(await Promise.all(paths.map((path) => ask(path))))];

      expect(replies.map(found)).toEqual(Array.from(replies, () => ['north east']));
      expect(found(await kvp({ ...info, i: '250', j: '5' }))).toEqual([]);
      expect(found(await kvp({ ...info, cql_filter: "name='south west'" }))).toEqual([]);
    });

    it.each([
      ['text/plain', 'text/plain;charset=utf-8'],
      ['text/html', 'text/html;charset=utf-8'],
      ['application/vnd.ogc.gml', 'application/vnd.ogc.gml'],
    ])('is returned as %s', async (infoformat, type) => {
      const reply = await kvp({ ...info, infoformat });

      expect([reply.status, reply.headers['content-type']]).toEqual([200, type]);
      expect(reply.text).toContain('north east');
    });

    it('is listed in the capabilities', async () => {
      const { text } = await kvp({ request: 'GetCapabilities' });

      expect(text).toContain('<InfoFormat>application/json</InfoFormat>');
      expect(text).toContain(
        '/gwc/service/wmts/rest/acme%3Afields/{style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}/{J}/{I}?format=text/html',
      );
    });

    it.each([
      [{ i: '256' }, 'PointIJOutOfRange', 'I'],
      [{ j: '-1' }, 'PointIJOutOfRange', 'J'],
      [{ i: '' }, 'MissingParameterValue', 'I'],
      [{ infoformat: 'image/png' }, 'InvalidParameterValue', 'InfoFormat'],
      [{ layer: 'acme:nothing' }, 'InvalidParameterValue', 'Layer'],
    ])('rejects %j', async (changes, code, locator) => {
      const reply = await kvp({ ...info, ...changes });

      expect([reply.status, reply.text]).toEqual([
        400,
        expect.stringContaining(`exceptionCode="${code}" locator="${locator}"`),
      ]);
    });

    it('is rejected for a layer that is not queryable', async () => {
      await server.put('/layers/acme:fields', '<layer><queryable>false</queryable></layer>', { type: 'xml' });
      const reply = await kvp(info);
      await server.put('/layers/acme:fields', '<layer><queryable>true</queryable></layer>', { type: 'xml' });

      expect(reply.status).toBe(400);
    });
  });

  it('are listed by TMS with their levels', async () => {
    const list = await ask('/tms/1.0.0');
    const [, href = ''] = /href="([^"]*acme%3Afields%40EPSG%3A900913%40pbf)"/.exec(list.text) ?? [];
    const map = await ask(`/tms${href.split('/tms')[1]}`);

    expect(list.text).toContain('profile="global-geodetic"');
    expect(map.text).toContain('<SRS>EPSG:900913</SRS>');
    expect(map.text).toContain(`mime-type="${MVT}" extension="pbf"`);
    expect(map.text).toContain('order="24"');
  });

  it('are listed by WMS-C, with the tile sets on request', async () => {
    const query = '/wms?service=WMS&version=1.1.1&request=GetCapabilities';
    const [plain, tiled] = [await ask(query), await ask(`${query}&tiled=true`)];
    const sets = tiled.text.match(/<TileSet>.*<\/TileSet>/g) ?? [];

    expect(tiled.headers['content-type']).toBe('application/vnd.ogc.wms_xml');
    expect(tiled.text).toContain('<Name>acme:fields</Name>');
    expect(plain.text).not.toContain('<TileSet>');
    expect(
      sets.find(
        (each) => each.includes('<SRS>EPSG:4326</SRS>') && each.includes('image/png</Format><Layers>acme:fields'),
      ),
    ).toMatch(
      /<BoundingBox SRS="EPSG:4326" minx="-180" miny="-90" maxx="180" maxy="90"\/><Resolutions>0\.703125 0\.3515625 .*<Width>256<\/Width>.*<Layers>acme:fields<\/Layers>/,
    );
  });

  it('return feature information to WMS-C clients', async () => {
    const map = 'layers=acme:fields&query_layers=acme:fields&srs=EPSG:4326&bbox=0,-90,180,90&width=256&height=256';
    const { text } = await ask(`/wms?request=GetFeatureInfo&${map}&x=20&y=60&info_format=application/json`);

    expect(text).toContain('north east');
  });

  it('follow the WMTS settings', async () => {
    await server.put('/services/wmts/settings', JSON.stringify({ wmts: { title: 'Our tiles', fees: 'a smile' } }));
    const capabilities = await kvp({ request: 'GetCapabilities' });
    await server.put('/services/wmts/settings', JSON.stringify({ wmts: { enabled: false } }));
    const disabled = [await kvp(tile), await kvp({ request: 'GetCapabilities' }), await ask('/tms/1.0.0')];
    await server.put('/services/wmts/settings', JSON.stringify({ wmts: { enabled: true } }));

    expect(capabilities.text).toContain('<ows:Title>Our tiles</ows:Title>');
    expect(capabilities.text).toContain('<ows:Fees>a smile</ows:Fees>');
    expect(disabled.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('have the cache lifetime of their layer', async () => {
    const before = await kvp(tile);
    const entries = {
      entry: [
        { '@key': 'cachingEnabled', $: 'true' },
        { '@key': 'cacheAgeMax', $: '600' },
      ],
    };
    await server.put('/workspaces/acme/featuretypes/fields', JSON.stringify({ featureType: { metadata: entries } }));
    const after = await kvp(tile);

    expect(before.headers['cache-control']).toBe('public, no-cache');
    expect(after.headers['cache-control']).toBe('public, max-age=600, must-revalidate');
  });
});
