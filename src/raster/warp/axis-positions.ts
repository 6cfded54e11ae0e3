/** Finds out whether the columns and rows of a target image are columns and rows of a coverage. */
import type { RasterSize } from '../port/port.ts';
import type { Locate } from './source-positions.ts';

/** The positions of the centres of all columns and rows of the image in pixels of the coverage; NaN for none. */
export interface AxisPositions {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/** The distance of the pixels at which the positions are compared with exact ones. */
const CHECK_STEP = 16;
/** The maximum error, in pixels of the coverage. */
const TOLERANCE = 0.001;

/** Returns undefined if the image is rotated, or if its CRS curves the lines of the coverage. */
export function findAxisPositions({ width, height }: RasterSize, locate: Locate): AxisPositions | undefined {
  const [middleColumn, middleRow] = [Math.floor(width / 2), Math.floor(height / 2)];
  const locateColumn = (column: number) => locate(column + 0.5, middleRow + 0.5)?.[0] ?? Number.NaN;
  const locateRow = (row: number) => locate(middleColumn + 0.5, row + 0.5)?.[1] ?? Number.NaN;
  const isAt = (column: number, row: number, x = Number.NaN, y = Number.NaN): boolean => {
    const exact = locate(column + 0.5, row + 0.5);
    if (exact === undefined) return Number.isNaN(x) || Number.isNaN(y);
    return Math.abs(exact[0] - x) <= TOLERANCE && Math.abs(exact[1] - y) <= TOLERANCE;
  };
  const [right, bottom] = [width - 1, height - 1];
  // This rejects most images at a small part of the cost.
  for (const [column, row] of [0, right].flatMap((x) => [0, bottom].map((y) => [x, y] as const))) {
    if (!isAt(column, row, locateColumn(column), locateRow(row))) return undefined;
  }
  const columns = Float64Array.from({ length: width }, (_, column) => locateColumn(column));
  const rows = Float64Array.from({ length: height }, (_, row) => locateRow(row));
  for (let row = 0; row < height; row += CHECK_STEP) {
    for (let column = 0; column < width; column += CHECK_STEP) {
      if (!isAt(column, row, columns[column], rows[row])) return undefined;
    }
  }
  return { columns, rows };
}
