/** Converts boxes between Web Mercator and degrees without a projection library. */
import type { Bounds } from './bounds.ts';

/** Half the side of the square world, in metres. */
export const MERCATOR_EDGE = 20_037_508.342_789_244;

/** The radius of the sphere of Web Mercator. */
const SPHERE_METRES = MERCATOR_EDGE / Math.PI;

/**
 * Converts a Web Mercator box to degrees. Parallels and meridians are axis-aligned in both, so that the corners
 * suffice.
 */
export function convertMercatorToDegrees({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const toLongitude = (x: number) => (x / MERCATOR_EDGE) * 180;
  const toLatitude = (y: number) => (Math.atan(Math.sinh(y / SPHERE_METRES)) * 180) / Math.PI;
  return { minX: toLongitude(minX), minY: toLatitude(minY), maxX: toLongitude(maxX), maxY: toLatitude(maxY) };
}

/** Converts degrees to Web Mercator; latitudes beyond its edge are clamped. */
export function convertDegreesToMercator({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const toMercatorX = (longitude: number) => (longitude / 180) * MERCATOR_EDGE;
  const toMercatorY = (latitude: number) => {
    const height = SPHERE_METRES * Math.asinh(Math.tan((latitude * Math.PI) / 180));
    return Math.min(MERCATOR_EDGE, Math.max(-MERCATOR_EDGE, height));
  };
  return { minX: toMercatorX(minX), minY: toMercatorY(minY), maxX: toMercatorX(maxX), maxY: toMercatorY(maxY) };
}
