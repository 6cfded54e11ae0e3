/** The storage port on one SQLite file: a queue of writes on one connection, reads of committed state on another. */
import type { DatabaseSync } from 'node:sqlite';
import type { ChangeAuthor, ChangeEntry, Storage, StoredRecord, WriteTransaction } from '../port.ts';
import { ChangeLogReader, ChangeLogWriter } from './change-log.ts';
import { openReader, openWriter } from './connection.ts';
import { FoundRecords } from './found-records.ts';
import { integrityProblems } from './integrity.ts';
import { migrate } from './migrations.ts';
import { requireLimit, SqliteReader } from './reader.ts';
import { RecordQueries } from './record-queries.ts';
import { RecordWrites } from './record-writes.ts';
import { requireStorable } from './storable-text.ts';
import { type Mask, SqliteTransaction, type WriterStatements } from './transaction.ts';
import { withinTransaction } from './transaction-boundary.ts';
import { WriteQueue } from './write-queue.ts';

export interface SqliteStorageOptions {
  /** The database; made when it is not there, its folder must be. */
  readonly file: string;
  /** Whole milliseconds since 1970. */
  readonly clock: () => number;
  /** Hides secrets in bodies on their way into the change log; the records themselves keep them. */
  readonly mask: Mask;
}

/** Opens the database, bringing an older schema up to date first; reads no record. */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  const writer = openWriter(options.file);
  try {
    migrate(writer);
    return new SqliteStorage(writer, openReader(options.file), options);
  } catch (error) {
    writer.close();
    throw error;
  }
}

class SqliteStorage extends SqliteReader implements Storage {
  readonly #writer: DatabaseSync;
  readonly #reader: DatabaseSync;
  readonly #options: SqliteStorageOptions;
  readonly #log: ChangeLogReader;
  readonly #writerLog: ChangeLogReader;
  readonly #statements: WriterStatements;
  readonly #queue = new WriteQueue();
  readonly #found = new FoundRecords();
  #generation = 0;
  #closed: Promise<void> | undefined;

  constructor(writer: DatabaseSync, reader: DatabaseSync, options: SqliteStorageOptions) {
    super(new RecordQueries(reader), () => this.#assertOpen());
    this.#writer = writer;
    this.#reader = reader;
    this.#options = options;
    this.#log = new ChangeLogReader(reader);
    this.#writerLog = new ChangeLogReader(writer);
    this.#statements = {
      queries: new RecordQueries(writer),
      writes: new RecordWrites(writer),
      log: new ChangeLogWriter(writer),
      isInTransaction: () => writer.isTransaction,
    };
  }

  write<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      requireStorable('author', author.who);
      requireStorable('description', author.what);
      try {
        return await withinTransaction(this.#writer, async () => {
          const transaction = this.#begin(author);
          try {
            const result = await work(transaction);
            return { result, keep: transaction.hasChanges };
          } finally {
            transaction.end();
          }
        });
      } finally {
        // Also after a failure: whatever a failed COMMIT left behind, the next read looks for itself.
        this.#found.forget();
        this.#generation += 1;
      }
    });
  }

  override async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    this.#assertOpen();
    return this.#found.find(kind, parent, name, () => this.findNow(kind, parent, name));
  }

  async changes(after: number, limit: number): Promise<readonly ChangeEntry[]> {
    this.#assertOpen();
    requireLimit(limit);
    return this.#log.entries(after, limit);
  }

  async position(): Promise<number> {
    this.#assertOpen();
    return this.#log.position();
  }

  generation(): number {
    return this.#generation;
  }

  pendingWrites(): number {
    return this.#queue.depth;
  }

  async integrityProblems(): Promise<readonly string[]> {
    this.#assertOpen();
    return integrityProblems(this.#reader);
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeAfterWrites();
    return this.#closed;
  }

  async #closeAfterWrites(): Promise<void> {
    await this.#queue.close();
    // The writer goes last: the last connection that may write empties and removes the write-ahead log.
    this.#reader.close();
    this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#writer.close();
  }

  #begin(author: ChangeAuthor): SqliteTransaction {
    const { clock, mask } = this.#options;
    const sequence = this.#writerLog.position() + 1;
    return new SqliteTransaction(this.#statements, { sequence, atMs: clock(), author, mask });
  }

  #assertOpen(): void {
    if (!this.#reader.isOpen) throw new Error('The storage is closed.');
  }
}
