/** Finds a program by name on the PATH and in system folders that ordinary users do not have there. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The full path of the first executable among these programs. */
export function findProgram(names: readonly string[], furtherFolders: readonly string[] = []): string | undefined {
  const folders = [...pathFolders(), ...furtherFolders];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

export function pathFolders(): readonly string[] {
  const { PATH } = process.env;
  return (PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
