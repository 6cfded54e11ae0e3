/** Prevents a second server from using a data directory. The lock never survives a crash. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Not part of what a data directory stores. */
export const LOCK_FILE = 'server.lock';

export interface DataDirectoryLock {
  /** Releases the lock; can be called twice. */
  release(): void;
  /** Releases the lock of a directory that no server has used, and removes its file. */
  remove(): void;
}

/** A running server has the lock. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';
}

/** The SQLite result code when another process holds the lock. */
const sqliteBusy = 5;

/** The garbage collector would close an unreferenced connection and release the lock. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Acquires the lock immediately, or fails immediately if another server holds it. The lock is an exclusive transaction
 * on an empty database `server.lock`: the kernel releases the locks of a process however it ends, which a file with a
 * process id cannot guarantee.
 *
 * Nothing else in this process may open that file: closing it would release the lock, because POSIX locks belong to the
 * process. The file of a used directory stays after the release. If it is removed while another process opens it, that
 * process has locked a file without a name, which counts as in use.
 */
export async function lockDataDirectory(directory: string): Promise<DataDirectoryLock> {
  const file = join(directory, LOCK_FILE);
  const database = new DatabaseSync(file, { open: false, timeout: 0 });
  let isRemoved = false;
  try {
    database.open();
    database.exec('BEGIN EXCLUSIVE');
    isRemoved = !existsSync(file);
    if (isRemoved) throw new Error('its lock file was removed');
  } catch (error) {
    database[Symbol.dispose]();
    if (!(isBusy(error) || isRemoved)) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`The data directory '${directory}' cannot be locked: ${reason}.`, { cause: error });
    }
    throw new DataDirectoryInUse(
      `The data directory '${directory}' is in use by another server. Stop that server or use another directory.`,
      { cause: error },
    );
  }
  heldLocks.add(database);
  const release = () => {
    if (heldLocks.delete(database)) database.close();
  };
  return {
    release,
    remove: () => {
      if (heldLocks.has(database)) rmSync(file, { force: true });
      release();
    },
  };
}

/** Whether a server holds the lock. Does not create the file, and does not wait. */
export function isDataDirectoryLocked(directory: string): boolean {
  const file = join(directory, LOCK_FILE);
  if (!existsSync(file)) return false;
  const database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
