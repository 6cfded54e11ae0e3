/** World files: six numbers that georeference an image, or the corners of the image in a `.meta` file. */
import { basename, extname } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import { validateTransform } from '../port/grid.ts';
import type { GridTransform, RasterSize } from '../port/port.ts';
import { readCompanion } from './companions.ts';

/** Returns the possible extensions of a world file: first and last letter and w, all letters and w, or wld. */
export function listWorldFileEndings(path: string): readonly string[] {
  const ending = extname(path).slice(1).toLowerCase();
  const short = `${ending.at(0) ?? ''}${ending.at(-1) ?? ''}w`;
  return [...new Set([short, `${ending}w`, 'wld'])];
}

/** Returns undefined without such a file; throws a problem if it is invalid. */
export function readWorldFile(path: string): GridTransform | undefined {
  const text = readCompanion(path, listWorldFileEndings(path));
  if (text === undefined) return undefined;
  const numbers = text
    .trim()
    .split(/\s+/)
    // Some writers have a comma where others have a point.
    .map((word) => Number(word.replace(',', '.')));
  const [columnX, columnY, rowX, rowY, x, y] = numbers;
  if (columnX === undefined || columnY === undefined || rowX === undefined) throw createInvalidError(path);
  if (rowY === undefined || x === undefined || y === undefined) throw createInvalidError(path);
  // They refer to the centre of the first pixel.
  const originX = x - (columnX + rowX) / 2;
  const originY = y - (columnY + rowY) / 2;
  const transform = validateTransform({ originX, columnX, rowX, originY, columnY, rowY });
  if (transform === undefined) throw createInvalidError(path);
  return transform;
}

/** The lines of a `.meta` file, in longitude and latitude. */
const corners = ['Origin Longitude', 'Origin Latitude', 'Corner Longitude', 'Corner Latitude'];

/** Returns undefined without such a file; throws a problem if it is invalid. */
export function readMetaFile(path: string, { width, height }: RasterSize): GridTransform | undefined {
  const text = readCompanion(path, ['meta']);
  if (text === undefined) return undefined;
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.split('=').map((part) => part.trim()));
  const [minX = Number.NaN, minY = Number.NaN, maxX = Number.NaN, maxY = Number.NaN] = corners.map((name) =>
    Number(lines.find(([key]) => key?.toLowerCase() === name.toLowerCase())?.[1]),
  );
  const transform = validateTransform({
    originX: minX,
    columnX: (maxX - minX) / width,
    rowX: 0,
    originY: maxY,
    columnY: 0,
    rowY: (minY - maxY) / height,
  });
  if (transform === undefined || minX > maxX || minY > maxY) {
    throw createInvalidError(path, `its .meta file does not contain numbers for ${corners.join(', ')}`);
  }
  return transform;
}

function createInvalidError(
  path: string,
  reason = 'its world file does not contain six numbers that define a grid',
): Error {
  return problem('raster-file-malformed', { file: basename(path), reason });
}
