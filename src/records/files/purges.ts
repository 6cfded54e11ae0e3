/**
 * Purges that survive a crash: each target is noted in `purges/` before the change, and the note is deleted with the
 * bytes. At the next start, a note is executed if the change was committed, and dropped otherwise, because a record
 * still refers to the bytes.
 */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Disk } from '../../storage/blobs/disk.ts';
import { type Hash, isHash } from '../../storage/blobs/port.ts';

/** Returns whether a record refers to these bytes or this set. */
export type IsReferenced = (hash: Hash) => Promise<boolean>;

/** The target of a purge: single bytes, or a file set with the bytes that no other set contains. */
export interface PurgeTarget {
  readonly kind: 'bytes' | 'set';
  readonly hash: Hash;
}

export interface Purges {
  /**
   * Makes a change and then deletes the bytes that it returns unless they are needed. `wanted` is the part of the
   * result that is known in advance; only these targets survive a crash right after the change.
   */
  changeAndPurge(
    isNamed: IsReferenced,
    wanted: Iterable<PurgeTarget>,
    change: () => Promise<Iterable<PurgeTarget>>,
  ): Promise<void>;
  /**
   * Runs at startup before any change, and periodically: completes purges of a stopped server or of a running
   * operation.
   */
  finishPurges(isNamed: IsReferenced): Promise<void>;
}

export interface PurgeOptions {
  /** The folder may be missing. */
  readonly folder: string;
  readonly disk: Disk;
  /**
   * Deletes bytes unless they are needed. Returns false if that is unknown, for example while an operation stores the
   * same bytes.
   */
  readonly purge: (target: PurgeTarget, isNamed: IsReferenced) => Promise<boolean>;
}

/** The notes of one change: label to file name. */
type PurgeNotes = Map<string, string>;

const SET_PREFIX = 'set-';

function formatLabel({ kind, hash }: PurgeTarget): string {
  return kind === 'set' ? `${SET_PREFIX}${hash}` : hash;
}

/** Returns undefined if the file is not a note. */
function parseTarget(note: string): PurgeTarget | undefined {
  const [label = ''] = note.split('.');
  const hash = label.startsWith(SET_PREFIX) ? label.slice(SET_PREFIX.length) : label;
  return isHash(hash) ? { kind: label === hash ? 'bytes' : 'set', hash } : undefined;
}

export function openPurges({ folder, disk, purge }: PurgeOptions): Purges {
  /** Notes of running purges. */
  const underWay = new Set<string>();

  async function writeNotes(targets: Iterable<PurgeTarget>, notes: PurgeNotes): Promise<void> {
    const fresh = new Set([...targets].map(formatLabel).filter((label) => !notes.has(label)));
    if (fresh.size === 0) return;
    await disk.makePrivateFolder(folder);
    await disk.syncFolder(dirname(folder));
    for (const label of fresh) {
      // Each change has its own notes, so that it never deletes those of another.
      const name = `${label}.${randomUUID()}`;
      notes.set(label, name);
      underWay.add(name);
      await disk.writeDurably(join(folder, name), '');
    }
    await disk.syncFolder(folder);
  }

  /** Deletes the notes for which `isDone` returns true. */
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
      // A rejected change must purge nothing, not even files that others have replaced in the meantime.
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
