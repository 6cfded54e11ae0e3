/** Feature locks in shared tables, with the clock of the database. */

import {
  EXPIRED_LOCK_RETENTION_MS,
  type FeatureLock,
  type FeatureLocks,
  MAX_LOCKS_PER_USER,
  type NewLock,
} from '../../../lib/locks/feature-locks.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { readIntegerColumn, readTextColumn } from '../../port/columns.ts';
import { requireLimit } from '../../port/limit.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { PostgresSession } from '../connection/session.ts';
import { prepareStatement, type Row } from '../connection/statement.ts';

/** The number of keys of one statement. */
const KEYS_AT_ONCE = 5_000;

/** $1 is the time of a test, or null for the clock of the database. */
const NOW = 'coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)';

const columns = 'id, who, layers, seconds, created_at_ms, expires_at_ms, features';

/** Locks are created one at a time: two of them that need the same features in another order would wait forever. */
const takeTurn = prepareStatement(
  'take_turn_to_lock_features',
  'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
);
const deleteOld = prepareStatement(
  'delete_old_feature_locks',
  `WITH old AS (DELETE FROM feature_locks WHERE expires_at_ms < ${NOW} - $2::bigint RETURNING id)
   DELETE FROM locked_features f USING old WHERE f.lock = old.id`,
);
const countLocks = prepareStatement(
  'count_feature_locks',
  `SELECT count(*) FROM feature_locks WHERE who = $2 AND expires_at_ms > ${NOW}`,
);
/** Takes over the keys of expired locks. Returns the keys that are now locked. */
const insertKeys = prepareStatement(
  'lock_features',
  `INSERT INTO locked_features (key, lock) SELECT k, $3 FROM unnest($2::text[]) k
   ON CONFLICT (key) DO UPDATE SET lock = excluded.lock
   WHERE NOT EXISTS (SELECT FROM feature_locks l WHERE l.id = locked_features.lock AND l.expires_at_ms > ${NOW})
   RETURNING key`,
);
const insertLock = prepareStatement(
  'insert_feature_lock',
  `INSERT INTO feature_locks (${columns})
   VALUES ($2, $3, $4, $5::integer, ${NOW}, ${NOW} + $5::integer * 1000::bigint, $6)`,
);
const find = prepareStatement(
  'find_feature_lock',
  `SELECT ${columns}, expires_at_ms <= ${NOW} FROM feature_locks WHERE id = $2`,
);
const list = prepareStatement(
  'list_feature_locks',
  `SELECT ${columns} FROM feature_locks WHERE id > $2 AND expires_at_ms > ${NOW} ORDER BY id LIMIT $3`,
);
const findAny = prepareStatement(
  'find_any_feature_lock',
  `SELECT 1 FROM feature_locks WHERE expires_at_ms > ${NOW} LIMIT 1`,
);
const findHeld = prepareStatement(
  'find_locked_feature',
  `SELECT f.key FROM locked_features f JOIN feature_locks l ON l.id = f.lock
   WHERE f.key = ANY ($2::text[]) AND l.expires_at_ms > ${NOW} AND l.id <> $3 LIMIT 1`,
);
const renew = prepareStatement(
  'renew_feature_lock',
  `UPDATE feature_locks SET seconds = $3::integer, expires_at_ms = ${NOW} + $3::integer * 1000::bigint
   WHERE id = $2 AND expires_at_ms > ${NOW} RETURNING 1`,
);
const release = prepareStatement(
  'release_feature_lock',
  `WITH gone AS (DELETE FROM feature_locks WHERE id = $2 AND expires_at_ms > ${NOW} RETURNING id),
     unlocked AS (DELETE FROM locked_features f USING gone WHERE f.lock = gone.id)
   SELECT id FROM gone`,
);
const releaseSome = prepareStatement(
  'release_some_features',
  `WITH unlocked AS (DELETE FROM locked_features WHERE lock = $2 AND key = ANY ($3::text[]) RETURNING 1)
   UPDATE feature_locks SET features = features - (SELECT count(*) FROM unlocked),
     expires_at_ms = ${NOW} + seconds::bigint * 1000 WHERE id = $2`,
);

export class PostgresFeatureLocks implements FeatureLocks {
  readonly #location: PostgresLocation;
  readonly #session: ReconnectingSession;
  readonly #ownClock: (() => number) | undefined;
  readonly #maxPerUser: number;

  /** `ownClock` replaces the clock of the database in tests. */
  constructor(location: PostgresLocation, ownClock?: () => number, maxPerUser = MAX_LOCKS_PER_USER) {
    this.#location = location;
    this.#session = new ReconnectingSession(location);
    this.#ownClock = ownClock;
    this.#maxPerUser = maxPerUser;
  }

  async acquire(lock: NewLock): Promise<ReadonlySet<string>> {
    const session = await PostgresSession.open(this.#location, 'writes');
    try {
      await session.run('BEGIN');
      await session.query(takeTurn, [`graticule ${this.#location.schema} feature locks`]);
      await session.query(deleteOld, [this.#now(), EXPIRED_LOCK_RETENTION_MS]);
      const [counted] = await session.query(countLocks, [this.#now(), toStorable(lock.who)]);
      if (readIntegerColumn(counted?.[0]) >= this.#maxPerUser) {
        throw problem('feature-locks-too-many', { limit: this.#maxPerUser });
      }
      const held = new Set(lock.keys);
      for (const keys of cutIntoBatches(lock.keys)) {
        for (const [key] of await session.query(insertKeys, [this.#now(), keys, lock.id])) {
          held.delete(readTextColumn(key));
        }
      }
      if (held.size > 0 && !lock.isPartial) return held;
      const { id, who, layers, seconds, keys } = lock;
      const values = [id, toStorable(who), JSON.stringify(layers), seconds, keys.length - held.size];
      await session.query(insertLock, [this.#now(), ...values]);
      if (!(await session.commit())) throw new Error('The database rolled back a feature lock.');
      return held;
    } finally {
      // The database rolls back what is not committed.
      session.end();
    }
  }

  async find(id: string): ReturnType<FeatureLocks['find']> {
    const [row] = await this.#session.query(find, [this.#now(), toStorable(id)]);
    return row && { ...readLock(row), isExpired: row[7] === true };
  }

  async list(after: string | undefined, limit: number): Promise<readonly FeatureLock[]> {
    const rows = await this.#session.query(list, [this.#now(), toStorable(after ?? ''), requireLimit(limit)]);
    return rows.map(readLock);
  }

  async hasAny(): Promise<boolean> {
    return (await this.#session.query(findAny, [this.#now()])).length > 0;
  }

  async findHeld(keys: readonly string[], own: string | undefined): Promise<string | undefined> {
    for (const some of cutIntoBatches(keys)) {
      const [row] = await this.#session.query(findHeld, [this.#now(), some, own ?? '']);
      if (row !== undefined) return readTextColumn(row[0]);
    }
    return undefined;
  }

  async renew(id: string, seconds: number): Promise<boolean> {
    return (await this.#session.query(renew, [this.#now(), toStorable(id), seconds])).length > 0;
  }

  async release(id: string): Promise<boolean> {
    return (await this.#session.query(release, [this.#now(), toStorable(id)])).length > 0;
  }

  async releaseSome(id: string, keys: readonly string[]): Promise<void> {
    for (const some of cutIntoBatches(keys)) await this.#session.query(releaseSome, [this.#now(), id, some]);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  #now(): number | null {
    return this.#ownClock?.() ?? null;
  }
}

/** Clients send ids, and the names of users can contain any character. */
function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

function* cutIntoBatches(keys: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) yield keys.slice(at, at + KEYS_AT_ONCE);
}

function readLock([id, who, layers, seconds, createdAtMs, expiresAtMs, features]: Row): FeatureLock {
  return {
    id: readTextColumn(id),
    who: readTextColumn(who),
    // `insertLock` wrote the text.
    layers: JSON.parse(readTextColumn(layers)) as readonly string[],
    seconds: readIntegerColumn(seconds),
    createdAtMs: readIntegerColumn(createdAtMs),
    expiresAtMs: readIntegerColumn(expiresAtMs),
    features: readIntegerColumn(features),
  };
}
