/**
 * Shades heights with light from the upper left: slopes towards it become lighter, others darker. Slopes are computed
 * from the eight neighbours of a pixel, as by Horn.
 */
import { evaluateExpression, toNumber } from '../../filter/evaluate/evaluate.ts';
import type { BandWindow, RasterSize } from '../../raster/port/port.ts';
import type { ShadedRelief } from '../../styling/model/model.ts';

/** The relief factor of the SLD standard for heights of the Earth: heights are as large as distances. */
const USUAL_RELIEF_FACTOR = 55;

/** Light from the north-west, at an elevation of 45 degrees. */
const LIGHT_HEIGHT = Math.SQRT1_2;
const LIGHT_ACROSS = 0.5;

/** Near the poles pixels of degrees become infinitely narrow. */
const NARROWEST = 0.01;

/** The size of pixels on the ground, in metres. */
export interface PixelGround {
  readonly width: number;
  readonly height: number;
  /** In degrees, of the upper and lower edge of the map, if widths are those at the equator. */
  readonly latitudes?: { readonly top: number; readonly bottom: number };
}

/** Changes straight colours in place. Heights are in metres. */
export function shadeRelief(
  bytes: Uint8Array,
  heights: RasterSize & BandWindow,
  { reliefFactor, brightnessOnly = false }: ShadedRelief,
  ground: PixelGround,
): void {
  const { width, height } = heights;
  const given = reliefFactor && toNumber(evaluateExpression(reliefFactor, {}));
  const exaggeration = (given ?? USUAL_RELIEF_FACTOR) / USUAL_RELIEF_FACTOR;
  const slopes = new Float64Array(2);
  for (let row = 0; row < height; row += 1) {
    // The weights of the neighbours add up to eight distances.
    const across = exaggeration / (8 * ground.width * computeNarrowing(ground, (row + 0.5) / height));
    const down = exaggeration / (8 * ground.height);
    for (let column = 0; column < width; column += 1) {
      const at = (row * width + column) * 4;
      if (bytes[at + 3] === 0) continue;
      measureSlopes(heights, column, row, slopes);
      const east = (slopes[0] ?? 0) * across;
      const south = (slopes[1] ?? 0) * down;
      const light = (LIGHT_HEIGHT + LIGHT_ACROSS * (east + south)) / Math.sqrt(1 + east * east + south * south);
      const share = Math.max(0, light / LIGHT_HEIGHT);
      if (brightnessOnly) applyShadow(bytes, at, share);
      else
        for (let channel = at; channel < at + 3; channel += 1)
          bytes[channel] = Math.min(255, (bytes[channel] ?? 0) * share);
    }
  }
}

/** Returns the width of a pixel of degrees as a share of that at the equator. */
function computeNarrowing({ latitudes }: PixelGround, share: number): number {
  if (latitudes === undefined) return 1;
  const latitude = latitudes.top + (latitudes.bottom - latitudes.top) * share;
  return Math.max(NARROWEST, Math.cos((latitude * Math.PI) / 180));
}

/** Writes the weighted differences of heights towards the east and the south. */
function measureSlopes(
  { width, height, samples, mask }: RasterSize & BandWindow,
  column: number,
  row: number,
  slopes: Float64Array,
): void {
  const middle = row * width + column;
  let east = 0;
  let south = 0;
  for (let y = -1; y <= 1; y += 1) {
    const line = Math.min(height - 1, Math.max(0, row + y)) * width;
    for (let x = -1; x <= 1; x += 1) {
      const near = line + Math.min(width - 1, Math.max(0, column + x));
      const value = Number(samples[mask !== undefined && mask[near] === 0 ? middle : near]);
      const weight = x === 0 || y === 0 ? 2 : 1;
      east += x * weight * value;
      south += y * weight * value;
    }
  }
  slopes[0] = east;
  slopes[1] = south;
}

/** Writes only light and shadow, to be painted over the layers below. */
function applyShadow(bytes: Uint8Array, at: number, share: number): void {
  bytes.fill(share < 1 ? 0 : 255, at, at + 3);
  bytes[at + 3] = Math.min(255, (bytes[at + 3] ?? 0) * Math.abs(1 - share));
}
