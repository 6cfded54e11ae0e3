/** The formats that features can be had in. What writes one is loaded when the first document in it is asked for. */
import type { FeatureEncoder } from './port.ts';
import type { EncodingWorld } from './scratch.ts';

export interface OutputFormat {
  readonly mediaType: string;
  /** Without the dot. */
  readonly fileExtension: string;
  /** Whether people save it rather than look at it. */
  readonly isDownload: boolean;
  /** The system that features have to come in, where the format has no other. */
  readonly onlyCrs?: string;
  load(world: EncodingWorld): Promise<FeatureEncoder>;
}

export const outputFormats = {
  geojson: {
    mediaType: 'application/geo+json',
    fileExtension: 'geojson',
    isDownload: false,
    load: async () => (await import('./geojson/geojson.ts')).geoJson,
  },
  'wfs-geojson': {
    mediaType: 'application/json;charset=utf-8',
    fileExtension: 'json',
    isDownload: false,
    load: async () => (await import('./geojson/geojson.ts')).wfsGeoJson,
  },
  gml2: {
    mediaType: 'text/xml; subtype=gml/2.1.2',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => (await import('./gml/gml.ts')).gml2,
  },
  gml31: {
    mediaType: 'text/xml; subtype=gml/3.1.1',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => (await import('./gml/gml.ts')).gml31,
  },
  gml32: {
    mediaType: 'application/gml+xml; version=3.2',
    fileExtension: 'xml',
    isDownload: false,
    load: async () => (await import('./gml/gml.ts')).gml32,
  },
  csv: {
    mediaType: 'text/csv;charset=utf-8',
    fileExtension: 'csv',
    isDownload: true,
    load: async () => (await import('./csv/csv.ts')).csv,
  },
  kml: {
    mediaType: 'application/vnd.google-earth.kml+xml',
    fileExtension: 'kml',
    isDownload: false,
    onlyCrs: 'CRS:84',
    load: async () => (await import('./kml/kml.ts')).kml,
  },
  shapefile: {
    mediaType: 'application/zip',
    fileExtension: 'zip',
    isDownload: true,
    load: async (world: EncodingWorld) => (await import('./shapefile/shapefile.ts')).createShapefileEncoder(world),
  },
  geopackage: {
    mediaType: 'application/geopackage+sqlite3',
    fileExtension: 'gpkg',
    isDownload: true,
    load: async (world: EncodingWorld) => (await import('./geopackage/geopackage.ts')).createGeoPackageEncoder(world),
  },
  flatgeobuf: {
    mediaType: 'application/flatgeobuf',
    fileExtension: 'fgb',
    isDownload: true,
    load: async () => (await import('./flatgeobuf/flatgeobuf.ts')).flatGeobuf,
  },
} as const satisfies Readonly<Record<string, OutputFormat>>;

export type OutputFormatName = keyof typeof outputFormats;
