/** OpenLayers, Leaflet and MapLibre draw our layers in a browser, with the same colors at the same positions. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, startBrowser } from '../support/browser.ts';
import { offerGridSets, publishSwissSquares } from '../support/grid-sets.ts';
import { publishSquares } from '../support/maps.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';

/** The folder of each library, relative to this one. */
const folders = {
  ol: '../../node_modules/ol/',
  proj4: '../../node_modules/proj4/dist/',
  leaflet: 'node_modules/leaflet/dist/',
  maplibre: 'node_modules/maplibre-gl/dist/',
} as const;

type Library = keyof typeof folders;

const headOfOpenLayers = '<link rel="stylesheet" href="/ol/ol.css"><script src="/ol/dist/ol.js"></script>';

const heads: Readonly<Record<Library, string>> = {
  ol: `${headOfOpenLayers}<script>`,
  proj4: `${headOfOpenLayers}<script src="/proj4/proj4.js"></script><script>`,
  leaflet: '<link rel="stylesheet" href="/leaflet/leaflet.css"><script src="/leaflet/leaflet.js"></script><script>',
  maplibre: `<link rel="stylesheet" href="/maplibre/maplibre-gl.css"><script type="module">
    import * as maplibregl from '/maplibre/maplibre-gl.mjs';`,
};

/** A map of 400 by 400 pixels around 5, 5 degrees with the squares of `topo` in its center. `$S` is the server URL. */
const openLayers = (layers: string, view = '{ center: ol.proj.fromLonLat([5, 5]), zoom: 5 }') => `
  const fill = (color) => new ol.style.Style({ fill: new ol.style.Fill({ color }) });
  const view = new ol.View(${view});
  (async () => {
    const layers = await (${layers})();
    const map = new ol.Map({ target: 'map', view, controls: [], layers });
    const isReady = () => layers.every((each) => each.getSource().getState() === 'ready');
    // Sources that ask what there is are not waited for.
    map.on('rendercomplete', () => { if (isReady()) window.isDrawn = true; else setTimeout(() => map.render(), 50); });
  })();`;

/** Layers of a WMTS, as the capabilities describe them. */
const tileLayers = (matrixSet: string, workspace = 'topo') => `async () => {
  const text = await (await fetch('$S/gwc/service/wmts?request=GetCapabilities')).text();
  const capabilities = new ol.format.WMTSCapabilities().read(text);
  return ['${workspace}:west', '${workspace}:east'].map((layer) => new ol.layer.Tile({ source: new ol.source.WMTS(
    ol.source.WMTS.optionsFromCapabilities(capabilities, { layer, matrixSet: '${matrixSet}' })) }));
}`;

interface Grid {
  readonly crs: string;
  /** The CRS for proj4. */
  readonly definition: string;
  readonly set: string;
  readonly workspace?: string;
  readonly center?: readonly [number, number];
  readonly resolution?: number;
}

/** The tiles of a grid in a view that has its CRS. */
function openLayersIn({ crs, definition, set, workspace, center = [5, 5], resolution = 4892 }: Grid): string {
  const view = `{ projection: '${crs}', center: ol.proj.fromLonLat([${center}], '${crs}'), resolution: ${resolution} }`;
  return `
    proj4.defs('${crs}', '${definition}');
    ol.proj.proj4.register(proj4);
    ${openLayers(tileLayers(set, workspace), view)}`;
}

/** The view of the layers near Bern, which are together 228 pixels wide. */
const bern = { workspace: 'swiss', center: [7.44, 46.95], resolution: 67 } as const;

const pages: Readonly<Record<string, { readonly library: Library; readonly script: string }>> = {
  'OpenLayers, WMS': {
    library: 'ol',
    script: openLayers(`async () => [new ol.layer.Tile({ source: new ol.source.TileWMS({
      url: '$S/wms', params: { LAYERS: 'topo:west,topo:east', TILED: true }, serverType: 'geoserver' }) })]`),
  },
  'OpenLayers, WMTS by its capabilities': {
    library: 'ol',
    script: openLayers(tileLayers('EPSG:900913')),
  },
  'OpenLayers, WMTS in a custom grid set': {
    library: 'proj4',
    script: openLayersIn({
      crs: 'EPSG:32631',
      definition: '+proj=utm +zone=31 +datum=WGS84 +units=m +no_defs',
      set: 'utm',
    }),
  },
  'OpenLayers, WMTS in a custom grid set with northings first': {
    library: 'proj4',
    script: openLayersIn({
      crs: 'EPSG:31466',
      definition:
        '+proj=tmerc +lat_0=0 +lon_0=6 +k=1 +x_0=2500000 +y_0=0 +ellps=bessel +axis=neu +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m +no_defs',
      set: 'gk2',
      ...bern,
    }),
  },
  'OpenLayers, WMTS in the grid set of Switzerland': {
    library: 'proj4',
    script: openLayersIn({
      crs: 'EPSG:2056',
      definition:
        '+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=2600000 +y_0=1200000 +ellps=bessel +towgs84=674.374,15.056,405.346,0,0,0,0 +units=m +no_defs',
      set: 'EPSG:2056',
      ...bern,
    }),
  },
  'OpenLayers, vector tiles': {
    library: 'ol',
    script: openLayers(`async () => [['west', '#ff0000'], ['east', '#0000ff']].map(([layer, colour]) =>
      new ol.layer.VectorTile({ style: fill(colour), source: new ol.source.VectorTile({ format: new ol.format.MVT(),
        url: '$S/gwc/service/tms/1.0.0/topo:' + layer + '@EPSG:900913@pbf/{z}/{x}/{-y}.pbf' }) }))`),
  },
  'OpenLayers, OGC API Tiles': {
    library: 'ol',
    script: openLayers(`async () => [
      new ol.layer.Tile({ source: new ol.source.OGCMapTile({
        url: '$S/ogc/tiles/v1/collections/topo:west/map/tiles/WebMercatorQuad' }) }),
      new ol.layer.VectorTile({ style: fill('#0000ff'), source: new ol.source.OGCVectorTile({ format: new ol.format.MVT(),
        url: '$S/ogc/tiles/v1/collections/topo:east/tiles/WebMercatorQuad' }) }),
    ]`),
  },
  'Leaflet, WMS and tiles by zoom, x and y': {
    library: 'leaflet',
    script: `
      const map = L.map('map', { center: [5, 5], zoom: 5, zoomControl: false, fadeAnimation: false, attributionControl: false });
      const layers = [
        L.tileLayer.wms('$S/wms', { layers: 'topo:west', format: 'image/png', transparent: true }),
        L.tileLayer('$S/gwc/service/xyz/topo:east@EPSG:900913@png/{z}/{x}/{y}.png'),
      ];
      const loaded = layers.map((layer) => new Promise((resolve) => layer.once('load', resolve)));
      for (const layer of layers) layer.addTo(map);
      Promise.all(loaded).then(() => { window.isDrawn = true; });`,
  },
  'MapLibre, vector tiles by TileJSON and a map': {
    library: 'maplibre',
    script: `
      const map = new maplibregl.Map({ container: 'map', center: [5, 5], zoom: 4, fadeDuration: 0, attributionControl: false, style: {
        version: 8,
        sources: {
          west: { type: 'vector', url: '$S/ogc/tiles/v1/collections/topo:west/tiles/WebMercatorQuad?f=tilejson' },
          east: { type: 'raster', tileSize: 256, tiles: [
            '$S/wms?service=WMS&version=1.1.1&request=GetMap&layers=topo:east&styles=&format=image/png&transparent=true&srs=EPSG:3857&width=256&height=256&bbox={bbox-epsg-3857}'] },
        },
        layers: [
          { id: 'ground', type: 'background', paint: { 'background-color': '#ffffff' } },
          { id: 'west', type: 'fill', source: 'west', 'source-layer': 'west', paint: { 'fill-color': '#ff0000', 'fill-antialias': false } },
          { id: 'east', type: 'raster', source: 'east' },
        ],
      } });
      map.once('idle', () => { window.isDrawn = true; });`,
  },
};

/** The map element must exist before its script runs. */
function page(name: string, address: string): string | undefined {
  const found = pages[name];
  return (
    found &&
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">
<style>body { margin: 0; background: #fff } #map { width: 400px; height: 400px; background: #fff !important }</style>
<div id="map"></div>${heads[found.library]}${found.script.replaceAll('$S', address)}</script></html>`
  );
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
};

describeWithTool('chromium', 'web map libraries in a browser', () => {
  const client = useSocketClient();
  let browser: Browser;
  let site: Server;

  beforeAll(async () => {
    await publishSquares(client.server);
    await publishSwissSquares(client.server);
    await offerGridSets(client.server);
    site = createServer((request, reply) => void answer(request.url ?? '', reply));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    browser = await startBrowser(tools.chromium.find() ?? '', undefined, 'with 3D');
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  /** Serve the pages and libraries from another origin than the maps, as in real applications. */
  async function answer(url: string, reply: ServerResponse): Promise<void> {
    const [, library = '', file = ''] = /^\/(\w+)\/([\w./-]+)/.exec(url) ?? [];
    const folder = Object.hasOwn(folders, library) ? folders[library as Library] : undefined;
    const shown = page(decodeURIComponent(url.slice(1)), `http://127.0.0.1:${client.port}/geoserver`);
    reply.setHeader('content-type', folder === undefined ? 'text/html' : (mediaTypes[extname(file)] ?? 'text/plain'));
    reply.statusCode = shown === undefined && folder === undefined ? 404 : 200;
    reply.end(folder === undefined ? shown : await readFile(new URL(folder + file, import.meta.url)));
  }

  it.each(Object.keys(pages))('draws the layers with %s', async (name) => {
    const { port } = site.address() as AddressInfo;

    const seen = await browser.visit(`http://127.0.0.1:${port}/${encodeURIComponent(name)}`, {
      until: 'window.isDrawn',
      withScreenshot: true,
    });

    const { data, info } = await sharp(seen.screenshot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const colourAt = (x: number, y: number) =>
      data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3).toString('hex');
    // Sample at least two degrees from the center, away from the border between squares, and just outside the squares.
    expect({
      west: [colourAt(154, 180), colourAt(154, 154), colourAt(95, 230)],
      east: [colourAt(246, 180), colourAt(246, 246), colourAt(305, 230)],
      outside: [colourAt(78, 200), colourAt(322, 200), colourAt(200, 78), colourAt(200, 322)],
    }).toEqual({
      west: ['ff0000', 'ff0000', 'ff0000'],
      east: ['0000ff', '0000ff', '0000ff'],
      outside: ['ffffff', 'ffffff', 'ffffff', 'ffffff'],
    });
    expect(seen.complaints).toEqual([]);
  });
});
