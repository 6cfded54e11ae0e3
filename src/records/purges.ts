/**
 * Purges that outlive the server: what a change wants gone is noted in `purges/` before the change is made, and the note
 * goes when the bytes are gone. The next start carries out what it finds there if the change was made, and forgets it if
 * not: then a record still names the bytes.
 */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Hash, isHash } from '../storage/blobs/port.ts';
import type { Disk } from '../storage/files/disk.ts';

/** Whether a record names these bytes. */
export type IsNamed = (hash: Hash) => Promise<boolean>;

export interface Purges {
  /**
   * Makes a change, and then takes the bytes away that it gives, as far as nobody needs them. `wanted` is what it will
   * give as far as that can be told before: only of that a server knows that dies right after the change.
   */
  purging(isNamed: IsNamed, wanted: Iterable<Hash>, change: () => Promise<Iterable<Hash>>): Promise<void>;
  /** At the start, before any change: ends what a server that has died could not end. */
  endPurges(isNamed: IsNamed): Promise<void>;
}

export interface PurgeOptions {
  /** Need not be there. */
  readonly folder: string;
  readonly disk: Disk;
  /** Takes bytes away unless they are needed; false if it cannot be told now whether they are. */
  readonly purge: (hash: Hash, isNamed: IsNamed) => Promise<boolean>;
}

/** The notes of one change, by what they are about. */
type Notes = Map<Hash, string>;

export function openPurges({ folder, disk, purge }: PurgeOptions): Purges {
  async function note(hashes: ReadonlySet<Hash>, notes: Notes): Promise<void> {
    const fresh = [...hashes].filter((hash) => !notes.has(hash));
    if (fresh.length === 0) return;
    await disk.makePrivateFolder(folder);
    await disk.syncFolder(dirname(folder));
    for (const hash of fresh) {
      // Each change has notes of its own, so that none takes those of another away.
      const name = `${hash}.${randomUUID()}`;
      notes.set(hash, name);
      await disk.writeDurably(join(folder, name), '');
    }
    await disk.syncFolder(folder);
  }

  /** Notes go for which `isDone` says so. */
  async function end(names: Iterable<string>, isDone: (hash: Hash) => Promise<boolean>): Promise<void> {
    let isChanged = false;
    for (const name of names) {
      const [hash = ''] = name.split('.');
      if (isHash(hash) && (await isDone(hash))) isChanged = (await disk.removeFile(join(folder, name))) || isChanged;
    }
    if (isChanged) await disk.syncFolder(folder);
  }

  return {
    async purging(isNamed, wanted, change) {
      const notes: Notes = new Map();
      let gone: ReadonlySet<Hash>;
      try {
        await note(new Set(wanted), notes);
        gone = new Set(await change());
      } catch (error) {
        // Nothing may be purged for a change that was refused, not even what others have replaced meanwhile.
        await end(notes.values(), async () => true).catch(() => undefined);
        throw error;
      }
      await note(gone, notes);
      await end(notes.values(), async (hash) => !gone.has(hash) || purge(hash, isNamed));
    },

    endPurges: async (isNamed) => end(await disk.namesIn(folder), (hash) => purge(hash, isNamed)),
  };
}
