/** The output formats of features: encoders and HTML pages. */
import { type OutputFormat, outputFormats } from '../../../../formats/formats.ts';
import type { OfferedFormat } from '../../common/formats.ts';

export interface ItemsFormat extends OfferedFormat {
  /** The encoder; absent for pages. */
  readonly output?: OutputFormat;
  /** Whether counts and links precede the features, so that the page must be buffered. */
  readonly isBuffered?: true;
}

const geoJsonFormat = {
  name: 'geojson',
  aliases: ['json'],
  mediaType: outputFormats.geojson.mediaType,
  title: 'GeoJSON',
  output: outputFormats.geojson,
} as const satisfies ItemsFormat;

const htmlFormat: ItemsFormat = { name: 'html', mediaType: 'text/html', title: 'HTML' };

/** Formats of a single feature. */
export const itemFormats: readonly ItemsFormat[] = [geoJsonFormat, htmlFormat];

/** Formats of the features of a collection. */
export const itemsFormats: readonly ItemsFormat[] = [
  geoJsonFormat,
  htmlFormat,
  {
    name: 'gml',
    mediaType: outputFormats.gml32.mediaType,
    title: 'GML 3.2',
    output: outputFormats.gml32,
    isBuffered: true,
  },
  { name: 'csv', mediaType: outputFormats.csv.mediaType, title: 'CSV', output: outputFormats.csv },
  {
    name: 'shapefile',
    mediaType: outputFormats.shapefile.mediaType,
    title: 'Shapefile (zipped)',
    output: outputFormats.shapefile,
  },
  {
    name: 'gpkg',
    mediaType: outputFormats.geopackage.mediaType,
    title: 'GeoPackage',
    output: outputFormats.geopackage,
  },
  { name: 'fgb', mediaType: outputFormats.flatgeobuf.mediaType, title: 'FlatGeobuf', output: outputFormats.flatgeobuf },
  { name: 'kml', mediaType: outputFormats.kml.mediaType, title: 'KML', output: outputFormats.kml },
];
