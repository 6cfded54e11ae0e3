/**
 * Feature locks in a database file of their own, which exists since the first lock. They are no part of the
 * configuration: the main database would copy them into backups.
 */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import {
  EXPIRED_LOCK_RETENTION_MS,
  type FeatureLock,
  type FeatureLocks,
  MAX_LOCKS_PER_USER,
  type NewLock,
} from '../../lib/locks/feature-locks.ts';
import { problem } from '../../lib/problems/problem.ts';
import { readIntegerColumn, readTextColumn } from '../port/columns.ts';
import { requireLimit } from '../port/limit.ts';
import { openWriter } from './connection.ts';

const SECOND_MS = 1_000;

/** The number of rows of one statement, which takes some milliseconds at most. */
const ROWS_AT_ONCE = 500;

/** The log becomes part of the file after this number of pages. */
const CHECKPOINT_PAGES = 1_000;

const layout = `
  CREATE TABLE IF NOT EXISTS feature_locks (
    id TEXT PRIMARY KEY,
    who TEXT NOT NULL,
    layers TEXT NOT NULL,
    seconds INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    features INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS locked_features (key TEXT PRIMARY KEY, lock TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS locked_features_by_lock ON locked_features (lock)`;

const columns = 'id, who, layers, seconds, created_at_ms, expires_at_ms, features';

export class SqliteFeatureLocks implements FeatureLocks {
  readonly #file: string;
  readonly #clock: () => number;
  readonly #maxPerUser: number;
  readonly #mutex = createKeyedMutex();
  #database: DatabaseSync | undefined;

  constructor(file: string, clock: () => number, maxPerUser = MAX_LOCKS_PER_USER) {
    this.#file = file;
    this.#clock = clock;
    this.#maxPerUser = maxPerUser;
  }

  acquire(lock: NewLock): Promise<ReadonlySet<string>> {
    return this.#run(async () => {
      const database = this.#open();
      const nowMs = this.#clock();
      await this.#deleteOld(database, nowMs - EXPIRED_LOCK_RETENTION_MS);
      if (countLocks(database, lock.who, nowMs) >= this.#maxPerUser) {
        throw problem('feature-locks-too-many', { limit: this.#maxPerUser });
      }
      database.exec('BEGIN IMMEDIATE');
      try {
        const held = await insertKeys(database, lock, nowMs);
        if (held.size > 0 && !lock.isPartial) {
          database.exec('ROLLBACK');
          return held;
        }
        insertLock(database, lock, nowMs, lock.keys.length - held.size);
        database.exec('COMMIT');
        return held;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  find(id: string): ReturnType<FeatureLocks['find']> {
    return this.#read(undefined, (database) => {
      const row = database.prepare(`SELECT ${columns} FROM feature_locks WHERE id = ?`, { returnArrays: true }).get(id);
      if (row === undefined) return undefined;
      const lock = readLock(row);
      return { ...lock, isExpired: lock.expiresAtMs <= this.#clock() };
    });
  }

  list(after: string | undefined, limit: number): Promise<readonly FeatureLock[]> {
    return this.#read([], (database) =>
      database
        .prepare(`SELECT ${columns} FROM feature_locks WHERE id > ? AND expires_at_ms > ? ORDER BY id LIMIT ?`, {
          returnArrays: true,
        })
        .all(after ?? '', this.#clock(), requireLimit(limit))
        .map((row) => readLock(row)),
    );
  }

  hasAny(): Promise<boolean> {
    return this.#read(false, (database) => {
      const any = database.prepare('SELECT 1 FROM feature_locks WHERE expires_at_ms > ? LIMIT 1');
      return any.get(this.#clock()) !== undefined;
    });
  }

  findHeld(keys: readonly string[], own: string | undefined): Promise<string | undefined> {
    return this.#read(undefined, async (database) => {
      const find = database.prepare(
        `SELECT 1 FROM locked_features f JOIN feature_locks l ON l.id = f.lock
         WHERE f.key = ? AND l.expires_at_ms > ? AND l.id <> ?`,
      );
      const nowMs = this.#clock();
      for (const key of keys) {
        if (find.get(key, nowMs, own ?? '') !== undefined) return key;
        await yieldIfDue();
      }
      return undefined;
    });
  }

  renew(id: string, seconds: number): Promise<boolean> {
    return this.#read(false, (database) => {
      const nowMs = this.#clock();
      const { changes } = database
        .prepare('UPDATE feature_locks SET seconds = ?, expires_at_ms = ? WHERE id = ? AND expires_at_ms > ?')
        .run(seconds, nowMs + seconds * SECOND_MS, id, nowMs);
      return Number(changes) > 0;
    });
  }

  release(id: string): Promise<boolean> {
    return this.#read(false, async (database) => {
      const { changes } = database
        .prepare('DELETE FROM feature_locks WHERE id = ? AND expires_at_ms > ?')
        .run(id, this.#clock());
      if (Number(changes) === 0) return false;
      await deleteKeys(database, id);
      return true;
    });
  }

  releaseSome(id: string, keys: readonly string[]): Promise<void> {
    return this.#read(undefined, async (database) => {
      const remove = database.prepare('DELETE FROM locked_features WHERE key = ? AND lock = ?');
      database.exec('BEGIN IMMEDIATE');
      try {
        let released = 0;
        for (const key of keys) {
          released += Number(remove.run(key, id).changes);
          await yieldIfDue();
        }
        database
          .prepare('UPDATE feature_locks SET features = features - ?, expires_at_ms = ? + seconds * 1000 WHERE id = ?')
          .run(released, this.#clock(), id);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#run(async () => {
      this.#database?.close();
      this.#database = undefined;
    });
  }

  /** Work takes turns, because long work yields within its transaction. */
  #run<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex('', work);
  }

  /** Returns `empty` if there has never been a lock. */
  #read<T>(empty: T, work: (database: DatabaseSync) => T | Promise<T>): Promise<T> {
    return this.#run(async () => {
      const isUnused = this.#database === undefined && !existsSync(this.#file);
      return isUnused ? empty : work(this.#open());
    });
  }

  #open(): DatabaseSync {
    if (this.#database !== undefined) return this.#database;
    const database = openWriter(this.#file);
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; ${layout}`);
    this.#database = database;
    return database;
  }

  async #deleteOld(database: DatabaseSync, beforeMs: number): Promise<void> {
    const old = database.prepare('SELECT id FROM feature_locks WHERE expires_at_ms < ?', { returnArrays: true });
    for (const row of old.all(beforeMs)) {
      const id = readTextColumn(row[0]);
      database.prepare('DELETE FROM feature_locks WHERE id = ?').run(id);
      await deleteKeys(database, id);
    }
  }
}

function countLocks(database: DatabaseSync, who: string, nowMs: number): number {
  const row = database
    .prepare('SELECT count(*) FROM feature_locks WHERE who = ? AND expires_at_ms > ?', { returnArrays: true })
    .get(who, nowMs);
  return readIntegerColumn(row?.[0]);
}

/** Takes over the keys of expired and deleted locks. Returns the keys that other locks hold. */
async function insertKeys(database: DatabaseSync, { id, keys }: NewLock, nowMs: number): Promise<Set<string>> {
  const insert = database.prepare(
    `INSERT INTO locked_features (key, lock) VALUES (?, ?) ON CONFLICT DO UPDATE SET lock = excluded.lock
     WHERE NOT EXISTS (SELECT 1 FROM feature_locks l WHERE l.id = locked_features.lock AND l.expires_at_ms > ?)`,
  );
  const held = new Set<string>();
  for (const key of keys) {
    if (Number(insert.run(key, id, nowMs).changes) === 0) held.add(key);
    await yieldIfDue();
  }
  return held;
}

function insertLock(database: DatabaseSync, lock: NewLock, nowMs: number, features: number): void {
  const { id, who, layers, seconds } = lock;
  database
    .prepare(`INSERT INTO feature_locks (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
    .run(id, who, JSON.stringify(layers), seconds, nowMs, nowMs + seconds * SECOND_MS, features);
}

/** A key without a lock holds nothing, so that an interruption leaves nothing locked. */
async function deleteKeys(database: DatabaseSync, id: string): Promise<void> {
  const remove = database.prepare(
    `DELETE FROM locked_features WHERE key IN (SELECT key FROM locked_features WHERE lock = ? LIMIT ${ROWS_AT_ONCE})`,
  );
  while (Number(remove.run(id).changes) > 0) await yieldIfDue();
}

function readLock(row: unknown): FeatureLock {
  const [id, who, layers, seconds, createdAtMs, expiresAtMs, features] = row as readonly unknown[];
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
