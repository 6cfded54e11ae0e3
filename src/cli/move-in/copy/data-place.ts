/** Where the data of a store is: in the source, or in a directory of this machine that the source names. */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path/posix';
import { MoveInError } from '../report/move-in-error.ts';
import type { FileTree } from '../source/file-tree.ts';
import { MAX_FILES, type Source } from '../source/source.ts';

export interface DataPlace {
  hasFile(path: string): boolean;
  /** The names of the files directly in a directory, sorted. */
  listFiles(folder: string): readonly string[];
  /** The paths of all files below a directory, sorted. */
  listBelow(folder: string): readonly string[];
  /** The path of a file on this machine, to which the file of a running source is downloaded. */
  locate(path: string): Promise<string>;
  /** Whether files that others refer to may be read at this path. */
  isReadable(path: string, from: string): boolean;
}

/** Files of the source; undefined if it has no data files to copy. */
export function createInnerPlace(files: FileTree, { locate }: Source): DataPlace | undefined {
  return (
    locate && {
      hasFile: (path) => files.has(path),
      listFiles: (folder) => files.listFiles(folder),
      listBelow: (folder) => files.listBelow(folder),
      locate,
      isReadable: () => true,
    }
  );
}

/** Files outside of the source, by absolute path. Only files beside or below a named file are read. */
export const outerPlace: DataPlace = {
  hasFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  listFiles: (folder) =>
    listEntries(folder)
      .filter((entry) => entry.isFile() || (entry.isSymbolicLink() && outerPlace.hasFile(join(folder, entry.name))))
      .map(({ name }) => name)
      .sort(),
  listBelow(folder) {
    const found: string[] = [];
    addBelow(found, folder);
    return found.sort();
  },
  locate: async (path) => realpathSync(path),
  isReadable: (path, from) => path.startsWith(`${from.slice(0, from.lastIndexOf('/'))}/`),
};

/** Links to directories are not followed. */
function addBelow(found: string[], folder: string): void {
  for (const entry of listEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addBelow(found, path);
    else if (outerPlace.hasFile(path)) found.push(path);
    if (found.length > MAX_FILES) {
      throw new MoveInError('source-unreadable', `The directory '${folder}' has more than ${MAX_FILES} files.`);
    }
  }
}

/** A directory that is missing or unreadable has no files. */
function listEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
