/** Makes an answer out of the blocks that a picture is stored in, each of which is read once. */

import type { Samples } from '../port/samples.ts';
import { type Run, type SamplePositions, splitRuns } from './sampling.ts';

export interface BlockLayout {
  readonly blockWidth: number;
  readonly blockHeight: number;
}

/** One block: the samples of a pixel lie side by side, `stride` of them. */
export interface BlockSource extends BlockLayout {
  readonly stride: number;
  /** Undefined where nothing is stored. */
  readBlock(across: number, down: number): Promise<Samples | undefined>;
}

/** One band of the answer: which sample of a pixel it takes, and where to. */
export interface BandTarget {
  readonly sample: number;
  readonly samples: Samples;
  /** Where nothing is stored. */
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
    // Arrays of one kind take values of that kind only; which it is, is known by the type of the band.
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
  const isDense =
    stride === 1 && (columns[over.end - 1] ?? 0) - (columns[over.start] ?? 0) === over.end - over.start - 1;
  // Both are arrays of the same kind.
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
