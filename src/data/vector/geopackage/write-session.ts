/** Writes tables and features of a GeoPackage in one transaction of SQLite, in batches that let other work run. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { problem } from '../../../lib/problem.ts';
import type { IncomingFeatures, WriteSession } from '../port.ts';
import { addTable, prepareCatalogue, refuseDefinition, wantedSystem } from './create-table.ts';
import { describeTable } from './describe.ts';
import { asFileProblem } from './failure.ts';
import { openForWriting } from './open-file.ts';
import { findTable, type Table } from './table.ts';
import { writeRows } from './write-rows.ts';

/** Pages that are changed stay in memory up to this much: what is more goes into the file, which then nobody else can read. */
const CACHE_KIBIBYTES = 32_768;

/** `discard` takes a file away that was made for this session, if nothing came of it. */
export function startWriting(path: string, signal: AbortSignal, discard: () => Promise<void>): WriteSession {
  const file = basename(path);
  const database = begin(path);

  const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      throw asFileProblem(error, path);
    }
  };

  const tableFor = async (features: IncomingFeatures): Promise<Table> => {
    const known = findTable(database, file, existingName(database, features.name), true);
    if (known !== undefined) return known;
    refuseDefinition(features);
    addTable(database, features, await wantedSystem(features));
    const made = findTable(database, file, features.name, true);
    if (made === undefined) throw new Error('A table that was just made is not there');
    return made;
  };

  return {
    write: (features, mode) =>
      guarded(async () => {
        const table = await tableFor(features);
        await writeRows(database, table, features, mode, async () => {
          await turn();
          signal.throwIfAborted();
          features.progress?.();
        });
        return table.name;
      }),
    describe: (name) =>
      guarded(() => {
        const table = findTable(database, file, name, false);
        return table && describeTable(database, table, statSync(path).size, signal);
      }),
    commit: async () => {
      try {
        database.exec('COMMIT');
        database.close();
      } catch (error) {
        throw asFileProblem(error, path);
      }
    },
    rollback: async () => {
      // Closing ends a transaction that was not committed.
      if (database.isOpen) database.close();
      await discard();
    },
  };
}

function begin(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = openForWriting(path);
    database.exec(`PRAGMA cache_size = -${CACHE_KIBIBYTES}; BEGIN IMMEDIATE`);
    // Asked in the transaction, since somebody else may have filled it in the meantime.
    prepareCatalogue(database, basename(path), statSync(path).size === 0);
    return database;
  } catch (error) {
    database?.close();
    throw asFileProblem(error, path);
  }
}

/** Names are the same to SQLite in upper and lower case. */
function existingName(database: DatabaseSync, name: string): string {
  const rows = database.prepare('SELECT table_name FROM gpkg_contents WHERE table_name = ? COLLATE NOCASE').all(name);
  const names = rows.map(({ table_name }) => String(table_name));
  if (names.length > 1 && !names.includes(name)) {
    throw problem('import-refused', { name, reason: 'the file lists it several times' });
  }
  return names.includes(name) ? name : (names[0] ?? name);
}
