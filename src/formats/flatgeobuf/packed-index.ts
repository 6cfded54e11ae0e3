/** The packed R-tree of a FlatGeobuf: features in spatial order, with boxes around groups of them. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import { computeHilbertIndex } from '../../lib/values/hilbert-curve.ts';

export const NODE_SIZE = 16;
const NODE_BYTES = 40;
/** The limit for numbering; more features would not fit into memory. */
const NUMBERS = 2 ** 20;

/** Boxes to process before other requests get a turn. */
const AT_ONCE = 2_000;

/** Returns the indexes of the boxes in the order of a space-filling curve. */
export async function computeCurveOrder(boxes: readonly Bounds[], around: Bounds): Promise<Uint32Array> {
  const width = around.maxX - around.minX || 1;
  const height = around.maxY - around.minY || 1;
  const keys = new Float64Array(boxes.length);
  for (const [index, { minX, minY, maxX, maxY }] of boxes.entries()) {
    const x = ((minX + maxX) / 2 - around.minX) / width;
    const y = ((minY + maxY) / 2 - around.minY) / height;
    // Combines the curve position and the box index in one number, which sorts fast.
    keys[index] = computeHilbertIndex(x, y) * NUMBERS + index;
    if (index % AT_ONCE === 0) await othersFirst();
  }
  keys.sort();
  return Uint32Array.from(keys, (key) => key % NUMBERS);
}

/** `boxes` and `bytes` belong to the features in their order. */
export async function buildPackedIndex(boxes: readonly Bounds[], bytes: readonly number[]): Promise<Buffer> {
  const levels = countLevelNodes(boxes.length);
  const nodes = levels.reduce((sum, count) => sum + count, 0);
  const index = Buffer.alloc(nodes * NODE_BYTES);
  // The root is first and the features are last.
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

/** Returns the number of nodes per level, from the features up; a single feature also has a root above it. */
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

/** `below` is the first child of a node, or the byte offset of a feature. */
function writeNode(index: Buffer, node: number, { minX, minY, maxX, maxY }: Bounds, below: number): void {
  const at = node * NODE_BYTES;
  index.writeDoubleLE(minX, at);
  index.writeDoubleLE(minY, at + 8);
  index.writeDoubleLE(maxX, at + 16);
  index.writeDoubleLE(maxY, at + 24);
  index.writeBigUInt64LE(BigInt(below), at + 32);
}
