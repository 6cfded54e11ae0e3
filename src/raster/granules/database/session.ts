/** Writes the indexes of one mosaic in PostgreSQL in one transaction, for any table layout. */
import type { PoolClient } from 'pg';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../../filter/run/filter-runner.ts';
import type { SqlFilter } from '../../../filter/sql/sql.ts';
import type { AcquiredConnection, Connections } from '../../../vector/postgis/connection/connections.ts';
import { toWriteProblem } from '../../../vector/postgis/write/write-failure.ts';
import { selectLastPerLocation } from '../port/granule-location.ts';
import type { KeyedLock } from '../port/keyed-lock.ts';
import type { GranuleDraft, GranuleIndex, GranuleSchema, GranuleSession } from '../port/port.ts';
import {
  acquireWriteLock,
  createGuard,
  createSessionRunner,
  queryRows,
  releaseWriteLock,
  type SessionGuard,
} from './access.ts';
import { createDatabaseIndex, type GranuleRows } from './read-index.ts';

/** The number of granules per INSERT. */
const GRANULES_PER_BATCH = 2_000;

/** Short, because everything was checked before and the commit blocks others. */
const COMMIT_TIMEOUT_MS = 5_000;

/** The indexes of a mosaic in one session. */
export interface GranuleTables<R extends GranuleRows> {
  find(schema: GranuleSchema): Promise<R | undefined>;
  needsMemory(schema: GranuleSchema, filter: ResolvedFilter): boolean;
  /** Does nothing if the index exists. */
  create(schema: GranuleSchema): Promise<void>;
  /** Removes the granules of these locations from before the session. */
  removeFormer(rows: R, locations: readonly string[]): Promise<void>;
  /** Inserts granules and replaces those that the session itself has inserted at the same location. */
  insert(rows: R, granules: readonly GranuleDraft[]): Promise<void>;
  /** Returns the number of removed granules. */
  removeWhere(rows: R, condition: SqlFilter): Promise<number>;
}

/** A started session: its version and its tables. */
export interface StartedSession<R extends GranuleRows> {
  readonly version: number;
  readonly tables: GranuleTables<R>;
}

export interface SessionOptions<R extends GranuleRows> {
  readonly connections: Connections;
  /** The lock of this process; other processes wait in the database. */
  readonly turns: KeyedLock;
  /** The lock name of the mosaic, shared by all writers. */
  readonly turn: string;
  /** Called once the session has the lock. */
  readonly currentVersion: () => Promise<number>;
  /** Runs inside the transaction. */
  readonly begin: (client: PoolClient, base: number) => Promise<StartedSession<R>>;
  /** Evaluates the part of a filter that SQL cannot express. */
  readonly filterRunner: FilterRunner;
  readonly signal: AbortSignal;
}

export async function createSession<R extends GranuleRows>(options: SessionOptions<R>): Promise<GranuleSession> {
  const leave = await options.turns.acquire(options.turn, options.signal);
  try {
    return await createLockedSession(options, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

async function createLockedSession<R extends GranuleRows>(
  options: SessionOptions<R>,
  leave: () => void,
): Promise<GranuleSession> {
  const { connections, turn, currentVersion, begin, signal } = options;
  const taken = await acquireWriteLock(connections, turn, signal);
  const { client } = taken;
  const guarded = createGuard(connections, taken, signal);
  try {
    const base = await currentVersion();
    await guarded(() => client.query('BEGIN READ WRITE'));
    const started = await guarded(() => begin(client, base));
    return new LockedSession({ options, leave, taken, guarded, base, started });
  } catch (error) {
    taken.release(true);
    throw error;
  }
}

interface LockedSessionParts<R extends GranuleRows> {
  readonly options: SessionOptions<R>;
  /** Releases the lock of this process. */
  readonly leave: () => void;
  /** The connection with the lock in the database. */
  readonly taken: AcquiredConnection;
  readonly guarded: SessionGuard;
  readonly base: number;
  readonly started: StartedSession<R>;
}

class LockedSession<R extends GranuleRows> implements GranuleSession {
  readonly base: number;
  readonly version: number;
  readonly #parts: LockedSessionParts<R>;
  readonly #tables: GranuleTables<R>;
  readonly #guarded: SessionGuard;
  #isEnded = false;
  #isBroken = false;

  constructor(parts: LockedSessionParts<R>) {
    this.base = parts.base;
    this.version = parts.started.version;
    this.#parts = parts;
    this.#tables = parts.started.tables;
    this.#guarded = parts.guarded;
  }

  read(schema: GranuleSchema): GranuleIndex {
    const { taken, options } = this.#parts;
    return createDatabaseIndex(
      createSessionRunner(this.#guarded, taken.client),
      {
        schema,
        find: () => this.#tables.find(schema),
        needsMemory: (filter) => this.#tables.needsMemory(schema, filter),
      },
      options.filterRunner,
    );
  }

  createIndex(schema: GranuleSchema): Promise<void> {
    return this.#guarded(() => this.#tables.create(schema));
  }

  add(schema: GranuleSchema, granules: readonly GranuleDraft[]): Promise<void> {
    return this.#guarded(async () => {
      const rows = await this.#getRows(schema);
      for (let at = 0; at < granules.length; at += GRANULES_PER_BATCH) {
        await this.#addBatch(rows, schema, granules.slice(at, at + GRANULES_PER_BATCH)).catch((error: unknown) => {
          throw toWriteProblem(error, schema.name, `a granule at or after '${granules[at]?.location}'`);
        });
      }
    });
  }

  removeFormer(schema: GranuleSchema, locations: readonly string[]): Promise<void> {
    return this.#guarded(async () => {
      const rows = await this.#tables.find(schema);
      if (rows !== undefined) await this.#tables.removeFormer(rows, [...new Set(locations)]);
    });
  }

  async remove(schema: GranuleSchema, filter: ResolvedFilter | undefined): Promise<number> {
    const rows = await this.#guarded(() => this.#getRows(schema));
    const condition = rows.writeCondition(filter);
    if (condition.remainder === undefined) return this.#guarded(() => this.#tables.removeWhere(rows, condition));
    const { signal } = this.#parts.options;
    let removed = 0;
    for await (const batch of this.read(schema).list(filter === undefined ? {} : { filter }, signal)) {
      const fitting = rows.writeCondition({ kind: 'identifiers', identifiers: batch.map(({ id }) => id) });
      removed += await this.#guarded(() => this.#tables.removeWhere(rows, fitting));
    }
    return removed;
  }

  async findUsedLocations(
    schemas: readonly GranuleSchema[],
    locations: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const { client } = this.#parts.taken;
    const inUse = new Set<string>();
    for (const schema of schemas) {
      const rows = await this.#guarded(() => this.#tables.find(schema));
      if (rows === undefined) continue;
      const { sql } = rows.writeCondition(undefined);
      const select = `SELECT DISTINCT ${rows.location} FROM ${rows.from} WHERE ${sql} AND ${rows.location} = ANY ($1::text[])`;
      const found = await this.#guarded(() => queryRows(client, select, [locations]));
      for (const [location] of found) inUse.add(location ?? '');
    }
    return inUse;
  }

  async commit(): Promise<void> {
    await this.#guarded(() => this.#parts.taken.client.query('COMMIT'), COMMIT_TIMEOUT_MS);
    this.#isEnded = true;
  }

  async rollback(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // The database rolls back whatever a closed connection had not committed.
    await this.#guarded(() => this.#parts.taken.client.query('ROLLBACK'), COMMIT_TIMEOUT_MS).catch(() => {
      this.#isBroken = true;
    });
  }

  async end(): Promise<void> {
    const { taken, options, leave } = this.#parts;
    try {
      await this.rollback();
      // Released last: the next session must see the record as the change has left it.
      await releaseWriteLock(taken, options.turn, this.#isBroken);
    } finally {
      leave();
    }
  }

  async #getRows(schema: GranuleSchema): Promise<R> {
    const rows = await this.#tables.find(schema);
    if (rows === undefined) throw new Error(`Mosaic '${this.#parts.options.turn}' has no index '${schema.name}'.`);
    return rows;
  }

  async #addBatch(rows: R, schema: GranuleSchema, granules: readonly GranuleDraft[]): Promise<void> {
    const unique = selectLastPerLocation(schema, granules);
    await this.#tables.removeFormer(rows, listLocations(unique));
    await this.#tables.insert(rows, unique);
  }
}

function listLocations(granules: readonly GranuleDraft[]): readonly string[] {
  return [...new Set(granules.map(({ location }) => location))];
}
