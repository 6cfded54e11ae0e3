/** The formats that features can be had in here: those that are written by encoders, and pages. */
import { type OutputFormat, outputFormats } from '../../../../formats/formats.ts';
import type { OfferedFormat } from '../../common/formats.ts';

export interface ItemsFormat extends OfferedFormat {
  /** What writes it; absent for pages. */
  readonly output?: OutputFormat;
  /** Whether it says before its features how many there are, and where the next ones are. */
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

/** Of a single feature. */
export const itemFormats: readonly ItemsFormat[] = [geoJsonFormat, htmlFormat];

/** Of the features of a collection. */
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
