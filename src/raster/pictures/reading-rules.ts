/** The configured reading rules of a coverage: transparent colours, background values and outlines. */
import type { Bounds } from '../../crs/bounds.ts';
import { createConversion } from '../../crs/conversion.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import { createUprightTransform } from '../port/grid.ts';
import type { Band, Grid } from '../port/port.ts';
import type { MutableBand, WarpRequest } from '../warp/read-warped.ts';
import { computeSourcePositions, createLocator } from '../warp/source-positions.ts';

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

/** An outline that limits the visible part of a file. */
export interface FileOutline {
  readonly geometry: Geometry;
  readonly crs: CrsReference;
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

/** The resolution of the grid over an outline, finer than visible. */
const OUTLINE_CELLS = 16_384;

/** Masks pixels whose centre is outside the outline. */
export async function cutToOutline(
  { bands }: Pick<SampledPicture, 'bands'>,
  { target, crs }: WarpRequest,
  { geometry, crs: outlineCrs }: FileOutline,
): Promise<void> {
  const bounds = computeGeometryBounds(geometry);
  if (bounds === undefined) return;
  const size = { width: OUTLINE_CELLS, height: OUTLINE_CELLS };
  const transform = createUprightTransform(size, bounds);
  const grid: Grid = { ...size, transform, bounds, crs: outlineCrs };
  const locate = createLocator(target, grid, await createConversion(crs, outlineCrs), false);
  const { columns, rows } = computeSourcePositions(
    { column: 0, row: 0, width: target.width, height: target.height },
    locate,
  );
  const isInside = createInsideTest(toRings(geometry, bounds));
  for (let at = 0; at < columns.length; at += 1) {
    if (isInside(columns[at] ?? Number.NaN, rows[at] ?? Number.NaN)) continue;
    for (const { mask } of bands) mask[at] = 0;
  }
}

/** Converts rings to cells of the grid. */
function toRings(geometry: Geometry, bounds: Bounds): readonly Float64Array[] {
  const { ordinates, dimension, ends } = geometry;
  const [across, down] = [OUTLINE_CELLS / (bounds.maxX - bounds.minX), OUTLINE_CELLS / (bounds.maxY - bounds.minY)];
  return ends.map((end, index) => {
    const start = ends[index - 1] ?? 0;
    const ring = new Float64Array((end - start) * 2);
    for (let position = start; position < end; position += 1) {
      const from = position * dimension.length;
      ring[(position - start) * 2] = ((ordinates[from] ?? 0) - bounds.minX) * across;
      ring[(position - start) * 2 + 1] = (bounds.maxY - (ordinates[from + 1] ?? 0)) * down;
    }
    return ring;
  });
}

/** The number of horizontal bands for edge lookup: an outline may have thousands of edges. */
const OUTLINE_BANDS = 256;

/** Uses the even-odd rule, so that the orientation of holes is irrelevant. */
function createInsideTest(rings: readonly Float64Array[]): (x: number, y: number) => boolean {
  const getBandIndex = (y: number): number =>
    Math.min(OUTLINE_BANDS - 1, Math.max(0, Math.floor((y / OUTLINE_CELLS) * OUTLINE_BANDS)));
  /** The edges in each band, as two positions each. */
  const bands: number[][] = Array.from({ length: OUTLINE_BANDS }, () => []);
  for (const ring of rings) {
    for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
      const edge = [ring[before] ?? 0, ring[before + 1] ?? 0, ring[at] ?? 0, ring[at + 1] ?? 0] as const;
      const last = getBandIndex(Math.max(edge[1], edge[3]));
      for (let band = getBandIndex(Math.min(edge[1], edge[3])); band <= last; band += 1) bands[band]?.push(...edge);
    }
  }
  return (x, y) => {
    if (!(y >= 0 && y <= OUTLINE_CELLS)) return false;
    const edges = bands[getBandIndex(y)] ?? [];
    let isIn = false;
    for (let at = 0; at < edges.length; at += 4) {
      const [fromX = 0, fromY = 0, toX = 0, toY = 0] = [edges[at], edges[at + 1], edges[at + 2], edges[at + 3]];
      if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) isIn = !isIn;
    }
    return isIn;
  };
}
