/**
 * Deletes stored files that no record, no recent history and no running operation refers to, and that are older than
 * the grace period. The collector works in small steps so that requests are not delayed, and can be stopped at each
 * step.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { isHash, type StoredBlob } from '../../storage/blobs/port.ts';
import type { StoredFiles } from './files.ts';
import type { PinWatch } from './pins.ts';

/** Looks up references in the records and the history. */
export interface FileReferences {
  /** Returns whether a record, or a change that can still be undone, refers to this set or these bytes. */
  isFileReferenced(file: string): Promise<boolean>;
}

export interface CollectOptions {
  readonly stored: StoredFiles;
  readonly references: FileReferences;
  readonly clock: () => number;
  /** Younger files are stored. No run and no operation on another machine may take longer. */
  readonly graceMs: number;
  readonly signal?: AbortSignal;
}

export interface CollectReport {
  readonly sets: number;
  readonly blobs: number;
  /** Referenced sets whose lists are unreadable. While there are any, no bytes are collected. */
  readonly unreadable: readonly string[];
}

export async function collectFiles(options: CollectOptions): Promise<CollectReport> {
  const pins = await options.stored.watchPins();
  try {
    const run = { ...options, pins };
    const { inUse, collected: sets, unreadable } = await collectSets(run);
    // Any bytes may belong to an unreadable set and be needed when it is repaired.
    const blobs = unreadable.length > 0 ? 0 : await collectBlobs(run, inUse);
    await closeDeletedSets(options);
    return { sets, blobs, unreadable };
  } finally {
    pins.end();
  }
}

interface CollectRun extends CollectOptions {
  readonly pins: PinWatch;
}

/** Collects unused sets and returns the bytes in the remaining sets. Needs about 100 bytes of memory for each. */
async function collectSets(options: CollectRun): Promise<{
  readonly inUse: ReadonlySet<string>;
  readonly collected: number;
  readonly unreadable: readonly string[];
}> {
  const { stored } = options;
  const inUse = new Set<string>();
  const unreadable: string[] = [];
  let collected = 0;
  for await (const part of stored.sets.list()) {
    for (const set of part) {
      await yieldToOthers(options);
      if (isOld(options, set) && (await stored.sets.delete(set.hash, createDeleteOptions(options, set.hash)))) {
        collected += 1;
      } else {
        const files = await stored.readSetFiles(set.hash).catch(() => undefined);
        if (files === undefined) {
          unreadable.push(set.hash);
        }
        for (const { hash } of files ?? []) {
          inUse.add(hash);
        }
      }
    }
  }
  return { inUse, collected, unreadable };
}

async function collectBlobs(options: CollectRun, inUse: ReadonlySet<string>): Promise<number> {
  const { blobs } = options.stored;
  let collected = 0;
  for await (const part of blobs.list()) {
    for (const blob of part) {
      await yieldToOthers(options);
      if (blob.isHalfPurged && !inUse.has(blob.hash)) {
        // Storing the bytes again has removed the purge mark.
        const shouldSkip = async ({ hash, isHalfPurged }: StoredBlob) => !isHalfPurged || options.pins.has(hash);
        await blobs.delete(blob.hash, { purged: true, unless: shouldSkip });
      } else if (!inUse.has(blob.hash) && isOld(options, blob)) {
        collected += (await blobs.delete(blob.hash, createDeleteOptions(options, blob.hash))) ? 1 : 0;
      }
    }
  }
  return collected;
}

/** Removes the folders of deleted sets. A file that is still open remains readable until it is closed. */
export async function closeDeletedSets(options: CollectOptions): Promise<void> {
  const { stored } = options;
  for (const name of await stored.listOpenedSets()) {
    await yieldToOthers(options);
    if (!isHash(name) || (await stored.sets.getState(name)) !== 'present') {
      await stored.closeSet(name);
    }
  }
}

/**
 * References and sets were read some time ago. Bytes that were stored since then are young again, and that is the only
 * sign that a new set contains them.
 */
function createDeleteOptions(options: CollectRun, file: string) {
  const { pins, references: named } = options;
  return {
    purged: false,
    // The order matters: an operation releases its pins after its change.
    unless: async (now: StoredBlob) =>
      !isOld(options, now) || (await pins.has(file)) || (await named.isFileReferenced(file)),
  };
}

function isOld({ clock, graceMs }: CollectOptions, { putAtMs }: StoredBlob): boolean {
  return clock() - putAtMs > graceMs;
}

/** Yields to other work, and throws if the signal is aborted. */
async function yieldToOthers({ signal }: CollectOptions): Promise<void> {
  await turn();
  signal?.throwIfAborted();
}
