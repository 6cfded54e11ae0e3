/**
 * The files that records name: bytes under their hash, and sets of files, which are opened as folders.
 *
 * Everything is durable before a change names it, and nothing is changed, moved or removed with a change. What no record
 * and no history names any more is collected later (`collect-files.ts`).
 */
import { join } from 'node:path';
import { allSettled } from '../../lib/async/all-settled.ts';
import { createBatcher } from '../../lib/async/batcher.ts';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { type CachedBlobs, openCachedBlobs, type SharedBytes } from '../../storage/blobs/cached.ts';
import { type BlobDirectory, openBlobDirectory } from '../../storage/blobs/directory.ts';
import { type Disk, realDisk } from '../../storage/blobs/disk.ts';
import { type Blobs, type Hash, hashBytes } from '../../storage/blobs/port.ts';
import { openStaging, type StagingFolder } from '../../storage/files/staging.ts';
import type { SharedPins } from '../../storage/nodes/file-pins.ts';
import type { PurgedFileFeed } from '../../storage/purged-file-feed.ts';
import { createFileCache, type FileCacheOptions } from './file-cache.ts';
import { type FileSetId, formatFileSet, parseFileSet, type SetFile } from './file-sets.ts';
import { createPins, type PinWatch } from './pins.ts';
import { closeSetsContaining, purgeFiles, removeUnused } from './purge-files.ts';
import { type IsReferenced, openPurges, type Purges } from './purges.ts';
import {
  createBatchedFileOperationRunner,
  createFileOperationRunner,
  type RunFileOperation,
} from './run-file-operation.ts';
import { openSetFolders } from './set-folders.ts';

export type { HashedFile } from '../../storage/blobs/port.ts';
export type { StagingFolder } from '../../storage/files/staging.ts';

export interface Files extends Purges {
  createStaging(purpose: string): Promise<StagingFolder>;
  /** Before anything else: ends what a run before has begun, removes what it has left in staging, and counts that. */
  recover(): Promise<number>;
  /** When nothing is left to be written behind what was kept. */
  waitUntilIdle(): Promise<void>;
  readonly runFileOperation: RunFileOperation;
  /** For many operations that become one change. */
  createBatch(): FileBatch;
  read(hash: Hash): Promise<Buffer>;
  /** The same, from memory where it was small and somebody kept or read it lately: for those who read very many. */
  readCached(hash: Hash): Promise<Buffer>;
  /** The folder of a set, whole, with files that nobody may write into; it is made where it is missing. */
  openSet(set: FileSetId): Promise<string>;
  /** Copies the files of a set into a folder, where they may be written. */
  copySet(set: FileSetId, folder: string): Promise<void>;
  /** The same for good, into a folder that is not there yet: false if it is. All is on the disk before it has its name. */
  exportSet(set: FileSetId, folder: string): Promise<boolean>;
  /** To be told whenever something reads the files of a set that it has opened before. While the number that comes back is the same, they are where they were. */
  noteUse(set: FileSetId): number;
  /** At the start: copies of shared files that are too many, not whole, or of files that are gone, are removed. */
  checkCopies(): Promise<void>;
  /** Drops copies of shared files that are gone: of these, or of all there are. */
  deleteStaleCopies(files?: readonly Hash[]): Promise<void>;
  /** What copies of shared files take of the disk, and may take. */
  getCopyUsage(): { readonly bytes: number; readonly limitBytes: number };
  /** For whoever collects, or makes a set that has files of another. */
  readonly stored: StoredFiles;
}

/** Small bytes that are kept wait in memory, and are read there, until all of them are put together. */
export interface FileBatch extends Pick<Files, 'runFileOperation' | 'read' | 'readCached'> {
  /** Before the change is made that names them. */
  put(): Promise<void>;
}

/** All that is kept, whether anybody names it or not. */
export interface StoredFiles {
  readonly blobs: Blobs;
  /** The lists of the sets. */
  readonly sets: Blobs;
  readSetFiles(set: FileSetId): Promise<readonly SetFile[]>;
  /** Watches which files operations have that have not ended, here and on other nodes. */
  watchPins(): Promise<PinWatch>;
  /** The names in the folder of opened sets. */
  listOpenedSets(): Promise<readonly string[]>;
  /** Takes the folder of an opened set away; whoever reads its files goes on. */
  closeSet(set: string): Promise<void>;
}

/** Small bytes that are remembered, together, and what is small. */
const CACHED_BYTES = 8_388_608;
const MAX_CACHED_BLOB_BYTES = 16_384;

export interface FilesOptions {
  /** The data directory. */
  readonly root: string;
  readonly disk?: Disk;
  /**
   * Whether a record, or a change that can be undone, names a file. Without it, what a failed operation has kept is left to
   * the collector.
   */
  readonly isNamed?: IsReferenced;
  /** Where several nodes keep what they share; without, all of it is in the data directory. */
  readonly shared?: SharedFiles;
}

export interface SharedFiles {
  /** The bytes of a name. */
  readonly openSharedBytes: (shelf: string) => SharedBytes;
  readonly pins?: SharedPins;
  readonly gone?: Pick<PurgedFileFeed, 'announce'>;
  /** What a set may be long, in bytes, and what whoever has a longer one may do. */
  readonly maxSetBytes: number;
  readonly cache: Pick<FileCacheOptions, 'limitBytes' | 'graceMs' | 'clock' | 'onFailure'>;
}

export function openFiles({ root, disk = realDisk, isNamed, shared }: FilesOptions): Files {
  const staging = openStaging({ root, disk });
  const directories: BlobDirectory[] = [];
  const cached: CachedBlobs[] = [];
  function openBlobs(name: string): Blobs {
    const local = openBlobDirectory({ folder: join(root, name), staging: staging.ensureFolder, disk });
    directories.push(local);
    if (shared === undefined) return local;
    const grown = () => cache?.noteGrowth();
    const copied = openCachedBlobs({
      shared: shared.openSharedBytes(name),
      local,
      staging: staging.ensureFolder,
      disk,
      grown,
    });
    cached.push(copied);
    return copied;
  }
  const blobs = openBlobs('blobs');
  const sets = openBlobs('sets');
  const getSetState = (set: FileSetId) => sets.getState(set);
  const folders = openSetFolders({ folder: join(root, 'files'), staging, blobs, readSetFiles, getSetState, disk });
  const pins = createPins(shared?.pins);

  const remembered = createLruCache<Uint8Array>(CACHED_BYTES);

  function cacheBytes(hash: Hash, bytes: Uint8Array): void {
    if (bytes.length <= MAX_CACHED_BLOB_BYTES) remembered.set(hash, bytes, bytes.length);
  }

  async function readCached(hash: Hash): Promise<Buffer> {
    const known = remembered.get(hash);
    if (known !== undefined) return Buffer.from(known);
    const bytes = await blobs.read(hash);
    cacheBytes(hash, Buffer.from(bytes));
    return bytes;
  }

  async function readSetFiles(set: FileSetId): Promise<readonly SetFile[]> {
    return parseFileSet((await sets.read(set)).toString());
  }

  const kept: StoredFiles = {
    blobs,
    sets,
    readSetFiles,
    watchPins: () => pins.watch(),
    listOpenedSets: folders.listNames,
    closeSet: folders.close,
  };

  async function forgetCopies(files: readonly Hash[]): Promise<void> {
    for (const file of files) remembered.delete(file);
    await shared?.gone?.announce(files);
  }

  async function deleteStaleCopies(files?: readonly Hash[]): Promise<void> {
    if (shared === undefined) return;
    const gone = new Set<Hash>();
    for (const each of cached) for (const hash of await each.deleteStale(files)) gone.add(hash);
    for (const hash of gone) remembered.delete(hash);
    await closeSetsContaining(kept, gone);
  }

  const places = { ...kept, pins, forgetCopies };
  const keepOptions = {
    ...{ blobs, sets, folders, disk, remember: cacheBytes, pins, maxSetBytes: shared?.maxSetBytes },
    removeUnused: createBatcher<Hash>(async (files) => {
      if (isNamed !== undefined) await removeUnused(places, files, isNamed);
    }),
  };

  const cache =
    shared &&
    createFileCache({
      ...shared.cache,
      disk,
      copies: join(root, 'blobs'),
      opened: join(root, 'files'),
      readSetFiles,
      closeSet: kept.closeSet,
    });

  return {
    noteUse: (set) => cache?.noteUse(set) ?? 0,
    async checkCopies() {
      await deleteStaleCopies();
      await cache?.check();
    },
    deleteStaleCopies,
    getCopyUsage: () => cache?.getUsage() ?? { bytes: 0, limitBytes: 0 },
    createStaging: (purpose) => staging.createStaging(purpose),
    async recover() {
      const swept = await staging.sweep();
      for (const each of directories) await each.recover();
      return swept;
    },
    async waitUntilIdle() {
      await allSettled([cache?.waitUntilIdle(), ...directories.map((each) => each.settleBundles())]);
    },
    async openSet(set) {
      cache?.noteUse(set);
      await cache?.waitForClosing(set);
      return folders.open(set);
    },
    read: (hash) => blobs.read(hash),
    readCached,

    runFileOperation: createFileOperationRunner(keepOptions),
    createBatch() {
      const { runFileOperation: keeping, waiting } = createBatchedFileOperationRunner(keepOptions);
      return {
        runFileOperation: keeping,
        put: waiting.put,
        read: async (hash) => waiting.find(hash) ?? blobs.read(hash),
        readCached: async (hash) => waiting.find(hash) ?? readCached(hash),
      };
    },

    copySet: folders.copy,
    exportSet: folders.exportSet,

    ...openPurges({
      folder: join(root, 'purges'),
      disk,
      purge: (target, isInUse) => purgeFiles(places, target, isInUse),
    }),
    stored: kept,
  };
}

/** Does all that keeping files takes, and tells what they would be called, but keeps nothing: for dry runs. */
export function createDryRunFiles(files: Files): Files {
  return {
    ...files,
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
    changeAndPurge: async (_isNamed, _wanted, change) => void (await change()),
  };
}
