/** Finds the files that make up a shapefile, whatever case their names are in. */
import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { diskProblemOf } from '../../../lib/disk-problem.ts';
import { errorCode } from '../../../lib/error-code.ts';
import { problem } from '../../../lib/problem.ts';

/** Paths; all but the first may be missing. */
export interface ShapefileParts {
  readonly shp: string;
  readonly shx?: string;
  readonly dbf?: string;
  readonly prj?: string;
  readonly cpg?: string;
}

type Extension = Exclude<keyof ShapefileParts, 'shp'>;

const extensions: readonly Extension[] = ['shx', 'dbf', 'prj', 'cpg'];

/** The files beside a .shp file that belong to it. */
export async function findCompanions(shp: string): Promise<ShapefileParts> {
  const directory = dirname(shp);
  const entries = await list(directory);
  const parts: Partial<Record<Extension, string>> = {};
  const stem = stemOf(basename(shp));
  const roots = await Promise.all([realpath(directory), realpath(shp).then(dirname, () => directory)]);
  for (const extension of extensions) {
    const entry = findEntry(entries, stem, extension);
    if (entry === undefined) continue;
    const path = join(directory, entry.name);
    if (!entry.isSymbolicLink() || (await staysWithin(path, roots))) parts[extension] = path;
  }
  return { shp, ...parts };
}

/** The .shp files of a directory, by the names of their types; links that lead out of it are left alone. */
export async function findShapefiles(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = await list(directory);
  const root = await realpath(directory);
  const found = new Map<string, string>();
  for (const entry of entries.toSorted((a, b) => compare(a.name, b.name))) {
    if (!/[^.].*\.shp$/i.test(entry.name) || entry.name.startsWith('.') || entry.isDirectory()) continue;
    const path = join(directory, entry.name);
    if (entry.isSymbolicLink() && !(await staysWithin(path, [root]))) continue;
    const name = stemOf(entry.name);
    if (!found.has(name)) found.set(name, path);
  }
  return found;
}

/** The name of the type in a file. */
export function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}

/** Order by code units: the same on every machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function findEntry(entries: readonly Dirent[], stem: string, extension: string): Dirent | undefined {
  const candidates = entries.filter((entry) => entry.name.toLowerCase() === `${stem}.${extension}`.toLowerCase());
  // Two files that differ in case only are two shapefiles on most systems.
  return (
    candidates.find((entry) => stemOf(entry.name) === stem) ?? candidates.toSorted((a, b) => compare(a.name, b.name))[0]
  );
}

async function staysWithin(path: string, roots: readonly string[]): Promise<boolean> {
  try {
    const target = await realpath(path);
    return roots.some((root) => target.startsWith(root.endsWith(sep) ? root : root + sep));
  } catch (error) {
    if (errorCode(error) !== undefined && diskProblemOf(error) === undefined) return false;
    throw error;
  }
}

async function list(directory: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (diskProblemOf(error) !== undefined) throw error;
    const code = errorCode(error) ?? 'unknown';
    const file = basename(directory);
    if (code === 'ENOENT') throw problem('vector-file-missing', { file });
    throw problem('vector-file-unreadable', { file, reason: `listing it failed with ${code}` });
  }
}
