/** The tree over the features of a FlatGeobuf: features near each other are side by side, and boxes around groups of them. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import { computeHilbertIndex } from '../../lib/values/hilbert-curve.ts';

export const NODE_SIZE = 16;
const NODE_BYTES = 40;
/** More features than can be numbered below this would not be held in memory anyway. */
const NUMBERS = 2 ** 20;

/** As many boxes are looked at before others have their turn. */
const AT_ONCE = 2_000;

/** The numbers of the boxes in the order of a curve that fills the plane. */
export async function computeCurveOrder(boxes: readonly Bounds[], around: Bounds): Promise<Uint32Array> {
  const width = around.maxX - around.minX || 1;
  const height = around.maxY - around.minY || 1;
  const keys = new Float64Array(boxes.length);
  for (const [index, { minX, minY, maxX, maxY }] of boxes.entries()) {
    const x = ((minX + maxX) / 2 - around.minX) / width;
    const y = ((minY + maxY) / 2 - around.minY) / height;
    // A place on the curve and the number of the box in one number: those sort fast.
    keys[index] = computeHilbertIndex(x, y) * NUMBERS + index;
    if (index % AT_ONCE === 0) await othersFirst();
  }
  keys.sort();
  return Uint32Array.from(keys, (key) => key % NUMBERS);
}

/** `boxes` and `bytes` of the features, in their order. */
export async function buildPackedIndex(boxes: readonly Bounds[], bytes: readonly number[]): Promise<Buffer> {
  const levels = countLevelNodes(boxes.length);
  const nodes = levels.reduce((sum, count) => sum + count, 0);
  const index = Buffer.alloc(nodes * NODE_BYTES);
  // The root is first, the features are last.
  let levelStart = nodes - boxes.length;
  let offset = 0;
  for (const [number, box] of boxes.entries()) {
    writeNode(index, levelStart + number, box, offset);
    offset += bytes[number] ?? 0;
    if (number % AT_ONCE === 0) await othersFirst();
  }
  let below: readonly Bounds[] = boxes;
  for (const count of levels.slice(1)) {
    const above = Array.from({ length: count }, (_, group) =>
      mergeBoxes(below.slice(group * NODE_SIZE, (group + 1) * NODE_SIZE)),
    );
    for (const [group, box] of above.entries()) {
      writeNode(index, levelStart - count + group, box, levelStart + group * NODE_SIZE);
    }
    levelStart -= count;
    below = above;
  }
  return index;
}

/** How many nodes each level has, from the features up; there is a root above a single one, too. */
function countLevelNodes(count: number): readonly number[] {
  const levels = [count];
  do levels.push(Math.ceil((levels.at(-1) ?? 1) / NODE_SIZE));
  while (levels.at(-1) !== 1);
  return levels;
}

export function mergeBoxes(boxes: readonly Bounds[]): Bounds {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    minX = Math.min(minX, box.minX);
    minY = Math.min(minY, box.minY);
    maxX = Math.max(maxX, box.maxX);
    maxY = Math.max(maxY, box.maxY);
  }
  return { minX, minY, maxX, maxY };
}

/** What is below a node: where its first child is, or, for a feature, how far behind the first one it is. */
function writeNode(index: Buffer, node: number, { minX, minY, maxX, maxY }: Bounds, below: number): void {
  const at = node * NODE_BYTES;
  index.writeDoubleLE(minX, at);
  index.writeDoubleLE(minY, at + 8);
  index.writeDoubleLE(maxX, at + 16);
  index.writeDoubleLE(maxY, at + 24);
  index.writeBigUInt64LE(BigInt(below), at + 32);
}
