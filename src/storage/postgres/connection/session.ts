/**
 * One database session. Statements are pipelined and answered in order. When the connection is lost or a response times
 * out, the session ends and all pending callers are rejected.
 */
import { Client, types } from 'pg';
import { attachCause } from '../../../lib/problems/disk-problem.ts';
import type { PostgresLocation } from './location.ts';
import { createUnavailableProblem, isSessionEnding, toStorageProblem } from './problem.ts';
import type { Row, RunQuery } from './statement.ts';

/** `writes` requires a primary; `reads` also accepts a read-only database. */
export type SessionRole = 'writes' | 'reads';

const CONNECT_MS = 2_500;

/** The response timeout. The database cancels a statement earlier. */
const ANSWER_MS = 20_000;
const STATEMENT_MS = 15_000;

/** An idle writer is disconnected first: a stopped node must not block all others for long. */
const IDLE_WRITER_MS = 8_000;
const LOCK_MS = 12_000;
/** A snapshot that is open for long prevents vacuum. */
const IDLE_READER_MS = 600_000;

const KEEP_ALIVE_MS = 5_000;

const INT8 = 20;

export class PostgresSession {
  readonly #client: Client;
  readonly #lost = Promise.withResolvers<void>();
  #isLost = false;
  #isGathering = false;

  private constructor(client: Client) {
    this.#client = client;
    client.on('error', () => this.#noteLost());
    client.on('end', () => this.#noteLost());
  }

  /** `answerMs` is for statements that may take longer than any client waits. */
  static async open(place: PostgresLocation, role: SessionRole, answerMs = ANSWER_MS): Promise<PostgresSession> {
    const client = new Client({
      ...place.config,
      application_name: 'graticule',
      pipeline: true,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: answerMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      types: { getTypeParser: (oid: number) => (oid === INT8 ? Number : types.getTypeParser(oid)) },
    });
    const session = new PostgresSession(client);
    try {
      await client.connect();
      await session.#prepare(place.schema, role);
      return session;
    } catch (error) {
      session.end();
      throw toStorageProblem(error);
    }
  }

  /** No statement can be sent any more; the database rolls back open work. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves once the session is lost. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** Statements run in the order of the calls. */
  query: RunQuery = async ({ name, text }, values) => {
    const { rows } = await this.#send(() =>
      this.#client.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' }),
    );
    return rows;
  };

  /** Runs statements without parameters and returns the rows of each. */
  async run(text: string): Promise<readonly (readonly Row[])[]> {
    const results: unknown = await this.#send(() => this.#client.query<unknown[]>({ text, rowMode: 'array' }));
    return (Array.isArray(results) ? results : [results]).map(({ rows }: { rows: readonly Row[] }) => rows);
  }

  /**
   * Returns whether the transaction was committed: the database also acknowledges a COMMIT that it turns into a
   * rollback.
   */
  async commit(): Promise<boolean> {
    const { command } = await this.#send(() => this.#client.query('COMMIT'));
    return command === 'COMMIT';
  }

  /** Does not wait: pending statements are rejected as lost. */
  end(): void {
    this.#noteLost();
    this.#client.end().catch(() => undefined);
  }

  #noteLost(): void {
    this.#isLost = true;
    this.#lost.resolve();
  }

  async #send<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isLost) throw createUnavailableProblem();
    this.#corkStream();
    try {
      return await send();
    } catch (error) {
      if (isSessionEnding(error)) this.end();
      throw toStorageProblem(error);
    }
  }

  /** Sends statements of one turn in one packet, because a packet costs more than its contents. */
  #corkStream(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  /**
   * A former primary after a failover would return old data.
   *
   * Plans are made while tables are small and kept until the next ANALYZE, including those of foreign keys: an import
   * would scan a growing table for each record. So sequential scans are disabled from the beginning. If a table can
   * only be scanned, the planner assumes an enormous cost, for which PostgreSQL would compile the query just in time;
   * that takes a thousand times as long as the query.
   */
  async #prepare(schema: string, role: SessionRole): Promise<void> {
    const idleMs = role === 'writes' ? IDLE_WRITER_MS : IDLE_READER_MS;
    const results = await this.run(
      `SET search_path TO ${schema}, pg_temp; SET lock_timeout = ${LOCK_MS}; SET statement_timeout = ${STATEMENT_MS};
       SET idle_in_transaction_session_timeout = ${idleMs}; SET client_min_messages = warning; SET TimeZone = UTC;
       SET enable_seqscan = off; SET jit = off;
       SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local');
       SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'`,
    );
    const [isStandby, isReadOnly] = results.at(-1)?.[0] ?? [];
    if (isStandby !== false || (role === 'writes' && isReadOnly !== false)) {
      throw attachCause(createUnavailableProblem(), new Error('The database is read-only.'));
    }
  }
}
