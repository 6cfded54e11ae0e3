/**
 * The open transaction of the writing session. It holds the lock of the head row, which all nodes wait for, so it uses
 * few statements and waits for few responses. Writes are sent with the commit, or before a read that depends on them. A
 * step needs a savepoint only for writes that it sends before its end. Names and parents are checked in advance; only
 * for a step that the database might still reject are all responses awaited before the step is committed.
 */
import type { Fence } from '../../../lib/async/fence.ts';
import type { ChangeAuthor, OrderedItem, StoredRecord, StoredReply } from '../../port/port.ts';
import type {
  ChangeLogItem,
  CommitResult,
  Head,
  ItemCursor,
  ItemWithCursor,
  KindShape,
  OldestChanges,
  RowParts,
  RowTransaction,
} from '../../port/rows.ts';
import { RecordNameCache } from '../../transactions/record-reader.ts';
import { createUnavailableProblem } from '../connection/problem.ts';
import type { PostgresSession } from '../connection/session.ts';
import { type BoundStatement, prepareStatement, type Row } from '../connection/statement.ts';
import type { TransactionHost } from '../connection/transaction-host.ts';
import {
  ChangeLogReader,
  deleteChangeEntries,
  deleteChangeItems,
  findOldestChanges,
  pruneChangeItems,
} from './change-log.ts';
import { deleteReplies, readNote, readShapes, writeNote, writeReply, writeShape } from './notes-and-replies.ts';
import { PendingWrites } from './pending-writes.ts';
import { PostgresRowReader } from './record-rows.ts';
import { hasShortKeys, readRecordFiles, removeRecord, rewriteRecord, updateRecord } from './record-writes.ts';

const updateHead = prepareStatement('move_head', 'UPDATE head SET sequence = $1, at_ms = $2, announced = $3 WHERE one');
const moveHead = ({ position, atMs, announced }: Head): BoundStatement => [updateHead, [position, atMs, announced]];
/** A node that takes over the fence waits until this transaction ends. */
const selectHeldFence = prepareStatement('fence_held', 'SELECT 1 FROM claims WHERE what = $1 AND node = $2 FOR SHARE');
const savepoint: BoundStatement = [prepareStatement('savepoint', 'SAVEPOINT step'), []];
const release: BoundStatement = [prepareStatement('release', 'RELEASE SAVEPOINT step'), []];
const rollbackToStep: BoundStatement = [prepareStatement('rollback_to_step', 'ROLLBACK TO SAVEPOINT step'), []];

/** The number of items that are sent without waiting for a response. */
const MAX_UNCONFIRMED_ITEMS = 50;

export class PostgresRowTransaction extends PostgresRowReader implements RowTransaction {
  readonly logsItems = true;
  readonly head: Head;
  readonly #session: PostgresSession;
  readonly #host: TransactionHost;
  readonly #log: ChangeLogReader;
  /** Changes look up the same few records repeatedly, and each lookup is a round trip. */
  readonly #cache = new RecordNameCache();
  #writeCount = 0;
  /** Unsent writes of committed steps, and of the current one. */
  readonly #held = new PendingWrites();
  readonly #unsent = new PendingWrites();
  /** Whether the sent writes of this step can be rolled back. */
  #hasSavepoint = false;
  /** Pending responses of this step, and of committed steps. */
  #sent: Promise<unknown>[] = [];
  #kept: Promise<unknown>[] = [];
  /** Whether the database can reject this step only because of an internal error. */
  #isPlainStep = true;
  #moved: Head | undefined;
  /** The value before this step. */
  #movedBefore: Head | undefined;
  #hasWritten = false;
  #hasWrittenInStep = false;
  /** The error of a failed statement: the database rejects all others until the step is rolled back. */
  #failure: unknown;

  constructor(session: PostgresSession, head: Head, world: TransactionHost) {
    super(async (...statement) => {
      const [, , sees] = statement;
      if (this.#unsent.canAffect(sees)) this.#sendWritten();
      else if (this.#held.canAffect(sees)) this.#sendHeld();
      return this.#query(statement);
    });
    this.head = head;
    this.#session = session;
    this.#host = world;
    this.#log = new ChangeLogReader(this.query);
  }

  assertOpen(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#session.isLost) throw createUnavailableProblem();
  }

  async beginStep(): Promise<void> {
    this.#hasWritten ||= this.#hasWrittenInStep;
    this.#hasWrittenInStep = false;
    this.#movedBefore = this.#moved;
    this.#isPlainStep = true;
    this.#hasSavepoint = false;
  }

  async commitStep(): Promise<void> {
    if (!this.#isPlainStep) await this.flush();
    if (this.#hasSavepoint) {
      this.#sendWritten();
      this.#send([release]);
    } else {
      this.#held.merge(this.#unsent);
      if (this.#held.isLarge) this.#sendHeld();
    }
    this.#kept.push(...this.#sent.splice(0));
  }

  async flush(): Promise<void> {
    this.#sendHeld();
    this.#sendWritten();
    await Promise.all([...this.#kept, ...this.#sent]);
    this.#kept = [];
    this.#sent = [];
    this.assertOpen();
  }

  async rollbackStep(): Promise<void> {
    this.#writeCount += 1;
    this.#cache.clear();
    this.#unsent.clear();
    this.#hasWrittenInStep = false;
    this.#moved = this.#movedBefore;
    if (!this.#hasSavepoint) return;
    await Promise.allSettled([...this.#kept, ...this.#sent.splice(0)]);
    // If a committed step failed, the commit fails as well, and no step can be rolled back on its own.
    if (this.#session.isLost || !(await this.#haveKeptSucceeded())) return;
    this.#failure = undefined;
    this.#send([rollbackToStep, release]);
  }

  override async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    const known = this.#cache.get(kind, parent, name);
    if (known !== undefined) return known ?? undefined;
    const writeCount = this.#writeCount;
    const record = await super.find(kind, parent, name);
    return writeCount === this.#writeCount ? this.#cache.set(kind, parent, name, record) : record;
  }

  async insert(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#cache.delete([record]);
    this.#isPlainStep &&= hasShortKeys(record, parts);
    this.#startWriting().insert(record, parts);
  }

  async update(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#cache.clear();
    this.#isPlainStep &&= hasShortKeys(record, parts);
    this.#write(updateRecord(record, parts));
  }

  async remove(id: string): Promise<void> {
    this.#cache.clear();
    this.#write(removeRecord(id));
  }

  async rewrite(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#cache.clear();
    this.#isPlainStep = false;
    this.#write(rewriteRecord(record, parts));
  }

  listFiles(id: string): Promise<readonly string[]> {
    return readRecordFiles(this.query, id);
  }

  async openChange(sequence: number, atMs: number, author: ChangeAuthor): Promise<void> {
    this.#startWriting().log({ sequence, atMs, author });
  }

  async logItems(sequence: number, firstOrdinal: number, items: readonly ChangeLogItem[]): Promise<void> {
    const unsent = this.#startWriting();
    unsent.logItems(items.map((item, index) => ({ sequence, ordinal: firstOrdinal + index, item })));
    unsent.logFiles(items.flatMap(({ files }) => files.map((file) => ({ sequence, file }))));
    // Bounds the memory for pending items.
    if (items.length > MAX_UNCONFIRMED_ITEMS) await this.flush();
  }

  pruneItems(sequence: number): Promise<boolean> {
    return pruneChangeItems(this.query, sequence);
  }

  listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]> {
    return this.#log.listChangeItems(sequence, after, limit);
  }

  listItemsOfKind(kind: string, after: ItemCursor | undefined, limit: number): Promise<ItemWithCursor[]> {
    return this.#log.listItemsOfKind(kind, after, limit);
  }

  async logFiles(sequence: number, files: readonly string[]): Promise<void> {
    this.#startWriting().logFiles(files.map((file) => ({ sequence, file })));
  }

  readNote(name: string): Promise<string | undefined> {
    return readNote(this.query, name);
  }

  async isHeld({ what, holder }: Fence): Promise<boolean> {
    return (await this.query(selectHeldFence, [what, holder])).length > 0;
  }

  async writeNote(name: string, text: string | null): Promise<void> {
    this.#isPlainStep = false;
    this.#write(writeNote(name, text));
  }

  /** The last head is written once, at the commit. */
  async moveHead(head: Head): Promise<void> {
    this.#moved = head;
  }

  readShapes(): Promise<ReadonlyMap<string, readonly KindShape[]>> {
    return readShapes(this.query);
  }

  async addShape(kind: string, shape: KindShape): Promise<void> {
    this.#isPlainStep = false;
    this.#write(writeShape(kind, shape));
  }

  findOldestChanges(beforeMs: number, limit: number): Promise<OldestChanges> {
    return findOldestChanges(this.query, beforeMs, limit);
  }

  async deleteItems(last: number, limit: number): Promise<number> {
    this.#hasWrittenInStep = true;
    this.#setSavepoint();
    return deleteChangeItems(this.query, last, limit);
  }

  async deleteEntries(last: number): Promise<void> {
    this.#write(deleteChangeEntries(last));
  }

  async storeReply(reply: StoredReply, untilMs: number): Promise<boolean> {
    this.#isPlainStep = false;
    // The calling step writes it, even without other writes.
    this.#startWriting();
    this.#setSavepoint();
    return writeReply(this.query, reply, untilMs);
  }

  async deleteReplies(beforeMs: number, limit: number): Promise<number> {
    this.#hasWrittenInStep = true;
    this.#setSavepoint();
    return deleteReplies(this.query, beforeMs, limit);
  }

  async commit(): Promise<CommitResult> {
    if (!this.#hasWritten && !this.#hasWrittenInStep) {
      this.assertOpen();
      await this.rollback();
      return { shown: Promise.resolve() };
    }
    if (this.#failure !== undefined || this.#session.isLost) {
      await this.rollback();
      this.assertOpen();
    }
    const moved = this.#moved;
    this.#sendHeld();
    if (moved !== undefined) this.#send([moveHead(moved)]);
    // Everything is sent together: after a rejected statement, the database turns the COMMIT into a rollback.
    const flushed = this.flush();
    flushed.catch(() => undefined);
    try {
      const isKept = await this.#session.commit();
      await flushed;
      if (!isKept) throw new Error('The database rolled back the transaction.');
    } catch (error) {
      if (!this.#session.isLost) throw error;
      // The transaction may have been committed anyway.
      const sequence = moved !== undefined && moved.position > this.head.position ? moved.position : undefined;
      await this.#host.checkCommit({ nonce: this.#host.nonce, sequence, cause: error });
    }
    return { shown: this.#host.onCommitted() };
  }

  async rollback(): Promise<void> {
    await Promise.allSettled([...this.#kept, ...this.#sent]);
    if (!this.#session.isLost) await this.#session.run('ROLLBACK');
  }

  #write(statement: BoundStatement): void {
    this.#startWriting().add(statement);
  }

  #startWriting(): PendingWrites {
    this.#writeCount += 1;
    this.#hasWrittenInStep = true;
    return this.#unsent;
  }

  /** Sends the writes of this step before a read that might see them. */
  #sendWritten(): void {
    if (this.#unsent.isEmpty) return;
    this.#setSavepoint();
    this.#send(this.#unsent.drain(this.#host.nonce));
  }

  #sendHeld(): void {
    this.#send(this.#held.drain(this.#host.nonce), this.#kept);
  }

  #setSavepoint(): void {
    if (this.#hasSavepoint) return;
    // Writes of committed steps must not be rolled back with this one.
    this.#sendHeld();
    this.#hasSavepoint = true;
    this.#send([savepoint]);
  }

  #send(statements: readonly BoundStatement[], answers = this.#sent): void {
    for (const statement of statements) {
      const answer = this.#query(statement);
      // The caller that awaits all responses handles the rejection.
      answer.catch(() => undefined);
      answers.push(answer);
    }
  }

  async #query(statement: BoundStatement): Promise<readonly Row[]> {
    try {
      return await this.#session.query(...statement);
    } catch (error) {
      this.#failure ??= error;
      throw this.#failure;
    }
  }

  /** Waits for all responses of committed steps. */
  async #haveKeptSucceeded(): Promise<boolean> {
    return Promise.all(this.#kept).then(
      () => true,
      () => false,
    );
  }
}
