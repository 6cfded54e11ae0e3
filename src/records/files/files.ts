/**
 * The files that records refer to: bytes under their hash, and file sets, which are opened as folders. A file is
 * durable before a change refers to it, and a change never modifies, moves or deletes a file. Files without a reference
 * in records and history are collected later (`collect-files.ts`).
 */
import { join } from 'node:path';
import { allSettled } from '../../lib/async/all-settled.ts';
import { createBatcher } from '../../lib/async/batcher.ts';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { type Disk, realDisk } from '../../storage/blobs/disk.ts';
import { type Blobs, type Hash, hashBytes } from '../../storage/blobs/port.ts';
import { openStaging, type StagingFolder } from '../../storage/files/staging.ts';
import { createFileCache, type FileCache } from './file-cache.ts';
import { type FileSetId, formatFileSet, parseFileSet, type SetFile } from './file-sets.ts';
import { followIncoming } from './follow-incoming.ts';
import { NewChecksums } from './new-checksums.ts';
import { createPins, type PinWatch } from './pins.ts';
import { closeSetsContaining, type PurgeContext, purgeFiles, removeUnused } from './purge-files.ts';
import { type IsReferenced, openPurges, type Purges } from './purges.ts';
import {
  createBatchedFileOperationRunner,
  createFileOperationRunner,
  type FileOperationOptions,
  type RunFileOperation,
} from './run-file-operation.ts';
import { openSetFolders, type SetFolders } from './set-folders.ts';
import { openShelves, type SharedFiles, type Shelves } from './shelves.ts';

export type { HashedFile } from '../../storage/blobs/port.ts';
export type { StagingFolder } from '../../storage/files/staging.ts';

export interface Files extends Purges {
  createStaging(purpose: string): Promise<StagingFolder>;
  /**
   * Runs before anything else: completes interrupted work of the previous run, empties staging and returns the number
   * of removed entries.
   */
  recover(): Promise<number>;
  /** Resolves when all background writes are complete. */
  waitUntilIdle(): Promise<void>;
  /** Postpones the deletion of stored files on all nodes until the returned function is called. */
  holdDeletions(): Promise<() => Promise<void>>;
  readonly runFileOperation: RunFileOperation;
  /** Deletes files that nothing refers to any more, and that the collector would delete later. */
  removeUnused(files: readonly Hash[]): Promise<void>;
  /** For several operations in one change. */
  createBatch(): FileBatch;
  read(hash: Hash): Promise<Buffer>;
  /** Like `read`, from memory if the bytes are small and were recently stored or read. For reading many small files. */
  readCached(hash: Hash): Promise<Buffer>;
  /** Returns the complete read-only folder of a set and creates it if it is missing. */
  openSet(set: FileSetId): Promise<string>;
  /** Copies the files of a set into a folder, where they are writable. */
  copySet(set: FileSetId, folder: string): Promise<void>;
  /**
   * Copies a set durably into a new folder; false if the folder exists. Everything is on disk before the folder gets
   * its name.
   */
  exportSet(set: FileSetId, folder: string): Promise<boolean>;
  /**
   * Must be called on each use of a set that was opened before. While the returned number is unchanged, its files are
   * at the same path.
   */
  noteUse(set: FileSetId): number;
  /** Runs at startup: removes incomplete and stale copies of shared files, and evicts down to the limit. */
  checkCopies(): Promise<void>;
  /** Removes copies of deleted shared files: the given ones or all. */
  deleteStaleCopies(files?: readonly Hash[]): Promise<void>;
  /** Returns the size and the size limit of the copies of shared files. */
  getCopyUsage(): { readonly bytes: number; readonly limitBytes: number };
  /** Returns the CRC-32 of files that were stored since the last call, by hash. */
  takeNewChecksums(): ReadonlyMap<Hash, number>;
  /** For the collector, and for sets that contain files of another set. */
  readonly stored: StoredFiles;
}

/** Keeps small bytes in memory, where they are readable, until all are stored together. */
export interface FileBatch extends Pick<Files, 'runFileOperation' | 'read' | 'readCached'> {
  /** Must be called before the change that refers to them. */
  put(): Promise<void>;
}

/** All stored files, with or without a reference. */
export interface StoredFiles {
  readonly blobs: Blobs;
  /** The lists of the sets. */
  readonly sets: Blobs;
  readSetFiles(set: FileSetId): Promise<readonly SetFile[]>;
  /** Watches the files of running operations on this node and on others. */
  watchPins(): Promise<PinWatch>;
  /** Returns the entries of the folder of opened sets. */
  listOpenedSets(): Promise<readonly string[]>;
  /** Removes the folder of an opened set. Open files remain readable. */
  closeSet(set: string): Promise<void>;
}

export interface FilesOptions {
  /** The data directory. */
  readonly root: string;
  readonly disk?: Disk;
  /**
   * Returns whether a record, or a change that can be undone, refers to a file. Without it, files of a failed operation
   * are left to the collector.
   */
  readonly isNamed?: IsReferenced;
  /** Returns whether something that is no record has a file, such as a tile export. A purge keeps it. */
  readonly isHeld?: IsReferenced;
  /** The storage that several nodes share. Without it, everything is in the data directory. */
  readonly shared?: SharedFiles;
}

export function openFiles({ root, disk = realDisk, isNamed, isHeld, shared }: FilesOptions): Files {
  const staging = openStaging({ root, disk });
  const shelves = openShelves({ root, disk, shared }, staging.ensureFolder, () => cache?.noteGrowth());
  const { blobs, sets } = shelves;
  const small = new SmallBlobs(blobs);
  const checksums = new NewChecksums();
  const pins = createPins(shared?.pins);
  const readSetFiles = async (set: FileSetId) => parseFileSet((await sets.read(set)).toString());
  const getSetState = (set: FileSetId) => sets.getState(set);
  const folders = openSetFolders({ folder: join(root, 'files'), staging, blobs, readSetFiles, getSetState, disk });
  const stored: StoredFiles = {
    blobs,
    sets,
    readSetFiles,
    watchPins: () => pins.watch(),
    listOpenedSets: () => folders.listNames(),
    closeSet: (set) => folders.close(set),
  };
  const cache =
    shared &&
    createFileCache({
      ...shared.cache,
      disk,
      copies: join(root, 'blobs'),
      opened: join(root, 'files'),
      readSetFiles,
      closeSet: stored.closeSet,
    });
  const places: PurgeContext = {
    ...stored,
    pins,
    async forgetCopies(files) {
      small.forget(files);
      await shared?.gone?.announce(files);
    },
  };
  const removeUnusedFiles = createBatcher<Hash>(async (files) => {
    if (isNamed !== undefined) await removeUnused(places, files, isNamed);
  });
  return {
    stored,
    removeUnused: removeUnusedFiles,
    createStaging: async (purpose) => followIncoming(await staging.createStaging(purpose), blobs),
    async recover() {
      const swept = await staging.sweep();
      for (const each of shelves.directories) await each.recover();
      return swept;
    },
    async waitUntilIdle() {
      await allSettled([cache?.waitUntilIdle(), ...shelves.directories.map((each) => each.settleBundles())]);
    },
    holdDeletions: () => pins.pinEverything(),
    read: (hash) => blobs.read(hash),
    readCached: (hash) => small.read(hash),
    ...createOperations(small, {
      ...{ blobs, sets, folders, disk, pins, checksums, maxSetBytes: shared?.maxSetBytes },
      remember: (hash, bytes) => small.remember(hash, bytes),
      removeUnused: removeUnusedFiles,
    }),
    takeNewChecksums: () => checksums.take(),
    ...createSetAccess(folders, cache),
    ...createCopyMaintenance({ cached: shelves.cached, small, stored, cache }),
    ...openPurges({
      folder: join(root, 'purges'),
      disk,
      purge: (target, isInUse) =>
        purgeFiles(places, target, async (file) => (await isInUse(file)) || (await isHeld?.(file)) === true),
    }),
  };
}

function createOperations(
  small: SmallBlobs,
  options: FileOperationOptions,
): Pick<Files, 'runFileOperation' | 'createBatch'> {
  return {
    runFileOperation: createFileOperationRunner(options),
    createBatch() {
      const { runFileOperation, waiting } = createBatchedFileOperationRunner(options);
      return {
        runFileOperation,
        put: waiting.put,
        read: async (hash) => waiting.find(hash) ?? options.blobs.read(hash),
        readCached: async (hash) => waiting.find(hash) ?? small.read(hash),
      };
    },
  };
}

function createSetAccess(
  folders: SetFolders,
  cache: FileCache | undefined,
): Pick<Files, 'noteUse' | 'openSet' | 'copySet' | 'exportSet'> {
  return {
    noteUse: (set) => cache?.noteUse(set) ?? 0,
    async openSet(set) {
      cache?.noteUse(set);
      await cache?.waitForClosing(set);
      return folders.open(set);
    },
    copySet: (set, folder) => folders.copy(set, folder),
    exportSet: (set, folder) => folders.exportSet(set, folder),
  };
}

function createCopyMaintenance(parts: {
  readonly cached: Shelves['cached'];
  readonly small: SmallBlobs;
  readonly stored: StoredFiles;
  readonly cache: FileCache | undefined;
}): Pick<Files, 'checkCopies' | 'deleteStaleCopies' | 'getCopyUsage'> {
  const { cached, small, stored, cache } = parts;
  async function deleteStaleCopies(files?: readonly Hash[]): Promise<void> {
    if (cache === undefined) return;
    const gone = new Set<Hash>();
    for (const each of cached) for (const hash of await each.deleteStale(files)) gone.add(hash);
    small.forget(gone);
    await closeSetsContaining(stored, gone);
  }
  return {
    deleteStaleCopies,
    async checkCopies() {
      await deleteStaleCopies();
      await cache?.check();
    },
    getCopyUsage: () => cache?.getUsage() ?? { bytes: 0, limitBytes: 0 },
  };
}

/** Returns files for a dry run: everything is computed, including hashes, but nothing is stored. */
export function createDryRunFiles(files: Files): Files {
  return {
    ...files,
    async createStaging(purpose) {
      const { path, discard } = await files.createStaging(purpose);
      return { path, discard };
    },
    runFileOperation: (operation) =>
      files.runFileOperation((keeper) =>
        operation({
          flush: keeper.flush,
          storeBytes: async (bytes) => hashBytes(bytes),
          storeFile: async () => undefined,
          storeSet: async (staged, others = []) =>
            hashBytes(Buffer.from(formatFileSet([...(await keeper.flush(staged)), ...others]))),
        }),
      ),
    removeUnused: async () => undefined,
    changeAndPurge: async (_isNamed, _wanted, change) => void (await change()),
  };
}

/** The total size of cached small bytes, and the size limit of each. */
const CACHED_BYTES = 8_388_608;
const MAX_CACHED_BLOB_BYTES = 16_384;

/** Keeps small bytes that were recently stored or read in memory. */
class SmallBlobs {
  readonly #blobs: Blobs;
  readonly #cached = createLruCache<Uint8Array>(CACHED_BYTES);

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async read(hash: Hash): Promise<Buffer> {
    const known = this.#cached.get(hash);
    if (known !== undefined) return Buffer.from(known);
    const bytes = await this.#blobs.read(hash);
    this.remember(hash, Buffer.from(bytes));
    return bytes;
  }

  remember(hash: Hash, bytes: Uint8Array): void {
    if (bytes.length <= MAX_CACHED_BLOB_BYTES) this.#cached.set(hash, bytes, bytes.length);
  }

  forget(hashes: Iterable<Hash>): void {
    for (const hash of hashes) this.#cached.delete(hash);
  }
}
