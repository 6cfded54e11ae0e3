/** The formats of maps by their names. */
import { problem } from '../../../lib/problems/problem.ts';
import { isAmong } from '../../ows/format-names.ts';
import type { WmsSettings } from './settings.ts';

/** The encoding of a map: an image format or a document type. */
export type MapEncoding =
  | 'png'
  | 'png8'
  | 'jpeg'
  | 'webp'
  | 'gif'
  | 'animated-gif'
  | 'animated-webp'
  | 'tiff'
  | 'geotiff'
  | 'jpeg-or-png'
  | 'jpeg-or-png8'
  | 'svg'
  | 'pdf'
  | 'kml'
  | 'kmz'
  | 'openlayers'
  | 'utfgrid'
  | 'mvt';

export type AnimatedEncoding = Extract<MapEncoding, 'animated-gif' | 'animated-webp'>;

export interface MapFormat {
  /** The first is the listed name. */
  readonly names: readonly [string, ...string[]];
  readonly encoding: MapEncoding;
  /** The media type of the response. */
  readonly mediaType: string;
  readonly fileExtension: string;
  /** Whether browsers save it instead of displaying it. */
  readonly isDownload?: true;
}

/** The default format first. */
export const mapFormats: readonly MapFormat[] = [
  { names: ['image/png'], encoding: 'png', mediaType: 'image/png', fileExtension: 'png' },
  { names: ['image/jpeg', 'image/jpg'], encoding: 'jpeg', mediaType: 'image/jpeg', fileExtension: 'jpg' },
  {
    names: ['image/png8', 'image/png; mode=8bit'],
    encoding: 'png8',
    mediaType: 'image/png; mode=8bit',
    fileExtension: 'png',
  },
  { names: ['image/webp'], encoding: 'webp', mediaType: 'image/webp', fileExtension: 'webp' },
  { names: ['image/vnd.jpeg-png'], encoding: 'jpeg-or-png', mediaType: 'image/png', fileExtension: 'png' },
  { names: ['image/vnd.jpeg-png8'], encoding: 'jpeg-or-png8', mediaType: 'image/png', fileExtension: 'png' },
  { names: ['image/gif'], encoding: 'gif', mediaType: 'image/gif', fileExtension: 'gif' },
  { names: ['image/gif;subtype=animated'], encoding: 'animated-gif', mediaType: 'image/gif', fileExtension: 'gif' },
  {
    names: ['image/webp;subtype=animated'],
    encoding: 'animated-webp',
    mediaType: 'image/webp',
    fileExtension: 'webp',
  },
  { names: ['image/tiff', 'image/tiff8'], encoding: 'tiff', mediaType: 'image/tiff', fileExtension: 'tif' },
  {
    names: ['image/geotiff', 'image/geotiff8'],
    encoding: 'geotiff',
    mediaType: 'image/geotiff',
    fileExtension: 'tif',
  },
  { names: ['image/svg+xml', 'image/svg'], encoding: 'svg', mediaType: 'image/svg+xml', fileExtension: 'svg' },
  {
    names: ['application/pdf'],
    encoding: 'pdf',
    mediaType: 'application/pdf',
    fileExtension: 'pdf',
    isDownload: true,
  },
  {
    names: ['application/vnd.google-earth.kml+xml', 'kml', 'application/vnd.google-earth.kml+xml;mode=networklink'],
    encoding: 'kml',
    mediaType: 'application/vnd.google-earth.kml+xml',
    fileExtension: 'kml',
    isDownload: true,
  },
  {
    names: ['application/vnd.google-earth.kmz', 'kmz', 'application/vnd.google-earth.kmz+xml'],
    encoding: 'kmz',
    mediaType: 'application/vnd.google-earth.kmz',
    fileExtension: 'kmz',
    isDownload: true,
  },
  {
    names: ['application/json;type=utfgrid', 'utfgrid'],
    encoding: 'utfgrid',
    mediaType: 'application/json;type=utfgrid',
    fileExtension: 'json',
  },
  {
    names: ['application/vnd.mapbox-vector-tile', 'application/x-protobuf;type=mapbox-vector', 'pbf', 'mvt'],
    encoding: 'mvt',
    mediaType: 'application/vnd.mapbox-vector-tile',
    fileExtension: 'pbf',
  },
  {
    names: ['text/html; subtype=openlayers', 'application/openlayers', 'application/openlayers3', 'openlayers'],
    encoding: 'openlayers',
    mediaType: 'text/html; subtype=openlayers3',
    fileExtension: 'html',
  },
];

export const animatedFormatNames: readonly string[] = mapFormats
  .filter(({ encoding }) => encoding.startsWith('animated-'))
  .map(({ names }) => names[0]);

export function listMapFormatNames(settings: WmsSettings): readonly string[] {
  return mapFormats.filter(createOfferFilter(settings)).map(({ names }) => names[0]);
}

export function selectMapFormat(name: string, settings: WmsSettings): MapFormat {
  const format = mapFormats.find(({ names }) => isAmong(names, name));
  if (format === undefined || !createOfferFilter(settings)(format)) {
    throw problem('wms-format-unknown', { format: name, formats: listMapFormatNames(settings), field: 'format' });
  }
  return format;
}

function createOfferFilter({ mapFormats: offered }: WmsSettings): (format: MapFormat) => boolean {
  return ({ names }) => offered === undefined || offered.some((each) => isAmong(names, each));
}
