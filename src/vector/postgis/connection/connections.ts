/** The connection pool of a PostGIS store: bounded, with deadlines, and protected against unhandled errors. */
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { createInterruption, type Interruption } from '../../../lib/async/interruption.ts';
import type { ConnectionCounts } from '../../port/port.ts';
import { isLostConnection, toProblem } from './failure.ts';
import type { PostgisSettings } from './parameters.ts';

/** The deadline for a statement whose caller has gone. */
const STATEMENT_TIMEOUT_MS = 300_000;

/** A database that does not accept a cancellation by then is unreachable. */
const CANCEL_TIMEOUT_MS = 2_000;

export interface Connections {
  /**
   * Runs `work` on a connection, and again on another if the connection was lost; `work` must be repeatable. An abort
   * cancels the statement and releases the caller immediately.
   */
  withClient<T>(signal: AbortSignal, work: (client: PoolClient) => Promise<T>): Promise<T>;
  getCounts(): ConnectionCounts;
  /** Acquires a connection; `release(true)` discards it. An abort releases it automatically. */
  acquire(signal: AbortSignal): Promise<AcquiredConnection>;
  /** Returns the abort reason if the signal is aborted, otherwise a problem. */
  toError(error: unknown, signal: AbortSignal): unknown;
  close(): Promise<void>;
}

export interface AcquiredConnection {
  readonly client: PoolClient;
  /** Resolves with the work, or rejects with the abort reason. */
  rejectOnAbort<T>(work: Promise<T>): Promise<T>;
  release(isBroken: boolean): void;
}

export function openConnections(settings: PostgisSettings): Connections {
  const { maxConnections, idleTimeoutMs, database } = settings;
  return openConnectionsTo({ config: createClientConfig(settings), maxConnections, idleTimeoutMs, shown: database });
}

/** A database connection, independent of its content. */
export interface ConnectedDatabase {
  readonly config: ClientConfig;
  readonly maxConnections: number;
  readonly idleTimeoutMs: number;
  /** The name in problems. */
  readonly shown: string;
}

export function openConnectionsTo({ config, maxConnections, idleTimeoutMs, shown }: ConnectedDatabase): Connections {
  const pool = new Pool({
    ...config,
    Client: SelfClosingClient,
    max: maxConnections,
    idleTimeoutMillis: idleTimeoutMs,
    allowExitOnIdle: true,
    onConnect: prepareSession,
  });
  // A lost idle connection leaves the pool; without a listener it would end the process.
  pool.on('error', () => undefined);

  let closing: Promise<void> | undefined;
  const toError = (error: unknown, signal: AbortSignal): unknown =>
    signal.aborted ? signal.reason : toProblem(error, shown);

  const acquireConnection = async (signal: AbortSignal): Promise<AcquiredConnection> => {
    signal.throwIfAborted();
    if (closing !== undefined) throw new TypeError('The PostGIS source is closed.');
    const interruption = createInterruption();
    const stopWaiting = (): void => interruption.interrupt(signal.reason);
    signal.addEventListener('abort', stopWaiting, { once: true });
    const connecting = pool.connect();
    try {
      const client = await interruption.guard(connecting);
      return holdConnection(client, interruption, stopWaiting, signal);
    } catch (error) {
      signal.removeEventListener('abort', stopWaiting);
      // A caller that stops waiting leaves a pending connection, which is released when it arrives.
      connecting.then((client) => client.release()).catch(() => undefined);
      throw toError(error, signal);
    }
  };

  const holdConnection = (
    client: PoolClient,
    interruption: Interruption,
    stopWaiting: () => void,
    signal: AbortSignal,
  ): AcquiredConnection => {
    let isHeld = true;
    const release = (isBroken: boolean): void => {
      if (!isHeld) return;
      isHeld = false;
      signal.removeEventListener('abort', stopWaiting);
      signal.removeEventListener('abort', stop);
      client.release(isBroken);
      // Errors of a discarded connection are ignored.
      if (isBroken) client.on('error', () => undefined);
      else client.off('error', ignore);
    };
    const stop = (): void => {
      release(true);
      void cancel(config, client);
    };
    // A connection lost in use reports the error twice: to the statement and by this event.
    client.on('error', ignore);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return { client, rejectOnAbort: interruption.guard, release };
  };

  const useClient: Connections['withClient'] = async (signal, work) => {
    const taken = await acquireConnection(signal);
    let isBroken = true;
    try {
      const result = await taken.rejectOnAbort(work(taken.client));
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = signal.aborted || isLostConnection(error);
      throw error;
    } finally {
      taken.release(isBroken);
    }
  };

  return {
    acquire: acquireConnection,
    toError: toError,
    withClient: (signal, work) =>
      useClient(signal, work)
        .catch((error: unknown) => {
          if (!isLostConnection(error) || signal.aborted) throw error;
          return useClient(signal, work);
        })
        .catch((error: unknown) => Promise.reject(toError(error, signal))),
    getCounts: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => {
      closing ??= pool.end();
      return closing;
    },
  };
}

function ignore(): void {}

/** Sets every field, because the driver takes missing ones from the environment of the server. */
function createClientConfig(settings: PostgisSettings): ClientConfig {
  return {
    host: settings.host,
    port: settings.port,
    database: settings.database,
    user: settings.user,
    password: () => settings.password,
    ssl: createSslOptions(settings),
    application_name: 'graticule',
    connectionTimeoutMillis: settings.connectTimeoutMs,
    keepAlive: true,
  };
}

/** ALLOW and PREFER guarantee nothing, so they use an unencrypted connection. */
function createSslOptions({ sslMode, host }: PostgisSettings): ClientConfig['ssl'] {
  switch (sslMode) {
    case 'REQUIRE':
      return { rejectUnauthorized: false };
    case 'VERIFY_CA':
      return { rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case 'VERIFY_FULL':
      return { rejectUnauthorized: true, host };
    default:
      return false;
  }
}

/**
 * Fixes the formats of values, and prevents views from changing data. Costs of spatial functions make PostgreSQL compile
 * statements of small maps, which takes longer than running them; PostgreSQL 10 has no such setting.
 */
async function prepareSession(client: { query(statement: string): Promise<unknown> }): Promise<void> {
  await client.query(
    `SELECT set_config('jit', 'off', false) WHERE current_setting('jit', true) IS NOT NULL; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET default_transaction_read_only = on; SET DateStyle = ISO; ` +
      'SET TimeZone = UTC; SET bytea_output = hex; SET extra_float_digits = 1; SET standard_conforming_strings = on; SET synchronize_seqscans = off',
  );
}

/** Closing the connection would not stop the statement, because the server notices only when it sends data. */
async function cancel(config: ClientConfig, running: PoolClient): Promise<void> {
  if (!('processID' in running) || typeof running.processID !== 'number') return;
  const client = new SelfClosingClient({ ...config, connectionTimeoutMillis: CANCEL_TIMEOUT_MS });
  client.on('error', ignore);
  try {
    await client.connect();
    await client.query({ text: 'SELECT pg_cancel_backend($1)', values: [running.processID] });
  } catch {
    // The time-out of the statement ends it later.
  } finally {
    await client.end().catch(ignore);
  }
}

/** A client that closes its socket after a failed login; the library leaves it open. */
class SelfClosingClient extends Client {
  override connect(): Promise<Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<Client> | undefined {
    const connecting = super.connect().catch((error: unknown) => {
      this.on('error', () => undefined);
      void this.end().catch(() => undefined);
      throw error;
    });
    if (callback === undefined) return connecting;
    connecting.then(() => callback(null), callback);
    return undefined;
  }
}
