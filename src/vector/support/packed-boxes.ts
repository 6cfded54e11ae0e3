/** The boxes of many geometries in one array. */
import type { Bounds } from '../../crs/bounds.ts';

/** Four numbers for each row: minimum x and y, maximum x and y, rounded outwards; NaN without a geometry. */
export type PackedBoxes = Float32Array;

export const PACKED_BOX_BYTES = 16;

export function setPackedBox(boxes: PackedBoxes, row: number, { minX, minY, maxX, maxY }: Bounds): void {
  const to = row * 4;
  boxes[to] = roundDown(minX);
  boxes[to + 1] = roundDown(minY);
  boxes[to + 2] = -roundDown(-maxX);
  boxes[to + 3] = -roundDown(-maxY);
}

/** NaN, for rows without a geometry, is never less or greater. */
export function isMeetingPackedBox(boxes: PackedBoxes, row: number, { minX, minY, maxX, maxY }: Bounds): boolean {
  const at = row * 4;
  return (
    (boxes[at] ?? Infinity) <= maxX &&
    (boxes[at + 2] ?? -Infinity) >= minX &&
    (boxes[at + 1] ?? Infinity) <= maxY &&
    (boxes[at + 3] ?? -Infinity) >= minY
  );
}

/** The relative distance of neighbours with 32 bits, and the smallest positive number. */
const STEP = 2 ** -23;
const TINY = 2 ** -149;

/** Returns a number with 32 bits that is not greater. */
function roundDown(value: number): number {
  const rounded = Math.fround(value);
  return rounded <= value ? rounded : Math.fround(rounded - Math.max(Math.abs(rounded) * STEP, TINY));
}
