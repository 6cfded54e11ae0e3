/** World files: six numbers that georeference an image. */
import { basename, extname } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import { validateTransform } from '../port/grid.ts';
import type { GridTransform } from '../port/port.ts';
import { readCompanion } from './companions.ts';

/** Returns the possible extensions of a world file: first and last letter and w, all letters and w, or wld. */
export function listWorldFileEndings(path: string): readonly string[] {
  const ending = extname(path).slice(1).toLowerCase();
  const short = `${ending.at(0) ?? ''}${ending.at(-1) ?? ''}w`;
  return [...new Set([short, `${ending}w`, 'wld'])];
}

/** Returns undefined if there is none; throws a problem for an invalid one. */
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

function createInvalidError(path: string): Error {
  return problem('raster-file-malformed', {
    file: basename(path),
    reason: 'its world file does not contain six numbers that define a grid',
  });
}
