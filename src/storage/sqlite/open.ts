/** The storage on one SQLite file: a connection that writes, connections that read, and a log that others sync. */
import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createPace, type Pace } from '../pace.ts';
import type { Storage } from '../port.ts';
import { type Mask, RowStorage } from '../row-storage.ts';
import type { RowSnapshot, Rows, RowTransaction } from '../rows.ts';
import { ChangeLogReader, ChangeLogWriter } from './change-log.ts';
import { Checkpoints } from './checkpoints.ts';
import { integerColumn } from './columns.ts';
import { openReader, openWriter } from './connection.ts';
import { integrityProblems } from './integrity.ts';
import { migrate } from './migrations.ts';
import { RecordQueries } from './record-queries.ts';
import { RecordWrites } from './record-writes.ts';
import { SqliteRowTransaction, type WriterStatements } from './row-transaction.ts';
import { SqliteSnapshots } from './snapshots.ts';
import { isBusy, problemOf } from './sqlite-problem.ts';

export interface SqliteStorageOptions {
  /** The database; made when it is not there, its folder must be. */
  readonly file: string;
  /** Whole milliseconds since 1970. */
  readonly clock: () => number;
  /** Hides secrets in bodies when the change log is read; the records and the log keep them. */
  readonly mask: Mask;
  /** Lets others have their turn during long work; after ten milliseconds unless a test knows better. */
  readonly pace?: Pace;
  /** Waits until a file is on the disk; a test hands in one that fails. */
  readonly sync?: (descriptor: number) => Promise<void>;
}

/** How long work in the database goes on before others have their turn. */
const STRETCH_MS = 10;

/** How long a write waits for another program (a backup, a shell) that holds the lock, and how often it looks. */
const BUSY_TIMEOUT_MS = 2_000;
const BUSY_INTERVAL_MS = 20;

/** Opens the database, bringing an older schema up to date first; reads no record. */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  const { file, clock, mask, sync = promisify(fdatasync) } = options;
  const pace = options.pace ?? createPace({ everyMs: STRETCH_MS, now: () => performance.now() });
  const writer = openWriter(file);
  try {
    migrate(writer);
    return new RowStorage(new SqliteRows(file, writer, sync), { clock, mask, pace });
  } catch (error) {
    writer.close();
    throw error;
  }
}

class SqliteRows implements Rows {
  readonly #file: string;
  readonly #writer: DatabaseSync;
  readonly #snapshots: SqliteSnapshots;
  readonly #statements: WriterStatements;
  readonly #checkpoints: Checkpoints;
  readonly #totalChanges: StatementSync;
  #countedChanges = 0;
  readonly #sync: (descriptor: number) => Promise<void>;
  /** The write-ahead log, which lives as long as a connection is open. SQLite holds no lock on it that closing would free. */
  readonly #logDescriptor: number;
  /** Once the disk has refused to keep what it took, nobody knows what it will show after a crash. */
  #failure: unknown;

  constructor(file: string, writer: DatabaseSync, sync: (descriptor: number) => Promise<void>) {
    this.#file = file;
    this.#writer = writer;
    this.#snapshots = new SqliteSnapshots(() => openReader(file));
    this.#statements = {
      database: writer,
      queries: new RecordQueries(writer),
      writes: new RecordWrites(writer),
      log: new ChangeLogReader(writer),
      logWriter: new ChangeLogWriter(writer),
    };
    this.#totalChanges = writer.prepare('SELECT total_changes()', { returnArrays: true });
    this.#snapshots.keepLast();
    this.#checkpoints = new Checkpoints(file);
    this.#logDescriptor = openSync(`${file}-wal`, 'r');
    this.#sync = sync;
  }

  snapshot(): RowSnapshot {
    return this.#snapshots.hold();
  }

  async begin(): Promise<RowTransaction> {
    if (this.#failure !== undefined) throw problemOf(this.#failure);
    // Only when an earlier ROLLBACK failed: what it could not undo must not slip into this commit.
    if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK');
    await this.#lock();
    return new SqliteRowTransaction(this.#statements, () => this.#commit());
  }

  async integrityProblems(): Promise<readonly string[]> {
    const database = openReader(this.#file);
    try {
      return integrityProblems(database);
    } finally {
      database.close();
    }
  }

  async close(): Promise<void> {
    if (!this.#writer.isOpen) return;
    if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK');
    await this.#checkpoints.close();
    // The writer goes last: the last connection that may write empties and removes the write-ahead log.
    this.#snapshots.close();
    closeSync(this.#logDescriptor);
    this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#writer.close();
  }

  async #lock(): Promise<void> {
    const untilMs = performance.now() + BUSY_TIMEOUT_MS;
    for (;;) {
      try {
        this.#writer.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > untilMs) throw problemOf(error);
      }
      await wait(BUSY_INTERVAL_MS);
    }
  }

  /**
   * The commit itself is a copy in memory; that the log is on the disk is waited for beside everybody else. Until then
   * readers go on with the state before it, so that nobody sees what a power cut could take back.
   */
  async #commit(): Promise<void> {
    try {
      this.#snapshots.keepLast();
      this.#writer.exec('COMMIT');
    } catch (error) {
      if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK');
      throw problemOf(error);
    }
    const written = this.#countWritten();
    if (written === 0) return;
    try {
      await this.#sync(this.#logDescriptor);
    } catch (error) {
      this.#failure = Object.assign(new Error('The disk could not keep a change.', { cause: error }), { errcode: 10 });
      throw problemOf(this.#failure);
    }
    this.#snapshots.moveOn();
    this.#checkpoints.count(written);
  }

  /** How many rows were written since it was last asked. */
  #countWritten(): number {
    const total = integerColumn(this.#totalChanges.get()?.[0]);
    const written = total - this.#countedChanges;
    this.#countedChanges = total;
    return written;
  }
}
