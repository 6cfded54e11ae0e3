/** Where the records of a .shp file begin, and which of them lie in a box: arrays over one stretch of memory. */
import type { Bounds } from '../../crs/bounds.ts';
import { NO_RECORD } from './shapes/record-positions.ts';

export interface RecordIndex {
  readonly count: number;
  /** Where a record begins, the first being 1; `NO_RECORD` for one that has no shape. */
  getPosition(record: number): number;
  /** The records whose boxes meet another, or nearly so. */
  findInBox(box: Bounds): RecordSet;
}

export interface RecordSet {
  /** Those behind a record, upwards. */
  listAfter(record: number): Iterable<number>;
  /** Those before a record, downwards. */
  listBefore(record: number): Iterable<number>;
}

/** Some of the records of a file. */
export interface SelectedRecords {
  readonly index: RecordIndex;
  /** In the order in which they are wanted. */
  readonly numbers: Iterable<number>;
}

/** Positions are even, and so fit 32 bits when they are counted in words of two bytes, as the format itself does. */
export const WORD_BYTES = 2;

/** Boxes that are looked at together first: they are neighbours on the ground. */
export const BLOCK_BOXES = 64;

/** What stands at which word: how many records and boxes there are, and then these arrays. */
export interface IndexLayout {
  /** Of the records. */
  readonly positions: number;
  /** Which record a box is of. */
  readonly owners: number;
  readonly boxes: number;
  /** The boxes around those of each block. */
  readonly blocks: number;
  /** Of all of it. */
  readonly words: number;
}

export function computeLayout(records: number, boxed: number): IndexLayout {
  const positions = 2;
  const owners = positions + records;
  const boxes = owners + boxed;
  const blocks = boxes + boxed * 4;
  return { positions, owners, boxes, blocks, words: blocks + Math.ceil(boxed / BLOCK_BOXES) * 4 };
}

/** The index that was packed into these bytes; undefined where none was. */
export function unpackIndex(bytes: ArrayBuffer): RecordIndex | undefined {
  if (bytes.byteLength % 4 !== 0) return undefined;
  const words = new Uint32Array(bytes);
  const [count = 0, boxed = 0] = words;
  const layout = computeLayout(count, boxed);
  if (layout.words !== words.length) return undefined;
  const positions = words.subarray(layout.positions, layout.owners);
  const owners = words.subarray(layout.owners, layout.boxes);
  const boxes = new Float32Array(bytes, layout.boxes * 4, boxed * 4);
  const blocks = new Float32Array(bytes, layout.blocks * 4);
  return {
    count,
    getPosition: (record) => (positions[record - 1] ?? NO_RECORD) * WORD_BYTES,
    findInBox(box) {
      const found = createMarks(count);
      for (let block = 0; block * 4 < blocks.length; block += 1) {
        if (!isOverlapping(blocks, block * 4, box)) continue;
        const end = Math.min(boxed, (block + 1) * BLOCK_BOXES);
        for (let place = block * BLOCK_BOXES; place < end; place += 1)
          if (isOverlapping(boxes, place * 4, box)) found.mark(owners[place] ?? 0);
      }
      return found;
    },
  };
}

function isOverlapping(list: Float32Array, at: number, { minX, minY, maxX, maxY }: Bounds): boolean {
  return (
    (list[at] ?? Number.NaN) <= maxX &&
    (list[at + 1] ?? Number.NaN) <= maxY &&
    (list[at + 2] ?? Number.NaN) >= minX &&
    (list[at + 3] ?? Number.NaN) >= minY
  );
}

/** A bit for each record: in their order without sorting, and small, however many are marked. */
function createMarks(count: number): RecordSet & { mark(index: number): void } {
  const bits = new Uint8Array(Math.ceil(count / 8));
  const isMarked = (index: number): boolean => (((bits[index >>> 3] ?? 0) >>> (index & 7)) & 1) === 1;
  return {
    mark: (index) => {
      bits[index >>> 3] = (bits[index >>> 3] ?? 0) | (1 << (index & 7));
    },
    *listAfter(record) {
      for (let index = record; index < count; index += 1) {
        // None of eight: on to the last of them.
        if (bits[index >>> 3] === 0) index |= 7;
        else if (isMarked(index)) yield index + 1;
      }
    },
    *listBefore(record) {
      for (let index = Math.min(record - 1, count) - 1; index >= 0; index -= 1) {
        if (bits[index >>> 3] === 0) index &= ~7;
        else if (isMarked(index)) yield index + 1;
      }
    },
  };
}
