/** The database file of granules: one connection per thread, and the list of its indexes. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { addGranuleNumbers } from './index-table.ts';

/** Another thread writes for some milliseconds at a time; waiting blocks only this thread. */
const BUSY_TIMEOUT_MS = 30_000;

/** Holds the inner index nodes of a million granules. */
const CACHE_KIBIBYTES = 8_192;

const KEPT_LOG_BYTES = 16 * 1024 * 1024;

/** Incremented when the table layout changes. */
const LAYOUT = 3;

const openDatabases = new Map<string, DatabaseSync>();

/** Returns the connection of this thread. */
export function getDatabase(file: string): DatabaseSync {
  const known = openDatabases.get(file);
  if (known !== undefined) return known;
  const database = openDatabase(file);
  openDatabases.set(file, database);
  return database;
}

/** Closes the connection of this thread. */
export function closeDatabase(file: string): void {
  openDatabases.get(file)?.close();
  openDatabases.delete(file);
}

function openDatabase(file: string): DatabaseSync {
  makePrivateFile(file);
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Writes become durable when a session is committed, not with each batch.
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

/** In the previous layout, granules were identified by their row ids. */
function migrateLayout(database: DatabaseSync): void {
  // Another thread may have migrated first.
  const layout = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (layout === LAYOUT) return;
  if (layout < 2) migrateVersions(database, layout);
  const numbers = database.prepare('SELECT number FROM indexes').all();
  for (const { number } of numbers) addGranuleNumbers(database, Number(number));
  database.exec(`PRAGMA user_version = ${LAYOUT}`);
}

/**
 * The first layout had one index per name and no list of versions. Rows of versions that no record refers to are
 * deleted by the next collection, so they need not be listed.
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

/**
 * SQLite would make the file readable for everyone. An existing file is not opened, because closing it would release
 * POSIX locks.
 */
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
    // SQLite has already rolled back after some errors.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Waits until all earlier commits are on disk. */
export function makeDurable(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = FULL');
  try {
    // A synchronous commit also flushes the commits before it, because they share one log.
    database.exec('UPDATE commits SET count = count + 1');
  } finally {
    database.exec('PRAGMA synchronous = NORMAL');
  }
}
