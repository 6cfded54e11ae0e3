/** A draft over the rows of a state: the rules of a write, over rows that are in memory. */

import type { Pace } from '../lib/pace.ts';
import { DraftReads } from './draft-reads.ts';
import { DraftRows } from './draft-rows.ts';
import { masked } from './log-reader.ts';
import type {
  ChangeAuthor,
  ChangeItem,
  Draft,
  DraftedChange,
  KindRules,
  RecordDraft,
  RecordPlace,
  StoredRecord,
  WriteTransaction,
} from './port.ts';
import { RowRecordReader, requireLimit } from './record-reader.ts';
import type { RowParts, RowReader } from './rows.ts';
import { requireStorable } from './storable-text.ts';
import { RowWriteTransaction } from './transaction.ts';

export interface RowDraftOptions {
  readonly kinds: ReadonlyMap<string, KindRules>;
  readonly pace: Pace;
  /** When its records are written. */
  readonly atMs: number;
  /** Different for each draft there ever was. */
  readonly idStem: string;
  /** Different for each change of each draft, so that nothing that is remembered by it is taken for something else. */
  readonly nextVersion: () => number;
}

export class RowDraft extends RowRecordReader implements Draft {
  readonly position: number;
  readonly reads: DraftReads;
  readonly #rows: DraftRows;
  readonly #options: RowDraftOptions;
  #lastChange: Promise<unknown> = Promise.resolve();
  #changeCount = 0;
  #isEnded = false;

  constructor(state: RowReader, position: number, options: RowDraftOptions) {
    const reads = new DraftReads(options.kinds);
    const rows = new DraftRows(state, reads, options.kinds);
    super(rows, options.pace, () => this.#assertOpen());
    this.position = position;
    this.reads = reads;
    this.#rows = rows;
    this.#options = options;
  }

  /** When its records were written. */
  get atMs(): number {
    return this.#options.atMs;
  }

  get idStem(): string {
    return this.#options.idStem;
  }

  get isEmpty(): boolean {
    return this.#rows.drafted.length === 0;
  }

  /** Whether it has written a record like this. */
  hasRow(isWanted: (record: StoredRecord, parts: RowParts) => boolean): boolean {
    return this.#rows.drafted.some((row) => row.kind !== 'remove' && isWanted(row.record, row.parts));
  }

  change<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<DraftedChange<T>> {
    return this.#inTurn(() => this.#step(author, work, { isKept: true }));
  }

  async rehearse<T>(author: ChangeAuthor, work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    const { result } = await this.#inTurn(() => this.#step(author, work, { isKept: false }));
    return result;
  }

  noteLogRead(): void {
    this.reads.noteEverything();
  }

  async listWritten(kind: string, after: RecordPlace | undefined, limit: number): Promise<readonly StoredRecord[]> {
    this.#assertOpen();
    return this.#rows.listWritten(kind, after, requireLimit(limit));
  }

  items(): readonly ChangeItem[] {
    return [...this.#rows.items()].map((item) => masked(item, this.#options.kinds));
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const count = this.#rows.drafted.length;
    try {
      return await work();
    } catch (error) {
      this.#rows.takeBackTo(count);
      throw error;
    }
  }

  /** From here on nobody can read it or write into it: the state that it stands on is let go. */
  end(): void {
    this.#isEnded = true;
  }

  /**
   * Writes all that it holds into a transaction, which begins at this position. Where others have changed something since
   * the draft began, it looks at all rules once more.
   */
  async writeInto(transaction: RowWriteTransaction, position: number): Promise<void> {
    if (position === this.position) {
      await transaction.writeDrafted(this.#rows.drafted);
      return;
    }
    for (const row of this.#rows.drafted) {
      if (row.kind === 'remove') {
        await transaction.remove(row.id);
        continue;
      }
      const { id, createdAtMs } = row.record;
      const draft = draftOf(row.record, row.parts);
      if (row.kind === 'insert') await transaction.restore(draft, { id, createdAtMs });
      else await transaction.update(id, draft);
    }
  }

  /** One change after the other: each sees what those before it have written. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastChange.then(change);
    this.#lastChange = turn.catch(() => undefined);
    return turn;
  }

  async #step<T>(
    author: ChangeAuthor,
    work: (transaction: WriteTransaction) => Promise<T>,
    { isKept }: { readonly isKept: boolean },
  ): Promise<DraftedChange<T>> {
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
      const isChanged = await transaction.settle();
      if (isChanged && isKept) await this.#rows.keepStep();
      else await this.#rows.takeBackStep();
      return { result, isChanged };
    } catch (error) {
      await this.#rows.takeBackStep();
      throw error;
    } finally {
      transaction.end();
    }
  }

  #assertOpen(): void {
    if (this.#isEnded) throw new Error('This draft has ended; it can no longer be used.');
  }
}

function draftOf(
  { kind, parent, name, body }: { readonly [K in 'kind' | 'parent' | 'name' | 'body']: RecordDraft[K] },
  { keys, files }: RowParts,
): RecordDraft {
  return { kind, parent, name, body, keys, files };
}
