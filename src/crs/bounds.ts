/** A rectangle in some coordinate reference system. */
export interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Returns the intersection; undefined if it is empty. */
export function intersectBounds(one: Bounds, other: Bounds): Bounds | undefined {
  const box = {
    minX: Math.max(one.minX, other.minX),
    minY: Math.max(one.minY, other.minY),
    maxX: Math.min(one.maxX, other.maxX),
    maxY: Math.min(one.maxY, other.maxY),
  };
  return box.minX <= box.maxX && box.minY <= box.maxY ? box : undefined;
}
