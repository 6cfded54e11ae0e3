/**
 * Sessions that each show one snapshot: current readers share the last one, and older ones stay open for their readers.
 * One small query, shared by all callers, checks whether the last snapshot is current.
 */
import { attachCause } from '../../../lib/problems/disk-problem.ts';
import { readIntegerColumn, readNullableTextColumn, readTextColumn } from '../../port/columns.ts';
import type { ReadConnections, RecordNameKey, RowSnapshot, VisibleState } from '../../port/rows.ts';
import { MAX_TOUCHED } from '../../transactions/transaction.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { createUnavailableProblem } from '../connection/problem.ts';
import { PostgresSession } from '../connection/session.ts';
import { prepareStatement, type Row } from '../connection/statement.ts';
import { type DatabaseHead, SELECT_HEAD, toHead } from './head.ts';
import { ReadSessions } from './read-sessions.ts';
import { PostgresSnapshot } from './snapshot.ts';

/** The timeout after which callers are rejected with a problem. */
const CHECK_TIMEOUT_MS = 4_500;
/** A timer is this late only if the process was suspended. */
const PAUSE_TOLERANCE_MS = 1_000;

/** The maximum age of an unchanged snapshot: until then the database cannot vacuum replaced rows. */
const MAX_AGE_MS = 30_000;

/** An open transaction blocks vacuum in the whole database server. Without requests it ends after this time. */
const UNUSED_MS = 2_000;

const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const readHead = prepareStatement('head', SELECT_HEAD);

export interface SnapshotEvents {
  /** Called for every state before it is visible. */
  readonly onStateVisible: (state: VisibleState) => void;
  readonly onHeadRead: (head: DatabaseHead) => void;
}

export class PostgresSnapshots {
  readonly #location: PostgresLocation;
  readonly #events: SnapshotEvents;
  readonly #unusedMs: number;
  readonly #checks = new CoalescedCheck(() => this.#check());
  readonly #sessions: ReadSessions;
  #headSession: PostgresSession | undefined;
  #last: PostgresSnapshot | undefined;
  #lastSinceMs = 0;
  #lastUsedMs = 0;
  /** Whether a request waits for the next check, not only the watch timer. */
  #isWanted = false;
  #isBehind = false;
  #round = 0;
  #isClosed = false;

  constructor(place: PostgresLocation, events: SnapshotEvents, unusedMs = UNUSED_MS) {
    this.#location = place;
    this.#sessions = new ReadSessions(place);
    this.#events = events;
    this.#unusedMs = unusedMs;
  }

  /** Returns the last known state, held until it is released. */
  hold(): RowSnapshot {
    if (this.#last === undefined || this.#last.isLost) throw createUnavailableProblem();
    this.#lastUsedMs = performance.now();
    this.#last.hold();
    return this.#last;
  }

  /** Makes the last state include everything that was durable at the time of the call. */
  refresh(): Promise<void> {
    this.#lastUsedMs = performance.now();
    this.#isWanted = true;
    return this.#checks.join();
  }

  /**
   * For reads without a preceding refresh: resolves when the last state has a transaction; undefined if it has one now.
   */
  prepareRead(): Promise<void> | undefined {
    return this.#last?.isSuspended === true ? this.refresh() : undefined;
  }

  /** Refreshes for listeners only: leaves no transaction open unless there were requests recently. */
  async watch(): Promise<void> {
    try {
      await this.#checks.join();
    } finally {
      if (performance.now() - this.#lastUsedMs > this.#unusedMs) this.#last?.suspend();
    }
  }

  /** Refreshes after a local write; never rejects. If it fails, reads fail instead of returning an older state. */
  async advance(): Promise<void> {
    this.#isBehind = true;
    try {
      await this.#checks.join();
    } catch {
      this.#retireLast();
    }
  }

  countConnections(): ReadConnections {
    return this.#sessions.count();
  }

  close(): void {
    this.#isClosed = true;
    this.#last = undefined;
    this.#sessions.close();
    this.#headSession?.end();
  }

  async #check(): Promise<void> {
    if (this.#isClosed) throw createUnavailableProblem();
    this.#round += 1;
    const round = this.#round;
    const { promise: late, reject } = Promise.withResolvers<never>();
    let sinceMs = performance.now();
    const rejectLate = (): void => {
      // After a suspension, timers fire before the responses that have arrived in the meantime.
      if (performance.now() - sinceMs > CHECK_TIMEOUT_MS + PAUSE_TOLERANCE_MS) {
        sinceMs = performance.now();
        timer = setTimeout(rejectLate, CHECK_TIMEOUT_MS);
        return;
      }
      // Later results of this check are ignored.
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

  /** Returns undefined if the connection is lost: then those of the snapshots are lost, or will be soon. */
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

  /** Everything may have been closed in the meantime, or another check may have opened a session. */
  async #openHead(): Promise<PostgresSession> {
    const session = await PostgresSession.open(this.#location, 'reads');
    if (this.#isClosed || this.#headSession !== undefined) session.end();
    else this.#headSession = session;
    if (this.#isClosed) throw createUnavailableProblem();
    return this.#headSession ?? session;
  }

  /** Makes the last state unavailable to new readers. */
  #retireLast(): void {
    this.#last?.retire();
    this.#last = undefined;
    // Idle sessions may be lost as well.
    this.#sessions.endIdle();
  }

  async #openNext(round: number): Promise<void> {
    const known = this.#last?.isLost === false ? this.#last : undefined;
    const session = await this.#sessions.acquire();
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
        release: (freed) => this.#sessions.release(freed),
      });
      this.#lastSinceMs = performance.now();
      former?.retire();
    } catch (error) {
      this.#sessions.discard(session);
      throw error;
    }
  }

  /** Opens a new transaction for a suspended state; fails if others have changed records since. */
  async #resume({ position }: PostgresSnapshot): Promise<PostgresSession> {
    const session = await this.#sessions.acquire();
    try {
      const [, heads] = await session.run(`${BEGIN_READING}; ${SELECT_HEAD}`);
      if (this.#isClosed) throw createUnavailableProblem();
      if (toHead(heads?.[0]).position !== position) {
        throw attachCause(createUnavailableProblem(), new Error('The records changed before this snapshot was read.'));
      }
      return session;
    } catch (error) {
      this.#sessions.discard(session);
      throw error;
    }
  }
}

/** Returns undefined if the log entries are missing or too many. */
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

/** Shares one check among many callers: one runs at a time, and each starts after all callers that share it. */
class CoalescedCheck {
  readonly #check: () => Promise<void>;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(look: () => Promise<void>) {
    this.#check = look;
  }

  /** Resolves when a check that started after this call ends; also rejects if the check before it failed. */
  join(): Promise<void> {
    this.#next ??= this.#checkAfter(this.#current);
    return this.#next;
  }

  async #checkAfter(current: Promise<void> | undefined): Promise<void> {
    try {
      // If the database does not respond, callers do not wait for a second failure.
      await current;
    } finally {
      this.#next = undefined;
    }
    const own = this.#check().finally(() => {
      if (this.#current === own) this.#current = undefined;
    });
    this.#current = own;
    await own;
  }
}
