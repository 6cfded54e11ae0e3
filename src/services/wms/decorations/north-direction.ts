/** Finds the direction of the north on a map. */
import { createConversion } from '../../../crs/conversion.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { Frame } from '../../../rendering/shapes/frame.ts';

const LONGITUDE_LATITUDE: CrsReference = { code: 'EPSG:4326' };

/** A kilometre: short enough for the direction at one position, and long enough for the precision of numbers. */
const STEP_DEGREES = 0.01;

/** Returns the direction at the centre of the map, clockwise from the top; 0 if the centre is not on the Earth. */
export async function findNorth({ box, xx, xy, yx, yy }: Frame, system: CrsReference): Promise<number> {
  const [x, y] = [(box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2];
  const [toDegrees, fromDegrees] = await Promise.all([
    createConversion(system, LONGITUDE_LATITUDE),
    createConversion(LONGITUDE_LATITUDE, system),
  ]);
  const [longitude, latitude] = (toDegrees === undefined ? [x, y] : toDegrees(x, y)) ?? [];
  if (longitude === undefined || latitude === undefined) return 0;
  // Close to the north pole, the direction is that away from the south.
  const step = latitude + STEP_DEGREES > 90 ? -STEP_DEGREES : STEP_DEGREES;
  const to = fromDegrees === undefined ? [longitude, latitude + step] : fromDegrees(longitude, latitude + step);
  const [toX, toY] = to ?? [];
  if (toX === undefined || toY === undefined) return 0;
  const [dx, dy] = [(toX - x) * Math.sign(step), (toY - y) * Math.sign(step)];
  const radians = Math.atan2(xx * dx + xy * dy, -(yx * dx + yy * dy));
  return Number.isFinite(radians) ? radians : 0;
}
