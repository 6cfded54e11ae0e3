/** Reads a database that a server may have open, without creating files beside it. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { requireSupportedSchema } from './migrations.ts';

/** Returns the schema version. Rejects a file that is not a database, and a database of a newer version. */
export function readSchemaVersionOfFile(file: string): number {
  const address = pathToFileURL(file);
  // Without a log, nothing else has the file open, and SQLite would create files beside it. A log can hold the version.
  if (!existsSync(`${file}-wal`)) address.searchParams.set('immutable', '1');
  const database = new DatabaseSync(address, { readOnly: true });
  try {
    return requireSupportedSchema(database);
  } catch (error) {
    throw new Error(`Cannot open '${file}': ${error instanceof Error ? error.message : error}`, { cause: error });
  } finally {
    database.close();
  }
}
