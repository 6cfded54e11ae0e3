/** Reads the nearest samples of an image whose columns and rows are columns and rows of the coverage. */
import type { CoverageDescription, RasterSource, RasterWindow, WindowRequest } from '../port/port.ts';
import type { AxisPositions } from './axis-positions.ts';
import type { PictureBuffer } from './picture-buffer.ts';

/** The number of pixels that are read at a time: more memory would be used than the image itself has. */
const MAX_READ_PIXELS = 1_048_576;

export async function readAligned(
  source: Pick<RasterSource, 'read'>,
  { name, grid }: CoverageDescription,
  { picture, positions, request }: AlignedPicture,
  signal: AbortSignal,
): Promise<void> {
  const { columns, rows } = positions;
  const reduction = Math.min(chooseReduction(measureSteps(columns)), chooseReduction(measureSteps(rows)));
  const linesAtOnce = Math.max(1, Math.floor(MAX_READ_PIXELS / picture.width));
  for (const across of listRuns(columns, grid.width, picture.width)) {
    for (const down of listRuns(rows, grid.height, linesAtOnce)) {
      signal.throwIfAborted();
      const part = {
        columns: columns.slice(across.start, across.end),
        rows: rows.slice(down.start, down.end),
        reduction,
      };
      const read = await source.read(name, { ...request, positions: part, bands: picture.bandPlaces }, signal);
      copyWindow(read, picture, across.start, down.start);
    }
  }
}

export interface AlignedPicture {
  readonly picture: PictureBuffer;
  readonly positions: AxisPositions;
  readonly request: Pick<WindowRequest, 'slice' | 'values'>;
}

interface PositionRun {
  readonly start: number;
  readonly end: number;
}

/** Returns the positions on the grid as runs of limited length. */
function* listRuns(positions: Float64Array, gridLength: number, maxLength: number): Generator<PositionRun> {
  const isOnGrid = (index: number) => {
    const position = positions[index] ?? Number.NaN;
    return position >= 0 && position < gridLength;
  };
  for (let start = 0; start < positions.length; start += 1) {
    if (!isOnGrid(start)) continue;
    let end = start + 1;
    while (end < positions.length && end - start < maxLength && isOnGrid(end)) end += 1;
    yield { start, end };
    start = end - 1;
  }
}

function measureSteps(positions: Float64Array): readonly number[] {
  return Array.from(positions.subarray(1), (position, index) => Math.abs(position - (positions[index] ?? Number.NaN)));
}

/** Up to this many samples per pixel, full resolution is used; above it, a reduced read. */
const FINE = 3;

/** Returns the median of the distances between neighbours; 1 if it is close enough for full resolution. */
export function chooseReduction(steps: readonly number[]): number {
  const known = steps.filter(Number.isFinite).sort((a, b) => a - b);
  const step = known[Math.floor(known.length / 2)] ?? 0;
  return step < FINE ? 1 : step;
}

function copyWindow(read: RasterWindow, picture: PictureBuffer, left: number, top: number): void {
  for (const [index, { samples, mask }] of read.bands.entries()) {
    const target = picture.bands[index];
    if (target === undefined) continue;
    // Both arrays have the type of the band.
    const [from, to] = [samples as Float64Array, target.samples as Float64Array];
    for (let row = 0; row < read.height; row += 1) {
      const first = row * read.width;
      const start = (top + row) * picture.width + left;
      if (mask === undefined) {
        to.set(from.subarray(first, first + read.width), start);
        target.mask.fill(255, start, start + read.width);
        continue;
      }
      for (let column = 0; column < read.width; column += 1) {
        if (mask[first + column] === 0) continue;
        to[start + column] = from[first + column] ?? 0;
        target.mask[start + column] = 255;
      }
    }
  }
}
