/** Computes the grid of a GetCoverage response: the original samples if possible, or else the closest equivalent. */
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import { createConversion } from '../../crs/conversion.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Grid, GridTransform, RasterSize } from '../../raster/port/port.ts';
import { findPlaneAxis } from './axes.ts';
import { formatSubset, type Scaling, type Subset } from './request.ts';

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
  // Outside of the limit, the requested samples have no data, so that they need not be cut.
  const box = (wish.limit && intersectBounds(requested, wish.limit)) ?? requested;
  const snapped = snapToSamples(box, bounds, computeResolution(transform));
  const output =
    wish.outputCrs === undefined
      ? { ...snapped, crs: grid.crs }
      : await reprojectGrid(snapped, grid.crs, wish.outputCrs);
  return { ...scaleGrid(output, wish.scaling), source: { width: snapped.width, height: snapped.height } };
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
  return problem('wcs-subset-invalid', { subset: formatSubset(subset), expected, field: 'subset' });
}

type Resolution = readonly [x: number, y: number];

function computeResolution({ columnX, columnY, rowX, rowY }: GridTransform): Resolution {
  return [Math.hypot(columnX, columnY), Math.hypot(rowX, rowY)];
}

/** The tolerance for rounding, as a fraction of a sample. */
const ROUNDING = 1e-6;

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
