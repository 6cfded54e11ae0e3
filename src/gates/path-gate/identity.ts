/** Tells files apart by what they are and not by what they are called. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The same for every name of a file or folder: hard links, bind mounts, other capitals. Undefined if nothing is there. */
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

/** The path itself and every folder above it, innermost first. */
export function listSelfAndParents(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...listSelfAndParents(above)];
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
