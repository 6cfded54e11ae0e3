/**
 * Private folders for files that nobody knows of yet. The data directory belongs to one running server, so at its start
 * everything in `staging/` is what a run before has left behind, and goes.
 */
import { join } from 'node:path';
import { type Disk, realDisk } from '../blobs/disk.ts';

/** A fresh folder that nobody else knows of. */
export interface StagingFolder {
  readonly path: string;
  /** Removes the folder with all that is still in it; doing so twice is fine. */
  discard(): Promise<void>;
}

export interface Staging {
  /** Makes a folder, readable by the owner only; the purpose, such as `upload`, is part of its name. */
  createStaging(purpose: string): Promise<StagingFolder>;
  /** The folder they are all in. */
  ensureFolder(): Promise<string>;
  /** Before anything else uses staging: removes what a run before has left there, and counts it. */
  sweep(): Promise<number>;
}

/** `root` is the data directory, which must exist. */
export function openStaging({ root, disk = realDisk }: { readonly root: string; readonly disk?: Disk }): Staging {
  async function ensureFolder(): Promise<string> {
    const real = await disk.resolvePath(root);
    if (real === undefined) throw new Error(`The data directory '${root}' does not exist.`);
    const staging = join(real, 'staging');
    await disk.makePrivateFolder(staging);
    // Through a link we would sweep somebody else's files, and links from there might not be possible.
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
