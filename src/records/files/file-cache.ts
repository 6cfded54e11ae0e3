/**
 * Keeps what a node has copied of shared files within a limit: whole sets go, those first that were not used for longest,
 * and never one that somebody may be reading. Sets never change, so that nothing here can be wrong, only missing.
 */
import { join } from 'node:path';
import type { Disk } from '../../storage/blobs/disk.ts';
import type { Hash } from '../../storage/blobs/port.ts';
import type { FileSetId, SetFile } from './file-sets.ts';

export interface FileCache {
  /** To be told whenever a set is used. Gives how often its folder was taken away so far. */
  noteUse(set: FileSetId): number;
  /** Resolves when nobody is about to take the folder away; undefined where nobody is. */
  waitForClosing(set: FileSetId): Promise<void> | undefined;
  /** To be told that bytes have come; what is too much goes soon. */
  noteGrowth(): void;
  /** At the start: takes away folders that are not what they should be, and what is too much. */
  check(): Promise<void>;
  /** When nothing is taken away any more. */
  waitUntilIdle(): Promise<void>;
  readonly getUsage: () => { readonly bytes: number; readonly limitBytes: number };
}

export interface FileCacheOptions {
  readonly limitBytes: number;
  /** What was used within this time may still be read. */
  readonly graceMs: number;
  readonly clock: () => number;
  readonly disk: Disk;
  /** Where the copies lie, under their hashes. */
  readonly copies: string;
  /** Where the folders of sets lie, whose files are links to copies. */
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

  /** What was not used since the start is as old as that. */
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
      // Somebody may have asked for it meanwhile.
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

/** The opened sets, each with the hashes of its files. */
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

/** With the copies that are not as long as they should be: its files are links to them. */
async function closeIncompleteSet(options: FileCacheOptions, set: FileSetId): Promise<void> {
  const { disk, copies, readSetFiles: filesOf, closeSet } = options;
  await closeSet(set);
  for (const { hash, bytes } of await filesOf(set).catch((): readonly SetFile[] => [])) {
    const file = join(copies, hash.slice(0, 2), hash);
    if ((await disk.findStatus(file))?.bytes !== bytes) await disk.removeFile(file);
  }
}

/** Whether every file of a set is there, as long as it should be. */
async function isComplete({ disk, opened, readSetFiles: filesOf }: FileCacheOptions, set: FileSetId): Promise<boolean> {
  const files = await filesOf(set).catch(() => undefined);
  if (files === undefined) return false;
  for (const { path, bytes } of files) {
    if ((await disk.findStatus(join(opened, set, path)))?.bytes !== bytes) return false;
  }
  return true;
}
