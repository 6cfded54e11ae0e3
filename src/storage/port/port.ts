/**
 * The interface of the catalog to a database: named records, their indexed keys, and a log of every change. Text that a
 * database cannot store unchanged (an unpaired surrogate; in names, keys and kinds also a NUL) is rejected by every
 * write and never found by a read. A limit is an integer of at least 0.
 */
import type { Fence } from '../../lib/async/fence.ts';
import type { SignIn } from '../../lib/identity/principal.ts';
import type { Page } from '../../lib/text/page.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Values that find a record besides its name, for instance `{ uri: ['http://acme'] }`. */
export type RecordKeys = Readonly<Record<string, readonly string[]>>;

/** The fields of a record that a writer provides. The storage adds identity, version and times. */
export interface RecordDraft {
  readonly kind: string;
  /** The id of the parent record, or null at the top level. A parent with children cannot be deleted. */
  readonly parent: string | null;
  /** Unique among the records of the same kind and parent. */
  readonly name: string;
  readonly body: JsonObject;
  readonly keys: RecordKeys;
  /** The hashes of its files. They must not be deleted while the record or an entry of the log refers to them. */
  readonly files?: readonly string[];
}

export interface StoredRecord extends Omit<RecordDraft, 'keys' | 'files'> {
  readonly id: string;
  /** The number of the change that last wrote this record. It only grows, even across deletion and creation. */
  readonly version: number;
  readonly createdAtMs: number;
  /** Equal to `createdAtMs` until the first update. */
  readonly modifiedAtMs: number;
}

/**
 * The rules that the storage needs to keep records of a kind readable. Opening a storage requires the rules of every
 * kind. Records in an older format are migrated before anything is read.
 */
export interface KindRules {
  readonly kind: string;
  /** Incremented with each change of the body format. */
  readonly bodyVersion: number;
  /** Converts a body of an earlier version to the current one. */
  upgrade(body: JsonObject, fromVersion: number): JsonObject;
  /** The names of all keys of its records. A new key also finds old records. */
  readonly keyNames: readonly string[];
  /** Computes the keys and files of a record. */
  index(record: Pick<RecordDraft, 'parent' | 'name' | 'body'>): Pick<RecordDraft, 'keys' | 'files'>;
  /** Masks the secrets of a body for readers of the log. */
  mask(body: JsonObject): JsonObject;
  /** For records that only count the changes of others: the body after one more. */
  readonly countOn?: (body: JsonObject) => JsonObject;
}

/** Values from `from` (inclusive) to `before` (exclusive) in code-point order; undefined means unbounded. */
export interface ValueRange {
  readonly from?: string;
  readonly before?: string;
  /** Only values that sort after this one. */
  readonly after?: string;
  /** The maximum number of values. */
  readonly limit?: number;
}

/** The sort position of a record among those of its kind. */
export type RecordSortKey = Pick<StoredRecord, 'parent' | 'name'>;

/**
 * Reads return durable state; a transaction also sees its own writes. Long results are read in batches so that other
 * work can run, and still come from one snapshot.
 */
export interface RecordReader {
  /** Returns the record of this kind and name in this parent (null: at the top level). */
  find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined>;
  /** The record with this id. */
  get(id: string): Promise<StoredRecord | undefined>;
  /** Lists the records of a kind in a parent by name in code-point order. */
  list(kind: string, parent: string | null, page?: Page): Promise<readonly StoredRecord[]>;
  /** Lists only the names, because the records would dominate the cost of a long listing. */
  listNames(kind: string, parent: string | null, page?: Page): Promise<readonly string[]>;
  /** Lists the distinct values of a key in code-point order. */
  listKeyValues(kind: string, key: string, range?: ValueRange): Promise<readonly string[]>;
  /** Lists the records of a kind with this value of a key, oldest first. */
  findByKey(kind: string, key: string, value: string, limit: number): Promise<readonly StoredRecord[]>;
  /** Lists the direct children of any kind by kind and name. */
  listChildren(parent: string, limit: number): Promise<readonly StoredRecord[]>;
  /** Counts the direct children. */
  countChildren(parent: string): Promise<number>;
  /** Counts the records of a kind under all parents. */
  count(kind: string): Promise<number>;
  /** Lists the records of a kind under all parents by parent and name, after the given position, up to `limit`. */
  listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<readonly StoredRecord[]>;
}

/** One state, regardless of concurrent writes. It must be released. */
export interface Snapshot extends RecordReader {
  /** The number of the last change it includes. */
  readonly position: number;
  /** The log up to that change. */
  readonly log: LogReader;
  release(): void;
}

/** Usable only until its work ends. A failed call changes nothing, and the transaction can continue. */
export interface WriteTransaction extends RecordReader {
  /** The number of this transaction in the change log, and the version of everything it writes. */
  readonly sequence: number;
  /** Inserts a record; throws `NameTaken` if its kind, parent and name exist. */
  insert(draft: RecordDraft): Promise<StoredRecord>;
  /** Inserts a record with its former id and creation time. The id must be free. */
  restore(draft: RecordDraft, former: Pick<StoredRecord, 'id' | 'createdAtMs'>): Promise<StoredRecord>;
  /** Replaces parent, name, body and keys of a record; the kind is fixed. Throws `NameTaken` like `insert`. */
  update(id: string, draft: RecordDraft): Promise<StoredRecord>;
  /** Deletes a record; fails if it has children. */
  remove(id: string): Promise<void>;
  /** Fails if the fence belongs to another holder. Otherwise it cannot be taken over before the transaction ends. */
  requireHeld(fence: Fence): Promise<void>;
}

/** The author and the description of a change in the log. */
export interface ChangeAuthor {
  readonly who: string;
  readonly what: string;
  /** How the author signed in. Absent for the server itself, and in entries of earlier versions. */
  readonly via?: SignIn;
  /** The number of the change that this one undoes. */
  readonly undoes?: number;
}

/**
 * One record in a change: its state before and after, regardless of the writes in between. `before` is null for an
 * insert, `after` for a deletion; a record that was created and deleted in one change has no item. Secrets are masked
 * in both, and the item exists even if the masked bodies are equal.
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

/** An item and its position in its change. */
export interface OrderedItem {
  readonly ordinal: number;
  readonly item: ChangeItem;
}

/** An entry of the log without its items. */
export interface ChangeHead extends ChangeAuthor {
  readonly sequence: number;
  readonly atMs: number;
}

export interface ChangeEntry extends ChangeHead {
  readonly items: readonly ChangeItem[];
}

/** Entries between two numbers (exclusive); oldest first by default. */
export interface ChangeRange {
  readonly after?: number;
  readonly before?: number;
  readonly isNewestFirst?: boolean;
}

/** A former state of a record. */
export interface RecordedState extends ChangedState {
  readonly kind: string;
}

export interface LogReader {
  listEntries(range: ChangeRange, limit: number): Promise<readonly ChangeHead[]>;
  /** Reads the items of a change with masked secrets. */
  readItems(sequence: number): AsyncIterable<ChangeItem>;
  /** Lists up to `limit` items after this position (-1: from the first). */
  listItems(sequence: number, after: number, limit: number): Promise<readonly OrderedItem[]>;
  /**
   * Returns the state of a record right after a change, even if it was deleted since; undefined if it did not exist.
   * The body contains sealed secrets: use it for lookups, not for output.
   */
  findStateAt(id: string, sequence: number): Promise<RecordedState | undefined>;
  /** Returns the number of the last change of a record, even if it was deleted; undefined if none is retained. */
  findLastChange(id: string): Promise<number | undefined>;
  /** Returns the number of the change that created a record; undefined if it is not retained. */
  findCreatingChange(id: string): Promise<number | undefined>;
  /** Returns the creation time of a record; undefined if it is not retained. */
  findCreationTime(id: string): Promise<number | undefined>;
}

/** The result of a write: the result of its work, and the number of the change, or null if nothing changed. */
export interface WriteResult<T> {
  readonly result: T;
  readonly change: number | null;
}

/** The result of a rehearsal: the result of its work, and the change that a write would have made. */
export interface RehearsalResult<T> {
  readonly result: T;
  /** Without a number and a time, because it was not committed; null if nothing would change. */
  readonly entry: Omit<ChangeEntry, 'sequence' | 'atMs'> | null;
}

/**
 * A snapshot and writes over it, invisible to others. The work may wait for anything. Its writes are committed as one
 * change at the end if nothing that it has read has changed; otherwise they are discarded.
 */
export interface BufferedTransaction extends RecordReader {
  /** The number of the last change in its snapshot. */
  readonly position: number;
  /** Runs `work` after the earlier changes; a failure rolls back this change only. Returns the changed records. */
  change<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<BufferedChange<T>>;
  /** Runs `work` like a change and rolls everything back. */
  rehearse<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<T>;
  /** Runs work of one or more changes. If it throws, all of them are rolled back, and earlier changes stay. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Must be called when the log is read: every concurrent change is a conflict then. */
  noteLogRead(): void;
  /** The records of `listOfKind` that this transaction has written. */
  listWritten(kind: string, after: RecordSortKey | undefined, limit: number): Promise<readonly StoredRecord[]>;
  /** Returns the combined items of all changes so far, with masked secrets. */
  listItems(): readonly ChangeItem[];
}

export interface BufferedChange<T> {
  readonly result: T;
  /** Whether it changed anything. */
  readonly isChanged: boolean;
}

/** After this time a key can be used again. */
export const REPLY_RETENTION_MS = 86_400_000;

/** The response to an idempotent request, by account and idempotency key. */
export interface StoredReply {
  /** Identifies the account. Rows of earlier versions have the name of the user instead. */
  readonly who: string;
  readonly key: string;
  readonly atMs: number;
  /** A fingerprint of the request. */
  readonly request: string;
  readonly reply: string;
}

/** The result of a buffered transaction. */
export interface BufferedResult<T> {
  readonly result: T;
  /** The author and the description of the combined change. */
  readonly author: ChangeAuthor;
  /** Whether it is committed. */
  readonly shouldCommit: boolean;
  /** Whether there is something to commit even if no record changed. */
  readonly hasMore?: boolean;
  /** Called under the write lock: returns whether others have changed what it has read outside the storage. */
  readonly isOvertaken?: () => Promise<boolean>;
  /** The name of a note that is stored with it, even if no record changed. */
  readonly note?: string;
  /** Runs under the write lock right before the commit, when nothing else can reject it. */
  readonly beforeCommit?: (change: ChangeHead | null) => Promise<void>;
  /**
   * Stored with it, even if no record changed. If another response with the same user and key exists by then, nothing
   * is committed, and a Problem reports it.
   */
  readonly reply?: (change: ChangeHead | null) => Omit<StoredReply, 'atMs'>;
  /** Called if nothing was committed, with the error that prevented it; `TransactionConflict` if it is run again. */
  readonly onRollback: (reason?: unknown) => Promise<void>;
}

/**
 * Short texts besides the records, by name, such as the progress of a job. They are not part of the configuration and
 * have no number, version or history.
 */
export interface Notes {
  read(name: string): Promise<string | undefined>;
  /** Lists the names with this prefix in code-point order. */
  listNames(beginning: string): Promise<readonly string[]>;
  /** Resolves when the note is durable; null deletes it. */
  write(name: string, text: string | null): Promise<void>;
  /**
   * Reads and writes a note in one transaction. Returns false and writes nothing if `write` returns undefined or if the
   * fence belongs to another holder. `write` may run twice.
   */
  update(name: string, write: (text: string | undefined) => string | undefined, fence?: Fence): Promise<boolean>;
  /**
   * Writes a note that others cache: `write` receives the current text and a number greater than all before it, under
   * the write lock. Returns the number; undefined if the text is unchanged.
   */
  announce(
    name: string,
    write: (text: string | undefined, number: number) => string | null,
  ): Promise<number | undefined>;
  /** The number of the last announcement that reads include, 0 before the first. It is as current as the position. */
  getLastAnnouncement(): number;
  /** Like `Storage.watch`, for announcements. */
  watch(listener: () => void): () => void;
}

export interface Storage extends RecordReader {
  readonly notes: Notes;
  /** The current log. */
  readonly log: LogReader;
  /** Returns a snapshot of the current state, for several reads. */
  snapshot(): Snapshot;
  /**
   * Runs `work` exclusively (writes are serialized in call order) in one transaction with its entry in the change log.
   * Resolves when it is durable; a rejection means that nothing changed. A transaction without writes has no entry, and
   * its number is used for the next one. A write inside the work of a write is rejected.
   *
   * Waiting writes are committed together, and none resolves before all are durable. If the database rejects the
   * commit, each write runs again on its own, so `work` may run twice.
   */
  write<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<WriteResult<T>>;
  /** Runs `work` like a write and rolls everything back. */
  rehearse<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<RehearsalResult<T>>;
  /**
   * Runs `work` in a buffered transaction and commits it as one change. After a conflict it is run again over the
   * current state; if conflicts continue, it is run while all other writes wait.
   */
  writeBuffered<T>(work: (draft: BufferedTransaction) => Promise<BufferedResult<T>>): Promise<WriteResult<T>>;
  findReply(who: string, key: string): Promise<StoredReply | undefined>;
  /** Deletes up to `limit` responses from before this time and returns their number. */
  deleteReplies(beforeMs: number, limit: number): Promise<number>;
  /** Lists entries after the given number, oldest first. */
  listChanges(after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** Lists entries with sealed secrets, for restoring records. */
  listSealedChanges(after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /** Lists the entries of `listChanges` that contain this record. */
  listRecordChanges(id: string, after: number, limit: number): Promise<readonly ChangeEntry[]>;
  /**
   * Returns whether a record, or an entry of the log since this time, refers to this file, including the commits of all
   * nodes.
   */
  isFileReferenced(file: string, sinceMs: number): Promise<boolean>;
  /** Returns whether a record refers to this file. The log is ignored. */
  isFileInUse(file: string): Promise<boolean>;
  /**
   * Deletes up to `limit` of the oldest entries from before this time and returns their number. Numbers are not reused.
   */
  deleteChanges(beforeMs: number, limit: number): Promise<number>;
  /** Makes reads include everything that was acknowledged before this call; undefined if there are no other writers. */
  refresh(): Promise<void> | undefined;
  /** The number of the last change that reads include, 0 before the first. While it is unchanged, so are reads. */
  position(): number;
  /**
   * Calls `listener` without awaiting it whenever reads include a later position: immediately for local writes, within
   * a second for writes of other nodes. Returns the function that ends the subscription.
   */
  watch(listener: () => void): () => void;
  /** Returns the number of waiting and running writes. */
  countPendingWrites(): number;
  /** Returns the number of connections that read snapshots; undefined without a database server. */
  countConnections?(): { readonly active: number; readonly idle: number } | undefined;
  /** Returns whether changes are possible; false after a disk failure that requires reopening. Does no work. */
  isWritable(): boolean;
  /** Returns integrity problems of the database; empty if it is valid. */
  findIntegrityProblems(): Promise<readonly string[]>;
  /**
   * Waits for pending writes, rejects later ones, and closes the files; can be called twice. Once `signal` is aborted
   * it stops waiting: pending work is rolled back, and its callers are rejected.
   */
  close(signal?: AbortSignal): Promise<void>;
}

/** A concurrent change affected what a buffered transaction has read. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}

/** Records of one kind must have different names in the same parent. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}
