/** Granule footprints, most of which are axis-aligned rectangles. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { Geometry } from '../../../geometry/geometry.ts';

/** Creates the polygon of a rectangle, starting upwards from the lower left corner. */
export function createRectangle({ minX, minY, maxX, maxY }: Bounds): Geometry {
  return {
    type: 'Polygon',
    dimension: 'XY',
    ordinates: Float64Array.of(minX, minY, minX, maxY, maxX, maxY, maxX, minY, minX, minY),
    ends: [5],
    parts: [1],
  };
}

/** Returns whether the geometry equals the result of `createRectangle` for its bounds. */
export function isRectangle({ type, dimension, ordinates, ends }: Geometry, bounds: Bounds): boolean {
  if (type !== 'Polygon' || dimension !== 'XY' || ends.length !== 1 || ordinates.length !== 10) return false;
  const plain = createRectangle(bounds).ordinates;
  return ordinates.every((each, index) => Object.is(each, plain[index]));
}
