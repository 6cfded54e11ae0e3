/** Computes the grid of a GetCoverage response: the original samples if possible, or else the closest equivalent. */
import { type Bounds, intersectBounds } from '../../../crs/bounds.ts';
import { createConversion } from '../../../crs/conversion.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../../crs/resolve-crs.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { Grid, GridTransform, RasterSize } from '../../../raster/port/port.ts';
import { findPlaneAxis } from './axes.ts';
import { formatSubset, type Scaling, type Subset } from './subset.ts';

export interface OutputGrid {
  readonly width: number;
  readonly height: number;
  readonly bounds: Bounds;
  readonly crs: CrsReference;
}

/** The output grid, with the number of source samples in it. */
export interface ResponseGrid extends OutputGrid {
  readonly source: RasterSize;
}

export interface GridOptions {
  readonly subsets: readonly Subset[];
  /** The CRS of the subsets. */
  readonly subsetCrs: CrsReference;
  /** The CRS of the coverage if undefined. */
  readonly outputCrs: CrsReference | undefined;
  readonly scaling: readonly Scaling[];
  /** A box that the output is cut to, in the CRS of the coverage; undefined for no limit. */
  readonly limit?: Bounds | undefined;
}

/** Throws a Problem if the coverage does not intersect the request or has no georeference. */
export async function computeOutputGrid(grid: Grid, wish: GridOptions): Promise<ResponseGrid> {
  const { transform, bounds } = grid;
  if (transform === undefined || bounds === undefined) {
    throw problem('wcs-coverage-without-place', {});
  }
  const requested = await trimBounds(bounds, grid.crs, wish);
  const toSamples = (box: Bounds) => snapToSamples(box, bounds, computeResolution(transform));
  const limited = wish.limit && intersectBounds(toSamples(requested).bounds, toSamples(wish.limit).bounds);
  // Outside of the limit, the requested samples have no data, so that they need not be cut.
  const snapped = toSamples(limited === undefined || isNarrow(limited, transform) ? requested : limited);
  const output =
    wish.outputCrs === undefined
      ? { ...snapped, crs: grid.crs }
      : await reprojectGrid(snapped, grid.crs, wish.outputCrs);
  return { ...scaleGrid(output, wish.scaling), source: { width: snapped.width, height: snapped.height } };
}

/** A grid that the client defines completely: a box with a number of samples or with a resolution. */
export interface ExactGrid {
  readonly box: Bounds;
  /** The CRS of the box. */
  readonly boxCrs: CrsReference;
  readonly outputCrs: CrsReference;
  /** Resolutions are in units of the output CRS. */
  readonly size: RasterSize | { readonly resolution: Resolution };
  /** The parameter that contains the box, and its value, for errors. */
  readonly field: string;
  readonly text: string;
}

/** Returns exactly the requested box and size; parts outside of the coverage have no data. */
export async function computeExactGrid(grid: Grid, wish: ExactGrid): Promise<ResponseGrid> {
  const { transform, bounds: whole } = grid;
  if (transform === undefined || whole === undefined) throw problem('wcs-coverage-without-place', {});
  const { field, text, boxCrs, outputCrs, size } = wish;
  const forth = await createReprojection(boxCrs, outputCrs);
  const bounds = forth === undefined ? wish.box : forth.reprojectBounds(wish.box);
  if (bounds === undefined) throw problem('wcs-nothing-in-crs', { field });
  const back = await createReprojection(outputCrs, grid.crs);
  const own = back === undefined ? bounds : back.reprojectBounds(bounds);
  const inside = own && intersectBounds(own, whole);
  if (inside === undefined) {
    const expected = 'expected a box that intersects the coverage';
    throw problem('ows-parameter-invalid', { parameter: field, value: text, expected, field });
  }
  const { width, height } = snapToSamples(inside, whole, computeResolution(transform));
  return { ...toSize(bounds, size), bounds, crs: outputCrs, source: { width, height } };
}

function toSize({ minX, minY, maxX, maxY }: Bounds, size: ExactGrid['size']): RasterSize {
  if (!('resolution' in size)) return size;
  const [stepX, stepY] = size.resolution;
  const count = (span: number, step: number) => Math.max(1, Math.round(span / step));
  return { width: count(maxX - minX, stepX), height: count(maxY - minY, stepY) };
}

/**
 * The grid of a coverage without rotation, in a CRS with a code, as WCS 1.0 and 1.1 describe it. Coverages in a CRS
 * without a code are described in EPSG:4326. Undefined without a georeference.
 */
export async function computeUprightGrid(grid: Grid): Promise<(OutputGrid & { readonly code: string }) | undefined> {
  const { transform, bounds } = grid;
  if (transform === undefined || bounds === undefined) return undefined;
  const upright = snapToSamples(bounds, bounds, computeResolution(transform));
  const code = (await resolveCrs(grid.crs))?.code;
  if (code !== undefined) return { ...upright, crs: { code }, code };
  const geographic = 'EPSG:4326';
  return { ...(await reprojectGrid(upright, grid.crs, { code: geographic })), code: geographic };
}

/** Returns the requested part of the coverage in its CRS. */
async function trimBounds(bounds: Bounds, crs: CrsReference, { subsets, subsetCrs }: GridOptions): Promise<Bounds> {
  const plane = subsets.flatMap((subset) => {
    const axis = findPlaneAxis(subset.axis);
    return axis === undefined ? [] : [{ ...subset, axis }];
  });
  const [first] = plane;
  if (first === undefined) return bounds;
  const there = await createReprojection(crs, subsetCrs);
  const whole = there === undefined ? bounds : (there.reprojectBounds(bounds) ?? bounds);
  const cut = plane.reduce((box, subset) => cutAlongAxis(box, subset), whole);
  const back = await createReprojection(subsetCrs, crs);
  const own = back === undefined ? cut : back.reprojectBounds(cut);
  const box = own && intersectBounds(own, bounds);
  if (box === undefined) throw createEmptySubsetProblem(first);
  return box;
}

function cutAlongAxis(box: Bounds, subset: Subset): Bounds {
  const [least, most] = subset.axis === 'x' ? [box.minX, box.maxX] : [box.minY, box.maxY];
  const { low = least, high = most } = subset;
  if (typeof low !== 'number' || typeof high !== 'number' || low > high) {
    throw createSubsetProblem(subset, 'expected two numbers, the lower one first');
  }
  if (low > most || high < least) throw createEmptySubsetProblem(subset);
  const [from, to] = [Math.max(low, least), Math.min(high, most)];
  return subset.axis === 'x' ? { ...box, minX: from, maxX: to } : { ...box, minY: from, maxY: to };
}

function createEmptySubsetProblem(subset: Subset): Problem {
  return createSubsetProblem(subset, 'expected values within the coverage');
}

function createSubsetProblem(subset: Subset, expected: string): Problem {
  return problem('wcs-subset-invalid', { subset: formatSubset(subset), expected, field: subset.field ?? 'subset' });
}

type Resolution = readonly [x: number, y: number];

function computeResolution({ columnX, columnY, rowX, rowY }: GridTransform): Resolution {
  return [Math.hypot(columnX, columnY), Math.hypot(rowX, rowY)];
}

/** The tolerance for rounding, as a fraction of a sample. */
const ROUNDING = 1e-6;

/** Boxes that only touch have no sample in common. */
function isNarrow({ minX, minY, maxX, maxY }: Bounds, transform: GridTransform): boolean {
  const [stepX, stepY] = computeResolution(transform);
  return maxX - minX < stepX / 2 || maxY - minY < stepY / 2;
}

/** Extends a box to whole samples. */
function snapToSamples(box: Bounds, whole: Bounds, [stepX, stepY]: Resolution): Omit<OutputGrid, 'crs'> {
  const left = Math.floor((box.minX - whole.minX) / stepX + ROUNDING);
  const right = Math.max(left + 1, Math.ceil((box.maxX - whole.minX) / stepX - ROUNDING));
  const top = Math.floor((whole.maxY - box.maxY) / stepY + ROUNDING);
  const bottom = Math.max(top + 1, Math.ceil((whole.maxY - box.minY) / stepY - ROUNDING));
  return {
    width: right - left,
    height: bottom - top,
    bounds: {
      minX: whole.minX + left * stepX,
      minY: whole.maxY - bottom * stepY,
      maxX: whole.minX + right * stepX,
      maxY: whole.maxY - top * stepY,
    },
  };
}

/** Uses square samples, about as many along the diagonal as before. */
async function reprojectGrid(
  { width, height, bounds }: Omit<OutputGrid, 'crs'>,
  from: CrsReference,
  to: CrsReference,
): Promise<OutputGrid> {
  if ((await createConversion(from, to)) === undefined) return { width, height, bounds, crs: to };
  const box = (await createReprojection(from, to))?.reprojectBounds(bounds);
  if (box === undefined) throw problem('wcs-nothing-in-crs', { field: 'outputCrs' });
  const [spanX, spanY] = [box.maxX - box.minX, box.maxY - box.minY];
  const step = Math.hypot(spanX, spanY) / Math.hypot(width, height);
  return {
    width: Math.max(1, Math.round(spanX / step)),
    height: Math.max(1, Math.round(spanY / step)),
    bounds: box,
    crs: to,
  };
}

function scaleGrid(grid: OutputGrid, scaling: readonly Scaling[]): OutputGrid {
  let { width, height } = grid;
  for (const { axis, by } of scaling) {
    const plane = axis === undefined ? undefined : findPlaneAxis(axis);
    if (axis !== undefined && plane === undefined) {
      throw problem('wcs-scale-axis-unknown', { axis, field: axis });
    }
    const scaleLength = (length: number) => ('size' in by ? by.size : Math.max(1, Math.round(length * by.factor)));
    if (plane !== 'y') width = scaleLength(width);
    if (plane !== 'x') height = scaleLength(height);
  }
  return { ...grid, width, height };
}
