/** The positions of .shp records and a spatial index, as arrays over one buffer. */
import type { Bounds } from '../../crs/bounds.ts';
import { NO_RECORD } from './shapes/record-positions.ts';

export interface RecordIndex {
  readonly count: number;
  /** Returns the position of a record (starting at 1), or `NO_RECORD` without a shape. */
  getPosition(record: number): number;
  /** Returns the records whose boxes intersect one of the boxes, and possibly some close to them. */
  findInBoxes(boxes: readonly Bounds[]): RecordSet;
}

export interface RecordSet {
  /** Returns the records after a record, ascending. */
  listAfter(record: number): Iterable<number>;
  /** Returns the records before a record, descending. */
  listBefore(record: number): Iterable<number>;
}

/** A selection of records. */
export interface SelectedRecords {
  readonly index: RecordIndex;
  /** In the requested order. */
  readonly numbers: Iterable<number>;
}

/** Positions are even and fit into 32 bits as 16-bit words, as in the format itself. */
export const WORD_BYTES = 2;

/** Spatially close boxes that are tested together first. */
export const BLOCK_BOXES = 64;

/** The word offsets of the arrays, after the number of records and boxes. */
export interface IndexLayout {
  /** The record positions. */
  readonly positions: number;
  /** The record of each box. */
  readonly owners: number;
  readonly boxes: number;
  /** The boxes around each block. */
  readonly blocks: number;
  /** The total size. */
  readonly words: number;
}

export function computeLayout(records: number, boxed: number): IndexLayout {
  const positions = 2;
  const owners = positions + records;
  const boxes = owners + boxed;
  const blocks = boxes + boxed * 4;
  return { positions, owners, boxes, blocks, words: blocks + Math.ceil(boxed / BLOCK_BOXES) * 4 };
}

/** Returns the index in these bytes, or undefined if they are invalid. */
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
    findInBoxes(wanted) {
      const found = createMarks(count);
      for (const box of wanted) {
        for (let block = 0; block * 4 < blocks.length; block += 1) {
          if (!isOverlapping(blocks, block * 4, box)) continue;
          const end = Math.min(boxed, (block + 1) * BLOCK_BOXES);
          for (let place = block * BLOCK_BOXES; place < end; place += 1)
            if (isOverlapping(boxes, place * 4, box)) found.mark(owners[place] ?? 0);
        }
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

/** One bit per record: ordered without sorting, and small for any number of marks. */
function createMarks(count: number): RecordSet & { mark(index: number): void } {
  const bits = new Uint8Array(Math.ceil(count / 8));
  const isMarked = (index: number): boolean => (((bits[index >>> 3] ?? 0) >>> (index & 7)) & 1) === 1;
  return {
    mark: (index) => {
      bits[index >>> 3] = (bits[index >>> 3] ?? 0) | (1 << (index & 7));
    },
    *listAfter(record) {
      for (let index = record; index < count; index += 1) {
        // Skips eight unmarked records.
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
