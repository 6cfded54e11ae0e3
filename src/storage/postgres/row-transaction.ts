/**
 * The open transaction of the writing session, under the lock of the head, which all nodes wait for: so there are few
 * statements, and few answers are waited for. What steps write is sent with the commit, or before whatever reads it; only
 * what a step has sent before it is kept needs a savepoint. Names and parents were looked at before; only of a step that
 * the database might refuse all the same are all answers there before it is kept.
 */
import type { Fence } from '../../lib/fence.ts';
import { FoundRecords } from '../found-records.ts';
import type { ChangeAuthor, KeptReply, OrderedItem, StoredRecord } from '../port.ts';
import type {
  Committed,
  Head,
  ItemPlace,
  KindShape,
  NotedItem,
  OldestChanges,
  PlacedItem,
  RowParts,
  RowTransaction,
} from '../rows.ts';
import {
  ChangeLogReader,
  findOldestChanges,
  forgetChangeEntries,
  forgetChangeItems,
  settleChangeItems,
} from './change-log.ts';
import { dropReplies, readNote, readShapes, writeNote, writeReply, writeShape } from './notes-and-replies.ts';
import { PendingWrites } from './pending-writes.ts';
import { unavailable } from './problem.ts';
import { PostgresRowReader } from './record-rows.ts';
import { isShort, readFilesOf, removeRecord, rewriteRecord, updateRecord } from './record-writes.ts';
import type { PostgresSession } from './session.ts';
import { prepared, type Row, type SentStatement } from './statement.ts';
import type { TransactionWorld } from './transaction-world.ts';

const head = prepared('move_head', 'UPDATE head SET sequence = $1, at_ms = $2, announced = $3 WHERE one');
const moveHead = ({ position, atMs, announced }: Head): SentStatement => [head, [position, atMs, announced]];
/** A node that takes it over waits until this transaction has ended. */
const fenceHeld = prepared('fence_held', 'SELECT 1 FROM claims WHERE what = $1 AND node = $2 FOR SHARE');
const savepoint: SentStatement = [prepared('savepoint', 'SAVEPOINT step'), []];
const release: SentStatement = [prepared('release', 'RELEASE SAVEPOINT step'), []];
const rollbackToStep: SentStatement = [prepared('rollback_to_step', 'ROLLBACK TO SAVEPOINT step'), []];

/** So many items go out without waiting for an answer. */
const NOTED_UNHEARD = 50;

export class PostgresRowTransaction extends PostgresRowReader implements RowTransaction {
  readonly notesItems = true;
  readonly head: Head;
  readonly #session: PostgresSession;
  readonly #world: TransactionWorld;
  readonly #log: ChangeLogReader;
  /** Changes look again and again for the same few records, and each look is a trip. */
  readonly #found = new FoundRecords();
  #writeCount = 0;
  /** What was not sent yet: of steps that are kept, and of this one. */
  readonly #held = new PendingWrites();
  readonly #unsent = new PendingWrites();
  /** Whether what it has sent can be taken back. */
  #hasSavepoint = false;
  /** What was not heard of yet: of this step, and of those that are kept. */
  #sent: Promise<unknown>[] = [];
  #kept: Promise<unknown>[] = [];
  /** Whether nothing in this step can be refused but for a fault of ours or of the database. */
  #isPlainStep = true;
  #moved: Head | undefined;
  /** Where it was before this step. */
  #movedBefore: Head | undefined;
  #hasWritten = false;
  #hasWrittenInStep = false;
  /** What the database had against a statement: until the step is taken back it answers none. */
  #failure: unknown;

  constructor(session: PostgresSession, head: Head, world: TransactionWorld) {
    super(async (...asked) => {
      const [, , sees] = asked;
      if (this.#unsent.concerns(sees)) this.#sendWritten();
      else if (this.#held.concerns(sees)) this.#sendHeld();
      return this.#tell(asked);
    });
    this.head = head;
    this.#session = session;
    this.#world = world;
    this.#log = new ChangeLogReader(this.ask);
  }

  assertOpen(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#session.isLost) throw unavailable();
  }

  async beginStep(): Promise<void> {
    this.#hasWritten ||= this.#hasWrittenInStep;
    this.#hasWrittenInStep = false;
    this.#movedBefore = this.#moved;
    this.#isPlainStep = true;
    this.#hasSavepoint = false;
  }

  async keepStep(): Promise<void> {
    if (!this.#isPlainStep) await this.heard();
    if (this.#hasSavepoint) {
      this.#sendWritten();
      this.#send([release]);
    } else {
      this.#held.join(this.#unsent);
      if (this.#held.isLarge) this.#sendHeld();
    }
    this.#kept.push(...this.#sent.splice(0));
  }

  async heard(): Promise<void> {
    this.#sendHeld();
    this.#sendWritten();
    await Promise.all([...this.#kept, ...this.#sent]);
    this.#kept = [];
    this.#sent = [];
    this.assertOpen();
  }

  async takeBackStep(): Promise<void> {
    this.#writeCount += 1;
    this.#found.forgetAll();
    this.#unsent.clear();
    this.#hasWrittenInStep = false;
    this.#moved = this.#movedBefore;
    if (!this.#hasSavepoint) return;
    await Promise.allSettled([...this.#kept, ...this.#sent.splice(0)]);
    // Where a step failed that was kept, so does the commit, and nothing can be taken back alone.
    if (this.#session.isLost || !(await this.#areKeptWhole())) return;
    this.#failure = undefined;
    this.#send([rollbackToStep, release]);
  }

  override async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    const known = this.#found.recall(kind, parent, name);
    if (known !== undefined) return known ?? undefined;
    const writeCount = this.#writeCount;
    const record = await super.find(kind, parent, name);
    return writeCount === this.#writeCount ? this.#found.remember(kind, parent, name, record) : record;
  }

  async insert(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#found.forget([record]);
    this.#isPlainStep &&= isShort(record, parts);
    this.#noteWriting().insert(record, parts);
  }

  async update(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#found.forgetAll();
    this.#isPlainStep &&= isShort(record, parts);
    this.#write(updateRecord(record, parts));
  }

  async remove(id: string): Promise<void> {
    this.#found.forgetAll();
    this.#write(removeRecord(id));
  }

  async rewrite(record: StoredRecord, parts: RowParts): Promise<void> {
    this.#found.forgetAll();
    this.#isPlainStep = false;
    this.#write(rewriteRecord(record, parts));
  }

  filesOf(id: string): Promise<readonly string[]> {
    return readFilesOf(this.ask, id);
  }

  async openChange(sequence: number, atMs: number, author: ChangeAuthor): Promise<void> {
    this.#noteWriting().log({ sequence, atMs, author });
  }

  async noteItems(sequence: number, firstOrdinal: number, items: readonly NotedItem[]): Promise<void> {
    const unsent = this.#noteWriting();
    unsent.logItems(items.map((item, index) => ({ sequence, ordinal: firstOrdinal + index, item })));
    unsent.logFiles(items.flatMap(({ files }) => files.map((file) => ({ sequence, file }))));
    // Many are not kept in memory.
    if (items.length > NOTED_UNHEARD) await this.heard();
  }

  settleItems(sequence: number): Promise<boolean> {
    return settleChangeItems(this.ask, sequence);
  }

  itemsOf(sequence: number, after: number, limit: number): Promise<OrderedItem[]> {
    return this.#log.itemsOf(sequence, after, limit);
  }

  listItems(kind: string, after: ItemPlace | undefined, limit: number): Promise<PlacedItem[]> {
    return this.#log.listItems(kind, after, limit);
  }

  async noteFiles(sequence: number, files: readonly string[]): Promise<void> {
    this.#noteWriting().logFiles(files.map((file) => ({ sequence, file })));
  }

  note(name: string): Promise<string | undefined> {
    return readNote(this.ask, name);
  }

  async isHeld({ what, holder }: Fence): Promise<boolean> {
    return (await this.ask(fenceHeld, [what, holder])).length > 0;
  }

  async putNote(name: string, text: string | null): Promise<void> {
    this.#isPlainStep = false;
    this.#write(writeNote(name, text));
  }

  /** Written once, with the last one, when all are committed. */
  async moveHead(head: Head): Promise<void> {
    this.#moved = head;
  }

  shapes(): Promise<ReadonlyMap<string, readonly KindShape[]>> {
    return readShapes(this.ask);
  }

  async addShape(kind: string, shape: KindShape): Promise<void> {
    this.#isPlainStep = false;
    this.#write(writeShape(kind, shape));
  }

  oldestChanges(beforeMs: number, limit: number): Promise<OldestChanges> {
    return findOldestChanges(this.ask, beforeMs, limit);
  }

  async forgetItems(last: number, limit: number): Promise<number> {
    this.#hasWrittenInStep = true;
    this.#setSavepoint();
    return forgetChangeItems(this.ask, last, limit);
  }

  async forgetEntries(last: number): Promise<void> {
    this.#write(forgetChangeEntries(last));
  }

  async keepReply(reply: KeptReply, untilMs: number): Promise<boolean> {
    this.#isPlainStep = false;
    // It is written by the step that asks, also where nothing else is.
    this.#noteWriting();
    this.#setSavepoint();
    return writeReply(this.ask, reply, untilMs);
  }

  async forgetReplies(beforeMs: number, limit: number): Promise<number> {
    this.#hasWrittenInStep = true;
    this.#setSavepoint();
    return dropReplies(this.ask, beforeMs, limit);
  }

  async commit(): Promise<Committed> {
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
    // All leaves together: after something that it refuses, the database takes all back instead.
    const heard = this.heard();
    heard.catch(() => undefined);
    try {
      const isKept = await this.#session.commit();
      await heard;
      if (!isKept) throw new Error('The database has taken the transaction back.');
    } catch (error) {
      if (!this.#session.isLost) throw error;
      // It may have been kept all the same.
      const sequence = moved !== undefined && moved.position > this.head.position ? moved.position : undefined;
      await this.#world.lookUp({ nonce: this.#world.nonce, sequence, cause: error });
    }
    return { shown: this.#world.committed() };
  }

  async rollback(): Promise<void> {
    await Promise.allSettled([...this.#kept, ...this.#sent]);
    if (!this.#session.isLost) await this.#session.run('ROLLBACK');
  }

  #write(statement: SentStatement): void {
    this.#noteWriting().add(statement);
  }

  #noteWriting(): PendingWrites {
    this.#writeCount += 1;
    this.#hasWrittenInStep = true;
    return this.#unsent;
  }

  /** What this step has written, before anything is asked that might see it. */
  #sendWritten(): void {
    if (this.#unsent.isEmpty) return;
    this.#setSavepoint();
    this.#send(this.#unsent.take(this.#world.nonce));
  }

  #sendHeld(): void {
    this.#send(this.#held.take(this.#world.nonce), this.#kept);
  }

  #setSavepoint(): void {
    if (this.#hasSavepoint) return;
    // What was kept before is not taken back with it.
    this.#sendHeld();
    this.#hasSavepoint = true;
    this.#send([savepoint]);
  }

  #send(statements: readonly SentStatement[], answers = this.#sent): void {
    for (const statement of statements) {
      const answer = this.#tell(statement);
      // Whoever waits for all of them hears of it.
      answer.catch(() => undefined);
      answers.push(answer);
    }
  }

  async #tell(asked: SentStatement): Promise<readonly Row[]> {
    try {
      return await this.#session.ask(...asked);
    } catch (error) {
      this.#failure ??= error;
      throw this.#failure;
    }
  }

  /** Once all of them were answered. */
  async #areKeptWhole(): Promise<boolean> {
    return Promise.all(this.#kept).then(
      () => true,
      () => false,
    );
  }
}
