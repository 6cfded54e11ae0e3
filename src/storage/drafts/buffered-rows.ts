/**
 * Rows that are written over a snapshot in memory: reads return the written rows and then the snapshot. Written rows
 * keep their order, to be written into a database later.
 */
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { compareCodePoints } from '../../lib/text/code-point-order.ts';
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import type { ChangedState, ChangeItem, KindRules, RecordKeys, RecordSortKey, StoredRecord } from '../port/port.ts';
import type { AgedRecord, AgePage, BufferedRow, RowParts, RowReader, ValuePage, WritableRows } from '../port/rows.ts';
import { SnapshotCache } from '../transactions/snapshot-cache.ts';
import { BufferedRecordIndex, compareSortKeys, type RecordHead } from './buffered-record-index.ts';
import type { ReadSet } from './read-set.ts';
import { type RowContents, type WrittenRow, WrittenRows } from './written-rows.ts';

/** A write: the written row, the id of the removed record, or nothing if an earlier step writes the row. */
type RowStep = WrittenRow | string | undefined;

/** Undoes a step: a record and its previous row; undefined if it was not written, null if it was removed. */
interface FormerRow {
  readonly id: string;
  readonly row: WrittenRow | null | undefined;
}

export interface BufferedRowsOptions {
  readonly kinds: ReadonlyMap<string, KindRules>;
  /** The folder of a file for contents that exceed the memory. */
  readonly spillFolder: string;
}

/** Records of a buffered transaction sort after all others. */
const FIRST_AGE = 2 ** 50;

export class BufferedRows implements WritableRows {
  readonly logsItems = false;
  readonly #state: RowReader;
  readonly #reads: ReadSet;
  readonly #kinds: ReadonlyMap<string, KindRules>;
  readonly #written = new Map<string, WrittenRow | null>();
  readonly #found: SnapshotCache;
  /** The snapshot versions of the written records. */
  readonly #hidden = new Map<string, StoredRecord>();
  readonly #own = new BufferedRecordIndex<WrittenRow>();
  readonly #others = new BufferedRecordIndex<RecordHead>();
  readonly #contents: WrittenRows;
  readonly #steps: RowStep[] = [];
  /** The previous rows of records, in the order of the writes. */
  readonly #formers: FormerRow[] = [];
  /** The number of rows before the current step. */
  #step = 0;
  #madeCount = 0;

  constructor(state: RowReader, reads: ReadSet, { kinds, spillFolder }: BufferedRowsOptions) {
    this.#state = state;
    this.#found = new SnapshotCache(state);
    this.#reads = reads;
    this.#kinds = kinds;
    this.#contents = new WrittenRows(spillFolder);
  }

  /** The buffered transaction is committed after the work that the fence belongs to. */
  async isHeld(): Promise<boolean> {
    return true;
  }

  /** The number of writes. */
  get stepCount(): number {
    return this.#steps.length;
  }

  /** All written rows in order, each with its last contents. */
  *listRows(): Generator<BufferedRow> {
    for (const step of this.#steps) {
      if (typeof step === 'string') yield { kind: 'remove', id: step };
      else if (step !== undefined) yield { kind: step.action, ...this.#contents.readOnce(step) };
    }
  }

  /** Frees the contents; nothing can be read any more. */
  discard(): void {
    this.#contents.close();
  }

  /** Lists the changes of each written record. */
  *listItems(): Generator<ChangeItem> {
    for (const [id, row] of this.#written) {
      const [before, after] = [this.#hidden.get(id), row === null ? undefined : this.#contents.read(row).record];
      const kind = (after ?? before)?.kind;
      if (kind !== undefined) yield { kind, id, before: toChangedState(before), after: toChangedState(after) };
    }
  }

  assertOpen(): void {
    // Nobody but who writes it can give it up.
  }

  async beginStep(): Promise<void> {
    this.#step = this.#steps.length;
  }

  async commitStep(): Promise<void> {
    // It stays as it is.
  }

  async rollbackStep(): Promise<void> {
    this.rollbackTo(this.#step);
  }

  /** Rolls back all rows after the first `count`. */
  rollbackTo(count: number): void {
    for (const { id, row } of this.#formers.splice(count).reverse()) {
      this.#put(id, row);
      if (row) this.#steps[row.step] = row;
    }
    this.#steps.length = count;
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    const isOwnParent = parent !== null && this.#isCreated(parent);
    if (!isOwnParent) this.#reads.noteName(kind, parent, name);
    const own = this.#own.findId(kind, parent, name);
    if (own !== undefined) return this.#readRecord(own);
    // The contents of a record that this transaction created are its own, too.
    if (isOwnParent) return undefined;
    const found = await this.#found.find(kind, parent, name);
    return found === undefined || this.#written.has(found.id) ? undefined : found;
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    const written = this.#written.get(id);
    if (written && written.age > FIRST_AGE) return this.#contents.read(written).record;
    this.#reads.noteRecord(id);
    if (written === undefined) return this.#found.get(id);
    return written === null ? undefined : this.#contents.read(written).record;
  }

  async list(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<StoredRecord[]> {
    this.#reads.noteList(kind, parent);
    const others = await this.#readPage(
      (last: StoredRecord | undefined, count) => this.#state.list(kind, parent, last?.name ?? after, count),
      ({ id }) => !this.#written.has(id),
      limit,
    );
    const own = this.#own.listNames(kind, parent, after, limit).map((name) => this.#getOwn(kind, parent, name));
    return mergeSorted(own, others, (a, b) => compareCodePoints(a.name, b.name)).slice(0, limit);
  }

  async listNames(kind: string, parent: string | null, after: string | undefined, limit: number): Promise<string[]> {
    this.#reads.noteList(kind, parent);
    const others = await this.#readPage(
      (last: string | undefined, count) => this.#state.listNames(kind, parent, last ?? after, count),
      (name) => this.#others.findId(kind, parent, name) === undefined,
      limit,
    );
    return mergeSorted(this.#own.listNames(kind, parent, after, limit), others, compareCodePoints).slice(0, limit);
  }

  async listKeyValues(kind: string, key: string, range: ValuePage): Promise<string[]> {
    const { after, limit } = range;
    this.#reads.noteKey(kind, key);
    const found = await this.#readPage(
      (last: string | undefined, count) =>
        this.#state.listKeyValues(kind, key, { ...range, after: last ?? after, limit: count }),
      () => true,
      limit,
    );
    const own = this.#own.listValues(kind, key, range);
    const others: string[] = [];
    for (const value of found) if (await this.#isValueUsedByOthers(kind, key, value)) others.push(value);
    // Entries that were filtered out reduce the page, so more are read.
    if (found.length === limit && others.length < limit) {
      const rest = await this.listKeyValues(kind, key, { ...range, after: found.at(-1), limit: limit - others.length });
      others.push(...rest);
    }
    return [...new Set(mergeSorted(own, others, compareCodePoints))].slice(0, limit);
  }

  async listByKey(kind: string, key: string, value: string, { after, limit }: AgePage): Promise<AgedRecord[]> {
    this.#reads.noteValue(kind, key, value);
    const others = await this.#readPage(
      (last: AgedRecord | undefined, count) =>
        this.#found.listByKey(kind, key, value, { after: last?.age ?? after, limit: count }),
      ({ record }) => !this.#written.has(record.id),
      limit,
    );
    const ids = this.#own.findIds(kind, key, value);
    if (ids.size === 0) return others;
    const own = [...ids].flatMap((id) => this.#written.get(id) ?? []).filter(({ age }) => age > after);
    return [...own, ...others]
      .sort((a, b) => a.age - b.age)
      .slice(0, limit)
      .map((each) => ('record' in each ? each : { age: each.age, record: this.#contents.read(each).record }));
  }

  async listChildren(parent: string, limit: number): Promise<StoredRecord[]> {
    this.#reads.noteContents(parent);
    const found = await this.#state.listChildren(parent, limit + this.#others.countChildren(parent));
    const others = found.filter(({ id }) => !this.#written.has(id));
    const own = [...this.#own.listChildIds(parent)].flatMap((id) => this.#written.get(id) ?? []);
    return [...own, ...others]
      .sort((a, b) => compareCodePoints(a.kind, b.kind) || compareCodePoints(a.name, b.name))
      .slice(0, limit)
      .map((each) => ('body' in each ? each : this.#contents.read(each).record));
  }

  async countChildren(parent: string): Promise<number> {
    this.#reads.noteContents(parent);
    return (
      (await this.#state.countChildren(parent)) - this.#others.countChildren(parent) + this.#own.countChildren(parent)
    );
  }

  async count(kind: string): Promise<number> {
    this.#reads.noteKind(kind);
    return (await this.#state.count(kind)) - this.#others.countRecords(kind) + this.#own.countRecords(kind);
  }

  async listOfKind(kind: string, after: RecordSortKey | undefined, limit: number): Promise<StoredRecord[]> {
    this.#reads.noteAllOfKind(kind);
    const others = await this.#readPage(
      (last: StoredRecord | undefined, count) => this.#state.listOfKind(kind, last ?? after, count),
      ({ id }) => !this.#written.has(id),
      limit,
    );
    return mergeSorted(await this.listWritten(kind, after, limit), others, compareSortKeys).slice(0, limit);
  }

  /** Reads only written rows, which no concurrent change can affect. */
  async listWritten(kind: string, after: RecordSortKey | undefined, limit: number): Promise<readonly StoredRecord[]> {
    const records: StoredRecord[] = [];
    for (const row of await this.#own.listRecords(kind, after, limit)) {
      records.push(this.#contents.read(row).record);
      // Most contents are read from the file.
      const others = yieldIfDue();
      if (others !== undefined) await others;
    }
    return records;
  }

  async findAge(id: string): Promise<number | undefined> {
    const written = this.#written.get(id);
    return written === undefined ? this.#state.findAge(id) : written?.age;
  }

  async insert(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#madeCount += 1;
    this.#write('insert', FIRST_AGE + this.#madeCount, { record, parts });
  }

  async update(record: StoredRecord, parts: RowParts): Promise<void> {
    await this.#hide(record.id);
    this.#write('update', (await this.findAge(record.id)) ?? FIRST_AGE, { record, parts });
  }

  async remove(id: string): Promise<void> {
    await this.#hide(id);
    this.#change(id, null);
    this.#steps.push(id);
  }

  /** The files for the log are determined when everything is written into the database. */
  async listFiles(): Promise<readonly string[]> {
    return [];
  }

  async openChange(): Promise<void> {
    // The log is written with the rest.
  }

  async logItems(): Promise<void> {
    // What became of records follows from the rows.
  }

  async pruneItems(): Promise<boolean> {
    return this.#formers.slice(this.#step).some(({ id, row }) => {
      const wasThere = row === undefined ? this.#hidden.has(id) : row !== null;
      return wasThere || this.#written.get(id) != null;
    });
  }

  #write(action: WrittenRow['action'], age: number, { record, parts }: RowContents): void {
    const former = this.#written.get(record.id);
    const contents = { record: deepFreeze(record), parts };
    // A record that keeps its place is written once into the database: a layer is changed right after its creation.
    if (former && former.parent === record.parent && former.name === record.name) {
      const row = this.#contents.add({ action: former.action, age, step: former.step }, contents);
      this.#change(record.id, row);
      this.#steps[row.step] = row;
      this.#steps.push(undefined);
      return;
    }
    const row = this.#contents.add({ action, age, step: this.#steps.length }, contents);
    this.#change(record.id, row);
    this.#steps.push(row);
  }

  /** Whether this transaction has created the record, so that no concurrent change can affect it. */
  #isCreated(id: string): boolean {
    return (this.#written.get(id)?.age ?? 0) > FIRST_AGE;
  }

  #readRecord(id: string): StoredRecord | undefined {
    const row = this.#written.get(id);
    return row ? this.#contents.read(row).record : undefined;
  }

  #change(id: string, next: WrittenRow | null): void {
    this.#formers.push({ id, row: this.#written.get(id) });
    this.#put(id, next);
  }

  #put(id: string, next: WrittenRow | null | undefined): void {
    const now = this.#written.get(id);
    if (now) this.#own.remove(now, this.#contents.read(now).parts.keys);
    if (next) this.#own.add(next, this.#contents.read(next).parts.keys);
    const hidden = this.#hidden.get(id);
    if (hidden !== undefined && (now === undefined) !== (next === undefined)) {
      if (now === undefined) this.#others.add(hidden, this.#computeKeys(hidden));
      else this.#others.remove(hidden, this.#computeKeys(hidden));
    }
    if (next === undefined) this.#written.delete(id);
    else this.#written.set(id, next);
  }

  /** Hides the snapshot version of a record. */
  async #hide(id: string): Promise<void> {
    if (this.#hidden.has(id)) return;
    const record = await this.#found.get(id);
    if (record !== undefined) this.#hidden.set(id, record);
  }

  #computeKeys(record: StoredRecord): RecordKeys {
    return this.#kinds.get(record.kind)?.index(record).keys ?? {};
  }

  #getOwn(kind: string, parent: string | null, name: string): StoredRecord {
    const own = this.#readRecord(this.#own.findId(kind, parent, name) ?? '');
    if (own === undefined) throw new Error(`The buffered transaction lists '${name}', but contains no such record.`);
    return own;
  }

  async #isValueUsedByOthers(kind: string, key: string, value: string): Promise<boolean> {
    const hiddenCount = this.#others.findIds(kind, key, value).size;
    if (hiddenCount === 0) return true;
    const carriers = await this.#state.listByKey(kind, key, value, { after: 0, limit: hiddenCount + 1 });
    return carriers.some(({ record }) => !this.#written.has(record.id));
  }

  /** Reads up to `limit` visible rows of the snapshot. */
  async #readPage<R>(
    next: (last: R | undefined, count: number) => Promise<R[]>,
    isSeen: (one: R) => boolean,
    limit: number,
  ): Promise<R[]> {
    const seen: R[] = [];
    for (let last: R | undefined; ; ) {
      const piece = await next(last, limit);
      seen.push(...piece.filter(isSeen));
      if (piece.length < limit || seen.length >= limit) return seen;
      last = piece.at(-1);
    }
  }
}

function toChangedState(record: StoredRecord | undefined): ChangedState | null {
  return record === undefined ? null : { parent: record.parent, name: record.name, body: record.body };
}

/** Merges two sorted lists. */
function mergeSorted<T>(own: readonly T[], others: readonly T[], compare: (a: T, b: T) => number): T[] {
  return own.length === 0 ? [...others] : [...own, ...others].sort(compare);
}
