/**
 * Connections that each show one durable snapshot: current readers share the last one, and older ones stay open for
 * their readers.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { ChangeHead, ChangeRange, OrderedItem, RecordSortKey, StoredRecord, StoredReply } from '../port/port.ts';
import type { AgedRecord, AgePage, DatedItem, Head, RowSnapshot, ValuePage } from '../port/rows.ts';
import { ChangeLogReader } from './change-log.ts';
import { toConnectionProblem } from './connection-problem.ts';
import { NoteRows } from './note-rows.ts';
import { RecordQueries } from './record-queries.ts';
import { ReplyReader } from './reply-rows.ts';

/** A connection with its statements; in a transaction while it shows a snapshot. */
interface Connection {
  readonly database: DatabaseSync;
  readonly queries: RecordQueries;
  readonly log: ChangeLogReader;
  readonly notes: NoteRows;
  readonly replies: ReplyReader;
}

/** The number of idle connections that are kept open. */
const MAX_IDLE = 2;

export class SqliteSnapshots {
  readonly #open: () => DatabaseSync;
  readonly #idle: Connection[] = [];
  readonly #inUse = new Set<Connection>();
  #last: SqliteSnapshot | undefined;

  constructor(open: () => DatabaseSync) {
    this.#open = open;
  }

  /** Returns the last durable state, held until it is released. */
  hold(): RowSnapshot {
    this.#last ??= this.#begin();
    this.#last.hold();
    return this.#last;
  }

  /** Must be called before a commit: reads until it is durable must see the previous state. */
  ensureLast(): void {
    this.#last ??= this.#begin();
  }

  /** Must be called when a commit is durable: new readers see it. */
  advance(): void {
    const last = this.#last;
    this.#last = undefined;
    last?.retire();
  }

  /** Returns whether an older state still has readers. */
  hasFormerReaders(): boolean {
    return this.#inUse.size > (this.#last === undefined ? 0 : 1);
  }

  close(): void {
    for (const { database } of [...this.#idle, ...this.#inUse]) database.close();
    this.#last = undefined;
  }

  #begin(): SqliteSnapshot {
    const connection = this.#idle.pop() ?? this.#connect();
    this.#inUse.add(connection);
    try {
      connection.database.exec('BEGIN');
      // The first read determines the snapshot.
      return new SqliteSnapshot(connection, connection.log.readHead(), () => this.#releaseConnection(connection));
    } catch (error) {
      this.#releaseConnection(connection);
      throw toConnectionProblem(error);
    }
  }

  #connect(): Connection {
    const database = this.#open();
    return {
      database,
      queries: new RecordQueries(database),
      log: new ChangeLogReader(database),
      notes: new NoteRows(database),
      replies: new ReplyReader(database),
    };
  }

  #releaseConnection(connection: Connection): void {
    this.#inUse.delete(connection);
    const { database } = connection;
    if (!database.isOpen) return;
    if (database.isTransaction) database.exec('ROLLBACK');
    if (this.#idle.length < MAX_IDLE) this.#idle.push(connection);
    else database.close();
  }
}

class SqliteSnapshot implements RowSnapshot {
  readonly position: number;
  readonly announced: number;
  readonly #queries: RecordQueries;
  readonly #log: ChangeLogReader;
  readonly #notes: NoteRows;
  readonly #replies: ReplyReader;
  readonly #free: () => void;
  #holders = 0;
  #isRetired = false;

  constructor({ queries, log, notes, replies }: Connection, head: Head, free: () => void) {
    this.#queries = queries;
    this.#log = log;
    this.#notes = notes;
    this.#replies = replies;
    this.position = head.position;
    this.announced = head.announced;
    this.#free = free;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#isRetired && this.#holders === 0) this.#free();
  }

  /** Called when there is a newer state: this one ends with its last reader. */
  retire(): void {
    this.#isRetired = true;
    if (this.#holders === 0) this.#free();
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    return runRead(() => this.#queries.find(kind, parent, name));
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    return runRead(() => this.#queries.get(id));
  }

  async list(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<StoredRecord[]> {
    return runRead(() => this.#queries.list(kind, parent, after, limit));
  }

  async listNames(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<string[]> {
    return runRead(() => this.#queries.listNames(kind, parent, after, limit));
  }

  async listKeyValues(kind: string, key: string, range: ValuePage): Promise<string[]> {
    return runRead(() => this.#queries.listKeyValues(kind, key, range));
  }

  async listByKey(kind: string, key: string, value: string, page: AgePage): Promise<AgedRecord[]> {
    return runRead(() => this.#queries.listByKey(kind, key, value, page));
  }

  async listChildren(parent: string, limit: number): Promise<StoredRecord[]> {
    return runRead(() => this.#queries.children(parent, limit));
  }

  async countChildren(parent: string): Promise<number> {
    return runRead(() => this.#queries.countChildren(parent));
  }

  async count(kind: string): Promise<number> {
    return runRead(() => this.#queries.count(kind));
  }

  async listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<StoredRecord[]> {
    return runRead(() => this.#queries.listOfKind(kind, after, limit));
  }

  async findAge(id: string): Promise<number | undefined> {
    return runRead(() => this.#queries.ageOf(id));
  }

  async listChanges(range: ChangeRange, limit: number): Promise<ChangeHead[]> {
    return runRead(() => this.#log.listEntries(range, limit));
  }

  async findItem(record: string, sequence: number, side: 'up to' | 'after'): Promise<DatedItem | undefined> {
    return runRead(() => this.#log.findItem(record, sequence, side));
  }

  async listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]> {
    return runRead(() => this.#log.listChangeItems(sequence, after, limit));
  }

  async listEntryNumbers(record: string, after: number, limit: number): Promise<number[]> {
    return runRead(() => this.#log.listEntryNumbers(record, after, limit));
  }

  async readNote(name: string): Promise<string | undefined> {
    return runRead(() => this.#notes.read(name));
  }

  async listNoteNames(beginning: string): Promise<string[]> {
    return runRead(() => this.#notes.listNames(beginning));
  }

  async findReply(who: string, key: string): Promise<StoredReply | undefined> {
    return runRead(() => this.#replies.find(who, key));
  }

  async isFileReferenced(file: string, sinceMs: number): Promise<boolean> {
    return runRead(() => this.#log.isFileReferenced(file, sinceMs));
  }

  async isFileInUse(file: string): Promise<boolean> {
    return runRead(() => this.#log.isFileInUse(file));
  }
}

function runRead<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw toConnectionProblem(error);
  }
}
