/** The database file that granules are kept in: one connection of each thread, and the list of the indexes in it. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { addGranuleNumbers } from './index-table.ts';

/** Another thread writes for some milliseconds at a time; while one waits for it, nobody else waits. */
const BUSY_TIMEOUT_MS = 30_000;

/** The inner nodes of the indexes of a million granules. */
const CACHE_KIBIBYTES = 8_192;

const KEPT_LOG_BYTES = 16 * 1024 * 1024;

/** Raised when the tables are laid out otherwise. */
const LAYOUT = 3;

const openDatabases = new Map<string, DatabaseSync>();

/** The connection of this thread. */
export function getDatabase(file: string): DatabaseSync {
  const known = openDatabases.get(file);
  if (known !== undefined) return known;
  const database = openDatabase(file);
  openDatabases.set(file, database);
  return database;
}

function openDatabase(file: string): DatabaseSync {
  makePrivateFile(file);
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // What is written becomes durable when a session is committed, not with each of its batches.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIBIBYTES};
      PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`);
    const layout = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (layout > LAYOUT) throw new Error(`'${file}' was written by a newer version. Use that version or a later one.`);
    if (layout < LAYOUT) runInTransaction(database, () => migrateLayout(database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** In the layout before this one, granules had no numbers but those of their rows. */
function migrateLayout(database: DatabaseSync): void {
  // Another thread may have been faster.
  const layout = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (layout === LAYOUT) return;
  if (layout < 2) migrateVersions(database, layout);
  const numbers = database.prepare('SELECT number FROM indexes').all();
  for (const { number } of numbers) addGranuleNumbers(database, Number(number));
  database.exec(`PRAGMA user_version = ${LAYOUT}`);
}

/**
 * In the first layout there was one index of a name, and no list of versions. What that has of versions that no record names
 * is cleared away by what the records say; so none of them need be listed.
 */
function migrateVersions(database: DatabaseSync, layout: number): void {
  if (layout === 1) database.exec('ALTER TABLE indexes RENAME TO former_indexes');
  database.exec(`
    CREATE TABLE indexes (number INTEGER PRIMARY KEY AUTOINCREMENT, mosaic TEXT NOT NULL, name TEXT NOT NULL,
      schema TEXT NOT NULL, axes TEXT);
    CREATE INDEX indexes_by_name ON indexes (mosaic, name);
    CREATE TABLE versions (mosaic TEXT NOT NULL, version INTEGER NOT NULL, made_at_ms INTEGER NOT NULL,
      is_committed INTEGER NOT NULL, PRIMARY KEY (mosaic, version)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS commits (count INTEGER NOT NULL);
    INSERT INTO commits SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM commits)`);
  if (layout === 1)
    database.exec(`INSERT INTO indexes SELECT number, mosaic, name, schema, axes FROM former_indexes;
      DROP TABLE former_indexes`);
}

/** SQLite would make it readable by everybody. One that exists is not touched: closing it would free locks on it (POSIX). */
function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (findErrorCode(error) !== 'EEXIST') throw error;
  }
}

export function runInTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Some failures have taken it back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Waits until the disk has all that was committed before. */
export function makeDurable(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = FULL');
  try {
    // A commit that waits for the disk waits for those before it, since all of them are in one log.
    database.exec('UPDATE commits SET count = count + 1');
  } finally {
    database.exec('PRAGMA synchronous = NORMAL');
  }
}
