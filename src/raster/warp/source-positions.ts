/** Maps the pixels of a target image to positions on the grid of a coverage. */

import type { Bounds } from '../../crs/bounds.ts';
import type { Convert } from '../../crs/conversion.ts';
import { createUprightTransform } from '../port/grid.ts';
import type { Grid, GridTransform, RasterSize } from '../port/port.ts';

/** A target image: a box in some CRS and its size in pixels. */
export interface TargetPicture extends RasterSize {
  readonly bounds: Bounds;
  /** The transform of a rotated image; then the box is its bounding box. */
  readonly transform?: GridTransform;
}

/** A part of the target image. */
export interface PicturePart extends RasterSize {
  readonly column: number;
  readonly row: number;
}

/** The positions of the pixel centres of a part in pixels of the coverage, row by row; NaN for none. */
export interface SourcePositions {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/** Maps a position in pixels of the image to pixels of the coverage; undefined for none. */
export type Locate = (column: number, row: number) => readonly [column: number, row: number] | undefined;

/** The size of cells whose centres are interpolated from their corners, if that is accurate enough. */
const CELL = 16;
/** The maximum error, in pixels of the coverage per pixel of the image. */
const TOLERANCE = 0.05;

/** A coverage without a CRS is assumed to have that of the image. The coverage must be georeferenced. */
export function createLocator(
  target: TargetPicture,
  { transform, bounds }: Grid,
  toCoverage: Convert | undefined,
  isGeographic: boolean,
): Locate {
  if (transform === undefined || bounds === undefined) return () => undefined;
  const from = target.transform ?? createUprightTransform(target, target.bounds);
  const toPixels = invertTransform(transform);
  return (column, row) => {
    const x = from.originX + column * from.columnX + row * from.rowX;
    const y = from.originY + column * from.columnY + row * from.rowY;
    const place = toCoverage === undefined ? ([x, y] as const) : toCoverage(x, y);
    if (place === undefined) return undefined;
    return toPixels(isGeographic ? wrapLongitude(place[0], bounds) : place[0], place[1]);
  };
}

/** Longitudes may start at -180 or at 0, and a map may extend beyond the antimeridian. */
function wrapLongitude(longitude: number, { minX, maxX }: Bounds): number {
  if (longitude >= minX && longitude <= maxX) return longitude;
  const turned = longitude - 360 * Math.floor((longitude - minX) / 360);
  return turned <= maxX ? turned : longitude;
}

function invertTransform(transform: GridTransform): (x: number, y: number) => readonly [number, number] {
  const { originX, originY, columnX, columnY, rowX, rowY } = transform;
  const determinant = columnX * rowY - rowX * columnY;
  return (x, y) => [
    ((x - originX) * rowY - (y - originY) * rowX) / determinant,
    ((y - originY) * columnX - (x - originX) * columnY) / determinant,
  ];
}

/** Writes into the given arrays if they are large enough: allocating them for each part takes as long as filling them. */
export function computeSourcePositions(part: PicturePart, locate: Locate, reused?: SourcePositions): SourcePositions {
  const count = part.width * part.height;
  const allocate = (array: Float64Array | undefined) =>
    array === undefined || array.length < count ? new Float64Array(count) : array.subarray(0, count);
  const columns = allocate(reused?.columns).fill(Number.NaN);
  const rows = allocate(reused?.rows).fill(Number.NaN);
  for (let top = 0; top < part.height; top += CELL) {
    for (let left = 0; left < part.width; left += CELL) {
      const cell = { left, top, right: Math.min(left + CELL, part.width), bottom: Math.min(top + CELL, part.height) };
      if (!fillEvenly(part, cell, locate, { columns, rows })) fillExactly(part, cell, locate, { columns, rows });
    }
  }
  return { columns, rows };
}

interface Cell {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function fillExactly(part: PicturePart, cell: Cell, locate: Locate, places: SourcePositions): void {
  for (let row = cell.top; row < cell.bottom; row += 1) {
    for (let column = cell.left; column < cell.right; column += 1) {
      const place = locate(part.column + column + 0.5, part.row + row + 0.5);
      if (place === undefined) continue;
      places.columns[row * part.width + column] = place[0];
      places.rows[row * part.width + column] = place[1];
    }
  }
}

/** Interpolates from the four corners; returns whether that was accurate enough. */
function fillEvenly(part: PicturePart, cell: Cell, locate: Locate, places: SourcePositions): boolean {
  const at = (column: number, row: number) => locate(part.column + column + 0.5, part.row + row + 0.5);
  const width = cell.right - 1 - cell.left;
  const height = cell.bottom - 1 - cell.top;
  if (width < 2 || height < 2) return false;
  const first = at(cell.left, cell.top);
  const second = at(cell.right - 1, cell.top);
  const third = at(cell.left, cell.bottom - 1);
  const fourth = at(cell.right - 1, cell.bottom - 1);
  const middle = at(cell.left + width / 2, cell.top + height / 2);
  if (!first || !second || !third || !fourth || !middle) return false;
  const isEven = ([0, 1] as const).every((axis) => {
    const [a, b, c, d] = [first[axis], second[axis], third[axis], fourth[axis]];
    const size = Math.max(1, Math.abs(b - a) / width, Math.abs(c - a) / height);
    // A discontinuity, such as the antimeridian, shows in the corners if not in the middle.
    return Math.abs((a + b + c + d) / 4 - middle[axis]) <= TOLERANCE * size && Math.abs(a - b - c + d) <= CELL * size;
  });
  if (!isEven) return false;
  fillCell(places.columns, part.width, cell, [first[0], second[0], third[0], fourth[0]]);
  fillCell(places.rows, part.width, cell, [first[1], second[1], third[1], fourth[1]]);
  return true;
}

/** Interpolates between the values of the corners: upper left, upper right, lower left, lower right. */
function fillCell(
  values: Float64Array,
  stride: number,
  { left, top, right, bottom }: Cell,
  [first, second, third, fourth]: readonly [number, number, number, number],
): void {
  const width = right - 1 - left;
  const height = bottom - 1 - top;
  for (let row = 0; row <= height; row += 1) {
    const start = first + ((third - first) * row) / height;
    const step = (second + ((fourth - second) * row) / height - start) / width;
    const from = (top + row) * stride + left;
    for (let column = 0; column <= width; column += 1) values[from + column] = start + column * step;
  }
}
