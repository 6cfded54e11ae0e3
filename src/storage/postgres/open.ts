/** The storage in a PostgreSQL schema, which other nodes may share. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { createYieldIfDue, type YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { readIntegerColumn } from '../port/columns.ts';
import type { KindRules, Storage, StoredRecord } from '../port/port.ts';
import type { KindShape, RowParts, Rows, RowTransaction, VisibleState } from '../port/rows.ts';
import { openRowStorage } from '../row-storage.ts';
import type { PostgresLocation } from './connection/location.ts';
import { PostgresSession } from './connection/session.ts';
import type { Row } from './connection/statement.ts';
import { migrate } from './migrations.ts';
import { checkCommit } from './rows/check-commit.ts';
import { DatabaseClock, type DatabaseHead, headColumns, toHead } from './rows/head.ts';
import { readShapes } from './rows/notes-and-replies.ts';
import { hasShortKeys } from './rows/record-writes.ts';
import { PostgresRowTransaction } from './rows/row-transaction.ts';
import { PostgresSnapshots } from './rows/snapshots.ts';

export interface PostgresStorageOptions {
  readonly location: PostgresLocation;
  /** The rules of every record kind in the storage. */
  readonly kinds: readonly KindRules[];
  /** Integer milliseconds since 1970; the clock of the database by default. */
  readonly clock?: () => number;
  /** Updated whenever the database returns its time. */
  readonly databaseClock?: DatabaseClock;
  readonly pace?: YieldIfDue;
  /** The folder of files for large transactions; the one of the system for temporary files by default. */
  readonly spillFolder?: string | undefined;
  /** The idle time after which the transaction of a snapshot is ended; shorter in tests. */
  readonly unusedMs?: number;
}

/** The time that work may run before it yields. */
const YIELD_INTERVAL_MS = 5;

/** Each change needs several round trips, and a durable commit takes as long as many of them. */
const MAX_GROUP_MS = 30;

/** The interval at which watchers detect writes of other nodes. */
const WATCH_MS = 500;

/** Opens the schema, and creates or migrates it first. */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { location: place, kinds, databaseClock = new DatabaseClock() } = options;
  const writer = await PostgresSession.open(place, 'writes');
  const rows = new PostgresRows(place, writer, databaseClock, options.unusedMs);
  try {
    await migrate(writer, place.schema);
    await rows.snapshots.refresh();
  } catch (error) {
    await rows.close();
    throw error;
  }
  return openRowStorage(rows, {
    clock: options.clock ?? (() => databaseClock.now()),
    kinds,
    pace: options.pace ?? createYieldIfDue({ everyMs: YIELD_INTERVAL_MS, now: () => performance.now() }),
    spillFolder: options.spillFolder ?? tmpdir(),
    maxGroupMs: MAX_GROUP_MS,
  });
}

class PostgresRows implements Rows {
  readonly #location: PostgresLocation;
  readonly #clock: DatabaseClock;
  readonly snapshots: PostgresSnapshots;
  readonly #watchTimer: NodeJS.Timeout;
  #notify: (state: VisibleState) => void = () => undefined;
  #writer: PostgresSession;

  constructor(place: PostgresLocation, writer: PostgresSession, clock: DatabaseClock, unusedMs?: number) {
    this.#location = place;
    this.#writer = writer;
    this.#clock = clock;
    const events = {
      onStateVisible: (state: VisibleState) => this.#notify(state),
      onHeadRead: ({ nowMs }: DatabaseHead) => clock.set(nowMs),
    };
    this.snapshots = new PostgresSnapshots(place, events, unusedMs);
    // Reads check for changes themselves; the timer is for watchers of changes by others.
    this.#watchTimer = setInterval(() => this.snapshots.watch().catch(() => undefined), WATCH_MS);
    this.#watchTimer.unref();
  }

  subscribe(listener: (state: VisibleState) => void): void {
    this.#notify = listener;
  }

  async begin(): Promise<RowTransaction> {
    for (let attempt = 0; ; attempt += 1) {
      const session = await this.#openWriter();
      try {
        return await this.#beginTransaction(session);
      } catch (error) {
        // The database may have restarted, and nothing was done yet.
        if (!session.isLost || attempt > 0) throw error;
      }
    }
  }

  canReject(record: StoredRecord, parts: RowParts): boolean {
    return !hasShortKeys(record, parts);
  }

  /** True even while the database is not reachable, because that is temporary. */
  isWritable(): boolean {
    return true;
  }

  async readShapes(): Promise<ReadonlyMap<string, readonly KindShape[]>> {
    return readShapes((await this.#openWriter()).query);
  }

  async findIntegrityProblems(): Promise<readonly string[]> {
    const session = await PostgresSession.open(this.#location, 'reads');
    try {
      return await findIntegrityProblems(session);
    } finally {
      session.end();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#watchTimer);
    this.snapshots.close();
    this.#writer.end();
  }

  /** All nodes are serialized here. */
  async #beginTransaction(session: PostgresSession): Promise<RowTransaction> {
    let heads: readonly Row[] | undefined;
    try {
      [, heads] = await session.run(`BEGIN; UPDATE head SET commits = commits + 1 WHERE one RETURNING ${headColumns}`);
    } catch (error) {
      if (!session.isLost) await session.run('ROLLBACK');
      throw error;
    }
    const head = toHead(heads?.[0]);
    this.#clock.set(head.nowMs);
    return new PostgresRowTransaction(session, head, {
      nonce: randomUUID(),
      checkCommit: (commit) => checkCommit(this.#location, commit),
      onCommitted: () => this.snapshots.advance(),
    });
  }

  async #openWriter(): Promise<PostgresSession> {
    if (this.#writer.isLost) this.#writer = await PostgresSession.open(this.#location, 'writes');
    return this.#writer;
  }
}

/** Each check counts invalid rows and describes them in a sentence. */
const checks: readonly (readonly [count: string, sentence: (count: number) => string])[] = [
  [
    'SELECT count(*) FROM head h WHERE h.sequence < (SELECT coalesce(max(sequence), 0) FROM changes)',
    () => 'The head is behind the change log.',
  ],
  [
    `SELECT count(*) FROM (SELECT sequence - lag(sequence) OVER (ORDER BY sequence) AS step FROM changes) c WHERE c.step > 1`,
    (count) => `Gaps in the change log: ${count}.`,
  ],
  [
    'SELECT count(*) FROM changes c WHERE NOT EXISTS (SELECT FROM change_items i WHERE i.sequence = c.sequence)',
    (count) => `Changes without a record: ${count}.`,
  ],
  [
    'SELECT count(*) FROM record_keys k JOIN records r ON r.age = k.record_age WHERE r.kind <> k.kind',
    (count) => `Keys whose kind differs from the kind of their record: ${count}.`,
  ],
  [
    'SELECT count(*) FROM records r WHERE r.version > (SELECT sequence FROM head)',
    (count) => `Records with a version newer than the last change: ${count}.`,
  ],
];

/** Checks the rows as a whole. PostgreSQL itself checks its pages and foreign keys. */
async function findIntegrityProblems(session: PostgresSession): Promise<readonly string[]> {
  const results = await session.run(checks.map(([count]) => count).join('; '));
  return checks.flatMap(([, sentence], index) => {
    const count = readIntegerColumn(results[index]?.[0]?.[0]);
    return count === 0 ? [] : [sentence(count)];
  });
}
