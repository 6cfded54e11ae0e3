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
  const across = splitRuns(places.columns, source.blockWidth);
  for (const down of splitRuns(places.rows, source.blockHeight)) {
    for (const over of across) {
      const block = await source.readBlock(over.block, down.block);
      for (const target of targets) {
        if (block === undefined) clear(target, places, over, down);
        else copy(source, block, places, target, over, down);
      }
    }
  }
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
  over: Run,
  down: Run,
): void {
  const width = columns.length;
  const left = over.block * blockWidth;
  const first = (columns[over.start] ?? 0) - left;
  const isDense = stride === 1 && over.isDense;
  // Both arrays have the same type.
  const from = block as Float64Array;
  const to = samples as Float64Array;
  for (let row = down.start; row < down.end; row += 1) {
    const line = ((rows[row] ?? 0) - down.block * blockHeight) * blockWidth;
    const target = row * width;
    if (isDense) {
      to.set(from.subarray(line + first, line + first + over.end - over.start), target + over.start);
      continue;
    }
    for (let column = over.start; column < over.end; column += 1) {
      to[target + column] = from[(line + (columns[column] ?? 0) - left) * stride + sample] ?? 0;
    }
  }
}
