/** Writes the files of a backup into a new directory. */
import { closeSync, fsyncSync, mkdirSync, openSync, symlinkSync, writeSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { UnusableBackup } from '../../lib/backup/archive-reader.ts';
import type { IndexLine } from '../../lib/backup/format.ts';
import type { ArchiveChain } from './archive-chain.ts';

/** Throws if a path leads outside the directory. */
export function checkPaths(chain: Pick<ArchiveChain, 'readLines'>): void {
  for (const line of chain.readLines()) {
    if (line.kind === 'folder' || line.kind === 'link' || line.kind === 'file') checkPath(line.path);
  }
}

/** Returns the number of files. Links are created last, so that no file is written through one. */
export function writeFiles(chain: ArchiveChain, directory: string): number {
  let count = 0;
  const links: Extract<IndexLine, { kind: 'link' }>[] = [];
  for (const line of chain.readLines()) {
    if (line.kind === 'folder') makeFolder(join(directory, checkPath(line.path)));
    else if (line.kind === 'link') links.push(line);
    else if (line.kind === 'file') {
      const file = join(directory, checkPath(line.path));
      makeFolder(dirname(file));
      writeFile(chain, file, line.objects);
      count += 1;
    }
  }
  const linked = new Set(links.map(({ path }) => path));
  for (const { path, target } of links) {
    if (listParents(path).some((parent) => linked.has(parent))) throw new UnusableBackup(describeInvalidPath(path));
    symlinkSync(target, join(directory, checkPath(path)));
  }
  return count;
}

function writeFile(chain: ArchiveChain, file: string, objects: readonly string[]): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    for (const object of objects) for (const piece of chain.readObject(object)) writeSync(descriptor, piece);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function describeInvalidPath(path: string): string {
  return `The path '${path}' in the backup is invalid. Use another backup.`;
}

/** Returns the folders of a path: `a` and `a/b` for `a/b/c`. */
function listParents(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** An archive that was modified must not write outside its directory. Most systems allow a backslash in a name. */
function checkPath(path: string): string {
  const parts = path.split('/');
  if (parts.some((part) => ['', '.', '..'].includes(part) || part.includes('\0') || part.includes(sep))) {
    throw new UnusableBackup(describeInvalidPath(path));
  }
  return path;
}
