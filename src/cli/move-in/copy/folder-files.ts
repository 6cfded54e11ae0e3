/** Finds the files of shapefiles, and files with an ending, in a directory. */
import { basename, dirname, extname, join } from 'node:path/posix';
import type { DataPlace } from './data-place.ts';

export interface StoreFiles {
  /** The path of the file that the store names, among its files; empty for a directory. */
  readonly main: string;
  readonly files: readonly StoreFile[];
}

export interface StoreFile {
  /** The path among the files of the store. */
  readonly name: string;
  /** The path in the place of the data. */
  readonly path: string;
}

/** The server creates spatial indexes itself. */
export const shapefileEndings: ReadonlySet<string> = new Set(['shp', 'shx', 'dbf', 'prj', 'cpg', 'cst', 'qpj']);

/** The siblings of a `.shp` file, in any case. */
export function listShapefileParts(place: DataPlace, path: string): readonly string[] {
  const stem = getStem(basename(path)).toLowerCase();
  const folder = toFolder(path);
  return place
    .listFiles(folder)
    .filter((name) => getStem(name).toLowerCase() === stem && shapefileEndings.has(getEnding(name)))
    .map((name) => join(folder, name));
}

export function listShapefiles(place: DataPlace, folder: string): readonly string[] {
  const names = place.listFiles(folder);
  const stems = new Set(names.filter((name) => getEnding(name) === 'shp').map((name) => getStem(name).toLowerCase()));
  return names
    .filter((name) => stems.has(getStem(name).toLowerCase()) && shapefileEndings.has(getEnding(name)))
    .map((name) => join(folder, name));
}

export function listFilesByEnding(place: DataPlace, folder: string, ending: string): readonly string[] {
  return place
    .listFiles(folder)
    .filter((name) => getEnding(name) === ending)
    .map((name) => join(folder, name));
}

export function getEnding(name: string): string {
  return extname(name).slice(1).toLowerCase();
}

export function getStem(name: string): string {
  return name.slice(0, name.length - extname(name).length);
}

/** The directory of a path, as trees of files name it. */
export function toFolder(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}
