/** Where a path really lies, and the refusal of one that lies outside the data directory. */
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Disk } from './disk.ts';

/**
 * The path with the symbolic links of its folders resolved, relative to the root; folders that are not there yet are
 * taken as they are written. The last name is not resolved, since it is the entry itself that will be moved.
 */
export async function placeInside(disk: Disk, root: string, path: string): Promise<string> {
  const realRoot = await realRootOf(disk, root);
  const wanted = resolve(root, path);
  const real = join(await realFolder(disk, dirname(wanted)), basename(wanted));
  if (!real.startsWith(realRoot + sep)) throw new Error(`The path '${path}' lies outside the data directory.`);
  return relative(realRoot, real);
}

/** The data directory without symbolic links. */
export async function realRootOf(disk: Disk, root: string): Promise<string> {
  const real = await disk.realPath(root);
  if (real === undefined) throw new Error(`The data directory '${root}' does not exist.`);
  return real;
}

/** Whether one place is the other, or lies below it. */
export function isAtOrBelow(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder + sep);
}

async function realFolder(disk: Disk, folder: string): Promise<string> {
  const real = await disk.realPath(folder);
  if (real !== undefined) return real;
  return join(await realFolder(disk, dirname(folder)), basename(folder));
}
