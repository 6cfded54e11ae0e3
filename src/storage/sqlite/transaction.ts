/** One write transaction: reads that see its own writes, writes that note themselves in the change log. */
import type {
  ChangeAuthor,
  ChangedState,
  ChangeItem,
  JsonObject,
  RecordDraft,
  RecordKeys,
  StoredRecord,
  WriteTransaction,
} from '../port.ts';
import { NameTaken } from '../port.ts';
import type { ChangeLogWriter } from './change-log.ts';
import { SqliteReader } from './reader.ts';
import type { RecordQueries } from './record-queries.ts';
import type { RecordWrites } from './record-writes.ts';
import { bodyText, isStorable, requireStorable } from './storable-text.ts';

/** Hides the secrets of a body before it enters the change log. */
export type Mask = (kind: string, body: JsonObject) => JsonObject;

/** The prepared statements of the writing connection, shared by all transactions, which run one at a time. */
export interface WriterStatements {
  readonly queries: RecordQueries;
  readonly writes: RecordWrites;
  readonly log: ChangeLogWriter;
  /** False also when SQLite has rolled back by itself: what is written then would be committed at once, alone. */
  readonly isInTransaction: () => boolean;
}

/** What a transaction is told when it begins. */
export interface TransactionStart {
  readonly sequence: number;
  readonly atMs: number;
  readonly author: ChangeAuthor;
  readonly mask: Mask;
}

export class SqliteTransaction extends SqliteReader implements WriteTransaction {
  readonly sequence: number;
  readonly #statements: WriterStatements;
  readonly #start: TransactionStart;
  #ended = false;
  #broken = false;
  #insertCount = 0;
  #noteCount = 0;

  constructor(statements: WriterStatements, start: TransactionStart) {
    super(statements.queries, () => this.#assertOpen());
    this.#statements = statements;
    this.#start = start;
    this.sequence = start.sequence;
  }

  /** Whether there is something to commit; a record that came and went in this transaction is nothing. */
  get hasChanges(): boolean {
    this.#assertWhole();
    return this.#noteCount > 0 && !this.#statements.log.isEmpty(this.sequence);
  }

  /** From here on every use is refused: the connection belongs to the next transaction. */
  end(): void {
    this.#ended = true;
  }

  async insert(draft: RecordDraft): Promise<StoredRecord> {
    this.#assertOpen();
    const text = checkText(draft);
    this.#checkParent(draft.parent);
    this.#checkName(draft, undefined);
    const record = this.#record(this.#nextId(draft.kind), draft, text, this.#start.atMs);

    const item = this.#item(record, null, record);
    this.#apply(item, () => this.#statements.writes.insert(record, text, draft.keys));
    return record;
  }

  async update(id: string, draft: RecordDraft): Promise<StoredRecord> {
    this.#assertOpen();
    const before = this.#existing(id);
    if (draft.kind !== before.kind) {
      throw new Error(`The record '${id}' is of kind '${before.kind}' and cannot become a '${draft.kind}'.`);
    }
    const text = checkText(draft);
    if (draft.parent !== before.parent) {
      this.#checkParent(draft.parent);
      this.#checkNotInside(id, draft.parent);
    }
    this.#checkName(draft, id);
    const after = this.#record(id, draft, text, before.createdAtMs);

    const item = this.#item(after, before, after);
    this.#apply(item, () => this.#statements.writes.update(after, text, draft.keys));
    return after;
  }

  async remove(id: string): Promise<void> {
    this.#assertOpen();
    const before = this.#existing(id);
    const childCount = this.#statements.queries.countChildren(id);
    if (childCount > 0) {
      throw new Error(`The record '${id}' cannot be removed: ${childCount} other records live in it.`);
    }

    const item = this.#item(before, before, null);
    this.#apply(item, () => this.#statements.writes.remove(id));
  }

  #assertOpen(): void {
    if (this.#ended) throw new Error('This transaction has ended; it can no longer be used.');
    this.#assertWhole();
  }

  #assertWhole(): void {
    if (this.#broken || !this.#statements.isInTransaction()) {
      throw new Error('The database cut this transaction short; nothing of it will be kept.');
    }
  }

  /** Unique without chance: no other transaction has this sequence number, no other insert this ordinal. */
  #nextId(kind: string): string {
    const ordinal = this.#insertCount;
    this.#insertCount += 1;
    return `${kind}-${this.sequence.toString(36)}-${ordinal}`;
  }

  /** The body is read back from its text: what the caller holds may be changed later, what is stored may not. */
  #record(id: string, draft: RecordDraft, text: string, createdAtMs: number): StoredRecord {
    const { kind, parent, name } = draft;
    const body = JSON.parse(text) as JsonObject;
    return { id, kind, parent, name, body, version: this.sequence, createdAtMs, modifiedAtMs: this.#start.atMs };
  }

  #existing(id: string): StoredRecord {
    const record = isStorable(id) ? this.#statements.queries.get(id) : undefined;
    if (record === undefined) throw new Error(`There is no record with the id '${id}'.`);
    return record;
  }

  // The database enforces these rules too; asking first gives errors that name the culprit.

  #checkParent(parent: string | null): void {
    if (parent !== null) this.#existing(parent);
  }

  #checkName(draft: RecordDraft, own: string | undefined): void {
    const holder = this.#statements.queries.find(draft.kind, draft.parent, draft.name);
    if (holder !== undefined && holder.id !== own) {
      throw new NameTaken(`The name '${draft.name}' is taken: the record '${holder.id}' has it.`);
    }
  }

  /** A record inside itself would be out of reach from the top and could never be removed. */
  #checkNotInside(id: string, parent: string | null): void {
    for (let ancestor = parent; ancestor !== null; ancestor = this.#existing(ancestor).parent) {
      if (ancestor === id) throw new Error(`The record '${id}' cannot be moved into itself.`);
    }
  }

  #item(record: StoredRecord, before: StoredRecord | null, after: StoredRecord | null): ChangeItem {
    return { kind: record.kind, id: record.id, before: this.#masked(before), after: this.#masked(after) };
  }

  /** Writes and logs together; if the database gives up between the two, not even work that carries on may commit. */
  #apply(item: ChangeItem, write: () => void): void {
    const { log } = this.#statements;
    this.#broken = true;
    write();
    if (this.#noteCount === 0) log.open(this.sequence, this.#start.atMs, this.#start.author);
    log.note(this.sequence, this.#noteCount, item);
    if (item.after === null) log.forgetPassing(this.sequence, item.id);
    this.#noteCount += 1;
    this.#broken = false;
  }

  #masked(record: StoredRecord | null): ChangedState | null {
    if (record === null) return null;
    const { kind, parent, name, body } = record;
    return { parent, name, body: this.#start.mask(kind, body) };
  }
}

/** Refuses what would not survive, and gives the text of the body. */
function checkText(draft: RecordDraft): string {
  requireStorable('kind', draft.kind);
  requireStorable('name', draft.name);
  checkKeys(draft.keys);
  return bodyText(draft.body);
}

function checkKeys(keys: RecordKeys): void {
  for (const [key, values] of Object.entries(keys)) {
    requireStorable('key', key);
    for (const value of values) requireStorable(`value of the key '${key}'`, value);
  }
}
