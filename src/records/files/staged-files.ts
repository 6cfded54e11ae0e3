/** Files in staging that will become files of a set. */
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { allSettled } from '../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import type { Hash, IncomingBlob } from '../../storage/blobs/port.ts';

/** A file that will be added to a set. It must not be modified any more. */
export interface StagedFile {
  /** The path in the set, with slashes. */
  readonly path: string;
  /** The current path. */
  readonly file: string;
  readonly bytes: number;
  /** The hash, if it is already known. */
  readonly hash?: Hash;
  /** The CRC-32 of the hashed bytes, if it is known. */
  readonly checksum?: number;
  /** Its bytes in the storage, which may have arrived there already. */
  readonly incoming?: IncomingBlob;
}

export type HashedStagedFile = StagedFile & { readonly hash: Hash };

/** Lists every file in a folder for a set that contains all of them. */
export async function listStagedFiles(folder: string): Promise<readonly StagedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({
      path: relative(folder, file).replaceAll(sep, '/'),
      file,
      bytes: (await stat(file)).size,
    })),
  );
}

/** The number of files that are hashed concurrently. */
const FILES_AT_ONCE = 4;

/** Computes hashes and flushes the files to disk. */
export async function flushFiles(files: readonly StagedFile[], disk: Disk): Promise<readonly HashedStagedFile[]> {
  const atOnce = createConcurrencyLimiter(FILES_AT_ONCE);
  return allSettled(
    files.map((each) =>
      atOnce(async () => {
        const [hashed] = await allSettled([hashFile(each, disk), disk.syncFile(each.file)] as const);
        return { ...each, ...hashed };
      }),
    ),
  );
}

async function hashFile(
  { hash, incoming, file }: StagedFile,
  disk: Disk,
): Promise<{ readonly hash: Hash; readonly checksum?: number }> {
  if (hash !== undefined) return { hash };
  return (await incoming?.readContent()) ?? disk.hashFile(file);
}
