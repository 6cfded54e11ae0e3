/** Writes the indexes of one mosaic in PostgreSQL in one transaction, for any table layout. */
import type { PoolClient } from 'pg';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../../filter/run/filter-runner.ts';
import type { SqlFilter } from '../../../filter/sql/sql.ts';
import type { Connections } from '../../../vector/postgis/connection/connections.ts';
import { toWriteProblem } from '../../../vector/postgis/write/write-failure.ts';
import { selectLastPerLocation } from '../port/granule-location.ts';
import type { KeyedLock } from '../port/keyed-lock.ts';
import type { GranuleDraft, GranuleSchema, GranuleSession } from '../port/port.ts';
import { acquireWriteLock, createGuard, createSessionRunner, queryRows, releaseWriteLock } from './access.ts';
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
  { connections, turn, currentVersion, begin, filterRunner, signal }: SessionOptions<R>,
  leave: () => void,
): Promise<GranuleSession> {
  const taken = await acquireWriteLock(connections, turn, signal);
  const { client } = taken;
  const guarded = createGuard(connections, taken, signal);
  const asker = createSessionRunner(guarded, client);
  let isEnded = false;
  let isBroken = false;
  let base: number;
  let started: StartedSession<R>;
  try {
    base = await currentVersion();
    await guarded(() => client.query('BEGIN READ WRITE'));
    started = await guarded(() => begin(client, base));
  } catch (error) {
    taken.release(true);
    throw error;
  }
  const { version, tables } = started;

  const getRows = async (schema: GranuleSchema): Promise<R> => {
    const rows = await tables.find(schema);
    if (rows === undefined) throw new Error(`Mosaic '${turn}' has no index '${schema.name}'.`);
    return rows;
  };

  const read = (schema: GranuleSchema) =>
    createDatabaseIndex(
      asker,
      {
        schema,
        find: () => tables.find(schema),
        needsMemory: (filter) => tables.needsMemory(schema, filter),
      },
      filterRunner,
    );

  const addBatch = async (rows: R, schema: GranuleSchema, granules: readonly GranuleDraft[]): Promise<void> => {
    const unique = selectLastPerLocation(schema, granules);
    await tables.removeFormer(rows, listLocations(unique));
    await tables.insert(rows, unique);
  };

  const rollback = async (): Promise<void> => {
    if (isEnded) return;
    isEnded = true;
    // The database rolls back whatever a closed connection had not committed.
    await guarded(() => client.query('ROLLBACK'), COMMIT_TIMEOUT_MS).catch(() => {
      isBroken = true;
    });
  };

  return {
    base,
    version,
    read,
    rollback,
    createIndex: (schema) => guarded(() => tables.create(schema)),
    add: (schema, granules) =>
      guarded(async () => {
        const rows = await getRows(schema);
        for (let at = 0; at < granules.length; at += GRANULES_PER_BATCH) {
          await addBatch(rows, schema, granules.slice(at, at + GRANULES_PER_BATCH)).catch((error: unknown) => {
            throw toWriteProblem(error, schema.name, `a granule at or after '${granules[at]?.location}'`);
          });
        }
      }),
    removeFormer: (schema, locations) =>
      guarded(async () => {
        const rows = await tables.find(schema);
        if (rows !== undefined) await tables.removeFormer(rows, [...new Set(locations)]);
      }),
    async remove(schema, filter) {
      const rows = await guarded(() => getRows(schema));
      const condition = rows.writeCondition(filter);
      if (condition.remainder === undefined) return guarded(() => tables.removeWhere(rows, condition));
      let removed = 0;
      for await (const batch of read(schema).list(filter === undefined ? {} : { filter }, signal)) {
        const fitting = rows.writeCondition({ kind: 'identifiers', identifiers: batch.map(({ id }) => id) });
        removed += await guarded(() => tables.removeWhere(rows, fitting));
      }
      return removed;
    },
    async findUsedLocations(schemas, locations) {
      const inUse = new Set<string>();
      for (const schema of schemas) {
        const rows = await guarded(() => tables.find(schema));
        if (rows === undefined) continue;
        const { sql } = rows.writeCondition(undefined);
        const select = `SELECT DISTINCT ${rows.location} FROM ${rows.from} WHERE ${sql} AND ${rows.location} = ANY ($1::text[])`;
        for (const [location] of await guarded(() => queryRows(client, select, [locations]))) inUse.add(location ?? '');
      }
      return inUse;
    },
    async commit() {
      await guarded(() => client.query('COMMIT'), COMMIT_TIMEOUT_MS);
      isEnded = true;
    },
    async end() {
      try {
        await rollback();
        // Released last: the next session must see the record as the change has left it.
        await releaseWriteLock(taken, turn, isBroken);
      } finally {
        leave();
      }
    },
  };
}

function listLocations(granules: readonly GranuleDraft[]): readonly string[] {
  return [...new Set(granules.map(({ location }) => location))];
}
