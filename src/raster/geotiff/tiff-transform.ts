/** Reads the grid transform of a GeoTIFF file. */
import { validateTransform } from '../port/grid.ts';
import type { GridTransform } from '../port/port.ts';
import type { GeoKeys } from './geo-keys.ts';
import type { TiffDirectory } from './tiff-directory.ts';
import { tags } from './tiff-image.ts';

const RASTER_TYPE = 1025;
const PIXEL_IS_POINT = 2;

/** Returns undefined if the file has none, or if its tie points do not define a regular grid. */
export function readTransform(directory: TiffDirectory, keys: GeoKeys): GridTransform | undefined {
  const found = fromScale(directory) ?? fromMatrix(directory);
  if (found === undefined) return undefined;
  return validateTransform(keys.get(RASTER_TYPE) === PIXEL_IS_POINT ? shiftTransform(found, -0.5) : found);
}

/** Shifts the origin by a number of pixels in both directions. */
export function shiftTransform(transform: GridTransform, pixels: number): GridTransform {
  return {
    ...transform,
    originX: transform.originX + pixels * (transform.columnX + transform.rowX),
    originY: transform.originY + pixels * (transform.columnY + transform.rowY),
  };
}

function fromScale(directory: TiffDirectory): GridTransform | undefined {
  const [scaleX, scaleY] = directory.readNumbers(tags.modelPixelScale) ?? [];
  const [column, row, , x, y] = directory.readNumbers(tags.modelTiepoint) ?? [];
  if (scaleX === undefined || scaleY === undefined || scaleX === 0 || scaleY === 0) return undefined;
  if (column === undefined || row === undefined || x === undefined || y === undefined) return undefined;
  // Rows go south, regardless of the sign of the pixel height.
  const rowY = -Math.abs(scaleY);
  return { originX: x - column * scaleX, columnX: scaleX, rowX: 0, originY: y - row * rowY, columnY: 0, rowY };
}

function fromMatrix(directory: TiffDirectory): GridTransform | undefined {
  const [columnX, rowX, , originX, columnY, rowY, , originY] = directory.readNumbers(tags.modelTransformation) ?? [];
  if (columnX === undefined || rowX === undefined || originX === undefined) return undefined;
  if (columnY === undefined || rowY === undefined || originY === undefined) return undefined;
  return { originX, columnX, rowX, originY, columnY, rowY };
}
