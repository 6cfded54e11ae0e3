/** The file system operations of the file storage. Tests pass one that fails at a chosen operation. */
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
import type { HashedContent } from './port.ts';

/** The type of an entry. Symbolic links are not followed and count as `other`, like sockets. */
export type Entry = 'file' | 'folder' | 'other';

export interface FileStatus {
  readonly entry: Entry;
  readonly modifiedAtMs: number;
  readonly bytes: number;
}

/** The space of a file system. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface Disk {
  /** Measures the file system of a folder, as far as this process may use it. */
  measureSpace(folder: string): Promise<DiskSpace>;
  findEntry(path: string): Promise<Entry | undefined>;
  findStatus(path: string): Promise<FileStatus | undefined>;
  /** Returns the path without symbolic links; undefined if it does not exist. */
  resolvePath(path: string): Promise<string | undefined>;
  /** Returns no names for a missing folder. */
  listNames(folder: string): Promise<readonly string[]>;
  readText(file: string): Promise<string>;
  /** Returns undefined for a missing file. */
  readBytes(file: string): Promise<Buffer | undefined>;
  /** Computes the hash of a file without loading the file into memory. */
  hashFile(file: string): Promise<HashedContent>;
  /** Creates one folder for the owner only, unless it exists. */
  makePrivateFolder(path: string): Promise<void>;
  /** Creates a folder for the owner only, with a new name that starts with `prefix`. */
  makeFreshFolder(prefix: string): Promise<string>;
  /** Writes a new file and waits until its content is on disk. */
  writeDurably(file: string, content: string | Uint8Array): Promise<void>;
  /** Writes without waiting: after a power failure the content is undefined. */
  writeUnsynced(file: string, content: Uint8Array): Promise<void>;
  /** Renames a file and replaces an existing one. */
  move(from: string, to: string): Promise<void>;
  /** Renames a folder; false if the new name exists. */
  moveFolder(from: string, to: string): Promise<boolean>;
  /** Creates a hard link: `taken` if the name exists, `impossible` if the file system does not support it. */
  linkFile(existing: string, second: string): Promise<'linked' | 'taken' | 'impossible'>;
  /** Creates a copy that the owner can write, sharing blocks if the file system supports it. */
  copyFile(from: string, to: string): Promise<void>;
  /** Makes the file read-only for everyone. */
  makeReadOnly(file: string): Promise<void>;
  /** Sets the modification time to now. */
  touch(file: string): Promise<void>;
  /** Waits until the content of a file is on disk. */
  syncFile(path: string): Promise<void>;
  /** Waits until the names in a folder are on disk. */
  syncFolder(path: string): Promise<void>;
  /** Removes one file; false if it does not exist. */
  removeFile(file: string): Promise<boolean>;
  /** Removes an empty folder. A folder that is missing or not empty is ignored. */
  removeEmptyFolder(path: string): Promise<void>;
  /** Removes a path recursively without following symbolic links. A missing path is ignored. */
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

/** Large enough for little overhead between pieces, and small enough not to delay other work. */
const HASHED_PIECE_BYTES = 262_144;

async function hashFile(file: string): Promise<HashedContent> {
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
    // Linux returns EPERM for file systems without links and for files of other users (fs.protected_hardlinks).
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
