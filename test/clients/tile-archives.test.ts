/** MapLibre and OpenLayers read exported PMTiles by range requests, and layers of stores with archives. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser } from '../support/browser.ts';
import {
  drawMapLibre,
  drawnSquares,
  drawOpenLayers,
  type MapPage,
  type MapSite,
  readSquares,
  startMapSite,
} from '../support/map-pages.ts';
import { publishSquares } from '../support/maps.ts';
import { type RangeServer, startRangeServer } from '../support/range-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import type { TestServer } from '../support/test-server.ts';
import { exportTiles } from '../support/tile-exports.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';

async function createToken(server: TestServer): Promise<string> {
  const reply = await server.post(
    '/security/self/tokens',
    JSON.stringify({ token: { name: 'map', scopes: { admin: true } } }),
  );
  return (reply.json() as { readonly token: { readonly secret: string } }).token.secret;
}

/** `$W` is the URL of the archive with vector tiles, `$E` of the one with images, and `$H` the headers to send. */
const readers: Readonly<Record<string, MapPage>> = {
  'MapLibre with pmtiles': {
    library: 'maplibre with pmtiles',
    script: `
      const protocol = new pmtiles.Protocol();
      maplibregl.addProtocol('pmtiles', protocol.tile);
      for (const url of ['$W', '$E']) protocol.add(new pmtiles.PMTiles(new pmtiles.FetchSource(url, new Headers($H))));
      ${drawMapLibre(`{
        west: { type: 'vector', url: 'pmtiles://$W' },
        east: { type: 'raster', url: 'pmtiles://$E', tileSize: 256 },
      }`)}`,
  },
  'OpenLayers with pmtiles': {
    library: 'ol with pmtiles',
    script: drawOpenLayers(`async () => {
      const open = (url) => new pmtiles.PMTiles(new pmtiles.FetchSource(url, new Headers($H)));
      const [west, east] = [open('$W'), open('$E')];
      const format = new ol.format.MVT();
      const [{ maxZoom }, { minZoom }] = [await west.getHeader(), await east.getHeader()];
      const loadFeatures = (tile) => tile.setLoader(async (extent, resolution, featureProjection) => {
        const found = await west.getZxy(...tile.getTileCoord());
        tile.setFeatures(found === undefined ? [] : format.readFeatures(found.data, { extent, featureProjection }));
      });
      const loadImage = async (z, x, y) => {
        const found = await east.getZxy(z, x, y);
        return found === undefined ? document.createElement('canvas') : createImageBitmap(new Blob([found.data]));
      };
      return [
        new ol.layer.VectorTile({ style: fill('#ff0000'), source: new ol.source.VectorTile({
          format, maxZoom, url: '{z}/{x}/{y}', tileLoadFunction: loadFeatures }) }),
        new ol.layer.Tile({ source: new ol.source.ImageTile({ minZoom, loader: loadImage }) }),
      ];
    }`),
  },
};

/** Layers of stores with the archives; `$S` is the server URL. */
const layers: Readonly<Record<string, MapPage>> = {
  'MapLibre by TileJSON and XYZ': {
    library: 'maplibre',
    script: drawMapLibre(`{
      west: { type: 'vector', url: '$S/ogc/tiles/v1/collections/archive:west/tiles/WebMercatorQuad?f=tilejson' },
      east: { type: 'raster', tileSize: 256, maxzoom: 6, tiles: ['$S/gwc/service/xyz/archive:east@EPSG:900913@png/{z}/{x}/{y}.png'] },
    }`),
  },
  'MapLibre by TileJSON of vector tiles and of maps': {
    library: 'maplibre',
    script: drawMapLibre(`{
      west: { type: 'vector', url: '$S/ogc/tiles/v1/collections/archive:west/tiles/WebMercatorQuad?f=tilejson' },
      east: { type: 'raster', tileSize: 256, url: '$S/ogc/tiles/v1/collections/archive:east/map/tiles/WebMercatorQuad?f=tilejson' },
    }`),
  },
  'OpenLayers by XYZ and WMTS': {
    library: 'ol',
    script: drawOpenLayers(`async () => {
      const text = await (await fetch('$S/gwc/service/wmts?request=GetCapabilities')).text();
      const capabilities = new ol.format.WMTSCapabilities().read(text);
      const options = { layer: 'archive:east', matrixSet: 'EPSG:900913' };
      return [
        new ol.layer.VectorTile({ style: fill('#ff0000'), source: new ol.source.VectorTile({ format: new ol.format.MVT(),
          maxZoom: 6, url: '$S/gwc/service/xyz/archive:west@EPSG:900913@pbf/{z}/{x}/{y}.pbf' }) }),
        new ol.layer.Tile({ source: new ol.source.WMTS(ol.source.WMTS.optionsFromCapabilities(capabilities, options)) }),
      ];
    }`),
  },
};

describeWithTool('chromium', 'tile archives in a browser', () => {
  const client = useSocketClient();
  let browser: Browser;
  let site: MapSite;
  let remote: RangeServer;
  const pages = new Map<string, MapPage>();
  const asked: (string | undefined)[] = [];

  beforeAll(async () => {
    const { server } = client;
    await publishSquares(server);
    const west = await exportTiles(server, { layer: 'topo:west', format: 'mvt' });
    const east = await exportTiles(server, { layer: 'topo:east' });
    const stored = await exportTiles(server, { layer: 'topo:east', archive: 'mbtiles' });
    await server.post('/workspaces', '<workspace><name>archive</name></workspace>', { type: 'xml' });
    await upload('datastores/tiles/file.pmtiles?configure=all', west.bytes);
    await upload('coveragestores/east/file.mbtiles', stored.bytes);
    const headers = { 'access-control-allow-origin': '*' };
    remote = await startRangeServer({
      '/west.pmtiles': { bytes: west.bytes, etag: '"west"', headers },
      '/east.pmtiles': { bytes: east.bytes, etag: '"east"', headers },
    });
    server.server.app.server.prependListener('request', ({ url = '', headers: sent }) => {
      if (url.includes('/tileexports/')) asked.push(sent.range);
    });
    site = await startMapSite((name) => pages.get(name), client.port);
    browser = await startBrowser(tools.chromium.find() ?? '', undefined, 'with 3D');
    const address = `http://127.0.0.1:${client.port}/geoserver`;
    const file = (path: string) => `http://127.0.0.1:${site.port}${server.server.restRoot}${path}`;
    const sent = { authorization: `Bearer ${await createToken(server)}` };
    const far = (name: string) => `http://127.0.0.1:${remote.port}/${name}.pmtiles`;
    for (const [name, page] of Object.entries(readers)) {
      addPage(`${name}, download`, page, { $W: file(west.path), $E: file(east.path), $H: JSON.stringify(sent) });
      addPage(`${name}, file server`, page, { $W: far('west'), $E: far('east'), $H: '{}' });
    }
    for (const [name, page] of Object.entries(layers)) addPage(name, page, { $S: address });
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    await remote?.close();
  });

  async function upload(path: string, body: Buffer): Promise<void> {
    const type = 'application/octet-stream';
    const reply = await client.server.request('PUT', `/workspaces/archive/${path}`, { type, body });
    if (reply.status !== 201) throw new Error(reply.text);
  }

  function addPage(name: string, { library, script }: MapPage, values: Readonly<Record<string, string>>): void {
    const written = Object.entries(values).reduce((text, [mark, value]) => text.replaceAll(mark, value), script);
    pages.set(name, { library, script: written });
  }

  async function expectSquares(name: string): Promise<void> {
    const url = `http://127.0.0.1:${site.port}/${encodeURIComponent(name)}`;
    const seen = await browser.visit(url, { until: 'window.isDrawn', withScreenshot: true });
    expect([await readSquares(seen.screenshot), seen.complaints]).toEqual([drawnSquares, []]);
  }

  describe.each(Object.keys(readers))('%s', (name) => {
    it('draws a finished export from its download address by range requests', async () => {
      asked.length = 0;

      await expectSquares(`${name}, download`);

      expectRanges(asked);
    });

    it('draws an export from a file server by range requests', async () => {
      remote.asked.length = 0;

      await expectSquares(`${name}, file server`);

      expectRanges(remote.asked.map((line) => line.split(' ').at(-1)));
    });
  });

  it.each(Object.keys(layers))('draws layers of stores with archives: %s', (name) => expectSquares(name));
});

/** The header and the directory are read once for each archive, and tiles one by one. */
function expectRanges(ranges: readonly (string | undefined)[]): void {
  const first = 'bytes=0-16383';
  expect(ranges.filter((range) => range === undefined || !/^bytes=\d+-\d+$/.test(range))).toEqual([]);
  expect(ranges.filter((range) => range === first)).toHaveLength(2);
  expect(ranges.filter((range) => range !== first).length).toBeGreaterThanOrEqual(2);
}
