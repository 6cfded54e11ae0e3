/** Claims in a shared table, and locks that the database releases when a node is gone. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fence } from '../../../lib/async/fence.ts';
import { createKeyedMutex, type HeldLock, type KeyedMutex } from '../../../lib/async/keyed-mutex.ts';
import { STORAGE_RETRY_SECONDS } from '../../../lib/problems/disk-problem.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { Claim, Claims } from '../../nodes/claims.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { createUnavailableProblem } from '../connection/problem.ts';
import { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { PostgresSession } from '../connection/session.ts';
import { prepareStatement } from '../connection/statement.ts';

/** The timeout for a lock: an import into a database takes minutes at most. */
const LOCK_WAIT_MS = 300_000;
const LOCK_POLL_MS = 200;

/**
 * The interval of checks of a session that holds a lock: a network may lose a connection without notifying either side.
 */
const SESSION_CHECK_MS = 5_000;
const LOCK_ANSWER_MS = 10_000;

/** A node can renew its own claim immediately. */
const hold = prepareStatement(
  'hold_claim',
  `INSERT INTO claims (what, node, until) VALUES ($1, $2, clock_timestamp() + $3::float8 * interval '1 millisecond')
   ON CONFLICT (what) DO UPDATE SET node = excluded.node, until = excluded.until
   WHERE starts_with(claims.node, $4) OR claims.until < clock_timestamp() RETURNING 1`,
);
const renew = prepareStatement(
  'renew_claim',
  `UPDATE claims SET until = clock_timestamp() + $3::float8 * interval '1 millisecond'
   WHERE what = $1 AND node = $2 AND until > clock_timestamp() RETURNING 1`,
);
const check = prepareStatement(
  'check_claim',
  'SELECT 1 FROM claims WHERE what = $1 AND node = $2 AND until > clock_timestamp()',
);
const release = prepareStatement('release_claim', 'DELETE FROM claims WHERE what = $1 AND node = $2');
/** The holder of a lock is stored once its work makes a change that depends on it. */
const setHolder = prepareStatement(
  'set_lock_holder',
  `INSERT INTO claims (what, node, until) VALUES ($1, $2, 'infinity')
   ON CONFLICT (what) DO UPDATE SET node = excluded.node, until = excluded.until`,
);
/** Waits for a change that the previous holder is committing. */
const clearHolder = prepareStatement('clear_lock_holder', 'DELETE FROM claims WHERE what = $1');
const lock = prepareStatement('lock_turn', 'SELECT pg_try_advisory_lock(hashtextextended($1, 0))');

export class PostgresClaims implements Claims {
  readonly #location: PostgresLocation;
  readonly #node: string;
  readonly #session: ReconnectingSession;
  readonly #runLocally = createKeyedMutex();

  /** `node` is unique for each start of each node. */
  constructor(place: PostgresLocation, node: string) {
    this.#location = place;
    this.#node = node;
    this.#session = new ReconnectingSession(place);
  }

  async hold(what: string, forMs: number): Promise<boolean> {
    return (await this.#session.query(hold, [what, this.#node, forMs, this.#node])).length > 0;
  }

  async claim(what: string, forMs: number): Promise<Claim | undefined> {
    const { query: ask } = this.#session;
    const holder = `${this.#node} ${randomUUID()}`;
    if ((await ask(hold, [what, holder, forMs, this.#node])).length === 0) return undefined;
    return {
      fence: { what, holder },
      isHeld: async () => (await ask(check, [what, holder])).length > 0,
      renew: async (longerMs) => (await ask(renew, [what, holder, longerMs])).length > 0,
      release: async () => void (await ask(release, [what, holder])),
    };
  }

  /** Each lock has its own session and is released with it. Callers on this node wait without a session. */
  readonly runExclusive: KeyedMutex = (key, work) =>
    this.#runLocally(key, async () => {
      const session = await PostgresSession.open(this.#location, 'writes', LOCK_ANSWER_MS);
      const turn = new PostgresTurn(session, `turn ${key}`);
      try {
        await this.#lock(session, `graticule ${this.#location.schema} turn ${key}`);
        await turn.begin();
        return await work(turn);
      } finally {
        await turn.end();
      }
    });

  async #lock(session: PostgresSession, key: string): Promise<void> {
    const untilMs = performance.now() + LOCK_WAIT_MS;
    while ((await session.query(lock, [key]))[0]?.[0] !== true) {
      if (performance.now() > untilMs) throw problem('storage-busy', { retryAfterSeconds: STORAGE_RETRY_SECONDS });
      await wait(LOCK_POLL_MS);
    }
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

class PostgresTurn implements HeldLock {
  readonly #session: PostgresSession;
  readonly #what: string;
  readonly #lost = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #fence: Promise<Fence> | undefined;
  #isEnded = false;

  constructor(session: PostgresSession, what: string) {
    this.#session = session;
    this.#what = what;
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Must be called once the lock is acquired. */
  async begin(): Promise<void> {
    void this.#session.lost.then(() => {
      // External work of a buffered transaction continues after its lock and ends with the transaction.
      if (!this.#isEnded) this.#lost.abort(createUnavailableProblem());
    });
    await this.#session.query(clearHolder, [this.#what]);
    this.#timer = setInterval(() => this.confirm().catch(() => undefined), SESSION_CHECK_MS).unref();
  }

  async confirm(): Promise<void> {
    await this.#session.run('SELECT 1');
  }

  fence(): Promise<Fence> {
    this.#fence ??= this.#writeFence();
    return this.#fence;
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#timer);
    const fence = await this.#fence?.catch(() => undefined);
    // The next holder clears the row of a lost session.
    if (fence !== undefined) await this.#session.query(release, [fence.what, fence.holder]).catch(() => undefined);
    this.#session.end();
  }

  async #writeFence(): Promise<Fence> {
    const fence = { what: this.#what, holder: randomUUID() };
    await this.#session.query(setHolder, [fence.what, fence.holder]);
    return fence;
  }
}
