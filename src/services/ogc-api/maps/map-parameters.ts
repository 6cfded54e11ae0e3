/** The parameters of a map in OGC API Maps. */
import type { Color } from '../../../rendering/request/map-request.ts';
import { createKind, declareParameter, text } from '../../ows/service-parameters.ts';
import { createFlagKind, createListKind, formatParameters } from '../common/parameters.ts';
import { optionParameters } from '../common/requested-options.ts';

/** The maximum width and height; larger maps must be requested in parts. */
export const MAX_SIDE = 8_192;

const side = createKind<number | undefined>(
  `an integer from 1 to ${MAX_SIDE}`,
  (value) => {
    const pixels = /^\d{1,6}$/.test(value) ? Number(value) : 0;
    return pixels >= 1 && pixels <= MAX_SIDE ? pixels : undefined;
  },
  undefined,
  { type: 'integer', minimum: 1, maximum: MAX_SIDE },
);

const color = createKind<Color | undefined>(
  'a colour such as 0xFFFFFF',
  (value) => {
    const digits = /^(?:0x|#)?([0-9a-f]{6})$/i.exec(value)?.[1];
    const readChannel = (at: number) => Number.parseInt(digits?.slice(at, at + 2) ?? '', 16);
    return digits === undefined ? undefined : { red: readChannel(0), green: readChannel(2), blue: readChannel(4) };
  },
  undefined,
);

export const mapParameters = {
  ...formatParameters,
  bbox: declareParameter(
    'bbox',
    createListKind('number'),
    'The box of the map in the axis order of its CRS: four numbers.',
  ),
  'bbox-crs': declareParameter('bbox-crs', text, 'The CRS of the box. Default: the CRS of the map.'),
  crs: declareParameter('crs', text, 'The CRS of the map. Default: longitude and latitude (CRS84).'),
  width: declareParameter('width', side, 'The width in pixels.'),
  height: declareParameter('height', side, 'The height in pixels.'),
  transparent: declareParameter('transparent', createFlagKind(undefined), 'Whether the background is transparent.'),
  bgcolor: declareParameter('bgcolor', color, 'The background colour: 0xRRGGBB.'),
  ...optionParameters,
};
