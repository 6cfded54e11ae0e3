/** The output formats of features. Encoders are loaded on first use. */
import type { FeatureEncoder } from './port/port.ts';
import type { ScratchFolders } from './writing/scratch.ts';

export interface OutputFormat {
  /** Its key in `outputFormats`, by which threads find it. */
  readonly name: string;
  readonly mediaType: string;
  /** Without the dot. */
  readonly fileExtension: string;
  /** Whether browsers should save it instead of displaying it. */
  readonly isDownload: boolean;
  /** Whether its bytes are compressed, so that responses are not compressed again. */
  readonly isPacked?: true;
  /** The required CRS of the features, if the format supports only one. */
  readonly onlyCrs?: string;
  /** Whether it can write the rows of a join. */
  readonly supportsJoins?: true;
  /** Whether it omits features without a geometry. */
  readonly omitsWithoutGeometry?: true;
  /** Whether it writes temporary files before the first byte is sent. */
  readonly hasFiles?: true;
  /** Whether its library blocks its thread, so that even small documents are encoded in another thread. */
  readonly isBlocking?: true;
  /** Whether documents contain the id of a lock. */
  readonly writesLock?: true;
  /**
   * The names of `outputFormat` in WFS; absent if WFS does not offer it. Capabilities list the first two, those of WFS
   * 1.0.0 only plain words. GML has other names in each version (`src/services/wfs/features/output-formats.ts`).
   */
  readonly wfsNames?: readonly [string, ...string[]];
  /** Names of an unsupported format in WFS that clients request and that this one replaces, with a warning. */
  readonly replaces?: { readonly wfsNames: readonly [string, ...string[]]; readonly warning: string };
  /** How OGC API Features offers it for a collection; absent if it does not. */
  readonly ogcApi?: { readonly f: string; readonly title: string };
  load(world: ScratchFolders): Promise<FeatureEncoder>;
}

export const outputFormats = {
  geojson: {
    name: 'geojson',
    mediaType: 'application/geo+json',
    fileExtension: 'geojson',
    isDownload: false,
    load: async () => (await import('./geojson/geojson.ts')).geoJson,
  },
  'wfs-geojson': {
    name: 'wfs-geojson',
    writesLock: true,
    mediaType: 'application/json;charset=utf-8',
    supportsJoins: true,
    fileExtension: 'json',
    isDownload: false,
    wfsNames: ['application/json', 'json', 'application/geo+json', 'geojson'],
    load: async () => (await import('./geojson/geojson.ts')).wfsGeoJson,
  },
  gml2: {
    name: 'gml2',
    writesLock: true,
    mediaType: 'text/xml; subtype=gml/2.1.2',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => (await import('./gml/gml.ts')).gml2,
  },
  gml31: {
    name: 'gml31',
    writesLock: true,
    mediaType: 'text/xml; subtype=gml/3.1.1',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => (await import('./gml/gml.ts')).gml31,
  },
  gml32: {
    name: 'gml32',
    writesLock: true,
    mediaType: 'application/gml+xml; version=3.2',
    supportsJoins: true,
    fileExtension: 'xml',
    isDownload: false,
    ogcApi: { f: 'gml', title: 'GML 3.2' },
    load: async () => (await import('./gml/gml.ts')).gml32,
  },
  csv: {
    name: 'csv',
    mediaType: 'text/csv;charset=utf-8',
    supportsJoins: true,
    fileExtension: 'csv',
    isDownload: true,
    wfsNames: ['text/csv', 'csv'],
    ogcApi: { f: 'csv', title: 'CSV' },
    load: async () => (await import('./csv/csv.ts')).csv,
  },
  shapefile: {
    name: 'shapefile',
    mediaType: 'application/zip',
    fileExtension: 'zip',
    isDownload: true,
    hasFiles: true,
    isPacked: true,
    wfsNames: ['SHAPE-ZIP'],
    ogcApi: { f: 'shapefile', title: 'Shapefile (zipped)' },
    load: async (world: ScratchFolders) => (await import('./shapefile/shapefile.ts')).createShapefileEncoder(world),
  },
  geopackage: {
    name: 'geopackage',
    mediaType: 'application/geopackage+sqlite3',
    fileExtension: 'gpkg',
    isDownload: true,
    hasFiles: true,
    isBlocking: true,
    wfsNames: ['application/geopackage+sqlite3', 'geopackage', 'geopkg', 'gpkg'],
    ogcApi: { f: 'gpkg', title: 'GeoPackage' },
    load: async (world: ScratchFolders) => (await import('./geopackage/geopackage.ts')).createGeoPackageEncoder(world),
  },
  xlsx: {
    name: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    supportsJoins: true,
    fileExtension: 'xlsx',
    isDownload: true,
    isPacked: true,
    wfsNames: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'excel2007', 'xlsx'],
    replaces: {
      wfsNames: ['excel', 'application/msexcel'],
      warning: 'The format of Excel 97 (.xls) is unsupported. The response is an Excel 2007 workbook (.xlsx).',
    },
    ogcApi: { f: 'xlsx', title: 'Excel workbook' },
    load: async () => (await import('./xlsx/xlsx.ts')).xlsx,
  },
  dxf: {
    name: 'dxf',
    mediaType: 'application/dxf',
    fileExtension: 'dxf',
    isDownload: true,
    omitsWithoutGeometry: true,
    hasFiles: true,
    wfsNames: ['application/dxf', 'DXF'],
    ogcApi: { f: 'dxf', title: 'DXF' },
    load: async (world: ScratchFolders) => (await import('./dxf/dxf.ts')).createDxfEncoder(world),
  },
  'dxf-zip': {
    name: 'dxf-zip',
    mediaType: 'application/zip',
    fileExtension: 'zip',
    isDownload: true,
    omitsWithoutGeometry: true,
    hasFiles: true,
    isPacked: true,
    wfsNames: ['DXF-ZIP'],
    load: async (world: ScratchFolders) => (await import('./dxf/dxf.ts')).createZippedDxfEncoder(world),
  },
  'wfs-values': {
    name: 'wfs-values',
    mediaType: 'application/xml;charset=utf-8',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => (await import('./gml/value-collection.ts')).valueCollection,
  },
  'vector-tile': {
    name: 'vector-tile',
    mediaType: 'application/vnd.mapbox-vector-tile',
    fileExtension: 'mvt',
    isDownload: false,
    load: async () => (await import('./vector-tile/vector-tile.ts')).vectorTile,
  },
  flatgeobuf: {
    name: 'flatgeobuf',
    mediaType: 'application/flatgeobuf',
    fileExtension: 'fgb',
    isDownload: true,
    wfsNames: ['application/flatgeobuf', 'flatgeobuf'],
    ogcApi: { f: 'fgb', title: 'FlatGeobuf' },
    load: async () => (await import('./flatgeobuf/flatgeobuf.ts')).flatGeobuf,
  },
  geoparquet: {
    name: 'geoparquet',
    mediaType: 'application/vnd.apache.parquet',
    fileExtension: 'parquet',
    isDownload: true,
    isPacked: true,
    isBlocking: true,
    wfsNames: ['application/vnd.apache.parquet', 'geoparquet', 'parquet'],
    ogcApi: { f: 'parquet', title: 'GeoParquet' },
    load: async () => (await import('./geoparquet/geoparquet.ts')).geoParquet,
  },
  kml: {
    name: 'kml',
    mediaType: 'application/vnd.google-earth.kml+xml',
    fileExtension: 'kml',
    isDownload: false,
    onlyCrs: 'CRS:84',
    wfsNames: ['application/vnd.google-earth.kml+xml', 'KML'],
    ogcApi: { f: 'kml', title: 'KML' },
    load: async () => (await import('./kml/kml.ts')).kml,
  },
} as const satisfies Readonly<Record<string, OutputFormat>>;

export function findOutputFormat(name: string): OutputFormat | undefined {
  return Object.values<OutputFormat>(outputFormats).find((format) => format.name === name);
}
