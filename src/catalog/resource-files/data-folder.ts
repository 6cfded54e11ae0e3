/** Writes below `data`, all or nothing: a file is complete and durable before it gets its name. */
import { basename, dirname, join } from 'node:path';
import type { FolderGate, FolderPath } from '../../gates/folder-gate.ts';
import type { KeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import { type BufferedData, createBufferedData, type DataFiles } from './buffered-data.ts';
import type { DataWrites, PreparedWrites } from './data-writes.ts';

export interface DataFolder extends DataFiles {
  /** Whether this is the only node: on several nodes with a folder each, new files are rejected. */
  readonly isOnOneNode: boolean;
  /** Returns a folder that checks all operations and writes nothing. */
  toDryRun(): DataFolder;
  /** Returns a folder that buffers the writes of a draft in a staging folder. */
  createBufferedFolder(staging: () => Promise<string>): BufferedFolder;
}

export interface BufferedFolder extends DataFolder {
  /** Prepares the writes so that they cannot fail after the commit; undefined if there are none. */
  prepare(): Promise<PreparedData | undefined>;
}

export interface PreparedData extends PreparedWrites {
  /**
   * Returns whether another request has changed an entry that the draft has read. If not, other writers wait until the
   * draft is committed or discarded.
   */
  hasConflict(): Promise<boolean>;
}

interface DataFolderParts extends Pick<DataFolder, 'isOnOneNode'> {
  readonly gate: FolderGate;
  readonly disk: Disk;
  readonly oneAtATime: KeyedMutex;
  readonly writes: DataWrites;
}

export function openDataFolder(parts: DataFolderParts): DataFolder {
  return createDataFolder({ ...parts, isReal: true, underWay: {} });
}

/**
 * Serializes writes, so that each sees the results of the previous ones; they are short, since the bytes are staged.
 */
const TURN = 'data';

/** The writes of a draft that are committed or about to be: other writers wait for them. */
interface PendingWrites {
  writes?: PromiseWithResolvers<void> | undefined;
}

/** What a folder and its dry run share. */
interface FolderContext extends DataFolderParts {
  /** False for a dry run. */
  readonly isReal: boolean;
  readonly underWay: PendingWrites;
}

function createDataFolder(context: FolderContext): DataFolder {
  const { gate, isOnOneNode, underWay } = context;
  const folder: DataFolder = {
    find: (path) => waitForPendingWrites(underWay).then(() => gate.find(path)),
    list: (path) => waitForPendingWrites(underWay).then(() => gate.list(path)),
    open: (path) => waitForPendingWrites(underWay).then(() => gate.open(path)),
    ...createFolderWrites(context),
    isOnOneNode,
    toDryRun: () => createDataFolder({ ...context, isReal: false }),
    createBufferedFolder: (staging) => createBufferedFolder(context, folder, staging),
  };
  return folder;
}

/** Waits until committed writes are visible. */
async function waitForPendingWrites(underWay: PendingWrites): Promise<void> {
  while (underWay.writes !== undefined) await underWay.writes.promise;
}

type FolderWrites = Pick<DataFolder, 'put' | 'move' | 'removeFile' | 'removeFolder'>;

function createFolderWrites(context: FolderContext): FolderWrites {
  const { gate, disk, isReal } = context;
  const runExclusively = <T>(work: () => Promise<T>): Promise<T> =>
    context.oneAtATime(TURN, async () => {
      await waitForPendingWrites(context.underWay);
      return work();
    });
  return {
    put: (path, staged, check) =>
      runExclusively(async () => {
        check(await gate.find(path));
        await disk.syncFile(staged);
        await putFile(context, path, (file) => moveFileInto(disk, staged, file));
      }),

    move: (from, to, check) =>
      runExclusively(async () => {
        check(await gate.find(to));
        const source = await gate.resolveFile(from);
        await putFile(context, to, (file) => disk.move(source, file));
        if (isReal) {
          await disk.syncFolder(dirname(source));
        }
      }),

    removeFile: (path, check) =>
      runExclusively(async () => {
        check(await gate.find(path));
        const file = await gate.resolveFile(path);
        if (isReal) {
          await disk.removeFile(file);
          await disk.syncFolder(dirname(file));
        }
      }),

    removeFolder: (path) =>
      runExclusively(async () => {
        if ((await gate.listNames(path)).length > 0) {
          return false;
        }
        const folder = await gate.resolveFile(path);
        if (isReal) {
          await disk.removeEmptyFolder(folder);
        }
        return true;
      }),
  };
}

/** Writes a file durably, with its missing folders; removes these folders again if that fails. */
async function putFile(
  { gate, disk, isReal }: FolderContext,
  path: FolderPath,
  put: (file: string) => Promise<void>,
): Promise<void> {
  if (!isReal) {
    await gate.checkFilePath(path);
    return;
  }
  const { file, madeFolders } = await gate.prepareFile(path);
  try {
    await put(file);
  } catch (error) {
    for (const folder of madeFolders) {
      await disk.removeEmptyFolder(folder);
    }
    throw error;
  }
  for (const folder of new Set([dirname(file), ...madeFolders.map((each) => dirname(each))])) {
    await disk.syncFolder(folder);
  }
}

function createBufferedFolder(
  context: FolderContext,
  folder: DataFolder,
  staging: () => Promise<string>,
): BufferedFolder {
  const { gate, disk, writes } = context;
  const drafted = createBufferedData({ gate, disk, staging });
  return {
    ...folder,
    find: (path) => drafted.find(path),
    list: (path) => drafted.list(path),
    open: (path) => drafted.open(path),
    put: (path, staged, check) => drafted.put(path, staged, check),
    move: (from, to, check) => drafted.move(from, to, check),
    removeFile: (path, check) => drafted.removeFile(path, check),
    removeFolder: (path) => drafted.removeFolder(path),
    async prepare() {
      const changes = await drafted.collectChanges();
      return changes && createPreparedData(context, drafted, await writes.prepare(changes));
    },
  };
}

function createPreparedData(
  { oneAtATime, underWay }: FolderContext,
  drafted: BufferedData,
  writes: PreparedWrites,
): PreparedData {
  let own: PendingWrites['writes'];
  function endPendingWrites(): void {
    if (underWay.writes === own) underWay.writes = undefined;
    own?.resolve();
  }
  return {
    note: writes.note,
    async hasConflict() {
      // Do not wait for another draft that is about to write: it may wait for this one in the same commit.
      if (underWay.writes !== undefined) return true;
      return oneAtATime(TURN, async () => {
        if (await drafted.hasConflict()) return true;
        own = Promise.withResolvers();
        underWay.writes = own;
        return false;
      });
    },
    apply: () => writes.apply().finally(endPendingWrites),
    async discard() {
      await writes.discard().finally(endPendingWrites);
      // The conflict has ended when the draft is retried.
      await underWay.writes?.promise;
    },
  };
}

/** If `data` is on another file system, a rename is not possible, so the file is copied. */
async function moveFileInto(disk: Disk, staged: string, file: string): Promise<void> {
  try {
    await disk.move(staged, file);
  } catch (error) {
    if (findErrorCode(error) !== 'EXDEV') {
      throw error;
    }
    const beside = join(dirname(file), `.${basename(dirname(staged))}.part`);
    try {
      await disk.copyFile(staged, beside);
      await disk.syncFile(beside);
      await disk.move(beside, file);
    } finally {
      await disk.removeFile(beside);
    }
  }
}
