/** The transform of a map to its picture, and the scale of a map. */
import type { Bounds } from '../../crs/bounds.ts';

/** The OGC standards define pixels of 0.28 mm. */
const PIXEL_METRES = 0.000_28;
export const STANDARD_DPI = 0.0254 / PIXEL_METRES;

/** The length of a degree at the equator, as defined by the OGC standards. */
export const METRES_PER_DEGREE = 111_319.490_793_273_57;

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly box: Bounds;
  /** The transform to pixels, with y downwards: x is `xx * x + xy * y + x0`, y is `yx * x + yy * y + y0`. */
  readonly xx: number;
  readonly xy: number;
  readonly x0: number;
  readonly yx: number;
  readonly yy: number;
  readonly y0: number;
}

/** Rotates the map clockwise around its centre by `angle` degrees. */
export function createFrame(width: number, height: number, box: Bounds, angle = 0): Frame {
  const [acrossX, acrossY] = [width / (box.maxX - box.minX), height / (box.maxY - box.minY)];
  const [middleX, middleY] = [(box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2];
  const radians = (angle * Math.PI) / 180;
  const [cosine, sine] = angle === 0 ? [1, 0] : [Math.cos(radians), Math.sin(radians)];
  const [xx, xy, yx, yy] = [cosine * acrossX, sine * acrossY, sine * acrossX, -cosine * acrossY];
  return {
    width,
    height,
    box,
    xx,
    xy,
    x0: angle === 0 ? -box.minX * acrossX : width / 2 - xx * middleX - xy * middleY,
    yx,
    yy,
    y0: angle === 0 ? box.maxY * acrossY : height / 2 - yx * middleX - yy * middleY,
  };
}

/** Returns the box around the visible area of the picture plus a margin in pixels. */
export function computeVisibleBox(frame: Frame, marginPixels: number): Bounds {
  const { xx, xy, x0, yx, yy, y0 } = frame;
  const area = xx * yy - xy * yx;
  const corners = [-marginPixels, frame.width + marginPixels].flatMap((x) =>
    [-marginPixels, frame.height + marginPixels].map((y) => [
      (yy * (x - x0) - xy * (y - y0)) / area,
      (xx * (y - y0) - yx * (x - x0)) / area,
    ]),
  );
  const [xs, ys] = [corners.map(([x = 0]) => x), corners.map(([, y = 0]) => y)];
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

/** Computes the scale denominator from the width of the box, as the OGC standards define it. */
export function computeScale({ width, box }: Frame, metresPerUnit: number, dpi: number): number {
  return computeMetricScale((box.maxX - box.minX) * metresPerUnit, width, dpi);
}

/** Computes the scale denominator of a picture that is `metres` wide. */
export function computeMetricScale(metres: number, width: number, dpi = STANDARD_DPI): number {
  return (metres / width / PIXEL_METRES) * (dpi / STANDARD_DPI);
}
