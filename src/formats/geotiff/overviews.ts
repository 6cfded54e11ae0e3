/** Overviews of rasters, each with half the width and height of the level before. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { RasterSize } from '../../raster/port/port.ts';

/** Returns the samples of some rows, pixel-interleaved, little-endian. */
export type ReadRows = (firstRow: number, rows: number) => Uint8Array;

/** The whole raster, or an overview of it. */
export interface Level extends RasterSize {
  readonly readRows: ReadRows;
}

/** Creates an overview with half the width and height of a level. */
export type CreateOverview = (level: Level, pixelBytes: number) => Promise<Level>;

function halve(length: number): number {
  return Math.ceil(length / 2);
}

/** Every second sample, because the average of classes or missing values has no meaning. */
export async function createNearestOverview({ width, height, readRows }: Level, pixelBytes: number): Promise<Level> {
  const columns = halve(width);
  return {
    width: columns,
    height: halve(height),
    readRows(firstRow, rows) {
      const half = new Uint8Array(columns * rows * pixelBytes);
      for (let row = 0; row < rows; row += 1) {
        const source = readRows((firstRow + row) * 2, 1);
        for (let column = 0; column < columns; column += 1) {
          const from = column * 2 * pixelBytes;
          half.set(source.subarray(from, from + pixelBytes), (row * columns + column) * pixelBytes);
        }
      }
      return half;
    },
  };
}

/** The number of rows that are averaged before other requests continue. */
const ROWS_PER_TURN = 64;

/** The average of each four pixels, in memory: an overview has a quarter of the pixels. */
export async function createAveragedOverview({ width, height, readRows }: Level, pixelBytes: number): Promise<Level> {
  const [columns, rows] = [halve(width), halve(height)];
  const half = new Uint8Array(columns * rows * pixelBytes);
  for (let row = 0; row < rows; row += 1) {
    if (row % ROWS_PER_TURN === 0) await othersFirst();
    const upper = readRows(row * 2, 1);
    const lower = row * 2 + 1 < height ? readRows(row * 2 + 1, 1) : upper;
    for (let column = 0; column < columns; column += 1) {
      const left = column * 2 * pixelBytes;
      const right = column * 2 + 1 < width ? left + pixelBytes : left;
      averagePixels({ upper, lower, left, right }, half, (row * columns + column) * pixelBytes, pixelBytes);
    }
  }
  return {
    width: columns,
    height: rows,
    readRows: (first, count) => half.subarray(first * columns * pixelBytes, (first + count) * columns * pixelBytes),
  };
}

interface FourPixels {
  readonly upper: Uint8Array;
  readonly lower: Uint8Array;
  readonly left: number;
  readonly right: number;
}

/** Transparent pixels have no colour, so that colours are weighted by opacity. */
function averagePixels(
  { upper, lower, left, right }: FourPixels,
  into: Uint8Array,
  at: number,
  channels: number,
): void {
  const hasOpacity = channels === 4;
  const [one, two, three, four] = hasOpacity
    ? [upper[left + 3] ?? 0, upper[right + 3] ?? 0, lower[left + 3] ?? 0, lower[right + 3] ?? 0]
    : [1, 1, 1, 1];
  const sum = one + two + three + four;
  if (sum === 0) return;
  for (let channel = 0; channel < 3; channel += 1) {
    const total =
      (upper[left + channel] ?? 0) * one +
      (upper[right + channel] ?? 0) * two +
      (lower[left + channel] ?? 0) * three +
      (lower[right + channel] ?? 0) * four;
    into[at + channel] = total / sum + 0.5;
  }
  if (hasOpacity) into[at + 3] = sum / 4 + 0.5;
}
