/** The addresses of a layer in the services of the server, for other programs. */
import { rest, serverRoot, withQuery } from '../../../../rest/client.ts';

export interface ServiceAddress {
  readonly id: 'wms' | 'wmts' | 'wfs' | 'features' | 'geojson' | 'tiles' | 'tilejson' | 'xyz' | 'wcs' | 'legend';
  readonly url: string;
}

export type LayerKind = 'VECTOR' | 'RASTER' | 'WMS' | 'WMTS';

export function listAddresses(workspace: string, layer: string, kind: string): readonly ServiceAddress[] {
  const name = `${workspace}:${layer}`;
  const at = (path: string) => new URL(path, serverRoot).href;
  const own = `${encodeURIComponent(workspace)}/${encodeURIComponent(layer)}`;
  const tiles = at(rest`ogc/tiles/v1/collections/${name}/tiles/WebMercatorQuad`);
  const collection = rest`ogc/features/v1/collections/${name}`;
  const wms = { service: 'WMS', version: '1.3.0', request: 'GetCapabilities' };
  const all: readonly (ServiceAddress | undefined)[] = [
    { id: 'wms', url: at(withQuery(`${own}/wms`, wms)) },
    kind === 'VECTOR'
      ? {
          id: 'wfs',
          url: at(withQuery(`${own}/wfs`, { service: 'WFS', version: '2.0.0', request: 'GetCapabilities' })),
        }
      : undefined,
    kind === 'VECTOR' ? { id: 'features', url: at(collection) } : undefined,
    kind === 'VECTOR' ? { id: 'geojson', url: at(`${collection}/items?f=json`) } : undefined,
    kind === 'RASTER'
      ? {
          id: 'wcs',
          url: at(withQuery(`${own}/wcs`, { service: 'WCS', version: '2.0.1', request: 'GetCapabilities' })),
        }
      : undefined,
    kind === 'VECTOR' ? { id: 'tiles', url: `${tiles}/{z}/{y}/{x}` } : undefined,
    kind === 'VECTOR' ? { id: 'tilejson', url: `${tiles}?f=tilejson` } : undefined,
    { id: 'xyz', url: `${at(rest`ogc/tiles/v1/collections/${name}/map/tiles/WebMercatorQuad`)}/{z}/{y}/{x}` },
    { id: 'wmts', url: at('gwc/service/wmts?service=WMTS&request=GetCapabilities') },
    {
      id: 'legend',
      url: at(
        withQuery('wms', {
          ...{ service: 'WMS', version: '1.1.1', request: 'GetLegendGraphic', layer: name, format: 'image/png' },
        }),
      ),
    },
  ];
  return all.filter((each) => each !== undefined);
}

export interface DownloadFormat {
  readonly label: string;
  readonly extension: string;
  /** Below the context path. */
  readonly path: string;
}

/** The whole layer, with its filter; pages of a limited size have no place in a download. */
export function listDownloads(
  workspace: string,
  layer: string,
  kind: string,
  filter: string,
): readonly DownloadFormat[] {
  const name = `${workspace}:${layer}`;
  const filtered = filter === '' ? {} : { cql_filter: filter };
  const wfs = (format: string) =>
    withQuery('wfs', {
      ...{ service: 'WFS', version: '2.0.0', request: 'GetFeature', typeNames: name, outputFormat: format },
      ...filtered,
    });
  if (kind === 'VECTOR') {
    return [
      { label: 'GeoPackage', extension: 'gpkg', path: wfs('gpkg') },
      { label: 'GeoJSON', extension: 'geojson', path: wfs('application/json') },
      { label: 'Shapefile', extension: 'zip', path: wfs('SHAPE-ZIP') },
      { label: 'CSV', extension: 'csv', path: wfs('csv') },
      { label: 'Excel', extension: 'xlsx', path: wfs('excel2007') },
      { label: 'FlatGeobuf', extension: 'fgb', path: wfs('flatgeobuf') },
      { label: 'GeoParquet', extension: 'parquet', path: wfs('geoparquet') },
      { label: 'KML', extension: 'kml', path: wfs('KML') },
      { label: 'GML 3.2', extension: 'gml', path: wfs('application/gml+xml; version=3.2') },
      { label: 'DXF', extension: 'dxf', path: wfs('DXF') },
    ];
  }
  if (kind === 'RASTER') {
    const coverageId = `${workspace}__${layer}`;
    const query = { service: 'WCS', version: '2.0.1', request: 'GetCoverage', coverageId, format: 'image/tiff' };
    return [{ label: 'GeoTIFF', extension: 'tif', path: withQuery('wcs', query) }];
  }
  return [];
}
