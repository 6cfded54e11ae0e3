/** Packs the positions and boxes of records into an index, and yields to other requests. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { computeHilbertIndex } from '../../lib/values/hilbert-curve.ts';
import { BLOCK_BOXES, computeLayout } from './record-index.ts';

/** Entries are at the record number minus 1. */
export interface RecordBoxes {
  /** In 16-bit words. */
  readonly positions: Uint32Array;
  /** Four per record: minimum x and y, maximum x and y; NaN without a shape. */
  readonly boxes: Float32Array;
}

/** Steps before other requests get a turn. */
const AT_ONCE = 65_536;

/** Boxes are sorted along a space-filling curve, independent of the file order. */
export async function packRecords({ positions, boxes }: RecordBoxes): Promise<ArrayBuffer> {
  const owners = await sortByCurve(boxes);
  const places = computeLayout(positions.length, owners.length);
  const words = new Uint32Array(places.words);
  const floats = new Float32Array(words.buffer);
  words.set([positions.length, owners.length]);
  words.set(positions, places.positions);
  words.set(owners, places.owners);
  await runInTurns(owners.length, (number) => {
    const from = (owners[number] ?? 0) * 4;
    const to = places.boxes + number * 4;
    const block = places.blocks + Math.floor(number / BLOCK_BOXES) * 4;
    const isFirst = number % BLOCK_BOXES === 0;
    for (let side = 0; side < 4; side += 1) {
      const [value, known] = [boxes[from + side] ?? 0, floats[block + side] ?? 0];
      floats[to + side] = value;
      if (isFirst || (side < 2 ? value < known : value > known)) floats[block + side] = value;
    }
  });
  return words.buffer;
}

async function runInTurns(count: number, work: (index: number) => void): Promise<void> {
  for (let start = 0; start < count; start += AT_ONCE) {
    const end = Math.min(count, start + AT_ONCE);
    for (let index = start; index < end; index += 1) work(index);
    await othersFirst();
  }
}

/** Half of the bits of a curve position. */
const DIGIT_BITS = 16;
const DIGITS = 2 ** DIGIT_BITS;

/** Radix sort in two passes over the halves of the curve positions. */
async function sortByCurve(boxes: Float32Array): Promise<Uint32Array> {
  const total = boxes.length / 4;
  const present = new Uint32Array(total);
  let count = 0;
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  await runInTurns(total, (index) => {
    const left = boxes[index * 4] ?? Number.NaN;
    if (Number.isNaN(left)) return;
    present[count] = index;
    count += 1;
    minX = Math.min(minX, left);
    minY = Math.min(minY, boxes[index * 4 + 1] ?? minY);
    maxX = Math.max(maxX, boxes[index * 4 + 2] ?? maxX);
    maxY = Math.max(maxY, boxes[index * 4 + 3] ?? maxY);
  });
  const width = maxX - minX || 1;
  const height = maxY - minY || 1;
  const curve = new Uint32Array(total);
  await runInTurns(count, (number) => {
    const index = present[number] ?? 0;
    const x = ((boxes[index * 4] ?? 0) + (boxes[index * 4 + 2] ?? 0)) / 2;
    const y = ((boxes[index * 4 + 1] ?? 0) + (boxes[index * 4 + 3] ?? 0)) / 2;
    curve[index] = computeHilbertIndex((x - minX) / width, (y - minY) / height);
  });
  const byLowerHalf = await sortByDigit(present.subarray(0, count), (index) => (curve[index] ?? 0) % DIGITS);
  return sortByDigit(byLowerHalf, (index) => (curve[index] ?? 0) >>> DIGIT_BITS);
}

/** Stable sort by one digit. */
async function sortByDigit(list: Uint32Array, getDigit: (each: number) => number): Promise<Uint32Array> {
  const places = new Uint32Array(DIGITS + 1);
  await runInTurns(list.length, (at) => {
    const next = getDigit(list[at] ?? 0) + 1;
    places[next] = (places[next] ?? 0) + 1;
  });
  for (let digit = 1; digit <= DIGITS; digit += 1) places[digit] = (places[digit] ?? 0) + (places[digit - 1] ?? 0);
  const sorted = new Uint32Array(list.length);
  await runInTurns(list.length, (at) => {
    const each = list[at] ?? 0;
    const digit = getDigit(each);
    const place = places[digit] ?? 0;
    sorted[place] = each;
    places[digit] = place + 1;
  });
  return sorted;
}
