/** The open transaction of the writing connection. */
import type { DatabaseSync } from 'node:sqlite';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { ChangeAuthor, OrderedItem, RecordSortKey, StoredRecord, StoredReply } from '../port/port.ts';
import type {
  AgedRecord,
  AgePage,
  ChangeLogItem,
  CommitResult,
  Head,
  ItemCursor,
  ItemWithCursor,
  KindShape,
  OldestChanges,
  RowParts,
  RowTransaction,
  ValuePage,
} from '../port/rows.ts';
import type { ChangeLogReader, ChangeLogWriter } from './change-log.ts';
import { toConnectionProblem } from './connection-problem.ts';
import { readShapes, writeShape } from './kind-shapes.ts';
import type { NoteRows } from './note-rows.ts';
import type { RecordQueries } from './record-queries.ts';
import type { RecordWrites } from './record-writes.ts';
import type { ReplyWriter } from './reply-rows.ts';

/** The prepared statements of the writing connection, shared by all transactions, which run one at a time. */
export interface WriterStatements {
  readonly database: DatabaseSync;
  readonly queries: RecordQueries;
  readonly writes: RecordWrites;
  readonly log: ChangeLogReader;
  readonly logWriter: ChangeLogWriter;
  readonly notes: NoteRows;
  readonly replies: ReplyWriter;
}

/** The storage operations that the transaction needs. */
interface Writer {
  /** Makes the writes of the transaction durable. */
  commit(): Promise<void>;
  /** Begins a transaction and waits for other programs if necessary. */
  lock(): Promise<void>;
}

export class SqliteRowTransaction implements RowTransaction {
  readonly logsItems = true;
  readonly head: Head;
  readonly #statements: WriterStatements;
  readonly #writer: Writer;
  #hasKeptSteps = false;
  /** The error with which SQLite aborted the transaction. */
  #failure: unknown;

  constructor(statements: WriterStatements, writer: Writer) {
    this.#statements = statements;
    this.#writer = writer;
    this.head = statements.log.readHead();
  }

  assertOpen(): void {
    // SQLite rolls back by itself after some errors (a full disk, for example); later writes would be committed on
    // their own.
    const { database } = this.#statements;
    if (!database.isOpen) throw problem('draining', {});
    if (!database.isTransaction) {
      const failure = toConnectionProblem(this.#failure);
      const message = 'The database aborted this transaction. Its changes are discarded.';
      throw failure instanceof Problem ? failure : new Error(message, { cause: this.#failure });
    }
  }

  /** The first step needs no savepoint, because nothing precedes it: most writes are alone. */
  async beginStep(): Promise<void> {
    if (this.#hasKeptSteps) this.#run(({ database }) => database.exec('SAVEPOINT step'));
  }

  async commitStep(): Promise<void> {
    if (this.#hasKeptSteps) this.#run(({ database }) => database.exec('RELEASE step'));
    this.#hasKeptSteps = true;
  }

  /** Every write is immediate. */
  async flush(): Promise<void> {}

  async rollbackStep(): Promise<void> {
    const { database } = this.#statements;
    if (!database.isOpen || !database.isTransaction) return;
    if (this.#hasKeptSteps) {
      this.#run(() => database.exec('ROLLBACK TO step; RELEASE step'));
      return;
    }
    this.#run(() => database.exec('ROLLBACK'));
    // Another program may acquire the lock in between.
    await this.#writer.lock();
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    return this.#run(({ queries }) => queries.find(kind, parent, name));
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    return this.#run(({ queries }) => queries.get(id));
  }

  async list(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<StoredRecord[]> {
    return this.#run(({ queries }) => queries.list(kind, parent, after, limit));
  }

  async listNames(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<string[]> {
    return this.#run(({ queries }) => queries.listNames(kind, parent, after, limit));
  }

  async listKeyValues(kind: string, key: string, range: ValuePage): Promise<string[]> {
    return this.#run(({ queries }) => queries.listKeyValues(kind, key, range));
  }

  async listByKey(kind: string, key: string, value: string, page: AgePage): Promise<AgedRecord[]> {
    return this.#run(({ queries }) => queries.listByKey(kind, key, value, page));
  }

  async listChildren(parent: string, limit: number): Promise<StoredRecord[]> {
    return this.#run(({ queries }) => queries.children(parent, limit));
  }

  async countChildren(parent: string): Promise<number> {
    return this.#run(({ queries }) => queries.countChildren(parent));
  }

  async count(kind: string): Promise<number> {
    return this.#run(({ queries }) => queries.count(kind));
  }

  async findAge(id: string): Promise<number | undefined> {
    return this.#run(({ queries }) => queries.ageOf(id));
  }

  async insert(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#run(({ writes }) => writes.insert(record, parts));
  }

  async update(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#run(({ writes }) => writes.update(record, parts));
  }

  async remove(id: string): Promise<void> {
    this.#run(({ writes }) => writes.remove(id));
  }

  async listFiles(id: string): Promise<readonly string[]> {
    return this.#run(({ writes }) => writes.listFiles(id));
  }

  async openChange(sequence: number, atMs: number, author: ChangeAuthor): Promise<void> {
    this.#run(({ logWriter }) => logWriter.open(sequence, atMs, author));
  }

  async logItems(sequence: number, firstOrdinal: number, items: readonly ChangeLogItem[]): Promise<void> {
    this.#run(({ logWriter }) => logWriter.logItems(sequence, firstOrdinal, items));
  }

  async pruneItems(sequence: number): Promise<boolean> {
    return this.#run(({ logWriter }) => logWriter.pruneItems(sequence));
  }

  async listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]> {
    return this.#run(({ log }) => log.listChangeItems(sequence, after, limit));
  }

  async readNote(name: string): Promise<string | undefined> {
    return this.#run(({ notes }) => notes.read(name));
  }

  /** Only one process uses the database. */
  async isHeld(): Promise<boolean> {
    return true;
  }

  async writeNote(name: string, text: string | null): Promise<void> {
    this.#run(({ notes }) => notes.write(name, text));
  }

  async moveHead(head: Head): Promise<void> {
    this.#run(({ logWriter }) => logWriter.moveHead(head));
  }

  async listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<StoredRecord[]> {
    return this.#run(({ queries }) => queries.listOfKind(kind, after, limit));
  }

  async rewrite(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#run(({ writes }) => writes.rewrite(record, parts));
  }

  async listItemsOfKind(kind: string, after: ItemCursor | undefined, limit: number): Promise<ItemWithCursor[]> {
    return this.#run(({ log }) => log.listItemsOfKind(kind, after, limit));
  }

  async logFiles(sequence: number, files: readonly string[]): Promise<void> {
    this.#run(({ logWriter }) => logWriter.logFiles(sequence, files));
  }

  async readShapes(): Promise<ReadonlyMap<string, readonly KindShape[]>> {
    return this.#run(({ database }) => readShapes(database));
  }

  async addShape(kind: string, shape: KindShape): Promise<void> {
    this.#run(({ database }) => writeShape(database, kind, shape));
  }

  async findOldestChanges(beforeMs: number, limit: number): Promise<OldestChanges> {
    return this.#run(({ logWriter }) => logWriter.findOldest(beforeMs, limit));
  }

  async deleteItems(last: number, limit: number): Promise<number> {
    return this.#run(({ logWriter }) => logWriter.deleteItems(last, limit));
  }

  async deleteEntries(last: number): Promise<void> {
    this.#run(({ logWriter }) => logWriter.deleteEntries(last));
  }

  async storeReply(reply: StoredReply, untilMs: number): Promise<boolean> {
    return this.#run(({ replies }) => replies.store(reply, untilMs));
  }

  async deleteReplies(beforeMs: number, limit: number): Promise<number> {
    return this.#run(({ replies }) => replies.delete(beforeMs, limit));
  }

  async commit(): Promise<CommitResult> {
    this.assertOpen();
    await this.#writer.commit();
    return { shown: undefined };
  }

  async rollback(): Promise<void> {
    const { database } = this.#statements;
    if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
  }

  #run<T>(work: (statements: WriterStatements) => T): T {
    try {
      return work(this.#statements);
    } catch (error) {
      this.#failure ??= error;
      throw toConnectionProblem(error);
    }
  }
}
