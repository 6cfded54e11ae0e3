/** Opens the bytes and the lists of sets: in the data directory, or in a shared storage with copies in it. */
import { join } from 'node:path';
import { type CachedBlobs, openCachedBlobs, type SharedBytes } from '../../storage/blobs/cached.ts';
import { type BlobDirectory, openBlobDirectory } from '../../storage/blobs/directory.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import type { Blobs } from '../../storage/blobs/port.ts';
import type { SharedPins } from '../../storage/nodes/file-pins.ts';
import type { PurgedFileFeed } from '../../storage/purged-file-feed.ts';
import type { FileCacheOptions } from './file-cache.ts';

export interface SharedFiles {
  /** Opens the bytes of a shelf. */
  readonly openSharedBytes: (shelf: string) => SharedBytes;
  readonly pins?: SharedPins;
  readonly gone?: Pick<PurgedFileFeed, 'announce'>;
  /** The size limit of a set in bytes. */
  readonly maxSetBytes: number;
  readonly cache: Pick<FileCacheOptions, 'limitBytes' | 'graceMs' | 'clock' | 'onFailure'>;
}

export interface Shelves {
  readonly blobs: Blobs;
  /** The lists of the sets. */
  readonly sets: Blobs;
  /** The files in the data directory. */
  readonly directories: readonly BlobDirectory[];
  /** The copies of shared files; empty without a shared storage. */
  readonly cached: readonly CachedBlobs[];
}

/** `grown` is called after a copy of a shared file was made. */
export function openShelves(
  { root, disk, shared }: { readonly root: string; readonly disk: Disk; readonly shared: SharedFiles | undefined },
  staging: () => Promise<string>,
  grown: () => void,
): Shelves {
  const directories: BlobDirectory[] = [];
  const cached: CachedBlobs[] = [];
  function openShelf(name: string): Blobs {
    const local = openBlobDirectory({ folder: join(root, name), staging, disk });
    directories.push(local);
    if (shared === undefined) return local;
    const copied = openCachedBlobs({ shared: shared.openSharedBytes(name), local, staging, disk, grown });
    cached.push(copied);
    return copied;
  }
  return { blobs: openShelf('blobs'), sets: openShelf('sets'), directories, cached };
}
