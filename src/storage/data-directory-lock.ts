/** Keeps a second server out of a data directory, in a way that no crash can leave behind. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface DataDirectoryLock {
  /** Lets the next server in; doing so twice is fine. */
  release(): void;
}

/** What SQLite answers when somebody else holds the lock. */
const sqliteBusy = 5;

/** A connection that nobody refers to is closed by the garbage collector, and the lock would be gone with it. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Takes the lock at once, or fails at once when another server has it.
 *
 * It is an exclusive transaction on an empty database of its own, `server.lock`: the kernel frees the locks of a
 * process that dies, however it dies, which a file with a process id in it cannot offer. Nothing else in this process
 * may open that file: closing it anywhere would free the lock (POSIX locks belong to the process). The file stays
 * when the lock is released, since removing it could pull it away under the next server.
 */
export async function lockDataDirectory(directory: string): Promise<DataDirectoryLock> {
  const database = new DatabaseSync(join(directory, 'server.lock'), { open: false, timeout: 0 });
  try {
    database.open();
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database[Symbol.dispose]();
    if (!isBusy(error)) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`The data directory '${directory}' cannot be locked: ${reason}.`, { cause: error });
    }
    throw new Error(
      `The data directory '${directory}' is in use by another server. Stop that server or use another directory.`,
      { cause: error },
    );
  }
  heldLocks.add(database);
  return {
    release: () => {
      if (heldLocks.delete(database)) database.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
