/** Opens connections to the database file: the one that writes, and those that read. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Only another program (a backup, a shell) can hold a lock that a reader waits for, and not for long: there is a log. */
const readerTimeoutMs = 50;

/** What is read again and again is remembered elsewhere; the machine itself keeps the file in its memory. */
const cacheKibibytes = 4_096;

/** After a huge change the write-ahead log is cut back to this, instead of keeping its largest size for ever. */
const keptLogBytes = 16 * 1024 * 1024;

/** Opens the file for writing, and makes it, for the owner's eyes only, when it is not there. */
export function openWriter(file: string): DatabaseSync {
  makePrivateFile(file);
  // Waiting for a lock would stop everybody: whoever begins a transaction tries again, and lets others go on meanwhile.
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    const mode = database.prepare('PRAGMA journal_mode = WAL', { returnArrays: true }).get()?.[0];
    if (mode !== 'wal') {
      throw new Error(`The file system of '${file}' does not support a write-ahead log (journal mode is '${mode}').`);
    }
    // A commit is written without waiting for the disk, which would stop everybody; the log is synced after it, by others.
    // Nor does a commit move the log into the database: that is done beside it.
    database.exec(
      `PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -${cacheKibibytes};
       PRAGMA journal_size_limit = ${keptLogBytes}`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the file for reading; the writer must have opened it before. */
export function openReader(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: readerTimeoutMs, readOnly: true });
  database.exec(`PRAGMA cache_size = -${cacheKibibytes}`);
  return database;
}

/** SQLite would make it readable by everybody; it gives its log and index the permissions of the database. */
function makePrivateFile(file: string): void {
  // Never opens one that exists: closing it again would free the locks this process may hold on it (POSIX).
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
}
