/** Image tiles with more pixels for screens of high resolution: the same area and the same rules, drawn larger. */
import { createKind, createParameterProblem, declareParameter } from '../ows/service-parameters.ts';

/** Screens with more pixels show no more detail to the eye. */
export const MAX_PIXEL_RATIO = 4;

const ratios = Array.from({ length: MAX_PIXEL_RATIO }, (_, index) => index + 1);

export const pixelRatioParameter = declareParameter(
  'pixelRatio',
  createKind(
    `an integer from 1 to ${MAX_PIXEL_RATIO}`,
    (text) => ratios.find((each) => String(each) === text.trim()),
    1,
    { type: 'integer', minimum: 1, maximum: MAX_PIXEL_RATIO },
  ),
  'The size of image tiles as a multiple of that of the tile matrix, which mostly is 256 pixels. Symbols and labels are scaled with it. Vector tiles ignore it.',
);

/** A number in a path, with the pixel ratio that follows it, as in `12@2x`. */
export interface ScaledNumber {
  readonly number: string;
  /** Undefined without a pixel ratio. */
  readonly pixelRatio: number | undefined;
}

/** Throws a Problem for an unknown pixel ratio; the caller checks the number. */
export function splitPixelRatio(written: string, field: string): ScaledNumber {
  const [number = '', ratio, ...more] = written.split('@');
  if (ratio === undefined) return { number, pixelRatio: undefined };
  const pixelRatio = ratios.find((each) => ratio === `${each}x`);
  if (pixelRatio === undefined || more.length > 0) {
    throw createParameterProblem(field, written, `a number, optionally followed by @2x to @${MAX_PIXEL_RATIO}x`);
  }
  return { number, pixelRatio };
}
