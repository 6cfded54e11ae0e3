/**
 * One session with the database. Statements are sent at once and answered in their order, without a trip for each; when
 * the connection is lost, or an answer does not come, the session ends, and whoever waits for it is told.
 */
import { Client, types } from 'pg';
import { attachCause } from '../../../lib/problems/disk-problem.ts';
import type { PostgresLocation } from './location.ts';
import { createUnavailableProblem, isSessionEnding, toStorageProblem } from './problem.ts';
import type { Row, RunQuery } from './statement.ts';

/** `writes`: only where changes can be made; `reads`: also where a database is there to be read. */
export type SessionRole = 'writes' | 'reads';

const CONNECT_MS = 2_500;

/** How long an answer may take; the database gives a statement up before. */
const ANSWER_MS = 20_000;
const STATEMENT_MS = 15_000;

/** Who waits in the middle of a change is thrown out first: a node that is stopped must not stop all others for long. */
const IDLE_WRITER_MS = 8_000;
const LOCK_MS = 12_000;
/** Who reads one state for so long keeps the database from tidying up. */
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

  /** `answerMs`: for statements that may take longer than any client waits. */
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

  /** Nothing can be asked any more; what was begun, the database takes back. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolved once it is lost. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** What was asked before is done before. */
  query: RunQuery = async ({ name, text }, values) => {
    const { rows } = await this.#send(() =>
      this.#client.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' }),
    );
    return rows;
  };

  /** Runs statements without values, and gives the rows of each. */
  async run(text: string): Promise<readonly (readonly Row[])[]> {
    const results: unknown = await this.#send(() => this.#client.query<unknown[]>({ text, rowMode: 'array' }));
    return (Array.isArray(results) ? results : [results]).map(({ rows }: { rows: readonly Row[] }) => rows);
  }

  /** Whether the transaction was kept: the database answers a commit also where it takes everything back. */
  async commit(): Promise<boolean> {
    const { command } = await this.#send(() => this.#client.query('COMMIT'));
    return command === 'COMMIT';
  }

  /** Does not wait: what is under way is told that it was lost. */
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

  /** What is sent in one go leaves in one piece: each piece costs more than what is in it. */
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
   * A former primary that others have taken over from would show the past. Plans are made while tables are small and kept
   * until the next ANALYZE, those of foreign keys too: an import would read a growing table from one end to the other for
   * each record. So every table that has an index is read by it from the beginning. Where a table can only be scanned, the
   * planner then assumes an enormous cost, for which PostgreSQL would compile the query: that takes a thousand times as
   * long as the query itself.
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
