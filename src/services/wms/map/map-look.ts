/** The appearance of a map besides its layers: background, resolution and environment values. */
import type { Color } from '../../../rendering/request/map-request.ts';
import type { MapToDraw } from '../../maps/draw-published.ts';
import { toOptionalProperty } from '../../ows/parameters.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import { mapFormatOptions } from '../request/parameters.ts';
import type { RequestedMap } from '../request/request.ts';

export type MapLook = Pick<
  MapToDraw,
  'background' | 'isTransparent' | 'dpi' | 'bufferPixels' | 'variables' | 'angle' | 'hasExactStrokes' | 'antialias'
>;

export function createMapLook(requested: RequestedMap): MapLook {
  return {
    ...(requested.background === undefined ? {} : { background: parseColor(requested.background) }),
    isTransparent: requested.isTransparent,
    ...toOptionalProperty('dpi', requested.dpi),
    ...(requested.buffer === undefined ? {} : { bufferPixels: Math.min(requested.buffer, MAX_BUFFER_PIXELS) }),
    variables: Object.fromEntries(requested.environment),
    angle: requested.angle,
    hasExactStrokes: readParameter(requested.formatOptions, mapFormatOptions.parameters.exactStrokes) === true,
    antialias: readParameter(requested.formatOptions, mapFormatOptions.parameters.antialias),
  };
}

/** The maximum size of symbols. */
const MAX_BUFFER_PIXELS = 1_000;

function parseColor(text: string): Color {
  const readChannel = (at: number): number => Number.parseInt(text.slice(at, at + 2), 16);
  return { red: readChannel(1), green: readChannel(3), blue: readChannel(5) };
}
