/** The writes within a group: each step is committed or rolled back on its own, and all are made durable together. */
import type { Fence } from '../../lib/async/fence.ts';
import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import {
  type BufferedResult,
  type ChangeAuthor,
  type ChangeEntry,
  type ChangeItem,
  type Notes,
  REPLY_RETENTION_MS,
  type StoredReply,
  type WriteResult,
} from '../port/port.ts';
import type { RecordNameKey, RowTransaction } from '../port/rows.ts';
import { requireStorable } from '../port/storable-text.ts';
import { readChangeItems } from './log-reader.ts';
import { type RecordStamp, RowWriteTransaction } from './transaction.ts';

/** One database transaction, shared by the writes of a group. */
export interface WriteGroup {
  readonly rows: RowTransaction;
  readonly beganMs: number;
  count: number;
  /** Whether irreversible work was done elsewhere: nothing more may precede the commit. */
  isBound: boolean;
  position: number;
  atMs: number;
  announced: number;
  /** Undefined if there are too many. */
  touched: RecordNameKey[] | undefined;
}

export interface StepOptions {
  readonly shouldCommit: boolean;
  /** The stamp of the records of a buffered transaction. */
  readonly drafted?: Omit<RecordStamp, 'version'>;
  readonly beforeCommit?: BufferedResult<unknown>['beforeCommit'] | undefined;
  readonly reply?: BufferedResult<unknown>['reply'] | undefined;
  readonly note?: string | undefined;
}

/** This many rows are deleted within two milliseconds. */
const DELETED_AT_ONCE = 500;

export class WriteSteps {
  readonly #clock: () => number;
  readonly #pace: YieldIfDue;

  constructor({ clock, pace }: { readonly clock: () => number; readonly pace: YieldIfDue }) {
    this.#clock = clock;
    this.#pace = pace;
  }

  /** Runs one write with the record rules and its log entry. */
  async write<T>(
    group: WriteGroup,
    author: ChangeAuthor,
    work: (transaction: RowWriteTransaction) => Promise<T>,
    { shouldCommit: isKept, drafted, beforeCommit, reply, note }: StepOptions,
  ): Promise<WriteResult<T> & { readonly items: ChangeEntry['items'] }> {
    requireStorable('author', author.who);
    requireStorable('description', author.what);
    const { rows } = group;
    group.count += 1;
    // Times in the log never decrease, even if the clock does.
    const atMs = Math.max(group.atMs, drafted?.atMs ?? this.#clock());
    const sequence = group.position + 1;
    const start = { sequence, atMs, author, ...(drafted && { drafted: { ...drafted, version: sequence } }) };
    const transaction = new RowWriteTransaction(rows, start, this.#pace);
    await rows.beginStep();
    try {
      const result = await work(transaction);
      const hasChanges = await transaction.finish();
      const made = hasChanges ? { ...author, sequence, atMs } : null;
      if (reply !== undefined) await this.#storeReply(rows, reply(made));
      if (note !== undefined) await rows.writeNote(note, '');
      if (beforeCommit !== undefined) {
        await rows.flush();
        group.isBound = true;
        await beforeCommit(made);
      }
      if (hasChanges && isKept) {
        await rows.moveHead({ position: sequence, atMs, announced: group.announced });
        await rows.commitStep();
        group.position = sequence;
        group.atMs = atMs;
        noteTouched(group, transaction.touched);
        return { result, change: sequence, items: [] };
      }
      if ((reply !== undefined || note !== undefined) && isKept) {
        await rows.commitStep();
        return { result, change: null, items: [] };
      }
      const items: ChangeItem[] = [];
      if (hasChanges) for await (const item of readChangeItems(rows, sequence, this.#pace)) items.push(item);
      await rows.rollbackStep();
      return { result, change: null, items };
    } catch (error) {
      await rows.rollbackStep();
      throw error;
    } finally {
      transaction.end();
    }
  }

  /** Only one request with a key is answered, even if duplicates reach other nodes. */
  async #storeReply(rows: RowTransaction, reply: Omit<StoredReply, 'atMs'>): Promise<void> {
    const atMs = this.#clock();
    if (await rows.storeReply({ ...reply, atMs }, atMs - REPLY_RETENTION_MS)) return;
    throw problem('idempotency-key-in-use', { key: reply.key, retryAfterSeconds: 1 });
  }

  async putNote({ rows }: WriteGroup, name: string, text: string | null): Promise<void> {
    requireStorable('name', name);
    requireStorable('note', text ?? '');
    await runStep(rows, () => rows.writeNote(name, text));
  }

  async updateNote(
    { rows }: WriteGroup,
    name: string,
    write: Parameters<Notes['update']>[1],
    fence: Fence | undefined,
  ): Promise<boolean> {
    requireStorable('name', name);
    return runStep(rows, async () => {
      if (fence !== undefined && !(await rows.isHeld(fence))) return false;
      const text = write(await rows.readNote(name));
      if (text === undefined) return false;
      requireStorable('note', text);
      await rows.writeNote(name, text);
      return true;
    });
  }

  async announceNote(
    group: WriteGroup,
    name: string,
    write: Parameters<Notes['announce']>[1],
  ): Promise<number | undefined> {
    requireStorable('name', name);
    const { rows, position, atMs } = group;
    const announced = group.announced + 1;
    return runStep(rows, async () => {
      const before = await rows.readNote(name);
      const text = write(before, announced);
      if (text === (before ?? null)) return undefined;
      requireStorable('note', text ?? '');
      await rows.writeNote(name, text);
      await rows.moveHead({ position, atMs, announced });
      group.announced = announced;
      return announced;
    });
  }

  deleteReplies({ rows }: WriteGroup, beforeMs: number, limit: number): Promise<number> {
    return runStep(rows, () => rows.deleteReplies(beforeMs, limit));
  }

  /** An entry may have any number of items: they are deleted in batches so that readers can run. */
  async deleteChanges({ rows }: WriteGroup, beforeMs: number, limit: number): Promise<number> {
    const { count, last } = await rows.findOldestChanges(beforeMs, limit);
    if (count === 0) return 0;
    return runStep(rows, async () => {
      while ((await rows.deleteItems(last, DELETED_AT_ONCE)) > 0) await this.#pace();
      await rows.deleteEntries(last);
      return count;
    });
  }
}

async function runStep<T>(rows: RowTransaction, work: () => Promise<T>): Promise<T> {
  await rows.beginStep();
  try {
    const result = await work();
    await rows.commitStep();
    return result;
  } catch (error) {
    await rows.rollbackStep();
    throw error;
  }
}

function noteTouched(group: WriteGroup, touched: readonly RecordNameKey[] | undefined): void {
  if (touched === undefined) group.touched = undefined;
  else group.touched?.push(...touched);
}
