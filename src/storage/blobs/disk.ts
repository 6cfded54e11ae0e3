/** The few operations on the file system that keeping files is made of; a test hands in one that fails in between. */
import { constants, createReadStream } from 'node:fs';
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  statfs,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createHasher } from './hash-thread.ts';

/** What stands at a path; a symbolic link is never followed and counts as `other`, as do sockets and the like. */
export type Entry = 'file' | 'folder' | 'other';

export interface FileStatus {
  readonly entry: Entry;
  readonly modifiedAtMs: number;
  readonly bytes: number;
}

/** What a file system has room for. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface Disk {
  /** Of the file system that a folder is on, as this process may use it. */
  measureSpace(folder: string): Promise<DiskSpace>;
  findEntry(path: string): Promise<Entry | undefined>;
  findStatus(path: string): Promise<FileStatus | undefined>;
  /** The path without symbolic links; undefined when nothing is there. */
  resolvePath(path: string): Promise<string | undefined>;
  /** Of a folder that is not there, none. */
  listNames(folder: string): Promise<readonly string[]>;
  readText(file: string): Promise<string>;
  /** Undefined when nothing is there. */
  readBytes(file: string): Promise<Buffer | undefined>;
  /** SHA-256 of a file, in hexadecimal digits, piece by piece. */
  hashFile(file: string): Promise<string>;
  /** Makes one folder, for the owner only, unless it is there already. */
  makePrivateFolder(path: string): Promise<void>;
  /** Makes a folder with a fresh name that begins with `prefix`, for the owner only. */
  makeFreshFolder(prefix: string): Promise<string>;
  /** Writes a new file and waits until its content is on the disk. */
  writeDurably(file: string, content: string | Uint8Array): Promise<void>;
  /** The same without waiting: after a power cut there may be anything in it. */
  writeUnsynced(file: string, content: Uint8Array): Promise<void>;
  /** Renames, over an existing file if there is one. */
  move(from: string, to: string): Promise<void>;
  /** Renames a folder to a name that nothing has; false when something has it. */
  moveFolder(from: string, to: string): Promise<boolean>;
  /** Gives a file a second name: `taken` when something has it, `impossible` where the file system does not allow it. */
  linkFile(existing: string, second: string): Promise<'linked' | 'taken' | 'impossible'>;
  /** A copy that the owner may write, sharing what the file system can share. */
  copyFile(from: string, to: string): Promise<void>;
  /** Nobody may write into the file any more. */
  makeReadOnly(file: string): Promise<void>;
  /** Sets the time of its last change. */
  touch(file: string): Promise<void>;
  /** Waits until the content of a file is on the disk. */
  syncFile(path: string): Promise<void>;
  /** Waits until the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  /** Removes one file; false when it is not there. */
  removeFile(file: string): Promise<boolean>;
  /** Removes a folder; one that is not empty, or not there, is left as it is. */
  removeEmptyFolder(path: string): Promise<void>;
  /** Removes whatever is at a path, symbolic links as themselves; nothing there is fine. */
  removeTree(path: string): Promise<void>;
}

export const realDisk: Disk = {
  async measureSpace(folder) {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  },
  findEntry: (path) => ignoreMissing(readEntry(path)),
  findStatus: (path) => ignoreMissing(readStatus(path)),
  resolvePath: (path) => ignoreMissing(realpath(path)),
  listNames: async (folder) => (await ignoreMissing(readdir(folder))) ?? [],
  readText: (file) => readFile(file, 'utf8'),
  readBytes: (file) => ignoreMissing(readFile(file)),
  hashFile,
  makePrivateFolder: (path) => ignoreCodes(['EEXIST'], mkdir(path, { mode: 0o700 })),
  makeFreshFolder: (prefix) => mkdtemp(prefix),
  writeDurably,
  writeUnsynced: (file, content) => writeFile(file, content, { flag: 'wx', mode: 0o600 }),
  move: rename,
  moveFolder,
  linkFile,
  async copyFile(from, to) {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await chmod(to, 0o600);
  },
  makeReadOnly: (file) => chmod(file, 0o400),
  async touch(file) {
    const now = new Date();
    await utimes(file, now, now);
  },
  syncFile: sync,
  syncFolder: sync,
  removeFile: async (file) => (await ignoreMissing(unlink(file).then(() => true))) ?? false,
  removeEmptyFolder: (path) => ignoreCodes(['ENOENT', 'ENOTEMPTY', 'EEXIST'], rmdir(path)),
  removeTree: (path) => rm(path, { recursive: true, force: true }),
};

async function readEntry(path: string): Promise<Entry> {
  return (await readStatus(path)).entry;
}

async function readStatus(path: string): Promise<FileStatus> {
  const status = await lstat(path);
  const entry = status.isDirectory() ? 'folder' : status.isFile() ? 'file' : 'other';
  return { entry, modifiedAtMs: status.mtimeMs, bytes: status.size };
}

/** Large enough that little time is lost between the pieces, small enough that nothing else waits for one of them. */
const HASHED_PIECE_BYTES = 262_144;

async function hashFile(file: string): Promise<string> {
  const hasher = createHasher((await lstat(file)).size);
  try {
    for await (const piece of createReadStream(file, { highWaterMark: HASHED_PIECE_BYTES })) {
      await hasher.update(piece as Buffer);
    }
  } catch (error) {
    hasher.discard();
    throw error;
  }
  return hasher.digest();
}

async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function moveFolder(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'])) return false;
    throw error;
  }
}

async function linkFile(existing: string, second: string): Promise<'linked' | 'taken' | 'impossible'> {
  try {
    await link(existing, second);
    return 'linked';
  } catch (error) {
    if (hasCode(error, ['EEXIST'])) return 'taken';
    // Linux answers EPERM both for file systems without links and for files of others (fs.protected_hardlinks).
    if (hasCode(error, ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])) return 'impossible';
    throw error;
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function ignoreMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, ['ENOENT', 'ENOTDIR'])) return undefined;
    throw error;
  }
}

async function ignoreCodes(codes: readonly string[], result: Promise<void>): Promise<void> {
  try {
    await result;
  } catch (error) {
    if (!hasCode(error, codes)) throw error;
  }
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
