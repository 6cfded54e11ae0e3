/**
 * Contents of small files, kept for good under the hash of their bytes.
 *
 * What is kept is never changed, moved or removed: a record that names a hash names those bytes for ever, also in the
 * change log, and a change that fails leaves at most bytes that nobody names. So no journal is needed: the bytes are on
 * the disk before the record that names them is committed.
 */
import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Disk, realDisk } from './files/disk.ts';
import type { Files } from './files.ts';

export interface Contents {
  /** Resolved means durable. Gives the hash by which the bytes are found again. */
  keep(bytes: Uint8Array): Promise<string>;
  read(hash: string): Promise<Buffer>;
}

/** `folder` is below the data directory `root`, for instance `styles`. */
export function openContents(options: {
  readonly root: string;
  readonly folder: string;
  readonly files: Files;
  readonly disk?: Disk;
}): Contents {
  const { root, folder, files, disk = realDisk } = options;
  const placeOf = (hash: string) => join(root, folder, hash.slice(0, 2), hash);

  async function put(bytes: Uint8Array, place: string): Promise<void> {
    const staging = await files.createStaging('content');
    try {
      const staged = join(staging.path, 'bytes');
      await writeDurably(staged, bytes);
      await makeFolders(disk, root, dirname(place));
      await disk.move(staged, place);
    } finally {
      await staging.discard();
    }
  }

  return {
    async keep(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const place = placeOf(hash);
      if ((await disk.entryAt(place)) === undefined) {
        await put(bytes, place);
      }
      // Also for one that is there: whoever has just put it may not have come this far.
      await disk.syncFolder(dirname(place));
      return hash;
    },
    async read(hash) {
      if (!/^[0-9a-f]{64}$/.test(hash)) {
        throw new Error(`'${hash}' is no hash of a content.`);
      }
      return readFile(placeOf(hash));
    },
  };
}

/** Makes the folders that are missing, each on the disk before the next. */
async function makeFolders(disk: Disk, root: string, folder: string): Promise<void> {
  if (folder === root || (await disk.entryAt(folder)) !== undefined) {
    return;
  }
  await makeFolders(disk, root, dirname(folder));
  await disk.makePrivateFolder(folder);
  await disk.syncFolder(dirname(folder));
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
