/**
 * The target of a restore to a data directory. Everything is written into a folder inside it, and moved to its place at
 * the end, the database last: until then no server starts on the directory. A repeated restore removes what an
 * interrupted one left.
 */
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../lib/files/create-folder.ts';
import { lockDataDirectory } from '../../storage/data-directory-lock.ts';
import { DATABASE_FILE } from '../settings/data-directory.ts';

/** Not a hidden name: a server refuses to start on a directory that contains it and no database. */
const UNFINISHED = 'restore.unfinished';

/** Lists the names that are being moved to their place. */
const MOVED_LIST = 'restore.moving';

const LOCK_FILE = 'server.lock';

/** The lock of this process and its journal, and a folder of the file system. */
const ignored = /^server\.lock|^lost\+found$/;

export interface RestoredDirectory {
  /** The folder to write to. */
  readonly folder: string;
  /** Moves everything to its place, and returns the folder of the replaced contents. */
  finish(): Promise<string | undefined>;
  /** Removes everything that was written, and the directory if it did not exist. */
  abandon(): Promise<void>;
}

/** `stamp` names the folder of replaced contents. */
export async function openRestoredDirectory(
  directory: string,
  { replace, stamp }: { readonly replace: boolean; readonly stamp: string },
): Promise<RestoredDirectory> {
  const created = await createFolder(directory);
  // Do not create a lock file in a directory that belongs to something else.
  const names = new Set(await readdir(directory));
  const isKnown = [LOCK_FILE, UNFINISHED, MOVED_LIST].some((name) => names.has(name));
  if (!isKnown && !replace) requireEmpty([...names]);
  const lock = await lockDataDirectory(directory);
  const release = async () => {
    if (names.has(LOCK_FILE)) lock.release();
    else lock.remove();
    await removeEmptyFolders(created);
  };
  try {
    await removeLeftovers(directory);
    const present = listPresent(await readdir(directory));
    if (!replace) requireEmpty(present);
    const folder = join(directory, UNFINISHED);
    await mkdir(folder, { mode: 0o700 });
    return {
      folder,
      async finish() {
        const replaced = present.length === 0 ? undefined : join(directory, `replaced-${stamp}`);
        if (replaced !== undefined) await moveAside(directory, replaced, present);
        await moveIntoPlace(directory, folder);
        lock.release();
        return replaced;
      },
      async abandon() {
        await rm(folder, { recursive: true, force: true });
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Another process may have used a folder since this one created it. */
async function removeEmptyFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => undefined);
}

function listPresent(names: readonly string[]): readonly string[] {
  return names.filter((name) => !ignored.test(name));
}

function requireEmpty(names: readonly string[]): void {
  if (listPresent(names).length === 0) return;
  throw new Error('it is not empty. Use another directory, or --replace to move its contents aside');
}

/** After the list of moved names exists, their originals are complete only inside the unfinished folder. */
async function removeLeftovers(directory: string): Promise<void> {
  const list = join(directory, MOVED_LIST);
  if (existsSync(list) && !existsSync(join(directory, DATABASE_FILE))) {
    const names = JSON.parse(await readFile(list, 'utf8')) as readonly string[];
    for (const name of names) await rm(join(directory, name), { recursive: true, force: true });
  }
  await rm(join(directory, UNFINISHED), { recursive: true, force: true });
  await rm(list, { force: true });
}

/** The database first: without it no server starts on the rest. */
async function moveAside(directory: string, replaced: string, present: readonly string[]): Promise<void> {
  await mkdir(replaced, { mode: 0o700 });
  for (const name of present.toSorted((a, b) => Number(b === DATABASE_FILE) - Number(a === DATABASE_FILE))) {
    await rename(join(directory, name), join(replaced, name));
  }
  syncFolder(directory);
}

async function moveIntoPlace(directory: string, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== DATABASE_FILE);
  const list = join(directory, MOVED_LIST);
  await writeFile(list, JSON.stringify(names), { mode: 0o600, flush: true });
  syncFolder(directory);
  for (const name of names) await rename(join(folder, name), join(directory, name));
  syncFolder(directory);
  // Absent if the storage is in a database.
  if (existsSync(join(folder, DATABASE_FILE)))
    await rename(join(folder, DATABASE_FILE), join(directory, DATABASE_FILE));
  await rmdir(folder);
  await rm(list);
  syncFolder(directory);
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
