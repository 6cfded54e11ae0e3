/** Where the records of a .shp file begin, and the boxes around their shapes: made once for each version of the file. */
import type { Bounds } from '../../crs/bounds.ts';
import { createWindow } from './file-window.ts';
import type { OpenedShapefile } from './opened-shapefile.ts';
import { NO_RECORD, recordPositions } from './record-positions.ts';
import { boxAtHand, isBoxAtHand, loadBox } from './survey.ts';

export interface RecordIndex {
  readonly count: number;
  /** Where a record begins, the first being 1; `NO_RECORD` for one that has no shape. */
  positionOf(record: number): number;
  /** The records whose boxes meet another, or nearly so, in their order. */
  meeting(box: Bounds): readonly number[];
}

/** Some of the records of a file. */
export interface SelectedRecords {
  readonly index: RecordIndex;
  /** In the order in which they are wanted. */
  readonly numbers: Iterable<number>;
}

/** Records whose boxes are looked at together first: neighbours in the file mostly are neighbours on the ground. */
const BLOCK_RECORDS = 64;

const CHUNK_BYTES = 1_048_576;

/** Positions are even, and so fit 32 bits when they are counted in words of two bytes, as the format itself does. */
const WORD_BYTES = 2;

export async function createRecordIndex(opened: OpenedShapefile, signal: AbortSignal): Promise<RecordIndex> {
  const { shp, header, shx } = opened;
  const window = createWindow(shp, CHUNK_BYTES);
  const words: Uint32Array[] = [];
  const boxes: Float32Array[] = [];
  let count = 0;
  for await (const positions of recordPositions(shp, header, shx)) {
    signal.throwIfAborted();
    const some = new Float32Array(positions.length * 4).fill(Number.NaN);
    for (const [index, position] of positions.entries()) {
      if (position === NO_RECORD || header.type === undefined) continue;
      if (!isBoxAtHand(window, position, header.type)) await loadBox(window, position, header.type);
      const box = boxAtHand(window, position, header.type);
      if (box !== undefined) some.set(outwards(box), index * 4);
    }
    words.push(Uint32Array.from(positions, (position) => position / WORD_BYTES));
    boxes.push(some);
    count += positions.length;
  }
  return indexOf(count, joined(words, new Uint32Array(count)), joined(boxes, new Float32Array(count * 4)));
}

function joined<A extends Uint32Array | Float32Array>(parts: readonly A[], whole: A): A {
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Of a float, half of the distance to the next one is less than this part of it. */
const ROUNDING = 2 ** -23;

/** Not smaller when it is rounded to what is kept. */
function outwards({ minX, minY, maxX, maxY }: Bounds): readonly number[] {
  const less = (value: number): number => value - Math.abs(value) * ROUNDING - 1e-38;
  const more = (value: number): number => value + Math.abs(value) * ROUNDING + 1e-38;
  return [less(minX), less(minY), more(maxX), more(maxY)];
}

function indexOf(count: number, words: Uint32Array, boxes: Float32Array): RecordIndex {
  const blocks = blockBoxes(boxes);
  const meets = (list: Float32Array, at: number, { minX, minY, maxX, maxY }: Bounds): boolean =>
    // A box of a record without a shape is no number, and meets nothing.
    (list[at] ?? Number.NaN) <= maxX &&
    (list[at + 1] ?? Number.NaN) <= maxY &&
    (list[at + 2] ?? Number.NaN) >= minX &&
    (list[at + 3] ?? Number.NaN) >= minY;
  return {
    count,
    positionOf: (record) => (words[record - 1] ?? NO_RECORD) * WORD_BYTES,
    meeting(box) {
      const found: number[] = [];
      for (let block = 0; block * 4 < blocks.length; block += 1) {
        if (!meets(blocks, block * 4, box)) continue;
        const end = Math.min(count, (block + 1) * BLOCK_RECORDS);
        for (let index = block * BLOCK_RECORDS; index < end; index += 1)
          if (meets(boxes, index * 4, box)) found.push(index + 1);
      }
      return found;
    },
  };
}

function blockBoxes(boxes: Float32Array): Float32Array {
  const blocks = new Float32Array(Math.ceil(boxes.length / (4 * BLOCK_RECORDS)) * 4).fill(Number.NaN);
  for (let at = 0; at < boxes.length; at += 4) {
    const block = Math.floor(at / (4 * BLOCK_RECORDS)) * 4;
    for (let side = 0; side < 4; side += 1) {
      const [value, known] = [boxes[at + side] ?? Number.NaN, blocks[block + side] ?? Number.NaN];
      const isFarther = side < 2 ? value < known : value > known;
      if (isFarther || Number.isNaN(known)) blocks[block + side] = value;
    }
  }
  return blocks;
}

/** The indexes that a source keeps. */
export interface RecordIndexes {
  /** That of a shapefile as it is now; whoever asks for it at the same time waits for the same one. */
  of(opened: OpenedShapefile, signal: AbortSignal): Promise<RecordIndex>;
}

/** Of all indexes of a source together, about 20 bytes each; the one not used for longest goes first. */
const MAX_KEPT_RECORDS = 4_000_000;

export function createIndexes(): RecordIndexes {
  const kept = new Map<string, Promise<RecordIndex>>();
  const counts = new Map<string, number>();

  function makeRoom(newest: string): void {
    const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const oldest of kept.keys()) {
      if (oldest === newest || total() <= MAX_KEPT_RECORDS) return;
      kept.delete(oldest);
      counts.delete(oldest);
    }
  }

  return {
    async of(opened, signal) {
      const version = [opened.name, opened.shp.version, opened.shx?.file.version].join();
      const known = kept.get(version);
      kept.delete(version);
      const making = known ?? createRecordIndex(opened, signal);
      kept.set(version, making);
      try {
        const index = await making;
        counts.set(version, index.count);
        makeRoom(version);
        return index;
      } catch (error) {
        if (kept.get(version) === making) kept.delete(version);
        // Somebody else was making it, and has gone.
        if (known !== undefined && !signal.aborted) return createRecordIndex(opened, signal);
        throw error;
      }
    },
  };
}
