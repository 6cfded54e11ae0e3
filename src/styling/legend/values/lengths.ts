/** Converts the lengths of a symbolizer to pixels of a swatch. */
import type { Expression, Point, UnitOfMeasure } from '../../model/model.ts';
import { sampleNumber, sampleValue } from './sample-value.ts';

/** The standard pixel size, 0.28 mm, in metres. */
const pixelMetres = 0.000_28;
/** Without a scale, a metre on the ground is one pixel: a street is a few pixels wide, and a path stays visible. */
const metresPerPixel = 1;
const metresPerFoot = 0.3048;

/**
 * The number of pixels that a drawn line is wider than written, as on maps of the reference server: a line of one pixel
 * keeps its weight, and a line of a fifth of a pixel stays visible. `docs/decisions/053` explains it.
 */
export const STROKE_GROWTH_PIXELS = 0.5;

/** Keeps sums and products finite. */
const maxPixels = 1_000_000;

const suffixes: Readonly<Record<string, UnitOfMeasure>> = { px: 'pixel', m: 'metre', ft: 'foot' };

/** The unit of measure, the ground size of a pixel, and the factor by which symbols shrink to fit a swatch. */
export interface Lengths {
  readonly uom: UnitOfMeasure;
  readonly metresPerPixel: number;
  /** 1 or less. */
  readonly factor: number;
  /** Added to the width of each line, in pixels. */
  readonly strokeGrowth: number;
  /** Whether a positive y of the displacement of a graphic points down; by default it points up. */
  readonly displacesDownwards?: boolean | undefined;
}

export function createLengths(uom: UnitOfMeasure | undefined, scaleDenominator: number | undefined): Lengths {
  const metres = scaleDenominator === undefined ? metresPerPixel : scaleDenominator * pixelMetres;
  return { uom: uom ?? 'pixel', metresPerPixel: metres, factor: 1, strokeGrowth: STROKE_GROWTH_PIXELS };
}

/** Returns a length in pixels. A unit written with the number takes precedence over that of the symbolizer. */
export function readPixels(lengths: Lengths, expression: Expression | undefined, byDefault: number): number {
  const value = sampleValue(expression);
  const written = typeof value === 'string' ? /^\s*([^\s]{1,40}?)\s*(px|m|ft)\s*$/.exec(value) : null;
  if (!written) return convertToPixels(lengths, lengths.uom, sampleNumber(expression, Number.NaN), byDefault);
  const number = Number(written[1]);
  return convertToPixels(lengths, suffixes[written[2] ?? ''] ?? lengths.uom, number, byDefault);
}

/** Returns the displacement of a graphic, y downwards. */
export function readDisplacement(lengths: Lengths, point: Point | undefined): readonly [number, number] {
  const [x, y] = [readPixels(lengths, point?.x, 0), readPixels(lengths, point?.y, 0)];
  return [x, lengths.displacesDownwards ? y : -y];
}

/** Returns the drawn width of a line; 0 for a line without width. Shrunk lines keep one pixel, to stay visible. */
export function readPenPixels(lengths: Lengths, expression: Expression | undefined, byDefault: number): number {
  const width = Math.max(0, readPixels({ ...lengths, factor: 1 }, expression, byDefault));
  return width > 0 ? Math.max(width * lengths.factor, Math.min(width, 1)) + lengths.strokeGrowth : 0;
}

/** Defaults are in pixels, independent of the unit. */
function convertToPixels(lengths: Lengths, unit: UnitOfMeasure, number: number, byDefault: number): number {
  if (!Number.isFinite(number)) return byDefault * lengths.factor;
  const metres = unit === 'metre' ? number : unit === 'foot' ? number * metresPerFoot : undefined;
  const wanted = metres === undefined ? number : metres / lengths.metresPerPixel;
  return Math.min(maxPixels, Math.max(-maxPixels, wanted)) * lengths.factor;
}
