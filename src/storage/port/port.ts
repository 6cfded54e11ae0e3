/**
 * What the catalog needs of a database: named records, their indexed keys, and a log of every change.
 *
 * Text that no database keeps as it is (half a surrogate pair; in names, keys and kinds also a NUL) is refused by every
 * write with an error, and never found by a read. A limit is a whole number from 0 on.
 */
import type { Fence } from '../../lib/async/fence.ts';
import type { Page } from '../../lib/text/page.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Values by which a record can be found besides its name, for instance `{ uri: ['http://acme'] }`. */
export type RecordKeys = Readonly<Record<string, readonly string[]>>;

/** What a writer says of a record; the storage adds identity, version and times. */
export interface RecordDraft {
  readonly kind: string;
  /** The id of the record this one lives in, or null at the top. A parent with children cannot be removed. */
  readonly parent: string | null;
  /** Unique among the records of the same kind and parent. */
  readonly name: string;
  readonly body: JsonObject;
  readonly keys: RecordKeys;
  /** The files it names, by hash: as long as it is there, or told of in the log, nobody may remove them. */
  readonly files?: readonly string[];
}

export interface StoredRecord extends Omit<RecordDraft, 'keys' | 'files'> {
  readonly id: string;
  /** The sequence number of the change that last wrote this record: it only ever grows, also across delete and re-create. */
  readonly version: number;
  readonly createdAtMs: number;
  /** Equal to `createdAtMs` until the first update. */
  readonly modifiedAtMs: number;
}

/**
 * What the storage has to know of a kind of records to keep them readable. Whoever opens a storage names every kind; one
 * whose bodies or keys are written down otherwise than they were is brought up to date before anything is read.
 */
export interface KindRules {
  readonly kind: string;
  /** One more with every change of what a body looks like. */
  readonly bodyVersion: number;
  /** A body of an earlier version as it would be written today. */
  upgrade(body: JsonObject, fromVersion: number): JsonObject;
  /** The names of all keys its records may have: with a new one, old records are found by it too. */
  readonly keyNames: readonly string[];
  /** Which keys and files a record has. */
  index(record: Pick<RecordDraft, 'parent' | 'name' | 'body'>): Pick<RecordDraft, 'keys' | 'files'>;
  /** A body as it may be shown, for whoever reads the log. */
  mask(body: JsonObject): JsonObject;
  /** Of records that only count the changes of others: the body after one more. */
  readonly countOn?: (body: JsonObject) => JsonObject;
}

/** Values from the one on, and before the other, in code-point order; undefined for no such end. */
export interface ValueRange {
  readonly from?: string;
  readonly before?: string;
  /** Only values that sort after this one. */
  readonly after?: string;
  /** How many of them, the first ones, if not all. */
  readonly limit?: number;
}

/** Where a record stands among those of its kind. */
export type RecordSortKey = Pick<StoredRecord, 'parent' | 'name'>;

/**
 * Every answer shows durable state; a transaction also shows its own writes. Long answers are read piece by piece, so
 * that others get their turn, and still show one state.
 */
export interface RecordReader {
  /** The record of this kind and name inside this parent (null: at the top). */
  find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined>;
  /** The record with this id. */
  get(id: string): Promise<StoredRecord | undefined>;
  /** The records of a kind inside a parent, ordered by name in code-point order. */
  list(kind: string, parent: string | null, page?: Page): Promise<readonly StoredRecord[]>;
  /** Their names alone: the records would be most of what a long listing costs. */
  listNames(kind: string, parent: string | null, page?: Page): Promise<readonly string[]>;
  /** The values that records of a kind carry under this key, each once, in code-point order. */
  listKeyValues(kind: string, key: string, range?: ValueRange): Promise<readonly string[]>;
  /** The records of a kind that carry this value under this key, oldest first. */
  findByKey(kind: string, key: string, value: string, limit: number): Promise<readonly StoredRecord[]>;
  /** The records, of any kind, that live directly in this parent, ordered by kind and name. */
  listChildren(parent: string, limit: number): Promise<readonly StoredRecord[]>;
  /** How many records live directly in this parent. */
  countChildren(parent: string): Promise<number>;
  /** How many records of a kind there are, wherever they live. */
  count(kind: string): Promise<number>;
  /** The records of a kind, wherever they live, ordered by parent and name: those after this place, as many as `limit`. */
  listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<readonly StoredRecord[]>;
}

/** One state, however much is written meanwhile; whoever takes one must release it. */
export interface Snapshot extends RecordReader {
  /** The sequence number of the last change it shows. */
  readonly position: number;
  /** The log up to there. */
  readonly log: LogReader;
  release(): void;
}

/** Usable only until its work has ended. A failed call has changed nothing, and the transaction can go on. */
export interface WriteTransaction extends RecordReader {
  /** The sequence number this transaction will have in the change log; the version of everything it writes. */
  readonly sequence: number;
  /** Adds a record; a `NameTaken` error when its kind, parent and name exist already. */
  insert(draft: RecordDraft): Promise<StoredRecord>;
  /** Adds a record under the id and with the time of creation that it once had; the id must be free. */
  restore(draft: RecordDraft, former: Pick<StoredRecord, 'id' | 'createdAtMs'>): Promise<StoredRecord>;
  /** Replaces parent, name, body and keys of an existing record, whose kind stays; `NameTaken` as for insert. */
  update(id: string, draft: RecordDraft): Promise<StoredRecord>;
  /** Removes a record; fails while other records live in it. */
  remove(id: string): Promise<void>;
  /** Fails if the fence belongs to another holder by now; else no other can take it before the transaction has ended. */
  requireHeld(fence: Fence): Promise<void>;
}

/** Who makes a change and what they call it; kept in the log. */
export interface ChangeAuthor {
  readonly who: string;
  readonly what: string;
  /** The number of the change that this one takes back. */
  readonly undoes?: number;
}

/**
 * One record's part in a change: how it was before the change and how it is after, however often it was written in
 * between. `before` is null for an insert, `after` for a removal; a record that came and went inside one change is not
 * told of. Secrets are masked in both, and the item is there even if the masked bodies are the same.
 */
export interface ChangeItem {
  readonly kind: string;
  readonly id: string;
  readonly before: ChangedState | null;
  readonly after: ChangedState | null;
}

export interface ChangedState {
  readonly parent: string | null;
  readonly name: string;
  readonly body: JsonObject;
}

/** An item and its place in its change. */
export interface OrderedItem {
  readonly ordinal: number;
  readonly item: ChangeItem;
}

/** An entry of the log without what became of the records. */
export interface ChangeHead extends ChangeAuthor {
  readonly sequence: number;
  readonly atMs: number;
}

export interface ChangeEntry extends ChangeHead {
  readonly items: readonly ChangeItem[];
}

/** Entries between two numbers, without those themselves; oldest first unless said otherwise. */
export interface ChangeRange {
  readonly after?: number;
  readonly before?: number;
  readonly isNewestFirst?: boolean;
}

/** How a record was at some time. */
export interface RecordedState extends ChangedState {
  readonly kind: string;
}

export interface LogReader {
  listEntries(range: ChangeRange, limit: number): Promise<readonly ChangeHead[]>;
  /** What became of each record, with secrets masked. */
  readItems(sequence: number): AsyncIterable<ChangeItem>;
  /** Some of them: as many as `limit`, after this place among them (-1: from the first). */
  listItems(sequence: number, after: number, limit: number): Promise<readonly OrderedItem[]>;
  /**
   * A record as it was right after that change, also one that is gone since; undefined where it was not there. Its body is
   * as it is kept: for whoever looks for names, not for showing.
   */
  findStateAt(id: string, sequence: number): Promise<RecordedState | undefined>;
  /** The number of the last change of a record, also of one that is gone; undefined where none is kept. */
  findLastChange(id: string): Promise<number | undefined>;
  /** The number of the change that first made a record; undefined where that is no longer kept. */
  findCreatingChange(id: string): Promise<number | undefined>;
  /** When a record was first made; undefined where that is no longer kept. */
  findCreationTime(id: string): Promise<number | undefined>;
}

/** What came of a write: the result of its work, and the number of the change, or null if nothing was changed. */
export interface WriteResult<T> {
  readonly result: T;
  readonly change: number | null;
}

/** What came of a rehearsal: the result of its work, and the change that a write would have made. */
export interface RehearsalResult<T> {
  readonly result: T;
  /** Without a number and a time, since it never was; null if nothing would have been changed. */
  readonly entry: Omit<ChangeEntry, 'sequence' | 'atMs'> | null;
}

/**
 * A state and what is written over it, seen by nobody else. Whoever works with it may wait for anything. What it has written
 * is kept as one change in the end, if nobody has changed meanwhile what it has read; or it was for nothing.
 */
export interface BufferedTransaction extends RecordReader {
  /** The number of the last change of the state that it stands on. */
  readonly position: number;
  /** Runs `work` after the changes before it; what fails is taken back alone. Gives what became of which record. */
  change<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<BufferedChange<T>>;
  /** Runs `work` as a change would, and takes everything back. */
  rehearse<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<T>;
  /** Runs work of one or more changes; if it throws, all of them are taken back, and what was before them stays. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** To be told by whoever reads the log: every change of others concerns them. */
  noteLogRead(): void;
  /** Those of `listOfKind` that it has written. */
  listWritten(kind: string, after: RecordSortKey | undefined, limit: number): Promise<readonly StoredRecord[]>;
  /** What all changes so far come to, with secrets masked. */
  listItems(): readonly ChangeItem[];
}

export interface BufferedChange<T> {
  readonly result: T;
  /** Whether it changed anything. */
  readonly isChanged: boolean;
}

/** After that a key is as good as new. */
export const REPLY_RETENTION_MS = 86_400_000;

/** The reply to a request that may be sent again, by the account that sent it and the key that it has. */
export interface StoredReply {
  /** Identifies the account. Rows of earlier versions have the name of the user instead. */
  readonly who: string;
  readonly key: string;
  readonly atMs: number;
  /** What tells the request from others. */
  readonly request: string;
  readonly reply: string;
}

/** What becomes of a draft. */
export interface BufferedResult<T> {
  readonly result: T;
  /** Who makes all of it one change, and what they call it. */
  readonly author: ChangeAuthor;
  /** Whether it shall be kept. */
  readonly shouldCommit: boolean;
  /** Whether there is something to be committed although no record may have been changed. */
  readonly hasMore?: boolean;
  /** Asked in its turn: whether others have changed what it has seen outside of the storage. */
  readonly isOvertaken?: () => Promise<boolean>;
  /** The name of a note that is kept with it, also where no record was changed. */
  readonly note?: string;
  /** Done in its turn, right before it is made durable, when nothing else stands against it. */
  readonly beforeCommit?: (change: ChangeHead | null) => Promise<void>;
  /**
   * Kept with it, also where no record was changed. Where another of the same user and key was kept meanwhile, and is to be
   * found, nothing is done, and a Problem says so.
   */
  readonly reply?: (change: ChangeHead | null) => Omit<StoredReply, 'atMs'>;
  /** Told that nothing of it was kept, and why, where an error prevented it; `DraftOvertaken` if it is run again. */
  readonly onRollback: (reason?: unknown) => Promise<void>;
}

/**
 * Short texts beside the records, by name: how far something has got. They are no part of the configuration, and so have
 * no number, no version and no history.
 */
export interface Notes {
  read(name: string): Promise<string | undefined>;
  /** The names that begin with this, in code-point order. */
  listNames(beginning: string): Promise<readonly string[]>;
  /** Resolved means durable; null removes it. */
  write(name: string, text: string | null): Promise<void>;
  /**
   * Writes a note in one transaction with a look at what it says so far. Gives false, and writes nothing, if `write` gives
   * undefined or if the fence belongs to another holder by then. `write` may run twice.
   */
  update(name: string, write: (text: string | undefined) => string | undefined, fence?: Fence): Promise<boolean>;
  /**
   * Writes a note that others remember: `write` is given what it says so far and a number that is greater than all before
   * it, and nobody else writes meanwhile. Gives the number; undefined where the note says the same as before.
   */
  announce(
    name: string,
    write: (text: string | undefined, number: number) => string | null,
  ): Promise<number | undefined>;
  /** The number of the last announcement that reads show, 0 before the first; as current as the position is. */
  getLastAnnouncement(): number;
  /** As `Storage.watch`, for announcements. */
  watch(told: () => void): () => void;
}

export interface Storage extends RecordReader {
  readonly notes: Notes;
  /** The log as it is when it is asked. */
  readonly log: LogReader;
  /** The state as it is now, to read several records of. */
  snapshot(): Snapshot;
  /**
   * Runs `work` alone (writes are serialised in the order they were asked for) in one transaction with its entry in
   * the change log. Resolved means durable; rejected means nothing happened. A transaction that wrote nothing leaves
   * no entry, and its sequence number goes to the next. A write inside the work of a write is refused. Writes that
   * wait are made durable together, and none is answered before all of them are; if the database refuses that, each runs
   * again by itself, so that `work` may run twice.
   */
  write<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<WriteResult<T>>;
  /** Runs `work` as a write would, in its turn, and takes everything back. */
  rehearse<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<RehearsalResult<T>>;
  /**
   * Runs `work` over a draft and keeps that as one change. If others have changed what it has read, it is run again over
   * the state as it is then; if that goes on, once more in its turn, while all other writes wait.
   */
  writeBuffered<T>(work: (draft: BufferedTransaction) => Promise<BufferedResult<T>>): Promise<WriteResult<T>>;
  findReply(who: string, key: string): Promise<StoredReply | undefined>;
  /** Removes replies that were kept before this time, as many as `limit`; gives how many. */
  deleteReplies(beforeMs: number, limit: number): Promise<number>;
  /** Entries with a sequence number greater than `after`, oldest first. */
  listChanges(after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** The same with secrets as they are kept, sealed, for whoever puts records back. */
  listSealedChanges(after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** Entries of `changes` that tell of this record. */
  listRecordChanges(id: string, after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** Whether a record names this file, or an entry of the log that was made at this time or later; as all nodes have it by now. */
  isFileReferenced(file: string, sinceMs: number): Promise<boolean>;
  /** Whether a record names this file, whatever the log tells. */
  isFileInUse(file: string): Promise<boolean>;
  /** Removes the oldest entries, as many as `limit`, that were made before this time; gives how many. Numbers stay used. */
  deleteChanges(beforeMs: number, limit: number): Promise<number>;
  /**
   * Sees to it that from now on reads show all that was answered before it was called; undefined where that needs no
   * waiting, since nobody else writes.
   */
  refresh(): Promise<void> | undefined;
  /** The sequence number of the last change that reads show, 0 before the first; while it stays the same, so do they. */
  position(): number;
  /**
   * From now on `told` is called, without waiting for it, whenever reads show a later position than before: at once for
   * what is written here, within a second for what others write into the same database. Gives the way to end that.
   */
  watch(told: () => void): () => void;
  /** How many writes wait for their turn or run right now. */
  countPendingWrites(): number;
  /** Whether changes can be made; false once the disk has failed so that only opening anew helps. Costs nothing. */
  isWritable(): boolean;
  /** What the database finds wrong with itself; empty when it is sound. */
  findIntegrityProblems(): Promise<readonly string[]>;
  /**
   * Waits for the writes asked for so far, refuses later ones, and lets go of the files; doing so twice is fine. Once
   * `signal` is aborted it waits no longer: what is not done by then is taken back, and whoever asked for it is told.
   */
  close(signal?: AbortSignal): Promise<void>;
}

/** Others have changed what a draft has read. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}

/** Two records of one kind may not have the same name in the same parent. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}
