/** Lists the files of a directory and its folders, without ever following a link. */
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '../../lib/problem.ts';
import { identityFrom } from './identity.ts';

export interface WalkedFile {
  readonly path: string;
  /** Relative to the directory that was asked for, with slashes. */
  readonly name: string;
  readonly bytes: number;
}

export interface WalkLimits {
  readonly maxEntries: number;
  readonly maxDepth: number;
}

export interface WalkOptions {
  readonly limits: WalkLimits;
  /** The server's own files, which are left out. */
  readonly isOwn: (path: string, identity: string) => boolean;
  readonly signal?: AbortSignal;
  /** Told of what is left out: links, devices, the server's own files. */
  readonly skipped?: (path: string) => void;
}

/** In order of the names. `root` is a real path: one without links. */
export async function* walkDirectory(root: string, options: WalkOptions): AsyncGenerator<WalkedFile> {
  const { limits } = options;
  let entries = 0;

  async function* visit(folder: string, prefix: string, depth: number): AsyncGenerator<WalkedFile> {
    options.signal?.throwIfAborted();
    // Between the listing and this moment, a folder may have become a link to elsewhere.
    if ((await realpath(folder)) !== folder) {
      options.skipped?.(folder);
      return;
    }
    for (const entry of inOrder(await readdir(folder, { withFileTypes: true }))) {
      entries += 1;
      const path = join(folder, entry.name);
      const name = `${prefix}${entry.name}`;
      if (entries > limits.maxEntries) {
        throw problem('path-invalid', { path: root, reason: `it holds more than ${limits.maxEntries} entries` });
      }
      const status = await lstat(path, { bigint: true });
      if ((!status.isFile() && !status.isDirectory()) || options.isOwn(path, identityFrom(status))) {
        options.skipped?.(path);
      } else if (status.isFile()) {
        yield { path, name, bytes: Number(status.size) };
      } else if (depth === limits.maxDepth) {
        throw problem('path-invalid', { path: root, reason: `it is deeper than ${limits.maxDepth} folders` });
      } else {
        yield* visit(path, `${name}/`, depth + 1);
      }
    }
  }

  yield* visit(root, '', 1);
}

function inOrder(entries: readonly Dirent[]): readonly Dirent[] {
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
