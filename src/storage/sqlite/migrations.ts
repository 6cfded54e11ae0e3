/** The schema of the database as an ordered list of migration steps. */
import type { DatabaseSync } from 'node:sqlite';
import { readIntegerColumn } from '../port/columns.ts';
import { createNewerStorageError, PROGRAM_VERSION_NOTE } from '../port/program-version.ts';
import { NoteRows } from './note-rows.ts';

/**
 * A database at `user_version` n has had the first n steps. A released step is never edited.
 *
 * `records.age` grows with every insert: it orders keys "oldest first" without sorting, which neither ids (text) nor
 * times (a clock may be set back) can do.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE records (
     age INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     kind TEXT NOT NULL,
     parent TEXT REFERENCES records (id),
     name TEXT NOT NULL,
     version INTEGER NOT NULL,
     created_at_ms INTEGER NOT NULL,
     modified_at_ms INTEGER NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX records_by_name ON records (kind, ifnull(parent, ''), name);
   CREATE INDEX records_by_parent ON records (parent, kind, name);

   CREATE TABLE record_keys (
     kind TEXT NOT NULL,
     key TEXT NOT NULL,
     value TEXT NOT NULL,
     record_age INTEGER NOT NULL REFERENCES records (age) ON DELETE CASCADE,
     PRIMARY KEY (kind, key, value, record_age)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX record_keys_by_record ON record_keys (record_age);

   CREATE TABLE changes (
     sequence INTEGER PRIMARY KEY,
     at_ms INTEGER NOT NULL,
     who TEXT NOT NULL,
     what TEXT NOT NULL
   ) STRICT;

   CREATE TABLE change_items (
     sequence INTEGER NOT NULL REFERENCES changes (sequence),
     ordinal INTEGER NOT NULL,
     kind TEXT NOT NULL,
     record_id TEXT NOT NULL,
     before TEXT,
     after TEXT,
     PRIMARY KEY (sequence, ordinal)
   ) STRICT;
   CREATE UNIQUE INDEX change_items_by_record ON change_items (record_id, sequence);`,

  // The number of the last change outlives the entries of the log. Records and the log refer to files.
  `CREATE TABLE head (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     sequence INTEGER NOT NULL,
     at_ms INTEGER NOT NULL
   ) STRICT;
   INSERT INTO head SELECT 1, ifnull(max(sequence), 0), ifnull(max(at_ms), 0) FROM changes;

   CREATE TABLE record_files (
     file TEXT NOT NULL,
     record_age INTEGER NOT NULL REFERENCES records (age) ON DELETE CASCADE,
     PRIMARY KEY (file, record_age)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX record_files_by_record ON record_files (record_age);

   CREATE TABLE change_files (
     file TEXT NOT NULL,
     sequence INTEGER NOT NULL REFERENCES changes (sequence),
     PRIMARY KEY (file, sequence)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX change_files_by_change ON change_files (sequence);

   CREATE TABLE kind_shapes (
     kind TEXT NOT NULL,
     since INTEGER NOT NULL,
     body_version INTEGER NOT NULL,
     key_names TEXT NOT NULL,
     PRIMARY KEY (kind, since)
   ) STRICT, WITHOUT ROWID;`,

  'ALTER TABLE changes ADD COLUMN undoes INTEGER',

  // Progress and other short texts besides the records.
  'CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID',

  `CREATE TABLE kept_replies (
     who TEXT NOT NULL,
     key TEXT NOT NULL,
     at_ms INTEGER NOT NULL,
     request TEXT NOT NULL,
     reply TEXT NOT NULL,
     PRIMARY KEY (who, key)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX kept_replies_by_time ON kept_replies (at_ms);`,

  // The number of announced notes.
  'ALTER TABLE head ADD COLUMN announced INTEGER NOT NULL DEFAULT 0',

  // How the author of a change signed in, as JSON.
  'ALTER TABLE changes ADD COLUMN via TEXT',
];

/** Migrates the database to the last of `steps`. Rejects a database of a newer version. */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  const found = requireSupportedSchema(database, steps);
  for (const [index, step] of steps.entries()) {
    if (index >= found) applyMigration(database, step, index + 1);
  }
}

/** Returns whether no migration is missing. */
export function isMigrated(database: DatabaseSync): boolean {
  return readSchemaVersion(database) === migrations.length;
}

function applyMigration(database: DatabaseSync, step: string, version: number): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(step);
    database.exec(`PRAGMA user_version = ${version}`);
    database.exec('COMMIT');
  } catch (error) {
    // SQLite has already rolled back after some errors.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw new Error(`The migration to schema version ${version} failed.`, { cause: error });
  }
}

/** Returns the schema version. Rejects a database of a newer version. */
export function requireSupportedSchema(database: DatabaseSync, steps: readonly string[] = migrations): number {
  const found = readSchemaVersion(database);
  if (found > steps.length) {
    throw createNewerStorageError(
      `The database has schema version ${found}, but this program supports versions up to ${steps.length}`,
      readProgramVersion(database),
    );
  }
  return found;
}

function readProgramVersion(database: DatabaseSync): string | undefined {
  try {
    return new NoteRows(database).read(PROGRAM_VERSION_NOTE);
  } catch {
    // The newer version may store notes in another way.
    return undefined;
  }
}

function readSchemaVersion(database: DatabaseSync): number {
  return readIntegerColumn(database.prepare('PRAGMA user_version', { returnArrays: true }).get()?.[0]);
}
