/** Programs that show the layer: to copy into QGIS, or to save as a page. */
import { serverRoot } from '../../../../rest/client.ts';

export const snippetTargets = ['openlayers', 'leaflet', 'maplibre', 'qgis'] as const;
export type SnippetTarget = (typeof snippetTargets)[number];

export interface SnippetLayer {
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  /** In ECQL, empty for all features. */
  readonly filter: string;
  /** In degrees. */
  readonly extent: readonly [west: number, south: number, east: number, north: number];
}

/** Web Mercator ends here. */
const MAX_LATITUDE = 85;

/** Names and titles of the server become literals of a script, which must not end the element around it. */
function literal(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

export function createSnippet(target: SnippetTarget, layer: SnippetLayer): string {
  const [west, south, east, north] = layer.extent;
  const clamp = (latitude: number) => Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const clamped = { ...layer, extent: [west, clamp(south), east, clamp(north)] } as const;
  return { openlayers, leaflet, maplibre, qgis }[target](clamped);
}

function openlayers({ name, filter, extent }: SnippetLayer): string {
  const parameters = { LAYERS: name, ...(filter === '' ? {} : { CQL_FILTER: filter }) };
  return page({
    script: 'https://cdn.jsdelivr.net/npm/ol@10/dist/ol.js',
    style: 'https://cdn.jsdelivr.net/npm/ol@10/ol.css',
    code: `const layer = new ol.layer.Image({
  source: new ol.source.ImageWMS({
    url: ${literal(getWms())},
    params: ${literal(parameters)},
    ratio: 1,
  }),
});
const map = new ol.Map({ target: 'map', layers: [layer] });
map.getView().fit(ol.proj.transformExtent(${literal(extent)}, 'EPSG:4326', 'EPSG:3857'));`,
  });
}

function leaflet({ name, filter, extent: [west, south, east, north] }: SnippetLayer): string {
  const options = {
    layers: name,
    format: 'image/png',
    transparent: true,
    ...(filter === '' ? {} : { cql_filter: filter }),
  };
  return page({
    script: 'https://cdn.jsdelivr.net/npm/leaflet@1/dist/leaflet.js',
    style: 'https://cdn.jsdelivr.net/npm/leaflet@1/dist/leaflet.css',
    code: `const map = L.map('map');
map.fitBounds(${literal([
      [south, west],
      [north, east],
    ])});
L.tileLayer.wms(${literal(getWms())}, ${literal(options)}).addTo(map);`,
  });
}

function maplibre({ name, filter, extent: [west, south, east, north] }: SnippetLayer): string {
  const query = [
    ['service', 'WMS'],
    ['version', '1.1.1'],
    ['request', 'GetMap'],
    ['layers', name],
    ['styles', ''],
    ['srs', 'EPSG:3857'],
    ['width', '256'],
    ['height', '256'],
    ['format', 'image/png'],
    ['transparent', 'true'],
    ...(filter === '' ? [] : [['cql_filter', filter]]),
  ];
  const tiles = `${getWms()}?${new URLSearchParams(query as [string, string][])}&bbox={bbox-epsg-3857}`;
  return page({
    script: 'https://cdn.jsdelivr.net/npm/maplibre-gl@5/dist/maplibre-gl.js',
    style: 'https://cdn.jsdelivr.net/npm/maplibre-gl@5/dist/maplibre-gl.css',
    code: `const map = new maplibregl.Map({
  container: 'map',
  style: {
    version: 8,
    sources: { layer: { type: 'raster', tileSize: 256, tiles: [${literal(tiles)}] } },
    layers: [{ id: 'layer', type: 'raster', source: 'layer' }],
  },
  bounds: ${literal([
    [west, south],
    [east, north],
  ])},
});`,
  });
}

/** For the Python console of QGIS. */
function qgis({ name, title, kind, filter }: SnippetLayer): string {
  if (kind === 'VECTOR') {
    const quote = (value: string) => `'${value.replaceAll("'", "\\'")}'`;
    const source = [
      `typename=${quote(name)}`,
      `url=${quote(new URL('wfs', serverRoot).href)}`,
      "version='2.0.0'",
      "pagingEnabled='true'",
      "restrictToRequestBBOX='1'",
    ].join(' ');
    return `layer = QgsVectorLayer(${literal(source)}, ${literal(title)}, "WFS")
${filter === '' ? '' : `# ECQL and QGIS expressions differ in details.\nlayer.setSubsetString(${literal(filter)})\n`}QgsProject.instance().addMapLayer(layer)`;
  }
  const source = new URLSearchParams({
    crs: 'EPSG:3857',
    format: 'image/png',
    layers: name,
    styles: '',
    url: getWms(),
  });
  return `layer = QgsRasterLayer(${literal(source.toString())}, ${literal(title)}, "wms")
QgsProject.instance().addMapLayer(layer)`;
}

function getWms(): string {
  return new URL('wms', serverRoot).href;
}

interface PageParts {
  readonly script: string;
  readonly style: string;
  readonly code: string;
}

function page({ script, style, code }: PageParts): string {
  return `<!doctype html>
<meta charset="utf-8">
<link rel="stylesheet" href="${style}">
<style>html, body, #map { height: 100%; margin: 0; }</style>
<div id="map"></div>
<script src="${script}"></script>
<script>
${code}
</script>`;
}
