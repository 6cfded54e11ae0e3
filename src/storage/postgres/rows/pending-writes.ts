/**
 * Unsent writes of a transaction. Writes of many steps are combined into few statements, because a statement costs more
 * than a row. Writes of records and of the log are independent.
 */
import type { StoredRecord } from '../../port/port.ts';
import type { RowParts } from '../../port/rows.ts';
import type { BoundStatement } from '../connection/statement.ts';
import { type LoggedChange, type LoggedFile, type LoggedItem, logChanges, logFiles, logItems } from './change-log.ts';
import { listInsertMarks } from './read-marks.ts';
import { type InsertedRow, insertRecords } from './record-writes.ts';

/** The limit in characters of bodies in memory. */
const MAX_HELD_CHARACTERS = 1_000_000;

type RecordWrite =
  | { readonly kind: 'inserts'; readonly rows: InsertedRow[] }
  | { readonly kind: 'other'; readonly statement: BoundStatement };

export class PendingWrites {
  /** In order; consecutive inserts are combined. */
  #records: RecordWrite[] = [];
  #changes: LoggedChange[] = [];
  #items: LoggedItem[] = [];
  #files: LoggedFile[] = [];
  /** The marks of reads that would see the new records. */
  #marks = new Set<string>();
  #hasOthers = false;
  #length = 0;

  get isEmpty(): boolean {
    return this.#records.length + this.#changes.length + this.#items.length + this.#files.length === 0;
  }

  get isLarge(): boolean {
    return this.#length > MAX_HELD_CHARACTERS;
  }

  /** Returns whether a read may see any of the writes; undefined for a read that may see anything. */
  canAffect(mark: string | undefined): boolean {
    return mark === undefined ? !this.isEmpty : this.#hasOthers || this.#marks.has(mark);
  }

  insert(record: StoredRecord, parts: RowParts): void {
    this.#insertAll([{ record, parts }]);
    for (const mark of listInsertMarks(record, parts)) this.#marks.add(mark);
    this.#length += parts.text.length;
  }

  /** Anything but an insert may affect any read. */
  add(statement: BoundStatement): void {
    this.#records.push({ kind: 'other', statement });
    this.#hasOthers = true;
  }

  log(change: LoggedChange): void {
    this.#changes.push(change);
  }

  logItems(items: readonly LoggedItem[]): void {
    this.#items.push(...items);
  }

  logFiles(files: readonly LoggedFile[]): void {
    this.#files.push(...files);
  }

  /** Moves the writes of another instance into this one. */
  merge(other: PendingWrites): void {
    for (const written of other.#records) {
      if (written.kind === 'inserts') this.#insertAll(written.rows);
      else this.#records.push(written);
    }
    this.#changes.push(...other.#changes);
    this.#items.push(...other.#items);
    this.#files.push(...other.#files);
    for (const mark of other.#marks) this.#marks.add(mark);
    this.#hasOthers ||= other.#hasOthers;
    this.#length += other.#length;
    other.clear();
  }

  clear(): void {
    this.#records = [];
    this.#changes = [];
    this.#items = [];
    this.#files = [];
    this.#marks = new Set();
    this.#hasOthers = false;
    this.#length = 0;
  }

  /** Returns the statements for all writes and clears them. The nonce identifies the transaction. */
  drain(nonce: string): readonly BoundStatement[] {
    const statements = [
      ...this.#records.map((written) => (written.kind === 'inserts' ? insertRecords(written.rows) : written.statement)),
      ...(this.#changes.length === 0 ? [] : [logChanges(this.#changes, nonce)]),
      ...(this.#items.length === 0 ? [] : [logItems(this.#items)]),
      ...(this.#files.length === 0 ? [] : [logFiles(this.#files)]),
    ];
    this.clear();
    return statements;
  }

  #insertAll(rows: readonly InsertedRow[]): void {
    const last = this.#records.at(-1);
    if (last?.kind === 'inserts') last.rows.push(...rows);
    else this.#records.push({ kind: 'inserts', rows: [...rows] });
  }
}
