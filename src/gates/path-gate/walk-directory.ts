/** Lists the files of a directory and its folders, without ever following a link. */
import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import { toIdentity } from './identity.ts';

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

  async function* walkFolder(folder: string, prefix: string, depth: number): AsyncGenerator<WalkedFile> {
    options.signal?.throwIfAborted();
    // Between the listing and this moment, a folder may have become a link to elsewhere.
    if ((await realpath(folder)) !== folder) {
      options.skipped?.(folder);
      return;
    }
    for await (const { path, fileName, status } of readStatuses(folder)) {
      entries += 1;
      const name = `${prefix}${fileName}`;
      if (entries > limits.maxEntries) {
        throw problem('path-invalid', { path: root, reason: `it holds more than ${limits.maxEntries} entries` });
      }
      if ((!status.isFile() && !status.isDirectory()) || options.isOwn(path, toIdentity(status))) {
        options.skipped?.(path);
      } else if (status.isFile()) {
        yield { path, name, bytes: Number(status.size) };
      } else if (depth === limits.maxDepth) {
        throw problem('path-invalid', { path: root, reason: `it is deeper than ${limits.maxDepth} folders` });
      } else {
        yield* walkFolder(path, `${name}/`, depth + 1);
      }
    }
  }

  yield* walkFolder(root, '', 1);
}

/** So many are asked for at once: one by one, the way to the disk and back would take most of the time. */
const STATUSES_AT_ONCE = 64;

async function* readStatuses(
  folder: string,
): AsyncGenerator<{ readonly path: string; readonly fileName: string; readonly status: BigIntStats }> {
  const names = sortByName(await readdir(folder, { withFileTypes: true })).map(({ name }) => name);
  for (let from = 0; from < names.length; from += STATUSES_AT_ONCE) {
    yield* await Promise.all(
      names.slice(from, from + STATUSES_AT_ONCE).map(async (fileName) => {
        const path = join(folder, fileName);
        return { path, fileName, status: await lstat(path, { bigint: true }) };
      }),
    );
  }
}

function sortByName(entries: readonly Dirent[]): readonly Dirent[] {
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
