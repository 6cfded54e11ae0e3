/** Opens the two connections to the database file: the one that writes, and the one that only sees what is committed. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Only another program (a backup, a shell) can hold a lock that we wait for; waiting blocks the event loop. */
const busyTimeoutMs = 2_000;

/** Each commit empties the cache of the other connection, so that a larger one would seldom be full. */
const cacheKibibytes = 32_768;

/** After a huge change the write-ahead log is cut back to this, instead of keeping its largest size for ever. */
const keptLogBytes = 64 * 1024 * 1024;

/** Opens the file for writing, and makes it, for the owner's eyes only, when it is not there. */
export function openWriter(file: string): DatabaseSync {
  makePrivateFile(file);
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    const mode = database.prepare('PRAGMA journal_mode = WAL', { returnArrays: true }).get()?.[0];
    if (mode !== 'wal') {
      throw new Error(`The file system of '${file}' does not support a write-ahead log (journal mode is '${mode}').`);
    }
    database.exec(
      `PRAGMA synchronous = FULL; PRAGMA cache_size = -${cacheKibibytes}; PRAGMA journal_size_limit = ${keptLogBytes}`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the file for reading; the writer must have opened it before. */
export function openReader(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true });
  database.exec(`PRAGMA cache_size = -${cacheKibibytes}`);
  return database;
}

/** SQLite would make it readable by everybody; it gives its log and index the permissions of the database. */
function makePrivateFile(file: string): void {
  // Never opens one that exists: closing it again would free the locks this process may hold on it (POSIX).
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
}
