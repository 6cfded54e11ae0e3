/**
 * Purges that outlive the server: what a change wants gone is noted in `purges/` before the change is made, and the note
 * goes when the bytes are gone. The next start carries out what it finds there if the change was made, and forgets it if
 * not: then a record still names the bytes.
 */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Disk } from '../../storage/blobs/disk.ts';
import { type Hash, isHash } from '../../storage/blobs/port.ts';

/** Whether a record names these bytes, or this set. */
export type IsReferenced = (hash: Hash) => Promise<boolean>;

/** What is to go: single bytes, or a set of files with the bytes that only it has. */
export interface PurgeTarget {
  readonly kind: 'bytes' | 'set';
  readonly hash: Hash;
}

export interface Purges {
  /**
   * Makes a change, and then takes the bytes away that it gives, as far as nobody needs them. `wanted` is what it will
   * give as far as that can be told before: only of that a server knows that dies right after the change.
   */
  changeAndPurge(
    isNamed: IsReferenced,
    wanted: Iterable<PurgeTarget>,
    change: () => Promise<Iterable<PurgeTarget>>,
  ): Promise<void>;
  /** At the start, before any change, and now and then: ends what a server that has died, or an operation under way, has left. */
  finishPurges(isNamed: IsReferenced): Promise<void>;
}

export interface PurgeOptions {
  /** Need not be there. */
  readonly folder: string;
  readonly disk: Disk;
  /** Takes bytes away unless they are needed; false if that is not known yet, as while an operation stores the same bytes. */
  readonly purge: (target: PurgeTarget, isNamed: IsReferenced) => Promise<boolean>;
}

/** The notes of one change: what each is about, and what its file is called. */
type PurgeNotes = Map<string, string>;

const SET_PREFIX = 'set-';

function formatLabel({ kind, hash }: PurgeTarget): string {
  return kind === 'set' ? `${SET_PREFIX}${hash}` : hash;
}

/** Undefined for what is no note of ours. */
function parseTarget(note: string): PurgeTarget | undefined {
  const [label = ''] = note.split('.');
  const hash = label.startsWith(SET_PREFIX) ? label.slice(SET_PREFIX.length) : label;
  return isHash(hash) ? { kind: label === hash ? 'bytes' : 'set', hash } : undefined;
}

export function openPurges({ folder, disk, purge }: PurgeOptions): Purges {
  /** Notes of purges that have not ended. */
  const underWay = new Set<string>();

  async function writeNotes(targets: Iterable<PurgeTarget>, notes: PurgeNotes): Promise<void> {
    const fresh = new Set([...targets].map(formatLabel).filter((label) => !notes.has(label)));
    if (fresh.size === 0) return;
    await disk.makePrivateFolder(folder);
    await disk.syncFolder(dirname(folder));
    for (const label of fresh) {
      // Each change has notes of its own, so that none takes those of another away.
      const name = `${label}.${randomUUID()}`;
      notes.set(label, name);
      underWay.add(name);
      await disk.writeDurably(join(folder, name), '');
    }
    await disk.syncFolder(folder);
  }

  /** Notes go for which `isDone` says so. */
  async function deleteFinishedNotes(
    names: Iterable<string>,
    isDone: (target: PurgeTarget) => Promise<boolean>,
  ): Promise<void> {
    let isChanged = false;
    for (const name of names) {
      const target = parseTarget(name);
      const isEnded = target !== undefined && (await isDone(target));
      if (isEnded) isChanged = (await disk.removeFile(join(folder, name))) || isChanged;
    }
    if (isChanged) await disk.syncFolder(folder);
  }

  async function runPurge(
    notes: PurgeNotes,
    isNamed: IsReferenced,
    wanted: Iterable<PurgeTarget>,
    change: () => Promise<Iterable<PurgeTarget>>,
  ): Promise<void> {
    let gone: readonly PurgeTarget[];
    try {
      await writeNotes(wanted, notes);
      gone = [...(await change())];
    } catch (error) {
      // Nothing may be purged for a change that was refused, not even what others have replaced meanwhile.
      await deleteFinishedNotes(notes.values(), async () => true).catch(() => undefined);
      throw error;
    }
    await writeNotes(gone, notes);
    const labels = new Set(gone.map(formatLabel));
    await deleteFinishedNotes(
      notes.values(),
      async (target) => !labels.has(formatLabel(target)) || purge(target, isNamed),
    );
  }

  return {
    async changeAndPurge(isNamed, wanted, change) {
      const notes: PurgeNotes = new Map();
      try {
        await runPurge(notes, isNamed, wanted, change);
      } finally {
        for (const name of notes.values()) underWay.delete(name);
      }
    },

    async finishPurges(isNamed) {
      const left = (await disk.listNames(folder)).filter((name) => !underWay.has(name));
      await deleteFinishedNotes(left, (target) => purge(target, isNamed));
    },
  };
}
