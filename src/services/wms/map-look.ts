/** How a map is drawn, beside what is on it: what is below it, how dense its pixels are, and what its styles look up. */
import type { Color } from '../../rendering/map-request.ts';
import type { MapToDraw } from '../maps/draw-published.ts';
import { present } from '../ows/parameters.ts';
import type { RequestedMap } from './request.ts';

export type MapLook = Pick<MapToDraw, 'background' | 'isTransparent' | 'dpi' | 'bufferPixels' | 'variables' | 'angle'>;

export function lookOf(requested: RequestedMap): MapLook {
  return {
    background: colourOf(requested.background),
    isTransparent: requested.isTransparent,
    ...present('dpi', requested.dpi),
    ...(requested.buffer === undefined ? {} : { bufferPixels: Math.min(requested.buffer, MAX_BUFFER_PIXELS) }),
    variables: Object.fromEntries(requested.environment),
    angle: requested.angle,
  };
}

/** No symbol is larger. */
const MAX_BUFFER_PIXELS = 1_000;

function colourOf(text: string): Color {
  const part = (at: number): number => Number.parseInt(text.slice(at, at + 2), 16);
  return { red: part(1), green: part(3), blue: part(5) };
}
