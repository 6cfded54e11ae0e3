/**
 * What a database does for the storage: rows in, rows out, a transaction that can be taken back in part, and states
 * that stay as they are. Every rule lives above it, once for all databases.
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

/** Text is storable and limits are whole numbers: whoever asks has seen to that. */
export interface RowReader {
  find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined>;
  get(id: string): Promise<StoredRecord | undefined>;
  /** In code-point order of names, after this one (undefined: from the first). */
  list(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<StoredRecord[]>;
  /** Their names alone. */
  listNames(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<string[]>;
  /** Each value once, in code-point order, after this one (undefined: from the first). */
  listKeyValues(
    kind: string,
    key: string,
    range: ValueRange,
    after: string | undefined,
    limit: number,
  ): Promise<string[]>;
  /** Oldest first, those made after this one (0: from the first). */
  listByKey(kind: string, key: string, value: string, after: number, limit: number): Promise<AgedRecord[]>;
  listChildren(parent: string, limit: number): Promise<StoredRecord[]>;
  countChildren(parent: string): Promise<number>;
  count(kind: string): Promise<number>;
  /** The records of a kind wherever they live, ordered by parent and name, those after this one. */
  listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<StoredRecord[]>;
  /** The place of a record in the order in which records were made; undefined where it is not there. */
  findAge(id: string): Promise<number | undefined>;
}

/** A record and its place in the order in which records were made. */
export interface AgedRecord {
  readonly age: number;
  readonly record: StoredRecord;
}

/** One durable state; released as often as it was given out, it goes away. */
export interface RowSnapshot extends RowReader {
  readonly position: number;
  /** The number of the last note that was announced. */
  readonly announced: number;
  listChanges(range: ChangeRange, limit: number): Promise<ChangeHead[]>;
  listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]>;
  /** The item of a record in the last entry up to this one that tells of it, or in the first one after it. */
  findItem(record: string, sequence: number, side: 'up to' | 'after'): Promise<DatedItem | undefined>;
  /** The numbers of the entries that tell of a record, lowest first. */
  listEntryNumbers(record: string, after: number, limit: number): Promise<number[]>;
  readNote(name: string): Promise<string | undefined>;
  /** The names of notes that begin with this, in code-point order. */
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

/** Where the log ends, and what was announced. */
export interface Head {
  /** The number of the last change. */
  readonly position: number;
  readonly atMs: number;
  /** The number of the last note that was announced. */
  readonly announced: number;
}

/** What a record consists of in the database beside its fields. */
export interface RowParts {
  /** The body as it is written down. */
  readonly text: string;
  readonly keys: RecordKeys;
  readonly files: readonly string[];
}

/** Something that a draft has written. */
export type BufferedRow =
  | { readonly kind: 'insert' | 'update'; readonly record: StoredRecord; readonly parts: RowParts }
  | { readonly kind: 'remove'; readonly id: string };

/** An item of the log with the files that its two states name. */
export interface ChangeLogItem extends ChangeItem {
  readonly files: readonly string[];
  /** The body of `after`, as it was written down with the record; null where there is none. */
  readonly text: string | null;
}

export interface OldestChanges {
  readonly count: number;
  /** The number of the last one; 0 if there are none. */
  readonly last: number;
}

/** Where a record is found by name: what is remembered of it must be forgotten. */
export interface RecordNameKey {
  readonly kind: string;
  readonly parent: string | null;
  readonly name: string;
}

/** What the rules of a write stand on: a transaction of a database, or a draft. Either sees what it has written. */
export interface WritableRows extends RowReader {
  /** Throws when the database has given the transaction up by itself: what is written then would be kept alone. */
  assertOpen(): void;
  /** Whether the fence still belongs to its holder; then it does until this transaction has ended. */
  isHeld(fence: Fence): Promise<boolean>;
  /** From here on, until `keepStep` or `takeBackStep`, what is written can be taken back alone. */
  beginStep(): Promise<void>;
  /** What the database has against a step may be told by the commit alone, which then keeps nothing of any. */
  commitStep(): Promise<void>;
  rollbackStep(): Promise<void>;
  insert(record: StoredRecord, parts: RowParts): Promise<void>;
  update(record: StoredRecord, parts: RowParts): Promise<void>;
  /** Its keys go with it. */
  remove(id: string): Promise<void>;
  /** The files that a record names. */
  listFiles(id: string): Promise<readonly string[]>;
  /** Whether the log is to be told of items: those of a draft follow from its rows. */
  readonly logsItems: boolean;
  openChange(sequence: number, atMs: number, author: ChangeAuthor): Promise<void>;
  /** Notes items; one whose record has an item in this change already only changes how that ends. */
  logItems(sequence: number, firstOrdinal: number, items: readonly ChangeLogItem[]): Promise<void>;
  /** Drops the items of records that came and went, and tells whether any item is left. */
  pruneItems(sequence: number): Promise<boolean>;
}

export interface CommitResult {
  /** When snapshots show it, and have told so; undefined where they do at once, since nobody else writes. Never rejects. */
  readonly shown: Promise<void> | undefined;
}

/** The one open transaction. */
export interface RowTransaction extends WritableRows {
  /** Before anything was written. */
  readonly head: Head;
  /** Resolved when the database has taken all that was written so far: what comes next may be done for good elsewhere. */
  flush(): Promise<void>;
  /** The items of a change as they were noted, those after this ordinal (-1: from the first). */
  listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]>;
  readNote(name: string): Promise<string | undefined>;
  /** Writes a note over the one of that name, if any; null removes it. */
  writeNote(name: string, text: string | null): Promise<void>;
  moveHead(head: Head): Promise<void>;
  /** Writes body, keys and files of a record anew, and nothing else: it is the same record as before. */
  rewrite(record: StoredRecord, parts: RowParts): Promise<void>;
  /** The items of a kind in the log after this place (undefined: from the first). */
  listItemsOfKind(kind: string, after: ItemCursor | undefined, limit: number): Promise<ItemWithCursor[]>;
  /** Notes files that the log turns out to name. */
  logFiles(sequence: number, files: readonly string[]): Promise<void>;
  /** As `Rows.shapes`, when nobody else can add one any more. */
  readShapes(): Promise<ReadonlyMap<string, readonly KindShape[]>>;
  /** From the next change on, records of this kind are written like this. */
  addShape(kind: string, shape: KindShape): Promise<void>;
  /** The oldest entries of the log that were made before this time, as many as `limit`: how many, and the last of them. */
  findOldestChanges(beforeMs: number, limit: number): Promise<OldestChanges>;
  /** Removes as many as `limit` items, and the names of as many files, of the entries up to this one; gives how many. */
  deleteItems(last: number, limit: number): Promise<number>;
  /** Removes the entries up to this one, whose items are gone. */
  deleteEntries(last: number): Promise<void>;
  /** In the place of another of the same user and key that was kept until then at the latest; false where there is a later one. */
  storeReply(reply: StoredReply, untilMs: number): Promise<boolean>;
  /** Removes as many as `limit` replies that were kept before this time; gives how many. */
  deleteReplies(beforeMs: number, limit: number): Promise<number>;
  /** Resolved means durable; rejected means that nothing was kept. */
  commit(): Promise<CommitResult>;
  rollback(): Promise<void>;
}

/** How the records of a kind are written down. */
export interface KindShape {
  readonly bodyVersion: number;
  readonly keyNames: readonly string[];
  /** The position at which records began to be written like this. */
  readonly since: number;
}

/** Where an item stands in the log. */
export interface ItemCursor {
  readonly sequence: number;
  readonly ordinal: number;
}

export interface ItemWithCursor extends ItemCursor {
  readonly item: ChangeItem;
}

/** A state that snapshots show from now on. */
export interface VisibleState {
  readonly position: number;
  readonly announced: number;
  /** Where records are others than in the state before it; undefined where nobody can tell. */
  readonly touched: readonly RecordNameKey[] | undefined;
}

export interface Rows {
  /** The last durable state that is known here; throws where the database cannot be asked. */
  snapshot(): RowSnapshot;
  /**
   * To be waited for before `snapshot` where no `refresh` came right before it: else the database may have ended the state
   * and others may have changed it, and reading it fails. Undefined where there is nothing to wait for.
   */
  prepareRead(): Promise<void> | undefined;
  /** Sees to it that snapshots show all that was durable when it was called; undefined where nobody else writes. */
  refresh(): Promise<void> | undefined;
  /** From now on `told` is called for each state that snapshots show, with changes of others in it, before any does. */
  subscribe(told: (state: VisibleState) => void): void;
  /** One at a time. */
  begin(): Promise<RowTransaction>;
  /** Whether the database might refuse what all rules allow: a value that it cannot look up, say. */
  canReject?(record: StoredRecord, parts: RowParts): boolean;
  /** False once nothing can be written any more until the database is opened anew. */
  isWritable(): boolean;
  /** The shapes that each kind had so far, oldest first. */
  readShapes(): Promise<ReadonlyMap<string, readonly KindShape[]>>;
  findIntegrityProblems(): Promise<readonly string[]>;
  /** Takes back what is open, and lets go of the files; once `signal` is aborted, without tidying them up. */
  close(signal?: AbortSignal): Promise<void>;
}
