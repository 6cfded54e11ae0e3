/**
 * Removes kept files that nobody needs any more: those that no record, no recent history and no operation under way names,
 * and that were not put a short while ago. It goes in small steps, so that nobody waits for it, and can be stopped at each.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { isHash, type StoredBlob } from '../../storage/blobs/port.ts';
import type { StoredFiles } from './files.ts';
import type { PinWatch } from './pins.ts';

/** Whoever knows the records and the history. */
export interface FileReferences {
  /** Whether a record names this set or these bytes, or a change that can still be taken back. */
  isFileReferenced(file: string): Promise<boolean>;
}

export interface CollectOptions {
  readonly stored: StoredFiles;
  readonly references: FileReferences;
  readonly clock: () => number;
  /** What was put within this time is left alone. No run may take longer, and no operation on another machine. */
  readonly graceMs: number;
  readonly signal?: AbortSignal;
}

export interface CollectReport {
  readonly sets: number;
  readonly blobs: number;
  /** Sets that are needed, but whose lists cannot be read. While there are any, no bytes are collected. */
  readonly unreadable: readonly string[];
}

export async function collectFiles(options: CollectOptions): Promise<CollectReport> {
  const pins = await options.stored.watchPins();
  try {
    const run = { ...options, pins };
    const { inUse, collected: sets, unreadable } = await collectSets(run);
    // Any bytes may be those that such a set needs when it is mended.
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

/** The bytes that are in sets which stay: about a hundred bytes of memory for each of them while this runs. */
async function collectSets(options: CollectRun): Promise<{
  readonly inUse: ReadonlySet<string>;
  readonly collected: number;
  readonly unreadable: readonly string[];
}> {
  const { stored: kept } = options;
  const inUse = new Set<string>();
  const unreadable: string[] = [];
  let collected = 0;
  for await (const part of kept.sets.list()) {
    for (const set of part) {
      await yieldToOthers(options);
      if (isOld(options, set) && (await kept.sets.delete(set.hash, createDeleteOptions(options, set.hash)))) {
        collected += 1;
      } else {
        const files = await kept.readSetFiles(set.hash).catch(() => undefined);
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
        // Whoever has put them since has taken the note away.
        const shouldSkip = async ({ hash, isHalfPurged }: StoredBlob) => !isHalfPurged || options.pins.has(hash);
        await blobs.delete(blob.hash, { purged: true, unless: shouldSkip });
      } else if (!inUse.has(blob.hash) && isOld(options, blob)) {
        collected += (await blobs.delete(blob.hash, createDeleteOptions(options, blob.hash))) ? 1 : 0;
      }
    }
  }
  return collected;
}

/** The folders of sets that are gone. Whoever has one of their files open keeps it until it is closed. */
export async function closeDeletedSets(options: CollectOptions): Promise<void> {
  const { stored: kept } = options;
  for (const name of await kept.listOpenedSets()) {
    await yieldToOthers(options);
    if (!isHash(name) || (await kept.sets.getState(name)) !== 'present') {
      await kept.closeSet(name);
    }
  }
}

/**
 * Both the lists and the sets that bytes are in were looked at a while ago: what has been put since is young again, and
 * only that shows that a set has it which was kept meanwhile.
 */
function createDeleteOptions(options: CollectRun, file: string) {
  const { pins, references: named } = options;
  return {
    purged: false,
    // In this order: an operation ends its pins after its change.
    unless: async (now: StoredBlob) =>
      !isOld(options, now) || (await pins.has(file)) || (await named.isFileReferenced(file)),
  };
}

function isOld({ clock, graceMs }: CollectOptions, { putAtMs }: StoredBlob): boolean {
  return clock() - putAtMs > graceMs;
}

/** Lets others have their turn, and stops if it shall. */
async function yieldToOthers({ signal }: CollectOptions): Promise<void> {
  await turn();
  signal?.throwIfAborted();
}
