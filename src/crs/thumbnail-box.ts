/** The box of a small map of a whole layer. */
import type { Bounds } from './bounds.ts';

/** The part of the longer side that is added on each side. */
const MARGIN = 0.1;

/** The extent in degrees of a layer that is a single point. */
const POINT_DEGREES = 2;

/**
 * Formats the box in degrees for a `bbox` parameter. A margin keeps symbols at the border of the layer complete, and
 * the shorter side is at least half as long as the other.
 */
export function formatThumbnailBox({ minX, minY, maxX, maxY }: Bounds): string {
  const longer = Math.max(maxX - minX, maxY - minY) || POINT_DEGREES;
  const [west, east] = widenRange([minX, maxX], longer, 180);
  const [south, north] = widenRange([minY, maxY], longer, 90);
  return [west, south, east, north].join(',');
}

function widenRange([min, max]: readonly [number, number], longer: number, limit: number): readonly [number, number] {
  const missing = Math.max(0, longer / 2 - (max - min));
  const margin = longer * MARGIN + missing / 2;
  // Outside the Earth there are no symbols; extents that already exceed it stay as they are.
  return [Math.min(min, Math.max(-limit, min - margin)), Math.max(max, Math.min(limit, max + margin))];
}
