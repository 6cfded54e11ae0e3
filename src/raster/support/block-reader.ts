/** Assembles a window from the blocks of an image, each of which is read once. */

import type { Samples } from '../port/samples.ts';
import { type Run, type SamplePositions, splitRuns } from './sampling.ts';

export interface BlockLayout {
  readonly blockWidth: number;
  readonly blockHeight: number;
}

/** A block source with samples interleaved by pixel, `stride` of them. */
export interface BlockSource extends BlockLayout {
  readonly stride: number;
  /** Returns undefined if the block is not stored. */
  readBlock(across: number, down: number): Promise<Samples | undefined>;
}

/** One band of the response: its sample index in a pixel, and its target. */
export interface BandTarget {
  readonly sample: number;
  readonly samples: Samples;
  /** The value for blocks that are not stored. */
  readonly empty: number | bigint;
}

export async function readThroughBlocks(
  source: BlockSource,
  places: SamplePositions,
  targets: readonly BandTarget[],
): Promise<void> {
  const across = splitRuns(places.columns, source.blockWidth).map((run) => ({
    ...run,
    offsets: computeOffsets(source, places.columns, run),
  }));
  for (const down of splitRuns(places.rows, source.blockHeight)) {
    for (const over of across) {
      const block = await source.readBlock(over.block, down.block);
      for (const target of targets) {
        if (block === undefined) clear(target, places, over, down);
        else copy(source, block, places, target, { over, down });
      }
    }
  }
}

/** Pixels of a response from the same column of blocks. */
interface ColumnRun extends Run {
  /** The indexes of their first samples in a row of a block. */
  readonly offsets: Int32Array;
}

function computeOffsets({ blockWidth, stride }: BlockSource, columns: Int32Array, run: Run): Int32Array {
  const left = run.block * blockWidth;
  return columns.slice(run.start, run.end).map((column) => (column - left) * stride);
}

function clear({ samples, empty }: BandTarget, { columns }: SamplePositions, over: Run, down: Run): void {
  for (let row = down.start; row < down.end; row += 1) {
    // The type of the band determines whether the array takes numbers or bigints.
    (samples as Float64Array).fill(empty as number, row * columns.length + over.start, row * columns.length + over.end);
  }
}

function copy(
  { blockWidth, blockHeight, stride }: BlockSource,
  block: Samples,
  { columns, rows }: SamplePositions,
  { sample, samples }: BandTarget,
  { over, down }: { readonly over: ColumnRun; readonly down: Run },
): void {
  const { offsets, start } = over;
  const [first = 0] = offsets;
  for (let row = down.start; row < down.end; row += 1) {
    const line = ((rows[row] ?? 0) - down.block * blockHeight) * blockWidth * stride + sample;
    const target = row * columns.length + start;
    if (stride === 1 && over.isDense) {
      // Both arrays have the same type.
      const dense = (block as Float64Array).subarray(line + first, line + first + offsets.length);
      (samples as Float64Array).set(dense, target);
    } else if (block instanceof Uint8Array && samples instanceof Uint8Array) {
      copyBytes(block.subarray(line), offsets, samples, target);
    } else {
      copyNumbers((block as Float64Array).subarray(line), offsets, samples as Float64Array, target);
    }
  }
}

/** The same as `copyNumbers`, apart from the types: code for one type of array is twice as fast. */
function copyBytes(from: Uint8Array, offsets: Int32Array, to: Uint8Array, start: number): void {
  for (let at = 0; at < offsets.length; at += 1) to[start + at] = from[offsets[at] ?? 0] ?? 0;
}

function copyNumbers(from: Float64Array, offsets: Int32Array, to: Float64Array, start: number): void {
  for (let at = 0; at < offsets.length; at += 1) to[start + at] = from[offsets[at] ?? 0] ?? 0;
}
