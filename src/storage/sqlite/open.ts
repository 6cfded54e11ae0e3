/** The storage on one SQLite file: a connection that writes, connections that read, and a log that others sync. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { createYieldIfDue, type YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { isBusy, toStorageProblem } from '../../lib/problems/sqlite-problem.ts';
import { readIntegerColumn } from '../port/columns.ts';
import type { KindRules, Storage } from '../port/port.ts';
import type { KindShape, RowSnapshot, Rows, RowTransaction } from '../port/rows.ts';
import { openRowStorage } from '../row-storage.ts';
import { ChangeLogReader, ChangeLogWriter } from './change-log.ts';
import { Checkpoints } from './checkpoints.ts';
import { openReader, openWriter } from './connection.ts';
import { findIntegrityProblemsInThread } from './integrity-thread.ts';
import { readShapes } from './kind-shapes.ts';
import { createLogSync } from './log-sync.ts';
import { migrate } from './migrations.ts';
import { NoteRows } from './note-rows.ts';
import { RecordQueries } from './record-queries.ts';
import { RecordWrites } from './record-writes.ts';
import { ReplyWriter } from './reply-rows.ts';
import { SqliteRowTransaction, type WriterStatements } from './row-transaction.ts';
import { SqliteSnapshots } from './snapshots.ts';

export interface SqliteStorageOptions {
  /** The database; made when it is not there, its folder must be. */
  readonly file: string;
  /** Whole milliseconds since 1970. */
  readonly clock: () => number;
  /** Every kind of record that may be in it. */
  readonly kinds: readonly KindRules[];
  /** Lets others have their turn during long work; after ten milliseconds unless a test knows better. */
  readonly pace?: YieldIfDue;
  /** Waits until a file is on the disk; a test hands in one that fails. */
  readonly sync?: (descriptor: number) => Promise<void>;
  /** How long a write waits for another program (a backup, a shell) that holds the lock; 2 s unless a test is in a hurry. */
  readonly busyTimeoutMs?: number;
}

/** How long work in the database goes on before others have their turn; a small request needs several. */
const YIELD_INTERVAL_MS = 5;

const BUSY_TIMEOUT_MS = 2_000;

/** How long writers wait for those who still read an older state before the log is begun anew; else it is next time. */
const READER_WAIT_MS = 50;

/** Where the head of a write-ahead log has the number of its rounds (https://sqlite.org/fileformat2.html#walformat). */
const LOG_ROUND_OFFSET = 12;

const LARGE_LOG_BYTES = 4 * 1024 * 1024;

/** How often a write that waits looks whether the lock is free. */
const BUSY_INTERVAL_MS = 20;

/** Opens the database, bringing an older schema and older records up to date first; else no record is read. */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  const { file, clock, kinds, sync = createLogSync(), busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  const pace = options.pace ?? createYieldIfDue({ everyMs: YIELD_INTERVAL_MS, now: () => performance.now() });
  const writer = openWriter(file);
  try {
    emptyLargeLog(file, writer);
    migrate(writer);
  } catch (error) {
    writer.close();
    throw error;
  }
  return openRowStorage(new SqliteRows(file, writer, { sync, busyTimeoutMs }), { clock, kinds, pace });
}

/** What a server that died has left in its log is moved at once, while nobody waits for anything: readers are slower with it. */
function emptyLargeLog(file: string, writer: DatabaseSync): void {
  const { size } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > LARGE_LOG_BYTES) writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

class SqliteRows implements Rows {
  readonly #file: string;
  readonly #writer: DatabaseSync;
  readonly #snapshots: SqliteSnapshots;
  readonly #statements: WriterStatements;
  readonly #checkpoints: Checkpoints;
  readonly #totalChanges: StatementSync;
  #countedChanges = 0;
  readonly #options: Required<Pick<SqliteStorageOptions, 'sync' | 'busyTimeoutMs'>>;
  /** The write-ahead log, which lives as long as a connection is open. SQLite holds no lock on it that closing would free. */
  readonly #logDescriptor: number;
  /** Once the disk has refused to keep what it took, nobody knows what it will show after a crash. */
  #failure: unknown;
  #isSyncing = false;

  constructor(
    file: string,
    writer: DatabaseSync,
    options: Required<Pick<SqliteStorageOptions, 'sync' | 'busyTimeoutMs'>>,
  ) {
    this.#file = file;
    this.#options = options;
    this.#writer = writer;
    this.#snapshots = new SqliteSnapshots(() => openReader(file));
    this.#statements = {
      database: writer,
      queries: new RecordQueries(writer),
      writes: new RecordWrites(writer),
      log: new ChangeLogReader(writer),
      logWriter: new ChangeLogWriter(writer),
      notes: new NoteRows(writer),
      replies: new ReplyWriter(writer),
    };
    this.#totalChanges = writer.prepare('SELECT total_changes()', { returnArrays: true });
    this.#snapshots.ensureLast();
    this.#checkpoints = new Checkpoints(file);
    this.#logDescriptor = openSync(`${file}-wal`, 'r');
  }

  snapshot(): RowSnapshot {
    return this.#snapshots.hold();
  }

  prepareRead(): undefined {
    return undefined;
  }

  refresh(): undefined {
    return undefined;
  }

  subscribe(): void {
    // Nobody else writes.
  }

  async begin(): Promise<RowTransaction> {
    if (this.#failure !== undefined) throw toStorageProblem(this.#failure);
    // Only when an earlier ROLLBACK failed: what it could not undo must not slip into this commit.
    if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK');
    if (this.#checkpoints.isOverdue(() => this.#readLogRound())) await this.#restartLog();
    await this.#lock();
    return new SqliteRowTransaction(this.#statements, { commit: () => this.#commit(), lock: () => this.#lock() });
  }

  /**
   * SQLite begins the log anew when all of it is in the database and nobody reads from it any more. With writers and
   * readers at the same time that never comes by itself: so for once the writers wait, for what little is left to move.
   */
  async #restartLog(): Promise<void> {
    await this.#checkpoints.run();
    if (!this.#writer.isOpen) throw toStorageProblem(new Error('The storage is closed.'));
    // Who reads from now on finds everything in the database.
    this.#snapshots.advance();
    const untilMs = performance.now() + READER_WAIT_MS;
    while (this.#snapshots.hasFormerReaders() && performance.now() < untilMs) await wait(1);
  }

  /** How often the log was begun anew: a number in its head, which SQLite counts up each time. */
  #readLogRound(): number {
    const head = Buffer.alloc(4);
    readSync(this.#logDescriptor, head, 0, head.length, LOG_ROUND_OFFSET);
    return head.readUInt32BE();
  }

  isWritable(): boolean {
    return this.#failure === undefined;
  }

  async readShapes(): Promise<ReadonlyMap<string, readonly KindShape[]>> {
    return readShapes(this.#writer);
  }

  async findIntegrityProblems(): Promise<readonly string[]> {
    return findIntegrityProblemsInThread(this.#file);
  }

  async close(signal?: AbortSignal): Promise<void> {
    if (!this.#writer.isOpen) return;
    if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK');
    const isLate = signal?.aborted === true;
    const checkpointed = this.#checkpoints.close();
    if (isLate) {
      this.#keepLog();
    } else {
      await checkpointed;
    }
    closeSync(this.#logDescriptor);
    // The last connection that may write empties and removes the write-ahead log. What the disk has not taken must not
    // get into the database that way: if others are still open, the log stays, and the next start looks what is whole.
    if (isLate || this.#failure !== undefined || this.#isSyncing) {
      this.#writer.close();
      this.#snapshots.close();
      return;
    }
    this.#snapshots.close();
    this.#emptyLog();
    this.#writer.close();
  }

  /** A log that grew long can take seconds to be emptied. It stays when a reader has the database open to the end. */
  #keepLog(): void {
    try {
      this.#snapshots.ensureLast();
    } catch {
      // A disk that cannot be read: nothing would be emptied either.
    }
  }

  #emptyLog(): void {
    try {
      this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // A full disk: everything is in the log, where the next start finds it.
    }
  }

  async #lock(): Promise<void> {
    const untilMs = performance.now() + this.#options.busyTimeoutMs;
    for (;;) {
      try {
        this.#writer.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > untilMs) throw toStorageProblem(error);
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
      this.#snapshots.ensureLast();
      this.#writer.exec('COMMIT');
    } catch (error) {
      if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK');
      throw toStorageProblem(error);
    }
    const written = this.#countWritten();
    if (written === 0) return;
    this.#isSyncing = true;
    try {
      await this.#options.sync(this.#logDescriptor);
      this.#isSyncing = false;
    } catch (error) {
      this.#failure = Object.assign(new Error('The change could not be written to disk.', { cause: error }), {
        errcode: 10,
      });
      throw toStorageProblem(this.#failure);
    }
    // Closed in the meantime, by somebody who would not wait for this disk.
    if (!this.#writer.isOpen) return;
    this.#snapshots.advance();
    this.#checkpoints.countWrites(written);
  }

  /** How many rows were written since it was last asked. */
  #countWritten(): number {
    const total = readIntegerColumn(this.#totalChanges.get()?.[0]);
    const written = total - this.#countedChanges;
    this.#countedChanges = total;
    return written;
  }
}
