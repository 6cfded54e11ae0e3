/** Creates grids from georeferences. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Grid, GridTransform, RasterSize } from './port.ts';

export function createGrid(
  { width, height }: RasterSize,
  transform: GridTransform | undefined,
  crs: CrsReference,
): Grid {
  return {
    width,
    height,
    ...(transform === undefined ? {} : { transform, bounds: computeBounds({ width, height }, transform) }),
    crs,
  };
}

/** Creates the transform of an axis-aligned grid in a box, with its first row in the north. */
export function createUprightTransform(
  { width, height }: RasterSize,
  { minX, minY, maxX, maxY }: Bounds,
): GridTransform {
  return {
    originX: minX,
    columnX: (maxX - minX) / width,
    rowX: 0,
    originY: maxY,
    columnY: 0,
    rowY: -(maxY - minY) / height,
  };
}

/** Returns the transform if it is finite and invertible. */
export function validateTransform(transform: GridTransform): GridTransform | undefined {
  const isSound = Object.values(transform).every(Number.isFinite);
  return isSound && transform.columnX * transform.rowY !== transform.rowX * transform.columnY ? transform : undefined;
}

function computeBounds({ width, height }: RasterSize, transform: GridTransform): Bounds {
  const xs: number[] = [];
  const ys: number[] = [];
  for (const [column, row] of [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ] as const) {
    xs.push(transform.originX + column * transform.columnX + row * transform.rowX);
    ys.push(transform.originY + column * transform.columnY + row * transform.rowY);
  }
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}
