/** A turn around the Earth in the pixels of a map. */
import type { WorldTurn } from '../../geometry/unwrap-line.ts';
import type { Frame } from './frame.ts';

/** Beyond any map, in pixels. */
const POLE_PIXELS = 1e6;

/** Returns a turn around the Earth in pixels of a map whose world has a width in map units. */
export function createPixelTurn({ xx, xy, yx, yy, y0, x0 }: Frame, worldWidth: number): WorldTurn {
  const area = xx * yy - xy * yx;
  const up = Math.hypot(xy, yy);
  return {
    width: worldWidth,
    alongX: yy / area,
    alongY: -xy / area,
    turnX: xx * worldWidth,
    turnY: yx * worldWidth,
    toPole: (x, y) => {
      const isNorth = (xx * (y - y0) - yx * (x - x0)) / area > 0;
      const length = ((isNorth ? 1 : -1) * POLE_PIXELS) / up;
      return [x + xy * length, y + yy * length];
    },
  };
}
