/** The effect of tile settings in all tile services. */
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const tables = [
  {
    name: 'fields',
    attributes: [geometryColumn('Polygon'), column('name', 'string'), column('size', 'integer')],
    rows: [
      [wkt('POLYGON ((0 0, 90 0, 90 66, 0 66, 0 0))'), 'east', 1],
      [wkt('POLYGON ((-90 0, 0 0, 0 66, -90 66, -90 0))'), 'west', 2],
    ],
  },
];

const EDGE = 20_037_508.342789244;
const north = { coords: [-EDGE, 0, EDGE, EDGE] };

describe('tile settings', () => {
  const server = useTestServer();
  beforeAll(() => publishTables(server, 'acme', tables));
  const set = async (GeoServerLayer: object) => {
    const reply = await server.put('/tilelayers/acme:fields', JSON.stringify({ GeoServerLayer }));
    expect(reply.status, reply.text).toBe(200);
  };
  const get = (path: string) => server.get(`//geoserver${path}`, { as: null });
  const wmts = (level: number, row: number, col: number, more = '') =>
    get(`/gwc/service/wmts/rest/acme:fields/EPSG:900913/${level}/${row}/${col}?format=image/png${more}`);
  const results = async (replies: readonly Promise<{ readonly status: number }>[]) =>
    (await Promise.all(replies)).map(({ status }) => status);
  beforeEach(() => server.delete('/tilelayers/acme:fields'));

  it('restrict the formats in all services', async () => {
    await set({ mimeFormats: ['image/jpeg'] });

    expect(
      await results([
        get('/gwc/service/wmts/rest/acme:fields/EPSG:900913/0/0/0?format=image/jpeg'),
        wmts(0, 0, 0),
        get('/gwc/service/tms/1.0.0/acme:fields@EPSG:900913@png/0/0/0.png'),
        get('/gwc/service/gmaps?layers=acme:fields&zoom=0&x=0&y=0&format=image/png'),
        get('/ogc/tiles/v1/collections/acme:fields/map/tiles/WebMercatorQuad/0/0/0?f=jpeg'),
        get('/ogc/tiles/v1/collections/acme:fields/map/tiles/WebMercatorQuad/0/0/0?f=png'),
        get('/ogc/tiles/v1/collections/acme:fields/tiles/WebMercatorQuad/0/0/0'),
      ]),
    ).toEqual([200, 400, 400, 400, 200, 400, 404]);
    const capabilities = (await get('/gwc/service/wmts?request=GetCapabilities')).text;
    expect(capabilities.match(/<Format>[^<]*/g)).toEqual(['<Format>image/jpeg']);
    expect((await get('/gwc/service/tms/1.0.0')).text).not.toContain('@png');
  });

  it('of a disabled layer offer no tiles', async () => {
    await set({ enabled: false });

    expect(await results([wmts(0, 0, 0), get('/gwc/service/tms/1.0.0/acme:fields@EPSG:900913@png/0/0/0.png')])).toEqual(
      [400, 400],
    );
    expect((await get('/gwc/service/wmts?request=GetCapabilities')).text).not.toContain('acme:fields');
    expect((await get('/ogc/tiles/v1/collections/acme:fields')).status).toBe(404);
    expect((await server.get('//geoserver/gwc/rest/layers.json')).json()).toEqual([]);
  });

  it('restrict the grid sets, levels and extents in all services', async () => {
    await set({ gridSubsets: [{ gridSetName: 'EPSG:900913', zoomStart: 1, zoomStop: 3, extent: north }] });

    const box = [-EDGE, 0, 0, EDGE].join(',');
    const below = [-EDGE, -EDGE, 0, 0].join(',');
    const query = '/gwc/service/wms?layers=acme:fields&srs=EPSG:900913&format=image/png&bbox=';
    const maps = '/ogc/tiles/v1/collections/acme:fields/map/tiles';
    expect(
      await results([
        ...[wmts(1, 0, 0), wmts(0, 0, 0), wmts(4, 0, 0), wmts(1, 1, 0)],
        get('/gwc/service/wmts/rest/acme:fields/EPSG:4326/1/0/0?format=image/png'),
        get('/gwc/service/tms/1.0.0/acme:fields@EPSG:900913@png/1/0/1.png'),
        get('/gwc/service/tms/1.0.0/acme:fields@EPSG:900913@png/1/0/0.png'),
        get(`${query}${box}`),
        get(`${query}${below}`),
        get('/gwc/service/gmaps?layers=acme:fields&zoom=4&x=0&y=0'),
        ...[get(`${maps}/WebMercatorQuad/1/0/0`), get(`${maps}/WebMercatorQuad/1/1/0`)],
        ...[get(`${maps}/WebMercatorQuad/4/0/0`), get(`${maps}/WorldCRS84Quad/1/0/0`)],
      ]),
    ).toEqual([200, 400, 400, 400, 400, 200, 400, 200, 400, 400, 200, 404, 404, 404]);
    expect((await wmts(1, 1, 0)).text).toContain('exceptionCode="TileOutOfRange" locator="TileRow"');

    const capabilities = (await get('/gwc/service/wmts?request=GetCapabilities')).text;
    const limits = capabilities.match(/<TileMatrixLimits>.*?<\/TileMatrixLimits>/g) ?? [];
    expect(limits.filter((each) => each.includes('EPSG:900913'))).toEqual([
      '<TileMatrixLimits><TileMatrix>EPSG:900913:1</TileMatrix><MinTileRow>0</MinTileRow><MaxTileRow>0</MaxTileRow><MinTileCol>0</MinTileCol><MaxTileCol>1</MaxTileCol></TileMatrixLimits>',
      '<TileMatrixLimits><TileMatrix>EPSG:900913:2</TileMatrix><MinTileRow>1</MinTileRow><MaxTileRow>1</MaxTileRow><MinTileCol>1</MinTileCol><MaxTileCol>2</MaxTileCol></TileMatrixLimits>',
      '<TileMatrixLimits><TileMatrix>EPSG:900913:3</TileMatrix><MinTileRow>2</MinTileRow><MaxTileRow>3</MaxTileRow><MinTileCol>2</MinTileCol><MaxTileCol>5</MaxTileCol></TileMatrixLimits>',
    ]);
    expect(capabilities).not.toContain('<TileMatrixSet>EPSG:4326</TileMatrixSet></TileMatrixSetLink>');
    expect((await get('/gwc/service/tms/1.0.0/acme:fields@EPSG:900913@png')).text.match(/order="\d+"/g)).toEqual([
      'order="1"',
      'order="2"',
      'order="3"',
    ]);
    expect((await get(`${maps}/WebMercatorQuad?f=tilejson`)).json()).toMatchObject({ minzoom: 1, maxzoom: 3 });
    expect((await get(`${maps}/WebMercatorQuad`)).json()).toMatchObject({
      tileMatrixSetLimits: [
        { tileMatrix: '1', minTileRow: 0, maxTileRow: 0, minTileCol: 0, maxTileCol: 1 },
        { tileMatrix: '2', minTileRow: 0, maxTileRow: 1, minTileCol: 0, maxTileCol: 3 },
        { tileMatrix: '3', minTileRow: 0, maxTileRow: 3, minTileCol: 0, maxTileCol: 7 },
      ],
    });
  });

  it('offer an own grid set that the settings of WMTS do not contain', async () => {
    await set({ gridSubsets: [{ gridSetName: 'EPSG:2056' }] });

    const schemes = (await get('/ogc/tiles/v1/tileMatrixSets')).text;
    expect(schemes).toContain('EPSG:2056');
    expect((await get('/ogc/tiles/v1/tileMatrixSets/EPSG:2056')).status).toBe(200);
    expect((await get('/gwc/service/wmts?request=GetCapabilities')).text).toContain('<TileMatrixSet>EPSG:2056<');
  });

  it('cache each value that parameter filters choose, and reject others', async () => {
    await set({
      parameterFilters: {
        styleParameterFilter: { key: 'STYLES', defaultValue: '', allowedStyles: ['line'] },
        regexParameterFilter: {
          key: 'CQL_FILTER',
          defaultValue: '',
          regex: "name='[a-z]+'",
          normalize: { case: 'LOWER', locale: 'en' },
        },
        floatParameterFilter: { key: 'ELEVATION', defaultValue: '0', values: [0, 2.5], threshold: 0.1 },
      },
    });
    const hits = async (more: string) => {
      const { status, headers } = await wmts(0, 0, 0, more);
      return status === 200 ? headers['geowebcache-cache-result'] : status;
    };

    expect(await hits("&cql_filter=name='west'")).toBe('MISS');
    expect(await hits("&CQL_FILTER=NAME='WEST'")).toBe('HIT');
    expect(await hits("&cql_filter=name='east'")).toBe('MISS');
    expect(await hits('&cql_filter=size>1')).toBe(400);
    expect([await hits('&elevation=2.4'), await hits('&elevation=2.6'), await hits('&elevation=2.7')]).toEqual([
      'MISS',
      'HIT',
      400,
    ]);
    expect([await hits('&elevation=0.1'), await hits('')]).toEqual(['MISS', 'HIT']);
    const styled = (style: string) =>
      get(`/gwc/service/tms/1.0.0/acme:fields@EPSG:900913@png/0/0/0.png?styles=${style}`);
    expect(await results([styled('line'), styled('polygon'), styled('point')])).toEqual([200, 200, 400]);
    const api = (filter: string) =>
      get(`/ogc/tiles/v1/collections/acme:fields/map/tiles/WebMercatorQuad/0/0/0?f=png&filter=${filter}`);
    expect(await results([api("name='west'"), api('size>1')])).toEqual([200, 400]);
    expect((await wmts(0, 0, 0, '&cql_filter=size>1')).text).toContain('locator="cql_filter"');
  });

  it('draw the requested number of tiles together', async () => {
    await set({ metaWidthHeight: [2, 1], gutter: 20 });
    const isKept = async (row: number, col: number) =>
      (await wmts(3, row, col)).headers['geowebcache-cache-result'] === 'HIT';

    expect([await isKept(2, 2), await isKept(2, 3), await isKept(3, 2)]).toEqual([false, true, false]);
  });

  it('draw the same plain map with a gutter as without', async () => {
    const plain = await sharp((await wmts(2, 1, 2)).bytes)
      .raw()
      .toBuffer();
    await set({ gutter: 33, metaWidthHeight: [3, 3] });
    const { headers, bytes } = await wmts(2, 1, 2);

    expect(headers['geowebcache-cache-result']).toBe('MISS');
    expect((await sharp(bytes).raw().toBuffer()).equals(plain)).toBe(true);
  });

  it('limit the lifetimes in the cache and for clients by level', async () => {
    await set({
      expireCacheList: [
        { '@minZoom': '0', '@expiration': '3600' },
        { '@minZoom': '2', '@expiration': '-1' },
      ],
      expireClients: 300,
      expireClientsList: [{ '@minZoom': '1', '@expiration': '60' }],
    });
    const read = async (level: number) => {
      const { headers } = await wmts(level, 0, 0);
      return [headers['geowebcache-cache-result'], headers['cache-control'], typeof headers['expires']];
    };

    await Promise.all([0, 1, 2].map((level) => read(level)));
    expect([await read(0), await read(1), await read(2)]).toEqual([
      ['HIT', 'public, max-age=300, must-revalidate', 'string'],
      ['HIT', 'public, max-age=60, must-revalidate', 'string'],
      ['MISS', 'public, max-age=60, must-revalidate', 'string'],
    ]);
    await set({ gridSubsets: [{ gridSetName: 'EPSG:900913', minCachedLevel: 1, maxCachedLevel: 1 }] });
    await Promise.all([0, 1, 2].map((level) => read(level)));
    expect([(await read(0))[0], (await read(1))[0], (await read(2))[0]]).toEqual(['MISS', 'HIT', 'MISS']);
  });

  it('come from the settings of WMTS if a layer has none', async () => {
    const defaults = { metaTilingX: 2, metaTilingY: 1, gutter: 20, expireClients: 77 };
    const setDefaults = (wmtsSettings: object) =>
      server.put('/services/wmts/settings', JSON.stringify({ wmts: wmtsSettings }));
    const read = async (level: number, row: number, col: number) =>
      (await wmts(level, row, col)).headers['geowebcache-cache-result'];
    await setDefaults(defaults);

    expect([await read(4, 4, 4), await read(4, 4, 5), await read(4, 5, 4)]).toEqual(['MISS', 'HIT', 'MISS']);
    expect((await wmts(4, 4, 4)).headers['cache-control']).toBe('public, max-age=77, must-revalidate');
    await setDefaults({ expireCache: -1 });
    expect([await read(5, 0, 0), await read(5, 0, 0)]).toEqual(['MISS', 'MISS']);
    await setDefaults({ metaTilingX: null, metaTilingY: null, gutter: null, expireClients: null, expireCache: null });
  });
});
