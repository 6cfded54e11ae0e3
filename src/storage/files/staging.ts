/**
 * Private folders for unpublished files. The data directory belongs to one running server, so everything in `staging/`
 * at startup was left by a previous run and is removed.
 */
import { join } from 'node:path';
import { type Disk, realDisk } from '../blobs/disk.ts';
import type { IncomingBlob } from '../blobs/port.ts';

/** A new private folder. */
export interface StagingFolder {
  readonly path: string;
  /**
   * Begins to store a file of the folder while it is written. `isStorable` is called once after the first bytes. Returns
   * undefined if the storage needs complete files.
   */
  follow?(file: string, isStorable: () => Promise<boolean>): IncomingBlob | undefined;
  /** Removes the folder with its contents; can be called twice. */
  discard(): Promise<void>;
}

export interface Staging {
  /** Creates a folder for the owner only. The purpose, such as `upload`, is part of its name. */
  createStaging(purpose: string): Promise<StagingFolder>;
  /** Returns the parent of all staging folders. */
  ensureFolder(): Promise<string>;
  /** Runs before anything else uses staging: removes the files of a previous run and returns their number. */
  sweep(): Promise<number>;
}

/** `root` is the data directory, which must exist. */
export function openStaging({ root, disk = realDisk }: { readonly root: string; readonly disk?: Disk }): Staging {
  async function ensureFolder(): Promise<string> {
    const real = await disk.resolvePath(root);
    if (real === undefined) throw new Error(`The data directory '${root}' does not exist.`);
    const staging = join(real, 'staging');
    await disk.makePrivateFolder(staging);
    // Through a link, the sweep would delete unrelated files, and hard links from there might fail.
    if ((await disk.findEntry(staging)) !== 'folder')
      throw new Error(`'${staging}' must be a folder, not a link or a file.`);
    return staging;
  }

  return {
    ensureFolder,
    async createStaging(purpose) {
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(purpose)) throw new Error(`'${purpose}' is not valid in a folder name.`);
      const path = await disk.makeFreshFolder(join(await ensureFolder(), `work-${purpose}-`));
      return { path, discard: () => disk.removeTree(path) };
    },
    async sweep() {
      const staging = await ensureFolder();
      const names = await disk.listNames(staging);
      for (const name of names) await disk.removeTree(join(staging, name));
      return names.length;
    },
  };
}
