/** Tiles in national and own grid sets, by all tile services. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { featuresOfTile } from '../../../test/support/vector-tiles.ts';

const tables = [
  {
    name: 'towns',
    attributes: [geometryColumn('Polygon'), column('name', 'string')],
    rows: [[wkt('POLYGON ((7.4 46.9, 7.5 46.9, 7.5 47, 7.4 47, 7.4 46.9))'), 'Bern']],
  },
  {
    name: 'far',
    attributes: [geometryColumn('Point'), column('name', 'string')],
    rows: [[wkt('POINT (100 -40)'), 'far away']],
  },
];

/** Pixels of 3 and 1 kilometres, tiles of 200 × 300 pixels, and a lower edge that differs between the levels. */
const odd = {
  srs: { number: 2056 },
  extent: { coords: [2_400_000, 1_000_000, 2_900_000, 1_350_000] },
  alignTopLeft: true,
  resolutions: [3000, 1000],
  scaleNames: ['coarse', 'fine'],
  tileWidth: 200,
  tileHeight: 300,
};
const gk3 = { srs: { number: 31_467 }, extent: { coords: [3_200_000, 5_100_000, 3_900_000, 6_100_000] }, levels: 6 };

describe('tiles in other grids', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishTables(server, 'acme', tables);
    await server.put('/gridsets/odd', JSON.stringify({ gridSet: odd }));
    await server.put('/gridsets/gk3', JSON.stringify({ gridSet: gk3 }));
    const string = ['EPSG:2056', 'odd', 'gk3', 'WebMercatorQuadx2'];
    await server.put('/services/wmts/settings', JSON.stringify({ wmts: { gridSets: { string } } }));
  });

  const read = (path: string) => server.get(`//geoserver${path}`, { as: null });
  const readCapabilities = async () => (await read('/gwc/service/wmts?request=GetCapabilities')).text;
  const picture = async (path: string) => {
    const reply = await read(path);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    const { data, info } = await sharp(reply.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    // Colours matter as much as they are opaque.
    const pixels = [...data].map((value, at) =>
      at % 4 === 3 ? value : (value * (data[at - (at % 4) + 3] ?? 0)) / 255,
    );
    return { size: [info.width, info.height], pixels };
  };

  it('are described in WMTS with their corners in the axis order of the CRS', async () => {
    const text = await readCapabilities();

    expect(text).toContain(
      '<TileMatrixSet><ows:Identifier>EPSG:2056</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::2056</ows:SupportedCRS>',
    );
    expect(text).toContain(
      '<TileMatrix><ows:Identifier>20</ows:Identifier><ScaleDenominator>35714.28571428572</ScaleDenominator><TopLeftCorner>2420000 1350000</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>188</MatrixWidth><MatrixHeight>125</MatrixHeight></TileMatrix>',
    );
    expect(text).toContain(
      '<ows:Identifier>fine</ows:Identifier><ScaleDenominator>3571428.571428572</ScaleDenominator><TopLeftCorner>2400000 1350000</TopLeftCorner><TileWidth>200</TileWidth><TileHeight>300</TileHeight><MatrixWidth>3</MatrixWidth><MatrixHeight>2</MatrixHeight>',
    );
    expect(text).toMatch(
      /<ows:Identifier>gk3:0<\/ows:Identifier><ScaleDenominator>[\d.]+<\/ScaleDenominator><TopLeftCorner>6100000 3200000</,
    );
  });

  it('have limits around the layer, and no link if the layer is outside of the grid', async () => {
    const text = await readCapabilities();
    const [, towns = ''] = /<Layer>\s*<ows:Title>towns(.*?)<\/Layer>/s.exec(text) ?? [];
    const [, far = ''] = /<Layer>\s*<ows:Title>far(.*?)<\/Layer>/s.exec(text) ?? [];

    // 7.4° to 7.5° E is about 2,597,000 to 2,604,900 m, in tiles of 2,560 m from 2,420,000 m.
    expect(towns).toContain(
      '<TileMatrixLimits><TileMatrix>20</TileMatrix><MinTileRow>56</MinTileRow><MaxTileRow>60</MaxTileRow><MinTileCol>69</MinTileCol><MaxTileCol>72</MaxTileCol></TileMatrixLimits>',
    );
    expect(far).toContain('<TileMatrixSet>EPSG:900913</TileMatrixSet>');
    expect(far).not.toContain('EPSG:2056');
  });

  it.each([
    ['EPSG:2056', '20', 57, 70, [2_599_200, 1_201_520, 2_601_760, 1_204_080], [256, 256], 125],
    ['odd', 'fine', 0, 1, [2_600_000, 1_050_000, 2_800_000, 1_350_000], [200, 300], 2],
    ['odd', 'coarse', 0, 0, [2_400_000, 450_000, 3_000_000, 1_350_000], [200, 300], 1],
  ] as const)('have the pixels of a map in %s, level %s', async (set, level, row, col, box, [width, height], rows) => {
    const map = await picture(
      `/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:towns&styles=&srs=EPSG:2056&bbox=${box}&width=${width}&height=${height}&format=image/png&transparent=true`,
    );
    const index = set === 'odd' ? ['coarse', 'fine'].indexOf(level) : level;
    const same = [
      `/gwc/service/wmts?request=GetTile&layer=acme:towns&format=image/png&tilematrixset=${set}&tilematrix=${level}&tilerow=${row}&tilecol=${col}`,
      `/gwc/service/wmts/rest/acme:towns/${set}/${level}/${row}/${col}?format=image/png`,
      `/gwc/service/xyz/acme:towns@${set}@png/${index}/${col}/${row}.png`,
      `/gwc/service/tms/1.0.0/acme:towns@${set}@png/${index}/${col}/${rows - 1 - row}.png`,
      `/gwc/service/wms?layers=acme:towns&srs=EPSG:2056&bbox=${box}&width=${width}&height=${height}&format=image/png`,
      `/ogc/tiles/v1/collections/acme:towns/map/tiles/${encodeURIComponent(set)}/${level}/${row}/${col}?f=png`,
    ];

    expect(map.size).toEqual([width, height]);
    expect(new Set(map.pixels).size).toBeGreaterThan(2);
    for (const path of same) {
      const tile = await picture(path);
      // Tiles are cut out of a larger map, whose edges of shapes are rounded differently.
      const different = tile.pixels.filter((value, at) => Math.abs(value - (map.pixels[at] ?? 0)) > 2).length;
      expect([path, tile.size, different]).toEqual([path, map.size, 0]);
    }
  });

  it('contain vector features at their position', async () => {
    const path = '/ogc/tiles/v1/collections/acme:towns/tiles/EPSG:2056/17/5/6';
    const { bytes, status } = await read(path);
    const [feature] = featuresOfTile(bytes);

    expect([status, feature?.properties]).toEqual([200, { name: 'Bern' }]);
    // From 2,573,600 m and 1,222,000 m, in tiles of 25,600 m: Bern begins 23,400 m to the east.
    const x = (feature?.places ?? []).map(([first]) => first);
    expect(Math.min(...x)).toBeGreaterThan(0.9 * 4096);
  });

  it('have features at a pixel', async () => {
    const path = (i: number) =>
      `/gwc/service/wmts?request=GetFeatureInfo&layer=acme:towns&format=image/png&tilematrixset=odd&tilematrix=fine&tilerow=0&tilecol=1&infoformat=application/json&i=${i}&j=149`;
    const names = async (i: number) =>
      ((await read(path(i))).json() as { features: { properties: { name: string } }[] }).features.map(
        ({ properties }) => properties.name,
      );

    expect([await names(2), await names(190)]).toEqual([['Bern'], []]);
    expect((await read(path(200))).status).toBe(400);
  });

  it('are never served after the numbers of their grid set changed', async () => {
    const path = '/gwc/service/wmts/rest/acme:towns/odd/fine/0/1?format=image/png';
    const result = async () => (await read(path)).headers['geowebcache-cache-result'];
    const change = (fields: object) => server.put('/gridsets/odd', JSON.stringify({ gridSet: { ...odd, ...fields } }));
    await result();
    expect(await result()).toBe('HIT');
    await change({ resolutions: [3000, 900] });
    const [changed, bounds] = [await result(), (await read(path)).headers['geowebcache-tile-bounds']];
    await change({ description: 'Another title' });

    expect([changed, bounds]).toEqual(['MISS', '2580000,1080000,2760000,1350000']);
    expect(await result()).toBe('HIT');
  });

  it('are seeded and truncated', async () => {
    const care = (body: object) =>
      server.request('POST', '//geoserver/gwc/rest/seed/acme:towns.json', {
        body: JSON.stringify({ seedRequest: { gridSetId: 'EPSG:2056', format: 'image/png', ...body } }),
        type: 'application/json',
      });
    const result = async () =>
      (await read('/gwc/service/wmts/rest/acme:towns/EPSG:2056/18/11/14?format=image/png')).headers[
        'geowebcache-cache-result'
      ];
    expect((await care({ type: 'seed', zoomStart: 17, zoomStop: 18 })).status).toBe(200);
    for (;;) {
      const { text } = await server.get('//geoserver/gwc/rest/seed.json');
      if (text === '{"long-array-array":[]}') break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await result()).toBe('HIT');
    await care({ type: 'truncate', zoomStart: 18, zoomStop: 18 });
    expect(await result()).toBe('MISS');
    expect((await care({ type: 'seed', zoomStart: 29 })).text).toContain('expected an integer from 0 to 28');
  });

  it('are rejected in grids that are not offered, and with unknown levels', async () => {
    const tile = async (set: string, level: string, more = '') =>
      (await read(`/gwc/service/wmts/rest/acme:towns/${set}/${level}/0/0?format=image/png${more}`)).text;

    expect(await tile('EPSG:28992', '0')).toContain(
      "Unknown tile matrix set or level 'EPSG:28992'. Supported: WebMercatorQuad, EPSG:900913, WorldCRS84Quad, EPSG:4326, EPSG:2056, odd, gk3",
    );
    expect(await tile('odd', 'finest')).toContain('Supported: coarse, fine.');
    expect(await tile('odd', '2')).toContain('Supported: coarse, fine.');
    await server.put('/gridsets/odd', JSON.stringify({ gridSet: { ...odd, tileWidth: 2048 } }));
    expect(await tile('odd', 'fine', '&pixelRatio=3')).toContain('expected at most 2 for tiles of 2048 pixels');
    await server.put('/gridsets/odd', JSON.stringify({ gridSet: odd }));
  });

  it('have TMS documents only if the levels have a common corner', async () => {
    const list = (await read('/gwc/service/tms/1.0.0')).text;
    const described = await read('/gwc/service/tms/1.0.0/acme:towns@odd@png');

    expect(list).toContain('srs="EPSG:31467" profile="local"');
    expect(list).not.toContain('%40odd');
    expect([described.status, described.text]).toEqual([400, expect.stringContaining('Use WMTS or OGC API Tiles')]);
    expect((await read('/gwc/service/tms/1.0.0/acme:towns@gk3@png')).text).toContain(
      '<Origin x="3200000" y="5100000"/>',
    );
  });

  it('are described by OGC API Tiles in JSON and XML', async () => {
    const sets = (await read('/ogc/tiles/v1/tileMatrixSets')).json() as { tileMatrixSets: { id: string }[] };
    const set = (await read('/ogc/tiles/v1/tileMatrixSets/gk3')).json();
    const tileset = (await read('/ogc/tiles/v1/collections/acme:towns/tiles/EPSG:2056')).json();

    expect(sets.tileMatrixSets.map(({ id }) => id)).toEqual([
      'WebMercatorQuad',
      'WorldCRS84Quad',
      'EPSG:2056',
      'odd',
      'gk3',
      'WebMercatorQuadx2',
    ]);
    expect(set).toMatchObject({
      id: 'gk3',
      crs: 'http://www.opengis.net/def/crs/EPSG/0/31467',
      orderedAxes: ['N', 'E'],
      tileMatrices: expect.arrayContaining([
        expect.objectContaining({ id: 'gk3:0', pointOfOrigin: [6_100_000, 3_200_000] }),
      ]),
    });
    expect(set).not.toHaveProperty('uri');
    expect(tileset).toMatchObject({ crs: 'http://www.opengis.net/def/crs/EPSG/0/2056' });

    // The XML document creates the same grid set.
    const xml = (await read('/ogc/tiles/v1/tileMatrixSets/gk3?f=xml')).text;
    await server.request('PUT', '//geoserver/gwc/rest/gridsets/copy', {
      body: xml.replace('>gk3<', '>copy<'),
      type: 'text/xml',
    });
    expect((await server.get('/gridsets/copy.json')).json()).toMatchObject({
      gridSet: { srs: gk3.srs, scaleNames: expect.arrayContaining(['gk3:5']), yCoordinateFirst: true },
    });
    await server.delete('/gridsets/copy');
  });
});
