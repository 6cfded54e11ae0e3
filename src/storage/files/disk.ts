/** The few operations on the file system that publishing is made of; a test hands in one that dies in between. */
import { constants } from 'node:fs';
import { link, lstat, mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What stands at a path; a symbolic link is never followed and counts as `other`, as do sockets and the like. */
export type Entry = 'file' | 'folder' | 'other';

export interface Disk {
  entryAt(path: string): Promise<Entry | undefined>;
  /** The path without symbolic links; undefined when nothing is there. */
  realPath(path: string): Promise<string | undefined>;
  namesIn(folder: string): Promise<readonly string[]>;
  readText(file: string): Promise<string>;
  /** Makes one folder, for the owner only, unless it is there already. */
  makePrivateFolder(path: string): Promise<void>;
  /** Makes a folder with a fresh name that begins with `prefix`, for the owner only. */
  makeFreshFolder(prefix: string): Promise<string>;
  /** Makes one folder that must not be there yet. */
  makeFolder(path: string): Promise<void>;
  /** Makes a folder and what is missing above it; gives the outermost one made. */
  makeFolders(path: string): Promise<string | undefined>;
  /** Writes a new file and waits until its content is on the disk. */
  writeDurably(file: string, text: string): Promise<void>;
  /** Renames, over an existing file if there is one. */
  move(from: string, to: string): Promise<void>;
  /** Gives a file a second name; false where the file system (or its owner) does not allow it. */
  linkFile(existing: string, second: string): Promise<boolean>;
  /** Waits until the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  /** Waits until everything at and below a path is on the disk. */
  syncTree(path: string): Promise<void>;
  /** Removes a folder; one that is not empty, or not there, is left as it is. */
  removeEmptyFolder(path: string): Promise<void>;
  /** Removes whatever is at a path, symbolic links as themselves; nothing there is fine. */
  removeTree(path: string): Promise<void>;
}

export const realDisk: Disk = {
  entryAt: (path) => unlessMissing(entryAt(path)),
  realPath: (path) => unlessMissing(realpath(path)),
  namesIn: (folder) => readdir(folder),
  readText: (file) => readFile(file, 'utf8'),
  makePrivateFolder: (path) => unless(['EEXIST'], mkdir(path, { mode: 0o700 })),
  makeFreshFolder: (prefix) => mkdtemp(prefix),
  makeFolder: (path) => mkdir(path),
  makeFolders: (path) => mkdir(path, { recursive: true }),
  writeDurably,
  move: rename,
  linkFile,
  syncFolder: sync,
  syncTree,
  removeEmptyFolder: (path) => unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], rmdir(path)),
  removeTree: (path) => rm(path, { recursive: true, force: true }),
};

async function entryAt(path: string): Promise<Entry> {
  const status = await lstat(path);
  if (status.isDirectory()) return 'folder';
  return status.isFile() ? 'file' : 'other';
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function linkFile(existing: string, second: string): Promise<boolean> {
  try {
    await link(existing, second);
    return true;
  } catch (error) {
    // Linux answers EPERM both for file systems without links and for files of others (fs.protected_hardlinks).
    if (hasCode(error, ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])) return false;
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

async function syncTree(path: string): Promise<void> {
  const entry = await entryAt(path);
  if (entry === 'folder') {
    for (const name of await readdir(path)) await syncTree(join(path, name));
  }
  // A link has no content of its own, and opening a pipe would wait for a writer.
  if (entry !== 'other') await sync(path);
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, ['ENOENT', 'ENOTDIR'])) return undefined;
    throw error;
  }
}

async function unless(codes: readonly string[], result: Promise<void>): Promise<void> {
  try {
    await result;
  } catch (error) {
    if (!hasCode(error, codes)) throw error;
  }
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
