/** The connections of one PostGIS store: bounded, each use with an end, and none that can bring the server down. */
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { createInterruption, type Interruption } from '../../../lib/async/interruption.ts';
import type { ConnectionCounts } from '../../port/port.ts';
import { isLostConnection, toProblem } from './failure.ts';
import type { PostgisSettings } from './parameters.ts';

/** What a statement may take when nobody who asked for it is left to stop it. */
const STATEMENT_TIMEOUT_MS = 300_000;

const CANCEL_TIMEOUT_MS = 2_000;

export interface Connections {
  /**
   * Runs `work` on a connection, and once more on another when the first was lost: it must be such as may be repeated. When
   * the signal is aborted the statement is stopped and the caller let go at once.
   */
  withClient<T>(signal: AbortSignal, work: (client: PoolClient) => Promise<T>): Promise<T>;
  getCounts(): ConnectionCounts;
  /** A connection for longer; `release(true)` when it must not be used again. An abort releases it by itself. */
  acquire(signal: AbortSignal): Promise<AcquiredConnection>;
  /** What to tell of an error: the reason of the abort if that was it, else a problem. */
  toError(error: unknown, signal: AbortSignal): unknown;
  close(): Promise<void>;
}

export interface AcquiredConnection {
  readonly client: PoolClient;
  /** What comes of the work, or the reason of the signal once that is given. */
  rejectOnAbort<T>(work: Promise<T>): Promise<T>;
  release(isBroken: boolean): void;
}

export function openConnections(settings: PostgisSettings): Connections {
  const { maxConnections, idleTimeoutMs, database } = settings;
  return openConnectionsTo({ config: createClientConfig(settings), maxConnections, idleTimeoutMs, shown: database });
}

/** A database whatever is in it. */
export interface ConnectedDatabase {
  readonly config: ClientConfig;
  readonly maxConnections: number;
  readonly idleTimeoutMs: number;
  /** What problems call it. */
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
  // An idle connection that is lost leaves the pool; without a listener it would end the process.
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
      // Whoever stops waiting leaves a connection behind that may yet come.
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
      // Errors of a connection on its way out concern nobody.
      if (isBroken) client.on('error', () => undefined);
      else client.off('error', ignore);
    };
    const stop = (): void => {
      release(true);
      void cancel(config, client);
    };
    // A connection that is lost while in use tells it twice: to the statement, and by this event.
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

/** Every field is given, since the driver would take what is missing from the environment of the server. */
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

/** ALLOW and PREFER promise nothing, and so get what the server does without. */
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

/** Values come in one form whatever the database's habits; views cannot change data behind a reader's back. */
async function prepareSession(client: { query(statement: string): Promise<unknown> }): Promise<void> {
  await client.query(
    `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET default_transaction_read_only = on; SET DateStyle = ISO; ` +
      'SET TimeZone = UTC; SET bytea_output = hex; SET extra_float_digits = 1; SET standard_conforming_strings = on; SET synchronize_seqscans = off',
  );
}

/** Closing the connection alone would let the statement run on: the server only notices when it has something to say. */
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

/** A client that closes its socket when it cannot log in; the library leaves it open until the server gives up. */
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
