/** Clips geometries to a polygon. */
import type { Bounds } from '../crs/bounds.ts';
import type { Geometry } from './geometry.ts';
import { computeGeometryBounds } from './geometry-bounds.ts';
import { type GeometryOperations, loadGeometryOperations } from './geometry-operations.ts';
import { fromSimpleParts, toSimpleParts } from './simple-parts.ts';

/** Returns the part of a geometry inside the area; null if it is empty or the geometry is invalid. */
export type ClipGeometry = (geometry: Geometry) => Geometry | null;

export async function createClip(area: Geometry): Promise<ClipGeometry> {
  const operations = await loadGeometryOperations();
  const bounds = computeGeometryBounds(area);
  return (geometry) => {
    const own = computeGeometryBounds(geometry);
    if (own === undefined || bounds === undefined || !boxesMeet(own, bounds)) return null;
    return clipByOverlay(operations, geometry, area);
  };
}

/** Touching parts of lower dimension are dropped, so that a clipped polygon never becomes a line. */
function clipByOverlay(operations: GeometryOperations, geometry: Geometry, area: Geometry): Geometry | null {
  if (operations.isRelated('within', geometry, area) === true) return geometry;
  const result = operations.overlay('intersection', geometry, area);
  if (result === null) return null;
  const highest = Math.max(...toSimpleParts(geometry).map(({ dimension }) => dimension));
  const parts = toSimpleParts(result).filter(({ dimension }) => dimension === highest);
  if (parts.length === 0) return null;
  const clipped = fromSimpleParts(parts);
  return geometry.type.startsWith('Multi') ? toMulti(clipped) : clipped;
}

function toMulti(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case 'Point':
      return { ...geometry, type: 'MultiPoint' };
    case 'LineString':
      return { ...geometry, type: 'MultiLineString' };
    case 'Polygon':
      return { ...geometry, type: 'MultiPolygon', parts: [geometry.ends.length] };
    default:
      return geometry;
  }
}

function boxesMeet(one: Bounds, other: Bounds): boolean {
  return one.minX <= other.maxX && one.maxX >= other.minX && one.minY <= other.maxY && one.maxY >= other.minY;
}
