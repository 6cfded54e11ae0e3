/** Lists the files of a directory recursively, without following links. */
import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import { toIdentity } from './identity.ts';

export interface WalkedFile {
  readonly path: string;
  /** Relative to the listed directory, with slashes. */
  readonly name: string;
  readonly bytes: number;
}

export interface WalkLimits {
  readonly maxEntries: number;
  readonly maxDepth: number;
}

export interface WalkOptions {
  readonly limits: WalkLimits;
  /** Identifies files of the server, which are skipped. */
  readonly isOwn: (path: string, identity: string) => boolean;
  readonly signal?: AbortSignal;
  /** Called for skipped entries: links, devices, files of the server. */
  readonly skipped?: (path: string) => void;
}

/** Sorted by name. `root` is a resolved path without links. */
export async function* walkDirectory(root: string, options: WalkOptions): AsyncGenerator<WalkedFile> {
  const { limits } = options;
  let entries = 0;

  async function* walkFolder(folder: string, prefix: string, depth: number): AsyncGenerator<WalkedFile> {
    options.signal?.throwIfAborted();
    // The folder may have become a link since it was listed.
    if ((await realpath(folder)) !== folder) {
      options.skipped?.(folder);
      return;
    }
    for await (const { path, fileName, status } of readStatuses(folder)) {
      entries += 1;
      const name = `${prefix}${fileName}`;
      if (entries > limits.maxEntries) {
        throw problem('path-invalid', { path: root, reason: `it contains more than ${limits.maxEntries} entries` });
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

/** Concurrent calls: one by one, the latency of the disk would dominate. */
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
