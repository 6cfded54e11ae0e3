/** Footprints of granules: mostly rectangles along the axes. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { Geometry } from '../../../geometry/geometry.ts';

/** The polygon around a rectangle, from its lower left corner upwards. */
export function createRectangle({ minX, minY, maxX, maxY }: Bounds): Geometry {
  return {
    type: 'Polygon',
    dimension: 'XY',
    ordinates: Float64Array.of(minX, minY, minX, maxY, maxX, maxY, maxX, minY, minX, minY),
    ends: [5],
    parts: [1],
  };
}

/** Whether the geometry is what `rectangle` makes of its bounds, ordinate by ordinate. */
export function isRectangle({ type, dimension, ordinates, ends }: Geometry, bounds: Bounds): boolean {
  if (type !== 'Polygon' || dimension !== 'XY' || ends.length !== 1 || ordinates.length !== 10) return false;
  const plain = createRectangle(bounds).ordinates;
  return ordinates.every((each, index) => Object.is(each, plain[index]));
}
