/** Finds the files of a shapefile in any case. */
import type { Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FolderLister, type FolderListing } from '../support/folder-listing.ts';
import { compareNames, getStem, isLinkWithin } from '../support/type-files.ts';

/** Paths; all but the first can be missing. */
export interface ShapefileParts {
  readonly shp: string;
  readonly shx?: string;
  readonly dbf?: string;
  readonly prj?: string;
  readonly cpg?: string;
}

type Extension = Exclude<keyof ShapefileParts, 'shp'>;

const extensions: readonly Extension[] = ['shx', 'dbf', 'prj', 'cpg'];

/** Finds the files that belong to a .shp file. */
export async function findCompanions(shp: string, folders = new FolderLister()): Promise<ShapefileParts> {
  const directory = dirname(shp);
  const listing = await folders.list(directory);
  const parts: Partial<Record<Extension, string>> = {};
  const stem = getStem(basename(shp));
  const roots = await Promise.all([realpath(directory), realpath(shp).then(dirname, () => directory)]);
  for (const extension of extensions) {
    const entry = findEntry(listing, stem, extension);
    if (entry === undefined) continue;
    const path = join(directory, entry.name);
    if (!entry.isSymbolicLink() || (await isLinkWithin(path, roots))) parts[extension] = path;
  }
  return { shp, ...parts };
}

function findEntry(listing: FolderListing, stem: string, extension: string): Dirent | undefined {
  const candidates = listing.findInAnyCase(`${stem}.${extension}`);
  // Files that differ only in case are separate shapefiles on most systems.
  return (
    candidates.find((entry) => getStem(entry.name) === stem) ??
    candidates.toSorted((a, b) => compareNames(a.name, b.name))[0]
  );
}
