/** Creates the picture that a coverage is read for. */
import type { GridTransform } from '../../raster/port/port.ts';
import type { TargetPicture } from '../../raster/warp/source-positions.ts';
import { computeVisibleBox, type Frame } from '../shapes/frame.ts';

export function createTargetPicture(frame: Frame, angle: number): TargetPicture {
  const { width, height, box } = frame;
  if (angle === 0) return { width, height, bounds: box };
  return { width, height, bounds: computeVisibleBox(frame, 0), transform: invertFrame(frame) };
}

/** Returns the transform from pixels to map coordinates. */
function invertFrame({ xx, xy, x0, yx, yy, y0 }: Frame): GridTransform {
  const area = xx * yy - xy * yx;
  return {
    originX: (xy * y0 - yy * x0) / area,
    columnX: yy / area,
    rowX: -xy / area,
    originY: (yx * x0 - xx * y0) / area,
    columnY: -yx / area,
    rowY: xx / area,
  };
}
