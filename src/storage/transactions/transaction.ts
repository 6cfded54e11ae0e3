/**
 * The rules of a write for every database: parents exist, names are unique, no record contains itself, and the log has
 * one item per record with its state before and after.
 */

import type { Fence } from '../../lib/async/fence.ts';
import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { attachCause, STORAGE_RETRY_SECONDS } from '../../lib/problems/disk-problem.ts';
import { problem } from '../../lib/problems/problem.ts';
import type {
  ChangeAuthor,
  ChangedState,
  JsonObject,
  RecordDraft,
  RecordKeys,
  StoredRecord,
  WriteTransaction,
} from '../port/port.ts';
import { NameTaken } from '../port/port.ts';
import { createRecordId } from '../port/record-id.ts';
import type { BufferedRow, ChangeLogItem, RecordNameKey, RowParts, WritableRows } from '../port/rows.ts';
import { formatBody, isStorable, requireStorable } from '../port/storable-text.ts';
import { RowRecordReader } from './record-reader.ts';

/** The parameters of a new transaction. */
export interface TransactionStart {
  readonly sequence: number;
  readonly atMs: number;
  readonly author: ChangeAuthor;
  /** For a buffered transaction and its commit: values that differ from the number and the time of the change. */
  readonly drafted?: RecordStamp;
}

export interface RecordStamp {
  /** The time of the records. */
  readonly atMs: number;
  /** The version of the records. */
  readonly version: number;
  /** Makes the ids of new records unique. */
  readonly idStem: string;
}

/** The change of a record. */
interface RecordChange extends Pick<ChangeLogItem, 'files' | 'text'> {
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
}

/** Items are written in groups; this is the maximum number in memory. */
const ITEMS_AT_ONCE = 500;

/** Above this number of touched names, caches are cleared completely. */
export const MAX_TOUCHED = 1_000;

export class RowWriteTransaction extends RowRecordReader implements WriteTransaction {
  readonly sequence: number;
  readonly #rows: WritableRows;
  readonly #start: TransactionStart;
  readonly #records: RecordStamp;
  readonly #pace: YieldIfDue;
  readonly #items = new Map<string, ChangeLogItem>();
  readonly #touched: RecordNameKey[] = [];
  #ended = false;
  #broken = false;
  #insertCount = 0;
  #noteCount = 0;
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(rows: WritableRows, start: TransactionStart, pace: YieldIfDue) {
    super(rows, pace, () => this.#assertOpen());
    this.#rows = rows;
    this.#start = start;
    const { sequence, atMs } = start;
    this.#records = start.drafted ?? { atMs, version: sequence, idStem: sequence.toString(36) };
    this.#pace = pace;
    this.sequence = start.sequence;
  }

  /** The names whose records changed; undefined if they are too many. */
  get touched(): readonly RecordNameKey[] | undefined {
    return this.#touched.length > MAX_TOUCHED ? undefined : this.#touched;
  }

  /** Rejects every further use: the database belongs to the next transaction. */
  end(): void {
    this.#ended = true;
  }

  /** Writes the remaining items. Returns false if there are none, so that nothing is committed. */
  async finish(): Promise<boolean> {
    await this.#lastStep.catch(() => undefined);
    this.#assertWhole();
    if (!this.#rows.logsItems) return this.#rows.pruneItems(this.sequence);
    if (this.#noteCount > 0) {
      await this.#writeItems([...this.#items.values()]);
      const hasItems = await this.#rows.pruneItems(this.sequence);
      // This and the commit of a large change take long: other work can run in between.
      await this.#pace();
      return hasItems;
    }
    const items = [...this.#items.values()].filter(({ before, after }) => before !== null || after !== null);
    await this.#writeItems(items);
    return items.length > 0;
  }

  async insert(draft: RecordDraft): Promise<StoredRecord> {
    const parts = this.#computeParts(draft);
    return this.#runInOrder(() =>
      this.#add(draft, parts, { id: this.#createId(draft.kind), createdAtMs: this.#records.atMs }),
    );
  }

  async restore(draft: RecordDraft, former: Pick<StoredRecord, 'id' | 'createdAtMs'>): Promise<StoredRecord> {
    const parts = this.#computeParts(draft);
    return this.#runInOrder(async () => {
      requireStorable('id', former.id);
      if ((await this.#rows.get(former.id)) !== undefined) {
        throw new Error(`Record '${former.id}' already exists.`);
      }
      return this.#add(draft, parts, former);
    });
  }

  async update(id: string, draft: RecordDraft): Promise<StoredRecord> {
    const parts = this.#computeParts(draft);
    return this.#runInOrder(async () => {
      const before = await this.#getExisting(id);
      if (draft.kind !== before.kind) {
        throw new Error(`Record '${id}' has kind '${before.kind}', which cannot be changed to '${draft.kind}'.`);
      }
      if (draft.parent !== before.parent) {
        await this.#checkParent(draft.parent);
        await this.#checkNotInside(id, draft.parent);
      }
      await this.#checkName(draft, id);
      const after = this.#createRecord(id, draft, parts, before.createdAtMs);

      const files = [...(await this.#rows.listFiles(id)), ...parts.files];
      await this.#apply({ before, after, files, text: parts.text }, () => this.#rows.update(after, parts));
      return after;
    });
  }

  remove(id: string): Promise<void> {
    return this.#runInOrder(async () => {
      const before = await this.#getExisting(id);
      const childCount = await this.#rows.countChildren(id);
      if (childCount > 0) {
        throw new Error(`Record '${id}' cannot be deleted because it contains other records: ${childCount}.`);
      }

      const files = await this.#rows.listFiles(id);
      await this.#apply({ before, after: null, files, text: null }, () => this.#rows.remove(id));
    });
  }

  /** Writes the rows of a buffered transaction over the same state: all rules were checked there. */
  async writeBufferedRows(rows: Iterable<BufferedRow>): Promise<void> {
    for (const row of rows) {
      const others = this.#pace();
      if (others !== undefined) await others;
      this.#assertOpen();
      if (row.kind === 'remove') {
        const before = await this.#getExisting(row.id);
        const files = await this.#rows.listFiles(row.id);
        await this.#apply({ before, after: null, files, text: null }, () => this.#rows.remove(row.id));
        continue;
      }
      const { parts } = row;
      const after = { ...row.record, version: this.#records.version };
      if (row.kind === 'insert') {
        await this.#apply({ before: null, after, ...parts }, () => this.#rows.insert(after, parts));
        continue;
      }
      const before = await this.#getExisting(after.id);
      const files = [...(await this.#rows.listFiles(after.id)), ...parts.files];
      await this.#apply({ before, after, files, text: parts.text }, () => this.#rows.update(after, parts));
    }
  }

  requireHeld(fence: Fence): Promise<void> {
    return this.#runInOrder(async () => {
      if (await this.#rows.isHeld(fence)) return;
      const unavailable = problem('storage-unavailable', { retryAfterSeconds: STORAGE_RETRY_SECONDS });
      throw attachCause(unavailable, new Error(`Lock '${fence.what}' was taken over by another node.`));
    });
  }

  /** Serializes concurrent steps: each must see the writes of the one before. */
  #runInOrder<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#lastStep.then(async () => {
      await this.#pace();
      this.#assertOpen();
      return step();
    });
    this.#lastStep = turn.catch(() => undefined);
    return turn;
  }

  async #add(
    draft: RecordDraft,
    parts: RowParts,
    former: Pick<StoredRecord, 'id' | 'createdAtMs'>,
  ): Promise<StoredRecord> {
    await this.#checkParent(draft.parent);
    await this.#checkName(draft, undefined);
    const record = this.#createRecord(former.id, draft, parts, former.createdAtMs);

    await this.#apply({ before: null, after: record, ...parts }, () => this.#rows.insert(record, parts));
    return record;
  }

  /** Computed immediately, so that later modifications of the draft have no effect. */
  #computeParts(draft: RecordDraft): RowParts {
    this.#assertOpen();
    return computeParts(draft);
  }

  #assertOpen(): void {
    if (this.#ended) throw new Error('This transaction has ended.');
    this.#assertWhole();
  }

  #assertWhole(): void {
    if (this.#broken) throw new Error('The database aborted this transaction. Its changes are discarded.');
    this.#rows.assertOpen();
  }

  /** Unique: no other transaction has this sequence number or this stem, and no other insert has this ordinal. */
  #createId(kind: string): string {
    const ordinal = this.#insertCount;
    this.#insertCount += 1;
    return createRecordId(kind, this.#records.idStem, ordinal);
  }

  /** The body is parsed from its text: the caller may modify its object later, but the stored record is immutable. */
  #createRecord(id: string, draft: RecordDraft, { text }: RowParts, createdAtMs: number): StoredRecord {
    const { kind, parent, name } = draft;
    const body = JSON.parse(text) as JsonObject;
    const { version, atMs } = this.#records;
    return { id, kind, parent, name, body, version, createdAtMs, modifiedAtMs: atMs };
  }

  async #getExisting(id: string): Promise<StoredRecord> {
    const record = isStorable(id) ? await this.#rows.get(id) : undefined;
    if (record === undefined) throw new Error(`No record has the id '${id}'.`);
    return record;
  }

  // The database may enforce these rules too; checking first produces errors that name the record.

  async #checkParent(parent: string | null): Promise<void> {
    if (parent !== null) await this.#getExisting(parent);
  }

  async #checkName(draft: RecordDraft, own: string | undefined): Promise<void> {
    const holder = await this.#rows.find(draft.kind, draft.parent, draft.name);
    if (holder !== undefined && holder.id !== own) {
      throw new NameTaken(`The name '${draft.name}' is already used by record '${holder.id}'.`);
    }
  }

  /** A record inside itself would be unreachable from the top level and could never be deleted. */
  async #checkNotInside(id: string, parent: string | null): Promise<void> {
    for (let ancestor = parent; ancestor !== null; ancestor = (await this.#getExisting(ancestor)).parent) {
      if (ancestor === id) throw new Error(`Record '${id}' cannot be moved into itself.`);
    }
  }

  /** If the database aborts in between, the transaction must not commit even if the work continues. */
  async #apply(change: RecordChange, write: () => Promise<void>): Promise<void> {
    this.#broken = true;
    await write();
    await this.#noteItem(change);
    this.#broken = false;
  }

  async #noteItem({ before, after, files, text }: RecordChange): Promise<void> {
    const record = before ?? after;
    if (record === null || !this.#rows.logsItems) return;
    const noted = this.#items.get(record.id);
    this.#items.set(record.id, {
      kind: record.kind,
      id: record.id,
      before: noted === undefined ? toChangedState(before) : noted.before,
      after: toChangedState(after),
      files: noted === undefined ? files : [...new Set([...noted.files, ...files])],
      text,
    });
    for (const each of [before, after]) {
      if (each !== null && this.#touched.length <= MAX_TOUCHED) {
        this.#touched.push({ kind: each.kind, parent: each.parent, name: each.name });
      }
    }
    if (this.#items.size >= ITEMS_AT_ONCE) await this.#writeItems([...this.#items.values()]);
  }

  async #writeItems(items: readonly ChangeLogItem[]): Promise<void> {
    if (items.length === 0) return;
    this.#items.clear();
    if (this.#noteCount === 0) await this.#rows.openChange(this.sequence, this.#start.atMs, this.#start.author);
    await this.#rows.logItems(this.sequence, this.#noteCount, items);
    this.#noteCount += items.length;
  }
}

function toChangedState(record: StoredRecord | null): ChangedState | null {
  return record && { parent: record.parent, name: record.name, body: record.body };
}

/** Rejects values that cannot be stored, and returns the stored parts. */
function computeParts(draft: RecordDraft): RowParts {
  requireStorable('kind', draft.kind);
  requireStorable('name', draft.name);
  checkKeys(draft.keys);
  const { keys, files = [] } = draft;
  for (const file of files) requireStorable('file', file);
  return { text: formatBody(draft.body), keys, files };
}

function checkKeys(keys: RecordKeys): void {
  for (const [key, values] of Object.entries(keys)) {
    requireStorable('key', key);
    for (const value of values) requireStorable(`value of key '${key}'`, value);
  }
}
