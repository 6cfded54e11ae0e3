/** The small files that belong to a picture and lie beside it. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { MAX_TEXT_BYTES } from '../port/limits.ts';
import { withRasterFile } from '../port/raster-file.ts';

/** The name of a file without its folder and its ending. */
export function getStem(path: string): string {
  return basename(path, extname(path));
}

/**
 * The path of the first of these that is there, by what stands in the place of the ending, in small or in capital letters.
 * The folder is not listed: it may hold a hundred thousand others.
 */
export function findCompanion(path: string, endings: readonly string[]): string | undefined {
  const names = endings.flatMap((each) => [...new Set([each, each.toUpperCase()])]);
  return names
    .map((ending) => join(dirname(path), `${getStem(path)}.${ending}`))
    .find((beside) => isCompanion(beside, path));
}

/** The text of it. */
export function readCompanion(path: string, endings: readonly string[]): string | undefined {
  const beside = findCompanion(path, endings);
  return beside && readText(beside);
}

/** A link that leads elsewhere would show what is none of this data's business. */
function isCompanion(beside: string, path: string): boolean {
  try {
    const status = lstatSync(beside, { throwIfNoEntry: false });
    if (status === undefined) return false;
    if (!status.isSymbolicLink()) return status.isFile();
    const target = realpathSync(beside);
    const folders = [realpathSync(dirname(path)), dirname(realpathSync(path))];
    return folders.some((folder) => target.startsWith(folder.endsWith(sep) ? folder : folder + sep));
  } catch (error) {
    if (findErrorCode(error) !== undefined && findDiskProblem(error) === undefined) return false;
    throw error;
  }
}

function readText(path: string): string {
  return withRasterFile(path, (file) => file.read(0, Math.min(file.sizeBytes, MAX_TEXT_BYTES)).toString('utf8'));
}
