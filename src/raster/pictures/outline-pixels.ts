/** Tests which pixels of a picture are inside a polygon of any coordinate reference system. */
import type { Bounds } from '../../crs/bounds.ts';
import { createConversion } from '../../crs/conversion.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import { createUprightTransform } from '../port/grid.ts';
import type { Grid } from '../port/port.ts';
import type { WarpRequest } from '../warp/read-warped.ts';
import { computeSourcePositions, createLocator } from '../warp/source-positions.ts';

/** An outline that limits the visible part of a file or coverage. */
export interface FileOutline {
  readonly geometry: Geometry;
  readonly crs: CrsReference;
}

/** The resolution of the grid over an outline, finer than visible. */
const OUTLINE_CELLS = 16_384;

/**
 * Returns a test for the pixels, row by row; undefined for an empty outline. The centres of the pixels are transformed to
 * the CRS of the outline, where its edges are straight.
 */
export async function createOutlineTest(
  { target, crs }: Pick<WarpRequest, 'target' | 'crs'>,
  { geometry, crs: outlineCrs }: FileOutline,
): Promise<((pixel: number) => boolean) | undefined> {
  const bounds = computeGeometryBounds(geometry);
  if (bounds === undefined) return undefined;
  const size = { width: OUTLINE_CELLS, height: OUTLINE_CELLS };
  const transform = createUprightTransform(size, bounds);
  const grid: Grid = { ...size, transform, bounds, crs: outlineCrs };
  const isGeographic = (await resolveCrs(outlineCrs))?.model?.kind === 'geographic';
  const locate = createLocator(target, grid, await createConversion(crs, outlineCrs), isGeographic);
  const { columns, rows } = computeSourcePositions(
    { column: 0, row: 0, width: target.width, height: target.height },
    locate,
  );
  const isInside = createInsideTest(toRings(geometry, bounds));
  return (pixel) => isInside(columns[pixel] ?? Number.NaN, rows[pixel] ?? Number.NaN);
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
