/** Lengths of a symbolizer in pixels of a swatch. */
import type { Expression, UnitOfMeasure } from '../../model/model.ts';
import { sampleNumber, sampleValue } from './sample-value.ts';

/** The pixel of the standard, 0.28 mm, in metres. */
const pixelMetres = 0.000_28;
/** Without a scale, a metre of the ground is a pixel: a street is then some pixels wide, and a path still seen. */
const metresPerPixel = 1;
const metresPerFoot = 0.3048;

/** Sums and products of these are still numbers. */
const maxPixels = 1_000_000;

const suffixes: Readonly<Record<string, UnitOfMeasure>> = { px: 'pixel', m: 'metre', ft: 'foot' };

/** How long a pixel and a unit of the ground are, and by how much symbols shrink to fit into their swatch. */
export interface Lengths {
  readonly uom: UnitOfMeasure;
  readonly metresPerPixel: number;
  /** 1 or less. */
  readonly factor: number;
}

export function createLengths(uom: UnitOfMeasure | undefined, scaleDenominator: number | undefined): Lengths {
  const metres = scaleDenominator === undefined ? metresPerPixel : scaleDenominator * pixelMetres;
  return { uom: uom ?? 'pixel', metresPerPixel: metres, factor: 1 };
}

/** A length in pixels. A unit written with the number goes before that of the symbolizer. */
export function readPixels(lengths: Lengths, expression: Expression | undefined, byDefault: number): number {
  const value = sampleValue(expression);
  const written = typeof value === 'string' ? /^\s*([^\s]{1,40}?)\s*(px|m|ft)\s*$/.exec(value) : null;
  if (!written) return convertToPixels(lengths, lengths.uom, sampleNumber(expression, Number.NaN), byDefault);
  const number = Number(written[1]);
  return convertToPixels(lengths, suffixes[written[2] ?? ''] ?? lengths.uom, number, byDefault);
}

/** The width of a line, which never shrinks below a pixel: it would not be seen. */
export function readPenPixels(lengths: Lengths, expression: Expression | undefined, byDefault: number): number {
  const width = Math.max(0, readPixels({ ...lengths, factor: 1 }, expression, byDefault));
  return Math.max(width * lengths.factor, Math.min(width, 1));
}

/** What nobody wrote is in pixels, whatever the unit. */
function convertToPixels(lengths: Lengths, unit: UnitOfMeasure, number: number, byDefault: number): number {
  if (!Number.isFinite(number)) return byDefault * lengths.factor;
  const metres = unit === 'metre' ? number : unit === 'foot' ? number * metresPerFoot : undefined;
  const wanted = metres === undefined ? number : metres / lengths.metresPerPixel;
  return Math.min(maxPixels, Math.max(-maxPixels, wanted)) * lengths.factor;
}
