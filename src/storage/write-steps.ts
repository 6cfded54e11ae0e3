/** What is written within a group: each step is kept or taken back alone, and all are made durable together. */
import type { Fence } from '../lib/fence.ts';
import type { Pace } from '../lib/pace.ts';
import { problem } from '../lib/problem.ts';
import { itemsOf } from './log-reader.ts';
import {
  type ChangeAuthor,
  type ChangeEntry,
  type ChangeItem,
  type DraftEnd,
  type KeptReply,
  type Notes,
  REPLIES_KEPT_MS,
  type Written,
} from './port.ts';
import type { RowTransaction, TouchedPlace } from './rows.ts';
import { requireStorable } from './storable-text.ts';
import { type DraftedStart, RowWriteTransaction } from './transaction.ts';

/** One transaction of the database, shared by the writes of a group. */
export interface WriteGroup {
  readonly rows: RowTransaction;
  readonly beganMs: number;
  count: number;
  /** Whether something was done elsewhere that cannot be taken back: nothing more may come before the end. */
  isBound: boolean;
  position: number;
  atMs: number;
  announced: number;
  /** Undefined for more than are worth counting. */
  touched: TouchedPlace[] | undefined;
}

export interface StepOptions {
  readonly isKept: boolean;
  /** How the records of a draft are written. */
  readonly drafted?: Omit<DraftedStart, 'version'>;
  readonly beforeCommit?: DraftEnd<unknown>['beforeCommit'] | undefined;
  readonly reply?: DraftEnd<unknown>['reply'] | undefined;
  readonly note?: string | undefined;
}

/** So few take less than a millisecond or two. */
const FORGOTTEN_AT_ONCE = 500;

export class WriteSteps {
  readonly #clock: () => number;
  readonly #pace: Pace;

  constructor({ clock, pace }: { readonly clock: () => number; readonly pace: Pace }) {
    this.#clock = clock;
    this.#pace = pace;
  }

  /** One write; rules of records are looked at, and the log tells of it. */
  async write<T>(
    group: WriteGroup,
    author: ChangeAuthor,
    work: (transaction: RowWriteTransaction) => Promise<T>,
    { isKept, drafted, beforeCommit, reply, note }: StepOptions,
  ): Promise<Written<T> & { readonly items: ChangeEntry['items'] }> {
    requireStorable('author', author.who);
    requireStorable('description', author.what);
    const { rows } = group;
    group.count += 1;
    // Time never runs backwards in the log, whatever the clock does.
    const atMs = Math.max(group.atMs, drafted?.atMs ?? this.#clock());
    const sequence = group.position + 1;
    const start = { sequence, atMs, author, ...(drafted && { drafted: { ...drafted, version: sequence } }) };
    const transaction = new RowWriteTransaction(rows, start, this.#pace);
    await rows.beginStep();
    try {
      const result = await work(transaction);
      const hasChanges = await transaction.settle();
      const made = hasChanges ? { ...author, sequence, atMs } : null;
      if (reply !== undefined) await this.#keepReply(rows, reply(made));
      if (note !== undefined) await rows.putNote(note, '');
      if (beforeCommit !== undefined) {
        await rows.heard();
        group.isBound = true;
        await beforeCommit(made);
      }
      if (hasChanges && isKept) {
        await rows.moveHead({ position: sequence, atMs, announced: group.announced });
        await rows.keepStep();
        group.position = sequence;
        group.atMs = atMs;
        noteTouched(group, transaction.touched);
        return { result, change: sequence, items: [] };
      }
      if ((reply !== undefined || note !== undefined) && isKept) {
        await rows.keepStep();
        return { result, change: null, items: [] };
      }
      const items: ChangeItem[] = [];
      if (hasChanges) for await (const item of itemsOf(rows, sequence, this.#pace)) items.push(item);
      await rows.takeBackStep();
      return { result, change: null, items };
    } catch (error) {
      await rows.takeBackStep();
      throw error;
    } finally {
      transaction.end();
    }
  }

  /** One request with a key is answered at a time, also where others of it have come to other nodes. */
  async #keepReply(rows: RowTransaction, reply: Omit<KeptReply, 'atMs'>): Promise<void> {
    const atMs = this.#clock();
    if (await rows.keepReply({ ...reply, atMs }, atMs - REPLIES_KEPT_MS)) return;
    throw problem('idempotency-key-in-use', { key: reply.key, retryAfterSeconds: 1 });
  }

  async putNote({ rows }: WriteGroup, name: string, text: string | null): Promise<void> {
    requireStorable('name', name);
    requireStorable('note', text ?? '');
    await inStep(rows, () => rows.putNote(name, text));
  }

  async revise(
    { rows }: WriteGroup,
    name: string,
    write: Parameters<Notes['revise']>[1],
    fence: Fence | undefined,
  ): Promise<boolean> {
    requireStorable('name', name);
    return inStep(rows, async () => {
      if (fence !== undefined && !(await rows.isHeld(fence))) return false;
      const text = write(await rows.note(name));
      if (text === undefined) return false;
      requireStorable('note', text);
      await rows.putNote(name, text);
      return true;
    });
  }

  async announce(
    group: WriteGroup,
    name: string,
    write: Parameters<Notes['announce']>[1],
  ): Promise<number | undefined> {
    requireStorable('name', name);
    const { rows, position, atMs } = group;
    const announced = group.announced + 1;
    return inStep(rows, async () => {
      const before = await rows.note(name);
      const text = write(before, announced);
      if (text === (before ?? null)) return undefined;
      requireStorable('note', text ?? '');
      await rows.putNote(name, text);
      await rows.moveHead({ position, atMs, announced });
      group.announced = announced;
      return announced;
    });
  }

  forgetReplies({ rows }: WriteGroup, beforeMs: number, limit: number): Promise<number> {
    return inStep(rows, () => rows.forgetReplies(beforeMs, limit));
  }

  /** An entry may have any number of items: they go some at a time, so that readers have their turn. */
  async forgetChanges({ rows }: WriteGroup, beforeMs: number, limit: number): Promise<number> {
    const { count, last } = await rows.oldestChanges(beforeMs, limit);
    if (count === 0) return 0;
    return inStep(rows, async () => {
      while ((await rows.forgetItems(last, FORGOTTEN_AT_ONCE)) > 0) await this.#pace();
      await rows.forgetEntries(last);
      return count;
    });
  }
}

async function inStep<T>(rows: RowTransaction, work: () => Promise<T>): Promise<T> {
  await rows.beginStep();
  try {
    const result = await work();
    await rows.keepStep();
    return result;
  } catch (error) {
    await rows.takeBackStep();
    throw error;
  }
}

function noteTouched(group: WriteGroup, touched: readonly TouchedPlace[] | undefined): void {
  if (touched === undefined) group.touched = undefined;
  else group.touched?.push(...touched);
}
