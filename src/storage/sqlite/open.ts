/**
 * The storage in one SQLite file: one writing connection, reading connections, and a log that is synced in a thread.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { createYieldIfDue, type YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import { isBusy, toStorageProblem } from '../../lib/problems/sqlite-problem.ts';
import { readIntegerColumn } from '../port/columns.ts';
import type { KindRules, Storage } from '../port/port.ts';
import type { KindShape, Rows, RowTransaction } from '../port/rows.ts';
import { openRowStorage } from '../row-storage.ts';
import { ChangeLogReader, ChangeLogWriter } from './change-log.ts';
import { Checkpoints } from './checkpoints.ts';
import { openReader, openWriter, type Synchronous } from './connection.ts';
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
  /** The database file. It is created if it is missing; its folder must exist. */
  readonly file: string;
  /** Integer milliseconds since 1970. */
  readonly clock: () => number;
  /** The rules of every record kind in the storage. */
  readonly kinds: readonly KindRules[];
  /** Yields to other work during long operations; tests replace it. */
  readonly pace?: YieldIfDue;
  /** Waits until a file is on disk; tests pass one that fails. */
  readonly sync?: (descriptor: number) => Promise<void>;
  /** Default: NORMAL. Tests, which never lose power, use OFF. */
  readonly synchronous?: Synchronous | undefined;
  /** How long a write waits for another program (a backup, a shell) that holds the lock; 2 s by default. */
  readonly busyTimeoutMs?: number;
}

/** The time that work in the database may run before it yields; a small request needs several turns. */
const YIELD_INTERVAL_MS = 5;

/** Another program, such as a backup, holds the lock for a moment only. */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * How long writers wait for readers of older states before the log is restarted. If that fails, it is tried again
 * later.
 */
const READER_WAIT_MS = 50;

/**
 * The offset of the round counter in the header of a write-ahead log (https://sqlite.org/fileformat2.html#walformat).
 */
const LOG_ROUND_OFFSET = 12;

const LARGE_LOG_BYTES = 4 * 1024 * 1024;

/** The interval at which a waiting write retries the lock. */
const BUSY_INTERVAL_MS = 20;

/** Opens the database and migrates an older schema and older records first. */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  const { file, clock, kinds, sync = createLogSync(), busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  const pace = options.pace ?? createYieldIfDue({ everyMs: YIELD_INTERVAL_MS, now: () => performance.now() });
  const writer = openWriter(file, options.synchronous);
  try {
    emptyLargeLog(file, writer);
    migrate(writer);
  } catch (error) {
    writer.close();
    throw error;
  }
  const spillFolder = dirname(file);
  return openRowStorage(new SqliteRows(file, writer, { sync, busyTimeoutMs }), { clock, kinds, pace, spillFolder });
}

/** Moves the log of a crashed server at startup, when no request waits: readers are slower with a large log. */
function emptyLargeLog(file: string, writer: DatabaseSync): void {
  const { size } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > LARGE_LOG_BYTES) writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

class SqliteRows implements Rows {
  readonly #file: string;
  readonly #writer: DatabaseSync;
  readonly snapshots: SqliteSnapshots;
  readonly #statements: WriterStatements;
  readonly #checkpoints: Checkpoints;
  readonly #totalChanges: StatementSync;
  #countedChanges = 0;
  readonly #options: Required<Pick<SqliteStorageOptions, 'sync' | 'busyTimeoutMs'>>;
  /**
   * The write-ahead log, which exists as long as a connection is open. SQLite holds no lock on it that closing would
   * release.
   */
  readonly #logDescriptor: number;
  /** After a failed sync, the state after a crash is unknown. */
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
    this.snapshots = new SqliteSnapshots(() => openReader(file));
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
    this.snapshots.ensureLast();
    this.#checkpoints = new Checkpoints(file);
    this.#logDescriptor = openSync(`${file}-wal`, 'r');
  }

  async begin(): Promise<RowTransaction> {
    if (this.#failure !== undefined) throw toStorageProblem(this.#failure);
    // Only after a failed ROLLBACK: its remaining writes must not be part of this commit.
    if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK');
    if (this.#checkpoints.isOverdue(() => this.#readLogRound())) await this.#restartLog();
    await this.#lock();
    return new SqliteRowTransaction(this.#statements, { commit: () => this.#commit(), lock: () => this.#lock() });
  }

  /**
   * SQLite restarts the log when all of it is in the database and has no readers. With continuous writers and readers
   * that never happens by itself, so the writers wait once for the small remainder.
   */
  async #restartLog(): Promise<void> {
    await this.#checkpoints.run();
    if (!this.#writer.isOpen) throw problem('draining', {});
    // New readers find everything in the database.
    this.snapshots.advance();
    const untilMs = performance.now() + READER_WAIT_MS;
    while (this.snapshots.hasFormerReaders() && performance.now() < untilMs) await wait(1);
  }

  /** Returns how often the log was restarted: SQLite increments a counter in its header. */
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
    // The last writing connection moves and removes the write-ahead log. Writes that the disk has not confirmed must
    // not get into the database that way: while readers are open, the log stays, and the next start recovers what is
    // complete.
    if (isLate || this.#failure !== undefined || this.#isSyncing) {
      this.#writer.close();
      this.snapshots.close();
      return;
    }
    this.snapshots.close();
    this.#emptyLog();
    this.#writer.close();
  }

  /** Emptying a long log can take seconds. It stays if a reader keeps the database open. */
  #keepLog(): void {
    try {
      this.snapshots.ensureLast();
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
   * The commit itself is a copy in memory; the sync of the log is awaited asynchronously. Until then readers see the
   * previous state, so that nothing is visible that a power failure could undo.
   */
  async #commit(): Promise<void> {
    try {
      this.snapshots.ensureLast();
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
    // Closed in the meantime without waiting for this disk.
    if (!this.#writer.isOpen) return;
    this.snapshots.advance();
    this.#checkpoints.countWrites(written);
  }

  /** Returns the number of rows written since the last call. */
  #countWritten(): number {
    const total = readIntegerColumn(this.#totalChanges.get()?.[0]);
    const written = total - this.#countedChanges;
    this.#countedChanges = total;
    return written;
  }
}
