/** BEGIN, COMMIT and ROLLBACK around asynchronous work, so that no failure leaves the connection inside a transaction. */
import type { DatabaseSync } from 'node:sqlite';

/** What work gives back: its result, and whether what it wrote is to be kept. */
export interface Outcome<T> {
  readonly result: T;
  readonly keep: boolean;
}

/** Runs `work` in a transaction of its own; a rejection, also one of COMMIT itself, means that nothing was kept. */
export async function withinTransaction<T>(database: DatabaseSync, work: () => Promise<Outcome<T>>): Promise<T> {
  // Only when an earlier ROLLBACK failed: what it could not undo must not slip into this commit.
  rollbackIfOpen(database);
  database.exec('BEGIN IMMEDIATE');
  try {
    const { result, keep } = await work();
    database.exec(keep ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    rollbackAfter(database, error);
    throw error;
  }
}

/** SQLite rolls back by itself after some errors (a full disk, for one), and a second ROLLBACK would be an error. */
export function rollbackIfOpen(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}

function rollbackAfter(database: DatabaseSync, error: unknown): void {
  try {
    rollbackIfOpen(database);
  } catch (rollbackError) {
    throw new AggregateError([error, rollbackError], 'A write failed, and so did its rollback.');
  }
}
