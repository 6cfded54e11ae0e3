/** Runs work in buffered transactions, and commits the result as one change unless there is a conflict. */
import { randomBytes } from 'node:crypto';
import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { FIRST_PROVISIONAL_VERSION } from '../../lib/values/provisional-version.ts';
import {
  type BufferedResult,
  type BufferedTransaction,
  type ChangeAuthor,
  type KindRules,
  type StoredRecord,
  TransactionConflict,
  type WriteResult,
} from '../port/port.ts';
import type { RowParts, RowReader, RowSnapshot, RowTransaction } from '../port/rows.ts';
import { readChangeItems } from '../transactions/log-reader.ts';
import type { RecordStamp, RowWriteTransaction } from '../transactions/transaction.ts';
import { RowBufferedTransaction } from './buffered-transaction.ts';

/** The transaction of a write, shared with others, and the last change in it. */
export interface WriteSlot {
  readonly rows: RowTransaction;
  readonly position: number;
}

/** The storage operations that buffered transactions need. */
export interface BufferedTransactionHost<G extends WriteSlot> {
  readonly clock: () => number;
  readonly kinds: ReadonlyMap<string, KindRules>;
  readonly pace: YieldIfDue;
  readonly spillFolder: string;
  /** Must be awaited before `snapshot`. */
  prepareRead(): Promise<void> | undefined;
  snapshot(): RowSnapshot;
  /** Makes the next snapshot include changes of others. */
  refresh(): Promise<void> | undefined;
  runExclusive<T>(job: (turn: G) => Promise<T>): Promise<T>;
  /** Returns whether the database might reject a valid record; undefined if it never does. */
  readonly canReject: ((record: StoredRecord, parts: RowParts) => boolean) | undefined;
  /** Commits one change with the records of the buffered transaction, or only tries it. */
  commit(
    turn: G,
    author: ChangeAuthor,
    work: (transaction: RowWriteTransaction) => Promise<void>,
    end: Pick<BufferedResult<unknown>, 'shouldCommit' | 'beforeCommit' | 'reply' | 'note'> & {
      readonly drafted: Omit<RecordStamp, 'version'>;
    },
  ): Promise<number | null>;
}

/** The number of attempts with concurrent writers. After these, other writers wait. */
const OPTIMISTIC_ATTEMPTS = 4;

export class BufferedTransactionRunner<G extends WriteSlot> {
  readonly #host: BufferedTransactionHost<G>;
  #lastVersion = FIRST_PROVISIONAL_VERSION;

  constructor(world: BufferedTransactionHost<G>) {
    this.#host = world;
  }

  async run<T>(work: (draft: BufferedTransaction) => Promise<BufferedResult<T>>): Promise<WriteResult<T>> {
    for (let attempt = 0; attempt < OPTIMISTIC_ATTEMPTS; attempt += 1) {
      const written = await this.#runOptimistic(work);
      if (written !== undefined) return written;
      await this.#host.refresh();
    }
    for (;;) {
      const written = await this.#runExclusive(work);
      if (written !== undefined) return written;
    }
  }

  /** Returns undefined after a conflict with another change. */
  async #runOptimistic<T>(
    work: (draft: BufferedTransaction) => Promise<BufferedResult<T>>,
  ): Promise<WriteResult<T> | undefined> {
    await this.#host.prepareRead();
    const state = this.#host.snapshot();
    const draft = this.#begin(state, state.position);
    try {
      return await this.#runOver(state, draft, work);
    } finally {
      draft.discard();
    }
  }

  async #runOver<T>(
    state: RowSnapshot,
    draft: RowBufferedTransaction,
    work: (draft: BufferedTransaction) => Promise<BufferedResult<T>>,
  ): Promise<WriteResult<T> | undefined> {
    let end: BufferedResult<T>;
    try {
      end = await this.#runWork(draft, work);
    } finally {
      state.release();
    }
    const isForNothing = draft.isEmpty && end.hasMore !== true && end.reply === undefined;
    if (isForNothing || (!end.shouldCommit && !(await this.#canBeRejected(draft)))) {
      if (!end.shouldCommit) await end.onRollback();
      return { result: end.result, change: null };
    }
    let written: WriteResult<T> | undefined;
    try {
      written = await this.#host.runExclusive(async (turn) =>
        (await this.#hasConflict(turn, draft)) ? undefined : this.#commitUnlessConflicting(turn, draft, end),
      );
    } catch (error) {
      await end.onRollback(error);
      throw error;
    }
    if (written === undefined) await end.onRollback(new TransactionConflict());
    else if (!end.shouldCommit) await end.onRollback();
    return written;
  }

  /** Returns undefined if others have changed what it has read outside the storage, which has no lock. */
  async #runExclusive<T>(
    work: (draft: BufferedTransaction) => Promise<BufferedResult<T>>,
  ): Promise<WriteResult<T> | undefined> {
    let end: BufferedResult<T> | undefined;
    let written: WriteResult<T> | undefined;
    try {
      written = await this.#host.runExclusive(async (turn) => {
        // The work is run again after a conflict.
        await end?.onRollback(new TransactionConflict());
        end = undefined;
        const draft = this.#begin(turn.rows, turn.position);
        try {
          end = await this.#runWork(draft, work);
          return await this.#commitUnlessConflicting(turn, draft, end);
        } finally {
          draft.discard();
        }
      });
    } catch (error) {
      await end?.onRollback(error);
      throw error;
    }
    if (written === undefined) await end?.onRollback(new TransactionConflict());
    else if (end?.shouldCommit === false) await end.onRollback();
    return written;
  }

  #begin(state: RowReader, position: number): RowBufferedTransaction {
    const { kinds, pace, clock, spillFolder } = this.#host;
    return new RowBufferedTransaction(state, position, {
      kinds,
      pace,
      spillFolder,
      atMs: clock(),
      idStem: randomBytes(8).toString('hex'),
      nextVersion: () => {
        this.#lastVersion += 1;
        return this.#lastVersion;
      },
    });
  }

  async #runWork<T>(
    draft: RowBufferedTransaction,
    work: (draft: BufferedTransaction) => Promise<BufferedResult<T>>,
  ): Promise<BufferedResult<T>> {
    try {
      return await work(draft);
    } finally {
      draft.end();
    }
  }

  async #commitUnlessConflicting<T>(
    turn: G,
    draft: RowBufferedTransaction,
    end: BufferedResult<T>,
  ): Promise<WriteResult<T> | undefined> {
    const { result, author, shouldCommit: isKept } = end;
    const drafted = { atMs: draft.atMs, idStem: draft.idStem };
    const write = (transaction: RowWriteTransaction) => draft.writeInto(transaction, turn.position);
    if (!isKept) {
      // The rules were checked in memory. The database may still reject the rows, which shows only when they are
      // written.
      if (await this.#canBeRejected(draft))
        await this.#host.commit(turn, author, write, { shouldCommit: isKept, drafted });
      return { result, change: null };
    }
    if (await end.isOvertaken?.()) return undefined;
    return { result, change: await this.#host.commit(turn, author, write, { ...end, drafted }) };
  }

  async #canBeRejected(draft: RowBufferedTransaction): Promise<boolean> {
    const { canReject } = this.#host;
    return canReject !== undefined && (await draft.hasRow(canReject));
  }

  /** Returns whether a change since the snapshot affects anything that was read. */
  async #hasConflict({ rows, position }: G, draft: RowBufferedTransaction): Promise<boolean> {
    for (let sequence = draft.position + 1; sequence <= position; sequence += 1) {
      let isKnown = false;
      for await (const item of readChangeItems(rows, sequence, this.#host.pace)) {
        if (draft.readSet.isAffectedBy(item)) return true;
        isKnown = true;
      }
      // The entry was deleted, so its contents are unknown.
      if (!isKnown) return true;
    }
    return false;
  }
}
