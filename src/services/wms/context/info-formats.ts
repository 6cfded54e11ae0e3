/** The formats of GetFeatureInfo by their names. */
import { problem } from '../../../lib/problems/problem.ts';
import { isAmong } from '../../ows/format-names.ts';
import type { WmsSettings } from './settings.ts';

export interface InfoFormat {
  /** The first is the listed name. */
  readonly names: readonly [string, ...string[]];
  readonly encoding: 'text' | 'html' | 'json' | 'gml2' | 'gml31';
  /** The media type of the response. */
  readonly mediaType: string;
}

/** The default format first. */
const infoFormats: readonly InfoFormat[] = [
  { names: ['text/plain'], encoding: 'text', mediaType: 'text/plain;charset=utf-8' },
  { names: ['text/html'], encoding: 'html', mediaType: 'text/html;charset=utf-8' },
  {
    names: ['application/json', 'json', 'application/geo+json', 'geojson'],
    encoding: 'json',
    mediaType: 'application/json;charset=utf-8',
  },
  { names: ['application/vnd.ogc.gml', 'gml'], encoding: 'gml2', mediaType: 'application/vnd.ogc.gml' },
  { names: ['text/xml'], encoding: 'gml2', mediaType: 'text/xml' },
  {
    names: ['application/vnd.ogc.gml/3.1.1', 'gml3'],
    encoding: 'gml31',
    mediaType: 'application/vnd.ogc.gml/3.1.1',
  },
  { names: ['text/xml; subtype=gml/3.1.1'], encoding: 'gml31', mediaType: 'text/xml; subtype=gml/3.1.1' },
];

type InfoSettings = Pick<WmsSettings, 'infoFormats'>;

/** For services that the WMS settings do not apply to. */
export const allInfoFormats: InfoSettings = { infoFormats: undefined };

export function listInfoFormatNames(settings: InfoSettings): readonly string[] {
  return infoFormats.filter(createOfferFilter(settings)).map(({ names }) => names[0]);
}

export function selectInfoFormat(name: string | undefined, settings: InfoSettings, field = 'info_format'): InfoFormat {
  const asked = name ?? 'text/plain';
  const format = infoFormats.find(({ names }) => isAmong(names, asked));
  if (format === undefined || !createOfferFilter(settings)(format)) {
    throw problem('wms-format-unknown', { format: asked, formats: listInfoFormatNames(settings), field });
  }
  return format;
}

function createOfferFilter({ infoFormats: offered }: InfoSettings): (format: InfoFormat) => boolean {
  return ({ names }) => offered === undefined || offered.some((each) => isAmong(names, each));
}
