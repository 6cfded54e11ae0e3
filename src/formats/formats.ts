/** The formats that features can be had in. What writes one is loaded when the first document in it is asked for. */
import type { FeatureEncoder } from './port/port.ts';
import type { ScratchFolders } from './writing/scratch.ts';

export interface OutputFormat {
  /** Its key in `outputFormats`, by which a thread finds it. */
  readonly name: string;
  readonly mediaType: string;
  /** Without the dot. */
  readonly fileExtension: string;
  /** Whether people save it rather than look at it. */
  readonly isDownload: boolean;
  /** The system that features have to come in, where the format has no other. */
  readonly onlyCrs?: string;
  /** Whether it writes files before the first byte is known. */
  readonly hasFiles?: true;
  /** Whether its library blocks the thread that it runs on, so that even small documents are encoded in another one. */
  readonly isBlocking?: true;
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
    mediaType: 'application/json;charset=utf-8',
    fileExtension: 'json',
    isDownload: false,
    load: async () => (await import('./geojson/geojson.ts')).wfsGeoJson,
  },
  gml2: {
    name: 'gml2',
    mediaType: 'text/xml; subtype=gml/2.1.2',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => (await import('./gml/gml.ts')).gml2,
  },
  gml31: {
    name: 'gml31',
    mediaType: 'text/xml; subtype=gml/3.1.1',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => (await import('./gml/gml.ts')).gml31,
  },
  gml32: {
    name: 'gml32',
    mediaType: 'application/gml+xml; version=3.2',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => (await import('./gml/gml.ts')).gml32,
  },
  csv: {
    name: 'csv',
    mediaType: 'text/csv;charset=utf-8',
    fileExtension: 'csv',
    isDownload: true,
    load: async () => (await import('./csv/csv.ts')).csv,
  },
  kml: {
    name: 'kml',
    mediaType: 'application/vnd.google-earth.kml+xml',
    fileExtension: 'kml',
    isDownload: false,
    onlyCrs: 'CRS:84',
    load: async () => (await import('./kml/kml.ts')).kml,
  },
  shapefile: {
    name: 'shapefile',
    mediaType: 'application/zip',
    fileExtension: 'zip',
    isDownload: true,
    hasFiles: true,
    load: async (world: ScratchFolders) => (await import('./shapefile/shapefile.ts')).createShapefileEncoder(world),
  },
  geopackage: {
    name: 'geopackage',
    mediaType: 'application/geopackage+sqlite3',
    fileExtension: 'gpkg',
    isDownload: true,
    hasFiles: true,
    isBlocking: true,
    load: async (world: ScratchFolders) => (await import('./geopackage/geopackage.ts')).createGeoPackageEncoder(world),
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
    load: async () => (await import('./flatgeobuf/flatgeobuf.ts')).flatGeobuf,
  },
} as const satisfies Readonly<Record<string, OutputFormat>>;

export type OutputFormatName = keyof typeof outputFormats;

/** By its name. */
export function findOutputFormat(name: string): OutputFormat | undefined {
  return Object.values<OutputFormat>(outputFormats).find((format) => format.name === name);
}
