/**
 * Sessions that each show one state: the last one is shared by all who read now, older ones by who still does. Whether
 * the last one is still the last is asked with one small read on behalf of all who want to know.
 */
import { attachCause } from '../../../lib/problems/disk-problem.ts';
import { readIntegerColumn, readNullableTextColumn, readTextColumn } from '../../port/columns.ts';
import type { ChangeHead, ChangeRange, OrderedItem, StoredReply } from '../../port/port.ts';
import type { DatedItem, RecordNameKey, RowSnapshot, VisibleState } from '../../port/rows.ts';
import { MAX_TOUCHED } from '../../transactions/transaction.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { createUnavailableProblem } from '../connection/problem.ts';
import { PostgresSession } from '../connection/session.ts';
import { prepareStatement, type Row } from '../connection/statement.ts';
import { ChangeLogReader } from './change-log.ts';
import { CoalescedCheck } from './coalesced-check.ts';
import { type DatabaseHead, SELECT_HEAD, toHead } from './head.ts';
import { readNote, readNoteNames, readReply } from './notes-and-replies.ts';
import { PostgresRowReader } from './record-rows.ts';

/** So many sessions are kept for later when nobody reads with them. */
const MAX_IDLE = 2;

/** States that are read at the same time at most: each takes a connection. Who wants a later one waits for one to end. */
const MAX_STATES = 24;

/** After this time whoever waits is told that the database cannot be asked. */
const CHECK_TIMEOUT_MS = 4_500;
/** So late no timer is unless the process was stopped. */
const PAUSE_TOLERANCE_MS = 1_000;

/** How old the last state becomes although nothing was changed: until then the database keeps what others have replaced. */
const MAX_AGE_MS = 30_000;

/** A transaction that is open keeps vacuum from its work in the whole database server: without requests it ends after this time. */
const UNUSED_MS = 2_000;

const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const readHead = prepareStatement('head', SELECT_HEAD);

export interface SnapshotEvents {
  /** Told of every state before anybody gets to see it. */
  readonly onStateVisible: (state: VisibleState) => void;
  readonly onHeadRead: (head: DatabaseHead) => void;
}

export class PostgresSnapshots {
  readonly #location: PostgresLocation;
  readonly #events: SnapshotEvents;
  readonly #unusedMs: number;
  readonly #checks = new CoalescedCheck(() => this.#check());
  readonly #idle: PostgresSession[] = [];
  readonly #inUse = new Set<PostgresSession>();
  #freed = Promise.withResolvers<void>();
  #headSession: PostgresSession | undefined;
  #last: PostgresSnapshot | undefined;
  #lastSinceMs = 0;
  #lastUsedMs = 0;
  /** Whether a request waits for the next round, and not only the watch. */
  #isWanted = false;
  #isBehind = false;
  #round = 0;
  #isClosed = false;

  constructor(place: PostgresLocation, events: SnapshotEvents, unusedMs = UNUSED_MS) {
    this.#location = place;
    this.#events = events;
    this.#unusedMs = unusedMs;
  }

  /** The last state that is known, held until it is released. */
  hold(): RowSnapshot {
    if (this.#last === undefined || this.#last.isLost) throw createUnavailableProblem();
    this.#lastUsedMs = performance.now();
    this.#last.hold();
    return this.#last;
  }

  /** Sees to it that the last state shows all that was durable when it was called. */
  refresh(): Promise<void> {
    this.#lastUsedMs = performance.now();
    this.#isWanted = true;
    return this.#checks.join();
  }

  /** For reads without a refresh before them: resolved when the last state has a transaction, undefined if it has one now. */
  prepareRead(): Promise<void> | undefined {
    return this.#last?.isSuspended === true ? this.refresh() : undefined;
  }

  /** Refreshes for listeners alone: leaves no transaction open unless there were requests lately. */
  async watch(): Promise<void> {
    try {
      await this.#checks.join();
    } finally {
      if (performance.now() - this.#lastUsedMs > this.#unusedMs) this.#last?.suspend();
    }
  }

  /** The same for who has written something; never fails, but rather shows nothing at all than what was before. */
  async advance(): Promise<void> {
    this.#isBehind = true;
    try {
      await this.#checks.join();
    } catch {
      this.#retireLast();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#last = undefined;
    for (const session of [...this.#idle, ...this.#inUse]) session.end();
    this.#headSession?.end();
    this.#freed.resolve();
  }

  async #check(): Promise<void> {
    if (this.#isClosed) throw createUnavailableProblem();
    this.#round += 1;
    const round = this.#round;
    const { promise: late, reject } = Promise.withResolvers<never>();
    let sinceMs = performance.now();
    const rejectLate = (): void => {
      // A process that was stopped for a while finds what has arrived meanwhile only after its timers.
      if (performance.now() - sinceMs > CHECK_TIMEOUT_MS + PAUSE_TOLERANCE_MS) {
        sinceMs = performance.now();
        timer = setTimeout(rejectLate, CHECK_TIMEOUT_MS);
        return;
      }
      // What comes of it later is for nobody.
      this.#round += 1;
      this.#headSession?.end();
      reject(
        attachCause(
          createUnavailableProblem(),
          new Error(`The database did not respond within ${CHECK_TIMEOUT_MS} ms.`),
        ),
      );
    };
    let timer = setTimeout(rejectLate, CHECK_TIMEOUT_MS);
    try {
      await Promise.race([this.#checkHead(round), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #checkHead(round: number): Promise<void> {
    const last = this.#last;
    const isWanted = this.#isWanted;
    this.#isWanted = false;
    if (last !== undefined && !last.isLost && !this.#isBehind) {
      const head = await this.#readHead();
      const isOld = performance.now() - this.#lastSinceMs > MAX_AGE_MS;
      if (head?.commits === last.commits && !(isWanted && (isOld || last.isSuspended))) return;
      if (head === undefined) this.#retireLast();
    }
    this.#isBehind = false;
    try {
      await this.#openNext(round);
    } catch (error) {
      this.#isBehind = true;
      throw error;
    }
  }

  /** Undefined when its connection turns out to be lost: then those of the states are, or will be in a moment. */
  async #readHead(): Promise<DatabaseHead | undefined> {
    const session = this.#headSession ?? (await this.#openHead());
    try {
      const head = toHead((await session.query(readHead, []))[0]);
      this.#events.onHeadRead(head);
      return head;
    } catch (error) {
      if (!session.isLost) throw error;
      this.#headSession = undefined;
      return undefined;
    }
  }

  /** Meanwhile all may have been closed, or another round have opened one. */
  async #openHead(): Promise<PostgresSession> {
    const session = await PostgresSession.open(this.#location, 'reads');
    if (this.#isClosed || this.#headSession !== undefined) session.end();
    else this.#headSession = session;
    if (this.#isClosed) throw createUnavailableProblem();
    return this.#headSession ?? session;
  }

  /** From now on the last state is shown to nobody any more. */
  #retireLast(): void {
    this.#last?.retire();
    this.#last = undefined;
    // Nor is one used again that may be lost as well.
    for (const idle of this.#idle.splice(0)) idle.end();
  }

  async #openNext(round: number): Promise<void> {
    const known = this.#last?.isLost === false ? this.#last : undefined;
    const session = await this.#acquireSession();
    try {
      const [, heads, changes, places] = await session.run(
        `${BEGIN_READING}; ${SELECT_HEAD};
         SELECT min(sequence) FROM changes;
         SELECT kind, parent_before, name_before, parent_after, name_after FROM change_items
           WHERE sequence > ${known?.position ?? Number.MAX_SAFE_INTEGER} LIMIT ${MAX_TOUCHED + 1}`,
      );
      const head = toHead(heads?.[0]);
      if (round !== this.#round || this.#isClosed) throw createUnavailableProblem();
      this.#events.onHeadRead(head);
      this.#events.onStateVisible({
        position: head.position,
        announced: head.announced,
        touched: known && findTouchedNames(known.position, head.position, changes?.[0]?.[0], places ?? []),
      });
      const former = this.#last;
      this.#last = new PostgresSnapshot(session, head, {
        resume: (snapshot) => this.#resume(snapshot),
        release: (freed) => this.#releaseSession(freed),
      });
      this.#lastSinceMs = performance.now();
      former?.retire();
    } catch (error) {
      this.#releaseSlot(session);
      session.end();
      throw error;
    }
  }

  /** A new transaction for a state whose own was ended; fails if others have changed records since. */
  async #resume({ position }: PostgresSnapshot): Promise<PostgresSession> {
    const session = await this.#acquireSession();
    try {
      const [, heads] = await session.run(`${BEGIN_READING}; ${SELECT_HEAD}`);
      if (this.#isClosed) throw createUnavailableProblem();
      if (toHead(heads?.[0]).position !== position) {
        throw attachCause(createUnavailableProblem(), new Error('The records changed before this snapshot was read.'));
      }
      return session;
    } catch (error) {
      this.#releaseSlot(session);
      session.end();
      throw error;
    }
  }

  async #acquireSession(): Promise<PostgresSession> {
    while (this.#inUse.size >= MAX_STATES && !this.#isClosed) await this.#freed.promise;
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.isLost) {
        this.#inUse.add(idle);
        return idle;
      }
    }
    const session = await PostgresSession.open(this.#location, 'reads');
    this.#inUse.add(session);
    return session;
  }

  #releaseSlot(session: PostgresSession): void {
    this.#inUse.delete(session);
    this.#freed.resolve();
    this.#freed = Promise.withResolvers();
  }

  #releaseSession(session: PostgresSession): void {
    this.#releaseSlot(session);
    if (this.#isClosed || session.isLost || this.#idle.length >= MAX_IDLE) {
      session.end();
      return;
    }
    session.run('ROLLBACK').catch(() => undefined);
    this.#idle.push(session);
  }
}

/** Undefined where the log does not tell, or tells of too many. */
function findTouchedNames(
  known: number,
  position: number,
  oldest: unknown,
  places: readonly Row[],
): readonly RecordNameKey[] | undefined {
  if (position === known) return [];
  if (position < known || oldest === null || readIntegerColumn(oldest) > known + 1 || places.length > MAX_TOUCHED) {
    return undefined;
  }
  return places.flatMap((row) => [...toNameKeys(row, 1), ...toNameKeys(row, 3)]);
}

function toNameKeys(row: Row, column: number): readonly RecordNameKey[] {
  const name = row[column + 1];
  if (name === null) return [];
  return [{ kind: readTextColumn(row[0]), parent: readNullableTextColumn(row[column]), name: readTextColumn(name) }];
}

interface SnapshotSessions {
  resume(snapshot: PostgresSnapshot): Promise<PostgresSession>;
  release(session: PostgresSession): void;
}

class PostgresSnapshot extends PostgresRowReader implements RowSnapshot {
  readonly position: number;
  readonly announced: number;
  readonly commits: number;
  readonly #log: ChangeLogReader;
  readonly #sessions: SnapshotSessions;
  /** Undefined while it is suspended: then the first read opens a transaction again. */
  #session: PostgresSession | undefined;
  #resuming: Promise<PostgresSession> | undefined;
  #holders = 0;
  #isRetired = false;

  constructor(session: PostgresSession, { position, announced, commits }: DatabaseHead, sessions: SnapshotSessions) {
    super((...sent) =>
      this.#session === undefined
        ? this.#resume().then((resumed) => resumed.query(...sent))
        : this.#session.query(...sent),
    );
    this.position = position;
    this.announced = announced;
    this.commits = commits;
    this.#session = session;
    this.#log = new ChangeLogReader(this.query);
    this.#sessions = sessions;
  }

  get isLost(): boolean {
    return this.#session?.isLost === true;
  }

  get isSuspended(): boolean {
    return this.#session === undefined;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#isRetired) this.suspend();
  }

  /** There is a newer one: the transaction of this one ends with its last reader. */
  retire(): void {
    this.#isRetired = true;
    this.suspend();
  }

  /** Ends its transaction, unless it is being read. */
  suspend(): void {
    const session = this.#session;
    if (this.#holders > 0 || session === undefined) return;
    this.#session = undefined;
    this.#sessions.release(session);
  }

  #resume(): Promise<PostgresSession> {
    this.#resuming ??= this.#sessions
      .resume(this)
      .then((session) => {
        this.#session = session;
        // Its readers may have left meanwhile.
        if (this.#isRetired) this.suspend();
        return session;
      })
      .finally(() => {
        this.#resuming = undefined;
      });
    return this.#resuming;
  }

  listChanges(range: ChangeRange, limit: number): Promise<ChangeHead[]> {
    return this.#log.listEntries(range, limit);
  }

  listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]> {
    return this.#log.listChangeItems(sequence, after, limit);
  }

  findItem(record: string, sequence: number, side: 'up to' | 'after'): Promise<DatedItem | undefined> {
    return this.#log.findItem(record, sequence, side);
  }

  listEntryNumbers(record: string, after: number, limit: number): Promise<number[]> {
    return this.#log.listEntryNumbers(record, after, limit);
  }

  isFileReferenced(file: string, sinceMs: number): Promise<boolean> {
    return this.#log.isFileReferenced(file, sinceMs);
  }

  isFileInUse(file: string): Promise<boolean> {
    return this.#log.isFileInUse(file);
  }

  readNote(name: string): Promise<string | undefined> {
    return readNote(this.query, name);
  }

  listNoteNames(beginning: string): Promise<string[]> {
    return readNoteNames(this.query, beginning);
  }

  findReply(who: string, key: string): Promise<StoredReply | undefined> {
    return readReply(this.query, who, key);
  }
}
