/** Queries and sessions of granule indexes in PostgreSQL, for any table layout. */
import type { CustomTypesConfig, PoolClient } from 'pg';
import type { SqlFilter } from '../../../filter/sql/sql.ts';
import type { AcquiredConnection, Connections } from '../../../vector/postgis/connection/connections.ts';
import type { KeyedLock } from '../port/keyed-lock.ts';

export type TextRow = readonly (string | null)[];

/** Values are read as text and converted by the type of the attribute. */
const asText: CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** The number of rows per FETCH of a cursor. */
const ROWS_PER_FETCH = 500;

/** Runs queries on any connection, or on that of a session. */
export interface QueryRunner {
  run<T>(signal: AbortSignal, work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Runs a longer transaction, which ends with the generator. */
  stream<T>(signal: AbortSignal, work: (client: PoolClient) => AsyncGenerator<T>): AsyncGenerator<T>;
}

export function createQueryRunner(connections: Connections): QueryRunner {
  return {
    run: (signal, work) => connections.withClient(signal, work),
    async *stream(signal, work) {
      const taken = await connections.acquire(signal);
      let isBroken = true;
      try {
        await taken.client.query('BEGIN READ ONLY');
        const items = work(taken.client);
        for (;;) {
          const { done, value } = await taken.rejectOnAbort(items.next());
          if (done === true) break;
          yield value;
        }
        await taken.client.query('COMMIT');
        isBroken = false;
      } catch (error) {
        throw connections.toError(error, signal);
      } finally {
        // A read that stopped early leaves an open transaction: such a connection is closed.
        taken.release(isBroken);
      }
    },
  };
}

/** Runs a step of a session; stops waiting when its signal is aborted or the timeout expires. */
export type SessionGuard = <T>(work: () => Promise<T>, timeoutMs?: number) => Promise<T>;

export function createGuard(connections: Connections, taken: AcquiredConnection, signal: AbortSignal): SessionGuard {
  return async (work, timeoutMs) => {
    signal.throwIfAborted();
    const { promise: late, reject } = Promise.withResolvers<never>();
    late.catch(() => undefined);
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => reject(new Error('timeout expired')), timeoutMs);
    try {
      return await taken.rejectOnAbort(Promise.race([work(), late]));
    } catch (error) {
      throw connections.toError(error, signal);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Runs queries on the connection of a session, which sees its own writes. */
export function createSessionRunner(guarded: SessionGuard, client: PoolClient): QueryRunner {
  return {
    run: (_, work) => guarded(() => work(client)),
    async *stream(_, work) {
      const items = work(client);
      for (;;) {
        const { done, value } = await guarded(() => items.next());
        if (done === true) return;
        yield value;
      }
    },
  };
}

/**
 * Acquires the write lock of an index across all servers: it is released with the connection, even if a server crashes.
 * Writers of one server wait for each other before they use a connection.
 */
export async function acquireWriteLock(
  connections: Connections,
  key: string,
  signal: AbortSignal,
): Promise<AcquiredConnection> {
  const taken = await connections.acquire(signal);
  try {
    const lock = { text: 'SELECT pg_advisory_lock(hashtextextended($1, 0))', values: [formatLockName(key)] };
    await taken.rejectOnAbort(taken.client.query(lock));
    return taken;
  } catch (error) {
    taken.release(true);
    throw connections.toError(error, signal);
  }
}

/** A connection that could not be cleaned up is not reused. */
export async function releaseWriteLock(
  { client, release }: AcquiredConnection,
  key: string,
  isBroken: boolean,
): Promise<void> {
  const unlock = { text: 'SELECT pg_advisory_unlock(hashtextextended($1, 0))', values: [formatLockName(key)] };
  const isFreed = !isBroken && (await client.query(unlock).then(Boolean, () => false));
  release(!isFreed);
}

/** Runs work while no session writes into the index, on any server. */
export async function withWriteLock(
  { connections, turns, turn }: { readonly connections: Connections; readonly turns: KeyedLock; readonly turn: string },
  signal: AbortSignal,
  work: (client: PoolClient) => Promise<void>,
): Promise<void> {
  const leave = await turns.acquire(turn, signal);
  try {
    const taken = await acquireWriteLock(connections, turn, signal);
    let isBroken = true;
    try {
      await taken.rejectOnAbort(work(taken.client));
      isBroken = false;
    } catch (error) {
      throw connections.toError(error, signal);
    } finally {
      await releaseWriteLock(taken, turn, isBroken);
    }
  } finally {
    leave();
  }
}

function formatLockName(key: string): string {
  return `graticule granules ${key}`;
}

export async function runInTransaction<T>(client: PoolClient, mode: string, work: () => Promise<T>): Promise<T> {
  await client.query(`BEGIN ${mode}`);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

export async function queryRows(
  client: PoolClient,
  text: string,
  values: SqlFilter['parameters'],
): Promise<readonly TextRow[]> {
  const { rows } = await client.query<(string | null)[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
  });
  return rows;
}

let cursors = 0;

/** Uses an SQL cursor, so that other statements can run on the connection in between. */
export async function* readCursor(
  client: PoolClient,
  select: string,
  parameters: SqlFilter['parameters'],
): AsyncGenerator<readonly TextRow[]> {
  cursors += 1;
  const name = `granules_${cursors}`;
  await client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${select}`, [...parameters]);
  for (;;) {
    const rows = await queryRows(client, `FETCH ${ROWS_PER_FETCH} FROM ${name}`, []);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await client.query(`CLOSE ${name}`);
}
