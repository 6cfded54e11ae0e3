/** The output formats of features: encoders and HTML pages. */
import { type OutputFormat, outputFormats } from '../../../../formats/formats.ts';
import type { OfferedFormat } from '../../common/formats.ts';

export interface ItemsFormat extends OfferedFormat {
  /** The encoder; absent for pages. */
  readonly output?: OutputFormat;
  /** Whether counts and links precede the features, so that the page must be buffered. */
  readonly isBuffered?: true;
  /** Whether it is a file without links to further pages, which therefore contains all features by default. */
  readonly isFile?: true;
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
  ...Object.values<OutputFormat>(outputFormats).flatMap((output): readonly ItemsFormat[] => {
    const { ogcApi, mediaType } = output;
    if (ogcApi === undefined) return [];
    const isBuffered = output.name === outputFormats.gml32.name;
    return [
      { name: ogcApi.f, mediaType, title: ogcApi.title, output, ...(isBuffered ? { isBuffered } : { isFile: true }) },
    ];
  }),
];
