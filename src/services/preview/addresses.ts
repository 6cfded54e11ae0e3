/** The service addresses of a layer, for links and for copying into clients. */
import { formatThumbnailBox } from '../../crs/thumbnail-box.ts';
import type { PublishedMap } from '../access/published-map.ts';

function appendQuery(address: string, pairs: Readonly<Record<string, string>>): string {
  return `${address}?${new URLSearchParams(pairs).toString()}`;
}

export function formatPreviewUrl(root: string, { qualifiedName }: PublishedMap): string {
  return appendQuery(`${root}/preview`, { layer: qualifiedName });
}

/** Returns the address of a small map of the whole layer. */
export function formatThumbnailUrl(
  root: string,
  { qualifiedName, latLonBounds: bounds }: PublishedMap,
  width: number,
): string {
  return appendQuery(`${root}/wms/reflect`, {
    ...{ layers: qualifiedName, width: String(width), format: 'image/png' },
    ...(bounds === null ? {} : { bbox: formatThumbnailBox(bounds) }),
  });
}

export function formatLegendUrl(root: string, { qualifiedName }: PublishedMap, style: string): string {
  return appendQuery(`${root}/wms`, {
    ...{ service: 'WMS', version: '1.3.0', request: 'GetLegendGraphic', format: 'image/png' },
    layer: qualifiedName,
    style,
  });
}

export interface NamedAddress {
  readonly label: string;
  /** The purpose of the address. */
  readonly note: string;
  readonly text: string;
}

/** Lists the addresses for GIS clients. */
export function listProgramUrls(root: string, map: PublishedMap): readonly NamedAddress[] {
  const { qualifiedName: name } = map;
  const own = map.workspace === null ? root : `${root}/${encodeURIComponent(map.workspace.name)}`;
  const isFeatures = map.kind === 'layer' && map.type !== undefined;
  const isCoverage = map.kind === 'layer' && map.resource.kind === 'coverage';
  const xyz = `${root}/gwc/service/xyz/${encodeURIComponent(name)}/{z}/{x}/{y}.png`;
  return [
    { label: 'WMS', note: 'QGIS: Layer › Add WMS/WMTS Layer', text: `${own}/wms?service=WMS&request=GetCapabilities` },
    {
      label: 'WMTS',
      note: 'tiles for QGIS and other clients',
      // QGIS recognizes a WMTS by SERVICE=WMTS, in older versions only in upper case.
      text: `${root}/gwc/service/wmts?SERVICE=WMTS&REQUEST=GetCapabilities`,
    },
    { label: 'Tiles', note: 'XYZ tiles for web maps', text: xyz },
    ...(isFeatures
      ? [
          { label: 'Features', note: 'OGC API, for QGIS and GDAL', text: `${root}/ogc/features/v1` },
          { label: 'WFS', note: 'for QGIS and GDAL', text: `${own}/wfs?service=WFS&request=GetCapabilities` },
          { label: 'GeoJSON', note: 'the first thousand features', text: formatFeaturesUrl(root, name, 'geojson') },
        ]
      : []),
    ...(isCoverage ? [{ label: 'WCS', note: 'the coverage data', text: formatCoverageUrl(root, name) }] : []),
  ];
}

function formatFeaturesUrl(root: string, name: string, format: string): string {
  return `${root}/ogc/features/v1/collections/${encodeURIComponent(name)}/items?f=${format}&limit=1000`;
}

function formatCoverageUrl(root: string, name: string): string {
  return appendQuery(`${root}/wcs`, {
    ...{ service: 'WCS', version: '2.0.1', request: 'GetCoverage' },
    coverageId: name.replace(':', '__'),
  });
}

/** Lists short code examples for the layer. */
export function listProgramSnippets(root: string, map: PublishedMap): readonly NamedAddress[] {
  const { qualifiedName: name } = map;
  const openLayers = `new ol.layer.Tile({
  source: new ol.source.TileWMS({
    url: ${JSON.stringify(`${root}/wms`)},
    params: { LAYERS: ${JSON.stringify(name)} },
    serverType: 'geoserver',
  }),
})`;
  const gdal =
    map.kind === 'layer' && map.type !== undefined
      ? `ogr2ogr -f GPKG ${map.name.replaceAll(/[^\w.-]+/g, '-')}.gpkg "OAPIF:${root}/ogc/features/v1" ${quoteShellWord(name)}`
      : `gdal_translate -of PNG -outsize 1024 0 "WMS:${root}/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=${encodeURIComponent(name)}&SRS=EPSG:4326&BBOX=${formatBox(map)}" map.png`;
  return [
    { label: 'OpenLayers', note: '', text: openLayers },
    { label: 'GDAL', note: '', text: gdal },
  ];
}

function quoteShellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function formatBox({ latLonBounds: box }: PublishedMap): string {
  return box === null ? '-180,-90,180,90' : [box.minX, box.minY, box.maxX, box.maxY].join(',');
}
