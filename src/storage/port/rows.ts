/**
 * The interface of the storage to a database: rows, a transaction with partial rollback, and snapshots. All rules are
 * implemented above it, once for all databases.
 */
import type { Fence } from '../../lib/async/fence.ts';
import type {
  ChangeAuthor,
  ChangeHead,
  ChangeItem,
  ChangeRange,
  OrderedItem,
  RecordKeys,
  RecordSortKey,
  StoredRecord,
  StoredReply,
  ValueRange,
} from './port.ts';

/** A page of the values of a key within a range. */
export interface ValuePage extends Pick<ValueRange, 'from' | 'before'> {
  readonly after: string | undefined;
  readonly limit: number;
}

/** A page of records in creation order. */
export interface AgePage {
  readonly after: number;
  readonly limit: number;
}

/** Callers have validated texts and limits. */
export interface RowReader {
  find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined>;
  get(id: string): Promise<StoredRecord | undefined>;
  /** Lists by name in code-point order, after the given one (undefined: from the first). */
  list(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<StoredRecord[]>;
  /** Lists only the names. */
  listNames(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<string[]>;
  /** Lists distinct values in code-point order, after the given one (undefined: from the first). */
  listKeyValues(kind: string, key: string, range: ValuePage): Promise<string[]>;
  /** Lists oldest first, after the given age (0: from the first). */
  listByKey(kind: string, key: string, value: string, page: AgePage): Promise<AgedRecord[]>;
  listChildren(parent: string, limit: number): Promise<StoredRecord[]>;
  countChildren(parent: string): Promise<number>;
  count(kind: string): Promise<number>;
  /** Lists the records of a kind under all parents by parent and name, after the given one. */
  listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<StoredRecord[]>;
  /** Returns the position of a record in creation order; undefined if it does not exist. */
  findAge(id: string): Promise<number | undefined>;
}

/** A record and its position in creation order. */
export interface AgedRecord {
  readonly age: number;
  readonly record: StoredRecord;
}

/** One durable state. It is freed once every holder has released it. */
export interface RowSnapshot extends RowReader {
  readonly position: number;
  /** The number of the last announced note. */
  readonly announced: number;
  listChanges(range: ChangeRange, limit: number): Promise<ChangeHead[]>;
  listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]>;
  /** Returns the item of a record in the last entry up to this one, or in the first one after it. */
  findItem(record: string, sequence: number, side: 'up to' | 'after'): Promise<DatedItem | undefined>;
  /** Lists the numbers of the entries that contain a record in ascending order. */
  listEntryNumbers(record: string, after: number, limit: number): Promise<number[]>;
  readNote(name: string): Promise<string | undefined>;
  /** Lists the note names with this prefix in code-point order. */
  listNoteNames(beginning: string): Promise<string[]>;
  isFileReferenced(file: string, sinceMs: number): Promise<boolean>;
  findReply(who: string, key: string): Promise<StoredReply | undefined>;
  isFileInUse(file: string): Promise<boolean>;
  release(): void;
}

/** An item with the number of its entry. */
export interface DatedItem {
  readonly sequence: number;
  readonly item: ChangeItem;
}

/** The end of the log and of the announcements. */
export interface Head {
  /** The number of the last change. */
  readonly position: number;
  readonly atMs: number;
  /** The number of the last announced note. */
  readonly announced: number;
}

/** The stored parts of a record besides its fields. */
export interface RowParts {
  /** The serialized body. */
  readonly text: string;
  readonly keys: RecordKeys;
  readonly files: readonly string[];
}

/** A write of a buffered transaction. */
export type BufferedRow =
  | { readonly kind: 'insert' | 'update'; readonly record: StoredRecord; readonly parts: RowParts }
  | { readonly kind: 'remove'; readonly id: string };

/** An item of the log with the files of both states. */
export interface ChangeLogItem extends ChangeItem {
  readonly files: readonly string[];
  /** The serialized body of `after`; null if there is none. */
  readonly text: string | null;
}

export interface OldestChanges {
  readonly count: number;
  /** The number of the last entry; 0 if there are none. */
  readonly last: number;
}

/** The lookup key of a record by name, for cache invalidation. */
export interface RecordNameKey {
  readonly kind: string;
  readonly parent: string | null;
  readonly name: string;
}

/** The rows under the rules of a write: a database transaction or a buffered transaction. Both see their own writes. */
export interface WritableRows extends RowReader {
  /** Throws if the database has aborted the transaction: later writes would be committed on their own. */
  assertOpen(): void;
  /** Returns whether the fence belongs to its holder; if so, it does until this transaction ends. */
  isHeld(fence: Fence): Promise<boolean>;
  /** Starts a step that can be rolled back separately, until `commitStep` or `rollbackStep`. */
  beginStep(): Promise<void>;
  /** The database may report a problem of a step only at the commit, which then discards everything. */
  commitStep(): Promise<void>;
  rollbackStep(): Promise<void>;
  insert(record: StoredRecord, parts: RowParts): Promise<void>;
  update(record: StoredRecord, parts: RowParts): Promise<void>;
  /** Its keys are deleted with it. */
  remove(id: string): Promise<void>;
  /** Returns the files of a record. */
  listFiles(id: string): Promise<readonly string[]>;
  /** Whether items must be logged. Those of a buffered transaction are derived from its rows. */
  readonly logsItems: boolean;
  openChange(sequence: number, atMs: number, author: ChangeAuthor): Promise<void>;
  /** Logs items. For a record that already has an item in this change, only `after` is replaced. */
  logItems(sequence: number, firstOrdinal: number, items: readonly ChangeLogItem[]): Promise<void>;
  /** Deletes the items of records that were created and deleted in this change. Returns whether any item is left. */
  pruneItems(sequence: number): Promise<boolean>;
}

export interface CommitResult {
  /**
   * Resolves when snapshots include the commit and watchers were called; undefined if that is immediate because there
   * are no other writers. Never rejects.
   */
  readonly shown: Promise<void> | undefined;
}

/** The single open transaction. */
export interface RowTransaction extends WritableRows {
  /** The head before any write. */
  readonly head: Head;
  /** Resolves when the database has accepted all writes so far; then irreversible work may follow. */
  flush(): Promise<void>;
  /** Lists the logged items of a change after this ordinal (-1: from the first). */
  listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]>;
  readNote(name: string): Promise<string | undefined>;
  /** Writes a note and replaces an existing one; null deletes it. */
  writeNote(name: string, text: string | null): Promise<void>;
  moveHead(head: Head): Promise<void>;
  /** Rewrites body, keys and files of a record without a new version. */
  rewrite(record: StoredRecord, parts: RowParts): Promise<void>;
  /** Lists the logged items of a kind after this position (undefined: from the first). */
  listItemsOfKind(kind: string, after: ItemCursor | undefined, limit: number): Promise<ItemWithCursor[]>;
  /** Adds files to an entry of the log. */
  logFiles(sequence: number, files: readonly string[]): Promise<void>;
  /** Like `Rows.readShapes`, under the write lock. */
  readShapes(): Promise<ReadonlyMap<string, readonly KindShape[]>>;
  /** Records of this kind are written in this format from the next change on. */
  addShape(kind: string, shape: KindShape): Promise<void>;
  /** Finds up to `limit` of the oldest entries from before this time: their number, and the last of them. */
  findOldestChanges(beforeMs: number, limit: number): Promise<OldestChanges>;
  /** Deletes up to `limit` items and file references of the entries up to this one, and returns the number. */
  deleteItems(last: number, limit: number): Promise<number>;
  /** Deletes the entries up to this one, whose items were deleted before. */
  deleteEntries(last: number): Promise<void>;
  /** Replaces a response with the same user and key that was stored until `untilMs`; false if there is a later one. */
  storeReply(reply: StoredReply, untilMs: number): Promise<boolean>;
  /** Deletes up to `limit` responses from before this time and returns their number. */
  deleteReplies(beforeMs: number, limit: number): Promise<number>;
  /** Resolves when everything is durable; a rejection means that nothing was committed. */
  commit(): Promise<CommitResult>;
  rollback(): Promise<void>;
}

/** The format of the records of a kind. */
export interface KindShape {
  readonly bodyVersion: number;
  readonly keyNames: readonly string[];
  /** The position from which records have this format. */
  readonly since: number;
}

/** The position of an item in the log. */
export interface ItemCursor {
  readonly sequence: number;
  readonly ordinal: number;
}

export interface ItemWithCursor extends ItemCursor {
  readonly item: ChangeItem;
}

/** The state that snapshots include from now on. */
export interface VisibleState {
  readonly position: number;
  readonly announced: number;
  /** The names whose records differ from the previous state; undefined if that is unknown. */
  readonly touched: readonly RecordNameKey[] | undefined;
}

export interface RowSnapshots {
  /** Returns the last known durable state; throws if the database is not reachable. */
  hold(): RowSnapshot;
  /**
   * Must be awaited before `hold` unless `refresh` was called right before. Otherwise the database may have ended the
   * transaction and others may have changed the state, and reads fail. Undefined if there is nothing to wait for.
   */
  prepareRead?(): Promise<void> | undefined;
  /** Makes snapshots include everything that was durable at the time of the call. Absent without other writers. */
  refresh?(): Promise<void> | undefined;
  /** The connections that read snapshots. Absent without connections. */
  countConnections?(): ReadConnections;
}

export interface ReadConnections {
  readonly active: number;
  readonly idle: number;
}

export interface Rows {
  readonly snapshots: RowSnapshots;
  /** Calls `listener` for each new state with changes of others, before any snapshot includes it. */
  subscribe?(listener: (state: VisibleState) => void): void;
  /** Only one transaction can be open. */
  begin(): Promise<RowTransaction>;
  /** Returns whether the database might reject a valid record, for example a value that is too long for an index. */
  canReject?(record: StoredRecord, parts: RowParts): boolean;
  /** Returns false once the database must be reopened before it can be written. */
  isWritable(): boolean;
  /** Returns the formats of each kind, oldest first. */
  readShapes(): Promise<ReadonlyMap<string, readonly KindShape[]>>;
  findIntegrityProblems(): Promise<readonly string[]>;
  /** Rolls back open work and closes the files; without cleanup once `signal` is aborted. */
  close(signal?: AbortSignal): Promise<void>;
}
