/** Finds the files of a folder that each contain one type named after the file. */
import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { problem } from '../../lib/problems/problem.ts';

/** Returns the files directly in a directory with the extension, by type name; links out of it are ignored. */
export async function findTypeFiles(directory: string, extension: string): Promise<ReadonlyMap<string, string>> {
  const entries = await listDirectory(directory);
  const root = await realpath(directory);
  const found = new Map<string, string>();
  for (const entry of entries.toSorted((a, b) => compareNames(a.name, b.name))) {
    const name = getStem(entry.name);
    if (!found.has(name) && (await isTypeFile(entry, { directory, root, extension })))
      found.set(name, join(directory, entry.name));
  }
  return found;
}

/** The folder of type files, and where links to it lead. */
export interface TypeFolder {
  readonly directory: string;
  readonly root: string;
  readonly extension: string;
}

/** Whether the entry is a file with the extension; links out of the folder are not followed. */
export async function isTypeFile(entry: Dirent, { directory, root, extension }: TypeFolder): Promise<boolean> {
  if (!entry.name.toLowerCase().endsWith(`.${extension}`) || entry.name.startsWith('.') || entry.isDirectory())
    return false;
  return !entry.isSymbolicLink() || isLinkWithin(join(directory, entry.name), [root]);
}

/** Returns the type name of a file. */
export function getStem(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}

/** Orders by code units, which is the same on every machine. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a link target is in one of these folders. */
export async function isLinkWithin(path: string, roots: readonly string[]): Promise<boolean> {
  try {
    const target = await realpath(path);
    return roots.some((root) => target.startsWith(root.endsWith(sep) ? root : root + sep));
  } catch (error) {
    if (findErrorCode(error) !== undefined && findDiskProblem(error) === undefined) return false;
    throw error;
  }
}

export async function listDirectory(directory: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (findDiskProblem(error) !== undefined) throw error;
    const code = findErrorCode(error) ?? 'unknown';
    const file = basename(directory);
    if (code === 'ENOENT') throw problem('vector-file-missing', { file });
    throw problem('vector-file-unreadable', { file, reason: `listing it failed with ${code}` });
  }
}
