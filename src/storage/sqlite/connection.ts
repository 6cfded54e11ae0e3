/** Opens connections to the database file: one writer, and readers. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Only another program (a backup, a shell) can hold a lock that blocks a reader, and only briefly in WAL mode. */
const readerTimeoutMs = 50;

/** Frequently read records are cached elsewhere, and the operating system caches the file. */
const cacheKibibytes = 4_096;

/** After a huge change the write-ahead log is truncated to this size. */
const keptLogBytes = 16 * 1024 * 1024;

/** When SQLite waits until its files are on disk: `NORMAL` at checkpoints, `OFF` never. */
export type Synchronous = 'NORMAL' | 'OFF';

/** Opens the file for writing, and creates it for the owner only if it is missing. */
export function openWriter(file: string, synchronous: Synchronous = 'NORMAL'): DatabaseSync {
  makePrivateFile(file);
  // Waiting for a lock would block the event loop. Callers retry asynchronously instead.
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    // A commit does not wait for the disk, which would block the event loop; the log is synced afterwards in a thread.
    database.exec(`PRAGMA synchronous = ${synchronous}`);
    const mode = database.prepare('PRAGMA journal_mode = WAL', { returnArrays: true }).get()?.[0];
    if (mode !== 'wal') {
      throw new Error(`The file system of '${file}' does not support a write-ahead log (journal mode is '${mode}').`);
    }
    // Nor does a commit move the log into the database: checkpoints do that.
    database.exec(
      `PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -${cacheKibibytes};
       PRAGMA journal_size_limit = ${keptLogBytes}`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the file for reading. The writer must have opened it before. */
export function openReader(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: readerTimeoutMs, readOnly: true });
  database.exec(`PRAGMA cache_size = -${cacheKibibytes}`);
  return database;
}

/** SQLite would make the file readable for everyone. Its log and index inherit the permissions of the database. */
function makePrivateFile(file: string): void {
  // Never opens an existing file: closing it would release the POSIX locks of this process on it.
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
}
