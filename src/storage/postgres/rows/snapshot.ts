/** One snapshot: a read-only transaction that can be suspended while it has no readers. */
import type { ChangeHead, ChangeRange, OrderedItem, StoredReply } from '../../port/port.ts';
import type { DatedItem, RowSnapshot } from '../../port/rows.ts';
import type { PostgresSession } from '../connection/session.ts';
import { ChangeLogReader } from './change-log.ts';
import type { DatabaseHead } from './head.ts';
import { readNote, readNoteNames, readReply } from './notes-and-replies.ts';
import { PostgresRowReader } from './record-rows.ts';

export interface SnapshotSessions {
  resume(snapshot: PostgresSnapshot): Promise<PostgresSession>;
  release(session: PostgresSession): void;
}

/** The state of all records after one commit. */
export class PostgresSnapshot extends PostgresRowReader implements RowSnapshot {
  readonly position: number;
  readonly announced: number;
  readonly commits: number;
  readonly #log: ChangeLogReader;
  readonly #sessions: SnapshotSessions;
  /** Undefined while suspended: the next read opens a transaction again. */
  #session: PostgresSession | undefined;
  #resuming: Promise<PostgresSession> | undefined;
  #holders = 0;
  #isRetired = false;

  constructor(session: PostgresSession, { position, announced, commits }: DatabaseHead, sessions: SnapshotSessions) {
    super((...sent) =>
      this.#session === undefined
        ? this.#resume().then((resumed) => resumed.query(...sent))
        : this.#session.query(...sent),
    );
    this.position = position;
    this.announced = announced;
    this.commits = commits;
    this.#session = session;
    this.#log = new ChangeLogReader(this.query);
    this.#sessions = sessions;
  }

  get isLost(): boolean {
    return this.#session?.isLost === true;
  }

  get isSuspended(): boolean {
    return this.#session === undefined;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#isRetired) this.suspend();
  }

  /** Called when there is a newer state: the transaction of this one ends with its last reader. */
  retire(): void {
    this.#isRetired = true;
    this.suspend();
  }

  /** Ends the transaction unless it is in use. */
  suspend(): void {
    const session = this.#session;
    if (this.#holders > 0 || session === undefined) return;
    this.#session = undefined;
    this.#sessions.release(session);
  }

  #resume(): Promise<PostgresSession> {
    this.#resuming ??= this.#sessions
      .resume(this)
      .then((session) => {
        this.#session = session;
        // All readers may have left in the meantime.
        if (this.#isRetired) this.suspend();
        return session;
      })
      .finally(() => {
        this.#resuming = undefined;
      });
    return this.#resuming;
  }

  listChanges(range: ChangeRange, limit: number): Promise<ChangeHead[]> {
    return this.#log.listEntries(range, limit);
  }

  listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]> {
    return this.#log.listChangeItems(sequence, after, limit);
  }

  findItem(record: string, sequence: number, side: 'up to' | 'after'): Promise<DatedItem | undefined> {
    return this.#log.findItem(record, sequence, side);
  }

  listEntryNumbers(record: string, after: number, limit: number): Promise<number[]> {
    return this.#log.listEntryNumbers(record, after, limit);
  }

  isFileReferenced(file: string, sinceMs: number): Promise<boolean> {
    return this.#log.isFileReferenced(file, sinceMs);
  }

  isFileInUse(file: string): Promise<boolean> {
    return this.#log.isFileInUse(file);
  }

  readNote(name: string): Promise<string | undefined> {
    return readNote(this.query, name);
  }

  listNoteNames(beginning: string): Promise<string[]> {
    return readNoteNames(this.query, beginning);
  }

  findReply(who: string, key: string): Promise<StoredReply | undefined> {
    return readReply(this.query, who, key);
  }
}
