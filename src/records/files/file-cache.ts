/**
 * Limits the size of the copies of shared files on a node. It evicts whole sets, least recently used first, and never
 * one that may be in use. Sets are immutable, so a copy is never stale, only missing.
 */
import { join } from 'node:path';
import type { Disk } from '../../storage/blobs/disk.ts';
import type { Hash } from '../../storage/blobs/port.ts';
import type { FileSetId, SetFile } from './file-sets.ts';

export interface FileCache {
  /** Must be called on each use of a set. Returns how often its folder was evicted so far. */
  noteUse(set: FileSetId): number;
  /** Resolves when the folder is not being evicted; undefined if it is not. */
  waitForClosing(set: FileSetId): Promise<void> | undefined;
  /** Must be called after bytes were added; starts an eviction in the background. */
  noteGrowth(): void;
  /** Runs at startup: removes incomplete folders and evicts down to the limit. */
  check(): Promise<void>;
  /** Resolves when no eviction is running. */
  waitUntilIdle(): Promise<void>;
  readonly getUsage: () => { readonly bytes: number; readonly limitBytes: number };
}

export interface FileCacheOptions {
  readonly limitBytes: number;
  /** Sets used within this time may still be read. */
  readonly graceMs: number;
  readonly clock: () => number;
  readonly disk: Disk;
  /** The folder of the copies, named by their hashes. */
  readonly copies: string;
  /** The parent of the set folders, whose files are links to copies. */
  readonly opened: string;
  readSetFiles(set: FileSetId): Promise<readonly SetFile[]>;
  closeSet(set: FileSetId): Promise<void>;
  readonly onFailure: (reason: unknown) => void;
}

interface CachedCopy {
  readonly hash: Hash;
  readonly file: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

export function createFileCache(options: FileCacheOptions): FileCache {
  const { limitBytes, graceMs, clock, disk, opened } = options;
  const usedAtMs = new Map<FileSetId, number>();
  const timesClosed = new Map<FileSetId, number>();
  const closings = new Map<FileSetId, Promise<void>>();
  const startedAtMs = clock();
  let bytes = 0;
  let trimming: Promise<void> | undefined;
  let isGrown = false;

  /** A set that was not used since the start counts as unused for the grace period. */
  const getLastUse = (set: FileSetId): number => usedAtMs.get(set) ?? startedAtMs - graceMs;
  const isRecentlyUsed = (atMs: number): boolean => clock() - atMs < graceMs;

  async function trim(): Promise<void> {
    const copies = await listCopies(options);
    bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
    const sets = await readOpenSets(options);
    const isInSet = (hash: Hash): boolean => [...sets.values()].some((hashes) => hashes.has(hash));
    const deleteCopy = async (copy: CachedCopy): Promise<void> => {
      const isGone = bytes > limitBytes && !isInSet(copy.hash) && (await disk.removeFile(copy.file));
      if (isGone) bytes -= copy.bytes;
    };
    const old = copies.filter(({ modifiedAtMs }) => !isRecentlyUsed(modifiedAtMs));
    for (const copy of old.toSorted((a, b) => a.modifiedAtMs - b.modifiedAtMs)) await deleteCopy(copy);
    for (const [set, hashes] of [...sets].toSorted(([a], [b]) => getLastUse(a) - getLastUse(b))) {
      if (bytes <= limitBytes) return;
      // The set may have been used in the meantime.
      if (isRecentlyUsed(getLastUse(set))) continue;
      await close(set);
      sets.delete(set);
      for (const copy of copies.filter(({ hash }) => hashes.has(hash))) await deleteCopy(copy);
    }
  }

  async function close(set: FileSetId): Promise<void> {
    const closing = options.closeSet(set).finally(() => closings.delete(set));
    closings.set(set, closing);
    timesClosed.set(set, (timesClosed.get(set) ?? 0) + 1);
    await closing;
  }

  async function run(): Promise<void> {
    try {
      while (isGrown) {
        isGrown = false;
        await trim();
      }
    } catch (reason) {
      options.onFailure(reason);
    } finally {
      trimming = undefined;
    }
  }

  return {
    noteUse(set) {
      usedAtMs.set(set, clock());
      return timesClosed.get(set) ?? 0;
    },
    waitForClosing: (set) => closings.get(set),
    noteGrowth() {
      isGrown = true;
      trimming ??= run();
    },
    async check() {
      await trimming;
      for (const set of await disk.listNames(opened)) {
        if (!(await isComplete(options, set))) await closeIncompleteSet(options, set);
      }
      isGrown = true;
      trimming ??= run();
      await trimming;
    },
    waitUntilIdle: async () => trimming,
    getUsage: () => ({ bytes, limitBytes }),
  };
}

async function listCopies({ disk, copies }: FileCacheOptions): Promise<readonly CachedCopy[]> {
  const found: CachedCopy[] = [];
  for (const start of await disk.listNames(copies)) {
    for (const hash of await disk.listNames(join(copies, start))) {
      const file = join(copies, start, hash);
      const status = await disk.findStatus(file);
      if (status !== undefined) found.push({ hash, file, bytes: status.bytes, modifiedAtMs: status.modifiedAtMs });
    }
  }
  return found;
}

/** Returns the opened sets with the hashes of their files. */
async function readOpenSets({
  disk,
  opened,
  readSetFiles: filesOf,
}: FileCacheOptions): Promise<Map<FileSetId, ReadonlySet<Hash>>> {
  const sets = new Map<FileSetId, ReadonlySet<Hash>>();
  for (const set of await disk.listNames(opened)) {
    const files = await filesOf(set).catch((): readonly SetFile[] => []);
    sets.set(set, new Set(files.map(({ hash }) => hash)));
  }
  return sets;
}

/** Also removes copies of the wrong size, because the files of the set link to them. */
async function closeIncompleteSet(options: FileCacheOptions, set: FileSetId): Promise<void> {
  const { disk, copies, readSetFiles: filesOf, closeSet } = options;
  await closeSet(set);
  for (const { hash, bytes } of await filesOf(set).catch((): readonly SetFile[] => [])) {
    const file = join(copies, hash.slice(0, 2), hash);
    if ((await disk.findStatus(file))?.bytes !== bytes) await disk.removeFile(file);
  }
}

/** Returns whether every file of a set exists and has its expected size. */
async function isComplete({ disk, opened, readSetFiles: filesOf }: FileCacheOptions, set: FileSetId): Promise<boolean> {
  const files = await filesOf(set).catch(() => undefined);
  if (files === undefined) return false;
  for (const { path, bytes } of files) {
    if ((await disk.findStatus(join(opened, set, path)))?.bytes !== bytes) return false;
  }
  return true;
}
