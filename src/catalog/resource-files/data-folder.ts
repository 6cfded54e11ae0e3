/** Writes below `data`, all or nothing: a file is on the disk, whole, before it gets its name. */
import { basename, dirname, join } from 'node:path';
import type { FolderEntry, FolderGate, FolderPath } from '../../gates/folder-gate.ts';
import { errorCode } from '../../lib/error-code.ts';
import type { OneAtATime } from '../../lib/one-at-a-time.ts';
import type { Disk } from '../../storage/files/disk.ts';

/** Looks at what is there right before the write, and throws if it may not go on. */
export type CheckBefore = (current: FolderEntry | undefined) => void;

export interface DataFolder extends Pick<FolderGate, 'find' | 'list' | 'open'> {
  /** Gives a file that is complete its place. */
  put(path: FolderPath, staged: string, check: CheckBefore): Promise<void>;
  move(from: FolderPath, to: FolderPath, check: CheckBefore): Promise<void>;
  removeFile(path: FolderPath, check: CheckBefore): Promise<void>;
  /** False for a folder that holds something. */
  removeFolder(path: FolderPath): Promise<boolean>;
  /** The same, which checks all and writes nothing. */
  withoutEffect(): DataFolder;
}

export function openDataFolder(parts: {
  readonly gate: FolderGate;
  readonly disk: Disk;
  readonly oneAtATime: OneAtATime;
}): DataFolder {
  return dataFolder({ ...parts, isReal: true });
}

/** Writes are short once the bytes are there: one after the other, each sees what those before it have left. */
const TURN = 'data';

function dataFolder(parts: {
  readonly gate: FolderGate;
  readonly disk: Disk;
  readonly oneAtATime: OneAtATime;
  readonly isReal: boolean;
}): DataFolder {
  const { gate, disk, oneAtATime, isReal } = parts;

  async function place(path: FolderPath, put: (file: string) => Promise<void>): Promise<void> {
    if (!isReal) {
      await gate.checkPlace(path);
      return;
    }
    const { file, madeFolders } = await gate.placeFor(path);
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

  return {
    find: gate.find,
    list: gate.list,
    open: gate.open,

    put: (path, staged, check) =>
      oneAtATime(TURN, async () => {
        check(await gate.find(path));
        await disk.syncFile(staged);
        await place(path, (file) => moveInto(disk, staged, file));
      }),

    move: (from, to, check) =>
      oneAtATime(TURN, async () => {
        check(await gate.find(to));
        const source = await gate.fileAt(from);
        await place(to, (file) => disk.move(source, file));
        if (isReal) {
          await disk.syncFolder(dirname(source));
        }
      }),

    removeFile: (path, check) =>
      oneAtATime(TURN, async () => {
        check(await gate.find(path));
        const file = await gate.fileAt(path);
        if (isReal) {
          await disk.removeFile(file);
          await disk.syncFolder(dirname(file));
        }
      }),

    removeFolder: (path) =>
      oneAtATime(TURN, async () => {
        if (!(await gate.isEmptyFolder(path))) {
          return false;
        }
        const folder = await gate.fileAt(path);
        if (isReal) {
          await disk.removeEmptyFolder(folder);
        }
        return true;
      }),

    withoutEffect: () => dataFolder({ ...parts, isReal: false }),
  };
}

/** Where `data` is on another disk than the rest, a name alone does not take a file there. */
async function moveInto(disk: Disk, staged: string, file: string): Promise<void> {
  try {
    await disk.move(staged, file);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') {
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
