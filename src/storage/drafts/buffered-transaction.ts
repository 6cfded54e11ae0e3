/** A buffered transaction over the rows of a snapshot: the rules of a write, over rows in memory. */

import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { requireLimit } from '../port/limit.ts';
import type {
  BufferedChange,
  BufferedTransaction,
  ChangeAuthor,
  ChangeItem,
  RecordDraft,
  RecordSortKey,
  StoredRecord,
  WriteTransaction,
} from '../port/port.ts';
import type { RowParts, RowReader } from '../port/rows.ts';
import { requireStorable } from '../port/storable-text.ts';
import { maskItem } from '../transactions/log-reader.ts';
import { RowRecordReader } from '../transactions/record-reader.ts';
import { RowWriteTransaction } from '../transactions/transaction.ts';
import { BufferedRows, type BufferedRowsOptions } from './buffered-rows.ts';
import { ReadSet } from './read-set.ts';

export interface RowBufferedTransactionOptions extends BufferedRowsOptions {
  readonly pace: YieldIfDue;
  /** The time of its records. */
  readonly atMs: number;
  /** Unique for each buffered transaction. */
  readonly idStem: string;
  /** Unique for each change of each buffered transaction, so that cached values are never confused. */
  readonly nextVersion: () => number;
}

export class RowBufferedTransaction extends RowRecordReader implements BufferedTransaction {
  readonly position: number;
  readonly readSet: ReadSet;
  readonly #rows: BufferedRows;
  readonly #options: RowBufferedTransactionOptions;
  #lastChange: Promise<unknown> = Promise.resolve();
  #changeCount = 0;
  #isEnded = false;

  constructor(state: RowReader, position: number, options: RowBufferedTransactionOptions) {
    const reads = new ReadSet(options.kinds);
    const rows = new BufferedRows(state, reads, options);
    super(rows, options.pace, () => this.#assertOpen());
    this.position = position;
    this.readSet = reads;
    this.#rows = rows;
    this.#options = options;
  }

  /** The time of its records. */
  get atMs(): number {
    return this.#options.atMs;
  }

  get idStem(): string {
    return this.#options.idStem;
  }

  get isEmpty(): boolean {
    return this.#rows.stepCount === 0;
  }

  /** Returns whether a written record satisfies the condition. */
  async hasRow(isWanted: (record: StoredRecord, parts: RowParts) => boolean): Promise<boolean> {
    for (const row of this.#rows.listRows()) {
      if (row.kind !== 'remove' && isWanted(row.record, row.parts)) return true;
      const others = this.#options.pace();
      if (others !== undefined) await others;
    }
    return false;
  }

  change<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<BufferedChange<T>> {
    return this.#runInOrder(() => this.#runStep(author, work, { isKept: true }));
  }

  async rehearse<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    const { result } = await this.#runInOrder(() => this.#runStep(author, work, { isKept: false }));
    return result;
  }

  noteLogRead(): void {
    this.readSet.noteEverything();
  }

  async listWritten(kind: string, after: RecordSortKey | undefined, limit: number): Promise<readonly StoredRecord[]> {
    this.#assertOpen();
    return this.#rows.listWritten(kind, after, requireLimit(limit));
  }

  listItems(): readonly ChangeItem[] {
    return [...this.#rows.listItems()].map((item) => maskItem(item, this.#options.kinds));
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const count = this.#rows.stepCount;
    try {
      return await work();
    } catch (error) {
      this.#rows.rollbackTo(count);
      throw error;
    }
  }

  /** Ends all reads and writes, because the snapshot is released. */
  end(): void {
    this.#isEnded = true;
  }

  /** Frees the written records once they are committed or rolled back. */
  discard(): void {
    this.#rows.discard();
  }

  /**
   * Writes everything into a transaction that begins at this position. If others have committed since this transaction
   * began, all rules are checked again.
   */
  async writeInto(transaction: RowWriteTransaction, position: number): Promise<void> {
    if (position === this.position) {
      await transaction.writeBufferedRows(this.#rows.listRows());
      return;
    }
    for (const row of this.#rows.listRows()) {
      if (row.kind === 'remove') {
        await transaction.remove(row.id);
        continue;
      }
      const { id, createdAtMs } = row.record;
      const draft = toRecordDraft(row.record, row.parts);
      if (row.kind === 'insert') await transaction.restore(draft, { id, createdAtMs });
      else await transaction.update(id, draft);
    }
  }

  /** Serializes changes: each sees the writes of those before it. */
  #runInOrder<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastChange.then(change);
    this.#lastChange = turn.catch(() => undefined);
    return turn;
  }

  async #runStep<T>(
    author: ChangeAuthor,
    work: (transaction: WriteTransaction) => Promise<T>,
    { isKept }: { readonly isKept: boolean },
  ): Promise<BufferedChange<T>> {
    this.#assertOpen();
    requireStorable('author', author.who);
    requireStorable('description', author.what);
    this.#changeCount += 1;
    const { pace, atMs, nextVersion, idStem } = this.#options;
    const drafted = { atMs, version: nextVersion(), idStem: `${idStem}-${this.#changeCount}` };
    const transaction = new RowWriteTransaction(
      this.#rows,
      { sequence: this.position + 1, atMs, author, drafted },
      pace,
    );
    await this.#rows.beginStep();
    try {
      const result = await work(transaction);
      const isChanged = await transaction.finish();
      if (isChanged && isKept) await this.#rows.commitStep();
      else await this.#rows.rollbackStep();
      return { result, isChanged };
    } catch (error) {
      await this.#rows.rollbackStep();
      throw error;
    } finally {
      transaction.end();
    }
  }

  #assertOpen(): void {
    if (this.#isEnded) throw new Error('This buffered transaction has ended.');
  }
}

function toRecordDraft(
  { kind, parent, name, body }: { readonly [K in 'kind' | 'parent' | 'name' | 'body']: RecordDraft[K] },
  { keys, files }: RowParts,
): RecordDraft {
  return { kind, parent, name, body, keys, files };
}
