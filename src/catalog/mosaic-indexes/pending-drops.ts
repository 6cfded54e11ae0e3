/**
 * Records which database indexes are to be dropped. An entry is written before the change that removes the index from
 * its record, so that the next start drops it after a crash.
 */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Disk } from '../../storage/blobs/disk.ts';
import { hashBytes } from '../../storage/blobs/port.ts';
import type { IndexHolder } from '../kinds/mosaic.ts';

export interface PendingDrops {
  /** Resolves when the entry is durable. Passwords are stored encrypted. */
  add(holder: IndexHolder): Promise<void>;
  /** Called after the index is dropped, or if its record still exists. */
  remove(key: string): Promise<void>;
  list(): Promise<readonly IndexHolder[]>;
}

/** The folder need not exist. */
export function openPendingDrops({ folder, disk }: { readonly folder: string; readonly disk: Disk }): PendingDrops {
  const formatPrefix = (key: string) => `${hashBytes(Buffer.from(key))}.`;

  async function readPendingDrop(name: string): Promise<readonly IndexHolder[]> {
    try {
      return [JSON.parse(await disk.readText(join(folder, name))) as IndexHolder];
    } catch {
      // A truncated entry belongs to a change that was not made.
      await disk.removeFile(join(folder, name));
      return [];
    }
  }

  return {
    async add({ name, sealedParameters, mosaic: { index } }) {
      await disk.makePrivateFolder(folder);
      await disk.syncFolder(dirname(folder));
      const note: IndexHolder = { name, sealedParameters, mosaic: { index } };
      await disk.writeDurably(join(folder, `${formatPrefix(index.key)}${randomUUID()}`), JSON.stringify(note));
      await disk.syncFolder(folder);
    },
    async remove(key) {
      const notes = (await disk.listNames(folder)).filter((name) => name.startsWith(formatPrefix(key)));
      for (const name of notes) await disk.removeFile(join(folder, name));
    },
    list: async () => (await Promise.all((await disk.listNames(folder)).map(readPendingDrop))).flat(),
  };
}
