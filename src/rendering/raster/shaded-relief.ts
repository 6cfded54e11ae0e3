/** Shades heights with light from the upper left: slopes towards it become lighter, others darker. */
import { evaluateExpression, toNumber } from '../../filter/evaluate/evaluate.ts';
import type { BandWindow, RasterSize } from '../../raster/port/port.ts';
import type { ShadedRelief } from '../../styling/model/model.ts';

/** The default relief factor for heights of the Earth, from the SLD standard. */
const DEFAULT_RELIEF_FACTOR = 55;

/** Light from the north-west, at an elevation of 45 degrees. */
const LIGHT_HEIGHT = Math.SQRT1_2;
const LIGHT_ACROSS = 0.5;

/** Changes straight colours in place. Heights and pixel sizes are in metres. */
export function shadeRelief(
  bytes: Uint8Array,
  { width, height, samples, mask }: RasterSize & BandWindow,
  { reliefFactor, brightnessOnly = false }: ShadedRelief,
  metresPerPixel: number,
): void {
  const given = reliefFactor && toNumber(evaluateExpression(reliefFactor, {}));
  // The two neighbours of a pixel are two pixels apart.
  const steepness = (given ?? DEFAULT_RELIEF_FACTOR) / (2 * metresPerPixel);
  const getHeight = (column: number, row: number, instead: number): number => {
    const at = Math.min(height - 1, Math.max(0, row)) * width + Math.min(width - 1, Math.max(0, column));
    return mask !== undefined && mask[at] === 0 ? instead : Number(samples[at]);
  };
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = (row * width + column) * 4;
      if (bytes[at + 3] === 0) continue;
      const own = getHeight(column, row, 0);
      const east = (getHeight(column + 1, row, own) - getHeight(column - 1, row, own)) * steepness;
      const south = (getHeight(column, row + 1, own) - getHeight(column, row - 1, own)) * steepness;
      const light = (LIGHT_HEIGHT + LIGHT_ACROSS * (east + south)) / Math.sqrt(1 + east * east + south * south);
      const share = Math.max(0, light / LIGHT_HEIGHT);
      if (brightnessOnly) applyShadow(bytes, at, share);
      else
        for (let channel = at; channel < at + 3; channel += 1)
          bytes[channel] = Math.min(255, (bytes[channel] ?? 0) * share);
    }
  }
}

/** Writes only light and shadow, to be painted over the layers below. */
function applyShadow(bytes: Uint8Array, at: number, share: number): void {
  bytes.fill(share < 1 ? 0 : 255, at, at + 3);
  bytes[at + 3] = Math.min(255, (bytes[at + 3] ?? 0) * Math.abs(1 - share));
}
