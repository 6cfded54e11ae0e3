/** Identifies files independently of their names. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Returns the same for every name of a file or folder: hard links, bind mounts, other case. Undefined if it does not
 * exist.
 */
export async function readIdentity(path: string): Promise<string | undefined> {
  try {
    return toIdentity(await stat(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

export function toIdentity({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Returns the path and all its parents, innermost first. */
export function listSelfAndParents(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...listSelfAndParents(above)];
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
