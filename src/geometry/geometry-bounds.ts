/** The bounding box of a geometry. */
import type { Bounds } from '../crs/bounds.ts';
import type { Geometry } from './geometry.ts';

const orders = { XY: 2, XYZ: 3, XYM: 3, XYZM: 4 } as const;

/** Returns undefined for an empty geometry. */
export function computeGeometryBounds(geometry: Geometry): Bounds | undefined {
  let bounds: Bounds | undefined;
  for (const member of geometry.members ?? []) bounds = mergeBounds(bounds, computeGeometryBounds(member));
  if (geometry.ordinates.length === 0) return bounds;
  const { ordinates } = geometry;
  const size = orders[geometry.dimension];
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < ordinates.length; at += size) {
    const x = ordinates[at] ?? Number.NaN;
    const y = ordinates[at + 1] ?? Number.NaN;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return minX <= maxX && minY <= maxY ? mergeBounds(bounds, { minX, minY, maxX, maxY }) : bounds;
}

export function mergeBounds(a: Bounds | undefined, b: Bounds | undefined): Bounds | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
  };
}
