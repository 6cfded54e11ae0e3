/** The configured reading rules of a coverage: transparent colours, background values and outlines. */
import { createConversion } from '../../crs/conversion.ts';
import type { Band, Grid } from '../port/port.ts';
import type { MutableBand } from '../warp/picture-buffer.ts';
import type { WarpRequest } from '../warp/read-warped.ts';
import { computeSourcePositions, createLocator } from '../warp/source-positions.ts';
import { createOutlineTest, type FileOutline } from './outline-pixels.ts';

/** Red, green and blue, each from 0 to 255. */
export type SampleColor = readonly [red: number, green: number, blue: number];

export interface ReadingRules {
  /** Samples of this colour have no data, in each file separately. */
  readonly inputTransparent?: SampleColor;
  /** Samples of this colour have no data in the merged image. */
  readonly outputTransparent?: SampleColor;
  /** The values of positions in the coverage without data, for each band; the last value applies to further bands. */
  readonly background?: { readonly values: readonly number[]; readonly grid: Grid };
}

/** Samples with the descriptions of their bands. */
interface SampledPicture {
  readonly bands: readonly MutableBand[];
  readonly described: readonly Band[];
  /** The positions of the bands with colours. */
  readonly colored: readonly number[];
}

/** Returns the positions of the bands with colours: red, green and blue, or a single band. */
export function findColorBands(bands: readonly Band[]): readonly number[] {
  const named = (['red', 'green', 'blue'] as const).map((color) =>
    bands.findIndex(({ colorInterpretation }) => colorInterpretation === color),
  );
  if (!named.includes(-1)) return named;
  const shown = bands.flatMap(({ colorInterpretation }, place) => (colorInterpretation === 'alpha' ? [] : [place]));
  return shown.length >= 3 ? shown.slice(0, 3) : shown.slice(0, 1);
}

/** Masks pixels of a colour. A single band is compared by its palette or as grey. */
export function maskColor({ bands, described, colored }: SampledPicture, color: SampleColor): void {
  const isOne = colored.length === 1;
  const values = colored.map((place, index) => listColorValues(described[place], color, isOne ? undefined : index));
  const samples = colored.map((place) => bands[place]?.samples);
  for (let at = 0; at < (bands[0]?.mask.length ?? 0); at += 1) {
    const isOfColor = values.length > 0 && values.every((wanted, index) => wanted.has(Number(samples[index]?.[at])));
    if (isOfColor) for (const { mask } of bands) mask[at] = 0;
  }
}

/** Returns the sample values of a colour component or of a whole colour. */
function listColorValues(band: Band | undefined, color: SampleColor, part: number | undefined): ReadonlySet<number> {
  if (part !== undefined) return new Set([color[part] ?? Number.NaN]);
  const palette = band?.palette;
  if (palette === undefined) return new Set(color.every((each) => each === color[0]) ? [color[0]] : []);
  const entries = Array.from({ length: palette.length / 4 }, (_, entry) => entry);
  return new Set(entries.filter((entry) => color.every((each, index) => palette[entry * 4 + index] === each)));
}

/** Fills positions of the coverage without data. */
export async function fillBackground(
  { bands }: Pick<SampledPicture, 'bands'>,
  request: WarpRequest,
  { values, grid }: NonNullable<ReadingRules['background']>,
): Promise<void> {
  const isOnGrid = await createGridTest(request, grid);
  for (const [index, { samples, mask }] of bands.entries()) {
    const place = request.bands?.[index] ?? index;
    const value = values[Math.min(place, values.length - 1)] ?? 0;
    if (!canHold(samples, value)) continue;
    for (let at = 0; at < mask.length; at += 1) {
      if (mask[at] !== 0 || !isOnGrid(at)) continue;
      (samples as Float64Array)[at] = value;
      mask[at] = 255;
    }
  }
}

/** Returns whether the sample type can represent the value. */
function canHold(samples: SampledPicture['bands'][number]['samples'], value: number): boolean {
  if (samples instanceof Float32Array || samples instanceof Float64Array) return true;
  // 64-bit integers have no background value.
  if (samples instanceof BigInt64Array || samples instanceof BigUint64Array) return false;
  const [sample] = new (samples.constructor as new (values: readonly number[]) => typeof samples)([value]);
  return sample === value;
}

async function createGridTest({ target, crs }: WarpRequest, grid: Grid): Promise<(pixel: number) => boolean> {
  const locate = createLocator(target, grid, await createConversion(crs, grid.crs), false);
  const { columns, rows } = computeSourcePositions(
    { column: 0, row: 0, width: target.width, height: target.height },
    locate,
  );
  return (pixel) => {
    const [column, row] = [columns[pixel] ?? Number.NaN, rows[pixel] ?? Number.NaN];
    return column >= 0 && column < grid.width && row >= 0 && row < grid.height;
  };
}

/** Masks pixels whose centre is outside the outline. */
export async function cutToOutline(
  { bands }: Pick<SampledPicture, 'bands'>,
  request: WarpRequest,
  outline: FileOutline,
): Promise<void> {
  const isInside = await createOutlineTest(request, outline);
  if (isInside === undefined) return;
  for (let at = 0; at < request.target.width * request.target.height; at += 1) {
    if (!isInside(at)) for (const { mask } of bands) mask[at] = 0;
  }
}
