/** OpenLayers, Leaflet and MapLibre draw our layers in a browser, with the same colors at the same positions. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, startBrowser } from '../support/browser.ts';
import { offerGridSets, publishSwissSquares } from '../support/grid-sets.ts';
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
import { useSocketClient } from '../support/socket-client.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';

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
    ${drawOpenLayers(tileLayers(set, workspace), view)}`;
}

/** The view of the layers near Bern, which are together 228 pixels wide. */
const bern = { workspace: 'swiss', center: [7.44, 46.95], resolution: 67 } as const;

/** `$S` is the server URL. */
const pages: Readonly<Record<string, MapPage>> = {
  'OpenLayers, WMS': {
    library: 'ol',
    script: drawOpenLayers(`async () => [new ol.layer.Tile({ source: new ol.source.TileWMS({
      url: '$S/wms', params: { LAYERS: 'topo:west,topo:east', TILED: true }, serverType: 'geoserver' }) })]`),
  },
  'OpenLayers, WMTS by its capabilities': {
    library: 'ol',
    script: drawOpenLayers(tileLayers('EPSG:900913')),
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
    script: drawOpenLayers(`async () => [['west', '#ff0000'], ['east', '#0000ff']].map(([layer, colour]) =>
      new ol.layer.VectorTile({ style: fill(colour), source: new ol.source.VectorTile({ format: new ol.format.MVT(),
        url: '$S/gwc/service/tms/1.0.0/topo:' + layer + '@EPSG:900913@pbf/{z}/{x}/{-y}.pbf' }) }))`),
  },
  'OpenLayers, OGC API Tiles': {
    library: 'ol',
    script: drawOpenLayers(`async () => [
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
    script: drawMapLibre(`{
      west: { type: 'vector', url: '$S/ogc/tiles/v1/collections/topo:west/tiles/WebMercatorQuad?f=tilejson' },
      east: { type: 'raster', tileSize: 256, tiles: [
        '$S/wms?service=WMS&version=1.1.1&request=GetMap&layers=topo:east&styles=&format=image/png&transparent=true&srs=EPSG:3857&width=256&height=256&bbox={bbox-epsg-3857}'] },
    }`),
  },
};

describeWithTool('chromium', 'web map libraries in a browser', () => {
  const client = useSocketClient();
  let browser: Browser;
  let site: MapSite;

  beforeAll(async () => {
    await publishSquares(client.server);
    await publishSwissSquares(client.server);
    await offerGridSets(client.server);
    const address = `http://127.0.0.1:${client.port}/geoserver`;
    site = await startMapSite((name) => {
      const page = pages[name];
      return page && { ...page, script: page.script.replaceAll('$S', address) };
    });
    browser = await startBrowser(tools.chromium.find() ?? '', undefined, 'with 3D');
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  it.each(Object.keys(pages))('draws the layers with %s', async (name) => {
    const seen = await browser.visit(`http://127.0.0.1:${site.port}/${encodeURIComponent(name)}`, {
      until: 'window.isDrawn',
      withScreenshot: true,
    });

    expect(await readSquares(seen.screenshot)).toEqual(drawnSquares);
    expect(seen.complaints).toEqual([]);
  });
});
