/** How indexes of granules in a PostgreSQL are asked and written, whatever their tables look like. */
import type { CustomTypesConfig, PoolClient } from 'pg';
import type { SqlFilter } from '../../../filter/sql/sql.ts';
import type { AcquiredConnection, Connections } from '../../../vector/postgis/connection/connections.ts';
import type { KeyedLock } from '../port/keyed-lock.ts';

export type TextRow = readonly (string | null)[];

/** Texts as they come: which value they are is decided by the attribute. */
const asText: CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** Rows of a cursor that are handed over at once. */
const ROWS_PER_FETCH = 500;

/** How the database is asked: over any connection, or over that of a session. */
export interface QueryRunner {
  run<T>(signal: AbortSignal, work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** A transaction for longer; the asker ends it when the work does. */
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
        // A reading that stopped early leaves an open transaction: such a connection is not worth being tidied up.
        taken.release(isBroken);
      }
    },
  };
}

/** Runs a step of a session; lets go at once when the signal of the session says so, or when a time is over. */
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

/** Asks over the connection of a session, which sees what it has written. */
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
 * The turn of whoever writes into an index, on whichever server: it is freed with the connection, also by a server that
 * dies. Those of one server wait for each other before they take a connection.
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

/** Nobody uses a connection again that could not be tidied up. */
export async function releaseWriteLock(
  { client, release }: AcquiredConnection,
  key: string,
  isBroken: boolean,
): Promise<void> {
  const unlock = { text: 'SELECT pg_advisory_unlock(hashtextextended($1, 0))', values: [formatLockName(key)] };
  const isFreed = !isBroken && (await client.query(unlock).then(Boolean, () => false));
  release(!isFreed);
}

/** Works when nobody writes into an index, on whichever server. */
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

/** A cursor of SQL and not of the protocol: other statements may be run on the connection meanwhile. */
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
