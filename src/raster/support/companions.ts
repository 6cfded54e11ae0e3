/** Companion files of an image. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { MAX_TEXT_BYTES } from '../port/limits.ts';
import { withRasterFile } from '../port/raster-file.ts';

/** Returns the file name without folder and extension. */
export function getStem(path: string): string {
  return basename(path, extname(path));
}

/**
 * Returns the path of the first existing companion by extension, in lower or upper case. The folder is not listed,
 * because it may contain a hundred thousand files.
 */
export function findCompanion(path: string, endings: readonly string[]): string | undefined {
  const names = endings.flatMap((each) => [...new Set([each, each.toUpperCase()])]);
  return names
    .map((ending) => join(dirname(path), `${getStem(path)}.${ending}`))
    .find((beside) => isCompanion(beside, path));
}

/** Returns the text of the companion. */
export function readCompanion(path: string, endings: readonly string[]): string | undefined {
  const beside = findCompanion(path, endings);
  return beside && readText(beside);
}

/** Security: a link to another folder could disclose unrelated files. */
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
