/** Layers of tile archives offer the zooms that the archive has. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { createPngTile, createTownTiles, encodePmtiles, townMetadata } from '../../../test/support/tile-archives.ts';

const OCTETS = 'application/octet-stream';
const store = '/workspaces/acme/coveragestores/aerial/file.pmtiles';

/** One tile of each zoom, in the north-west. */
function createArchive(zooms: readonly number[]): Buffer {
  const tiles = zooms.map((z) => ({ z, x: 0, y: 0, bytes: createPngTile([200, 0, 0]) }));
  return encodePmtiles({ tiles, tileType: 2 });
}

describe('zooms of a layer of a tile archive', () => {
  const server = useTestServer();
  const get = (path: string) => server.get(`//geoserver${path}`);
  const readStatus = async (path: string) => (await get(path)).status;
  const maps = '/ogc/tiles/v1/collections/acme:aerial/map/tiles';
  const xyz = (zoom: number) => `/gwc/service/xyz/acme:aerial@EPSG:900913@png/${zoom}/0/0.png`;
  const change = (gridSubsets: readonly object[]) =>
    server.put('//geoserver/gwc/rest/layers/acme:aerial.json', JSON.stringify({ GeoServerLayer: { gridSubsets } }));

  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.request('PUT', store, { type: OCTETS, body: createArchive([2, 3, 4]) });
  });

  it('are those of the archive in the capabilities of WMTS', async () => {
    const { text } = await get('/gwc/service/wmts?request=GetCapabilities');
    const limits = text.matchAll(/<TileMatrixLimits><TileMatrix>(EPSG:.*?)<\/TileMatrix>/g);
    const levels = [...limits].map(([, level]) => level);

    expect(levels).toEqual([
      'EPSG:900913:2',
      'EPSG:900913:3',
      'EPSG:900913:4',
      ...[1, 2, 3].map((each) => `EPSG:4326:${each}`),
    ]);
  });

  it('are those of the archive in TileJSON, tilesets, TMS and the settings of the layer', async () => {
    const settings = await get('/gwc/rest/layers/acme:aerial.json');

    expect((await get(`${maps}/WebMercatorQuad?f=tilejson`)).json()).toMatchObject({ minzoom: 2, maxzoom: 4 });
    expect((await get(`${maps}/WebMercatorQuad`)).json()).toMatchObject({
      tileMatrixSetLimits: [{ tileMatrix: '2' }, { tileMatrix: '3' }, { tileMatrix: '4' }],
    });
    expect((await get('/gwc/service/tms/1.0.0/acme:aerial@EPSG:900913@png')).text.match(/order="\d+"/g)).toEqual([
      'order="2"',
      'order="3"',
      'order="4"',
    ]);
    expect(settings.json()).toMatchObject({
      GeoServerLayer: {
        gridSubsets: [
          { gridSetName: 'EPSG:900913', zoomStart: 2, zoomStop: 4 },
          { gridSetName: 'EPSG:4326', zoomStart: 1, zoomStop: 3 },
        ],
      },
    });
  });

  it('are the only ones with tiles, and maps of WMS have all scales', async () => {
    const wmts = (zoom: number) => `/gwc/service/wmts/rest/acme:aerial/EPSG:900913/${zoom}/0/0?format=image/png`;
    const wms =
      '/wms?service=WMS&version=1.1.1&request=GetMap&styles=&format=image/png&width=9&height=9&layers=acme:aerial&srs=EPSG:3857&bbox=';

    expect(await Promise.all([1, 2, 4, 5].map((zoom) => readStatus(xyz(zoom))))).toEqual([400, 200, 200, 400]);
    expect(await Promise.all([1, 2, 4, 5].map((zoom) => readStatus(wmts(zoom))))).toEqual([400, 200, 200, 400]);
    expect(
      await Promise.all([1, 2, 4, 5].map((zoom) => readStatus(`${maps}/WebMercatorQuad/${zoom}/0/0?f=png`))),
    ).toEqual([404, 200, 200, 404]);
    expect(
      await Promise.all(['-2e7,-2e7,2e7,2e7', '-2e7,19999900,-19999900,2e7'].map((box) => readStatus(wms + box))),
    ).toEqual([200, 200]);
  });

  it('follow a new upload', async () => {
    await server.request('PUT', store, { type: OCTETS, body: createArchive([0, 1]) });

    expect((await get(`${maps}/WebMercatorQuad?f=tilejson`)).json()).toMatchObject({ minzoom: 0, maxzoom: 1 });
    expect(await Promise.all([1, 2].map((zoom) => readStatus(xyz(zoom))))).toEqual([200, 400]);
  });

  it('are replaced by those that an administrator sets, which enlarge the finest tiles', async () => {
    await change([{ gridSetName: 'EPSG:900913', zoomStop: 6 }]);
    const enlarged = await get(`${maps}/WebMercatorQuad?f=tilejson`);
    const statuses = await Promise.all([6, 7].map((zoom) => readStatus(xyz(zoom))));
    await change([{ gridSetName: 'EPSG:900913' }]);
    const unchanged = await get(`${maps}/WebMercatorQuad?f=tilejson`);

    expect(enlarged.json()).toMatchObject({ minzoom: 0, maxzoom: 6 });
    expect(statuses).toEqual([200, 400]);
    expect(unchanged.json()).toMatchObject({ minzoom: 0, maxzoom: 1 });
  });

  it('are all in a group', async () => {
    await server.post(
      '/layergroups',
      JSON.stringify({
        layerGroup: { name: 'both', publishables: { published: [{ '@type': 'layer', name: 'acme:aerial' }] } },
      }),
    );

    expect((await get('/ogc/tiles/v1/collections/both/map/tiles/WebMercatorQuad?f=tilejson')).json()).toMatchObject({
      minzoom: 0,
      maxzoom: 24,
    });
  });
});

describe('zooms of a layer of vector tiles', () => {
  const server = useTestServer();

  it('are those of the archive', async () => {
    const tiles = createTownTiles((bytes) => gzipSync(bytes));
    const body = encodePmtiles({ tiles, tileType: 1, isPacked: true, metadata: townMetadata });
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await server.request('PUT', '/workspaces/acme/datastores/city/file.pmtiles?configure=all', { type: OCTETS, body });
    const tileset = '//geoserver/ogc/tiles/v1/collections/acme:towns/tiles/WebMercatorQuad';

    expect((await server.get(`${tileset}?f=tilejson`)).json()).toMatchObject({ minzoom: 0, maxzoom: 1 });
    expect((await server.get(`${tileset}/1/0/0`)).status).toBe(200);
    expect((await server.get(`${tileset}/2/0/0`)).status).toBe(404);
  });
});
