/** Writes tables and features in one SQLite transaction, in batches that let other work run. */
import { rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { problem } from '../../lib/problems/problem.ts';
import type { IncomingFeatures, WriteSession } from '../port/port.ts';
import { createTable, isUsualFile, refuseUnusualFile } from './create-table.ts';
import { describeTable } from './describe.ts';
import { RowEdits } from './edit-rows.ts';
import { isBusy, toFileProblem } from './failure.ts';
import { openForWriting } from './open-file.ts';
import { createCatalogue } from './schema.ts';
import { findTable, type Table } from './table.ts';
import { writeRows } from './write-rows.ts';

/** Changed pages stay in memory up to this size; beyond it they are written to the file, which blocks readers. */
const CACHE_KIBIBYTES = 32_768;

export interface WritingOptions {
  readonly exposesPrimaryKeys: boolean;
  /** Whether the file was created for this session; it is deleted if nothing is committed. */
  readonly isNew: boolean;
}

export async function startWriting(
  path: string,
  signal: AbortSignal,
  { exposesPrimaryKeys, isNew }: WritingOptions,
): Promise<WriteSession> {
  const file = basename(path);
  const database = await beginTransaction(path, isNew, signal);

  const runGuarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      throw toFileProblem(error, path);
    }
  };

  const getOrCreateTable = async (features: IncomingFeatures): Promise<Table> => {
    const known = findTable(database, file, resolveTableName(database, features.name), true);
    if (known !== undefined) return known;
    await createTable(database, features);
    const made = findTable(database, file, features.name, true);
    if (made === undefined) throw new Error('The table that was just created is missing');
    return made;
  };

  const edits = new RowEdits(
    database,
    (name) => {
      refuseUnusualFile(database, file);
      const table = findTable(database, file, name, exposesPrimaryKeys);
      if (table === undefined) throw problem('vector-type-unknown', { name });
      return table;
    },
    signal,
  );

  return {
    insert: (name, features) => runGuarded(() => edits.insert(name, features)),
    update: (name, changes, filter) => runGuarded(() => edits.update(name, changes, filter)),
    remove: (name, filter) => runGuarded(() => edits.remove(name, filter)),
    find: (name, filter) => runGuarded(() => edits.find(name, filter)),
    createType: (type) =>
      runGuarded(async () => {
        refuseUnusualFile(database, type.name);
        await createTable(database, type);
      }),
    write: (features, mode) =>
      runGuarded(async () => {
        refuseUnusualFile(database, file);
        const table = await getOrCreateTable(features);
        await writeRows(database, table, features, {
          mode,
          pause: async () => {
            await turn();
            signal.throwIfAborted();
            features.progress?.();
          },
        });
        return table.name;
      }),
    describe: (name) =>
      runGuarded(() => {
        const table = findTable(database, file, name, exposesPrimaryKeys);
        return table && describeTable(database, table, statSync(path).size, signal);
      }),
    commit: async () => {
      try {
        await retryWhileBusy(signal, () => database.exec('COMMIT'));
        database.close();
      } catch (error) {
        throw toFileProblem(error, path);
      }
    },
    rollback: async () => {
      if (!database.isOpen) return;
      if (isNew) deleteIfEmpty(database, path);
      // Closing rolls back an uncommitted transaction.
      database.close();
    },
  };
}

async function beginTransaction(path: string, isNew: boolean, signal: AbortSignal): Promise<DatabaseSync> {
  let database: DatabaseSync | undefined;
  try {
    const opened = openForWriting(path);
    database = opened;
    database.exec(`PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
    await retryWhileBusy(signal, () => opened.exec('BEGIN IMMEDIATE'));
    // Checked inside the transaction, because another process could have filled it in the meantime.
    const isEmpty = statSync(path).size === 0;
    if (isEmpty || isUsualFile(database)) createCatalogue(database, isEmpty);
    return database;
  } catch (error) {
    if (isNew && database !== undefined) deleteIfEmpty(database, path);
    database?.close();
    throw toFileProblem(error, path);
  }
}

/** The time to wait for a locked file; slow readers are cancelled before. */
const BUSY_RETRY_MS = 10_000;
const BETWEEN_TRIES_MS = 50;

/** Retries while other connections lock the file. */
async function retryWhileBusy(signal: AbortSignal, work: () => void): Promise<void> {
  for (const giveUpAt = performance.now() + BUSY_RETRY_MS; ; ) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || signal.aborted || performance.now() > giveUpAt) throw error;
      await wait(BETWEEN_TRIES_MS);
    }
  }
}

/** Deletes an empty file while holding its lock, because another process could be about to fill it. */
function deleteIfEmpty(database: DatabaseSync, path: string): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
    database.exec('BEGIN IMMEDIATE');
    if (statSync(path).size === 0) rmSync(path);
  } catch {
    // Somebody else has the lock, and with it the file.
  }
}

/** SQLite table names are case-insensitive. */
function resolveTableName(database: DatabaseSync, name: string): string {
  const rows = database.prepare('SELECT table_name FROM gpkg_contents WHERE table_name = ? COLLATE NOCASE').all(name);
  const names = rows.map(({ table_name }) => String(table_name));
  if (names.length > 1 && !names.includes(name)) {
    throw problem('import-refused', { name, reason: 'the file lists it more than once' });
  }
  return names.includes(name) ? name : (names[0] ?? name);
}
