/** One connection to MySQL or MariaDB, guarded against servers that violate the protocol. */
import type { Socket } from 'node:net';
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2';
import type { MysqlFlavour } from '../../../filter/sql/mysql.ts';
import type { BoundValue, ChangeResult, PooledSession, ResultColumn, RowCursor, SqlRow } from '../../sql/session.ts';
import { takeTurn } from './event-loop-turns.ts';
import { ProtocolError } from './failure.ts';
import type { MysqlSettings } from './parameters.ts';

/** The deadline for a statement whose caller has gone. */
const STATEMENT_TIMEOUT_MS = 300_000;

/** Values that do not fit are errors. */
export const SQL_MODE = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';

/** A session that waits longer for rows of another one reports that they are locked. */
const LOCK_WAIT_SECONDS = 15;

/** Texts are sorted by so many bytes. */
const SORTED_BYTES = 8_192;

/** The largest row, as the default limit of MySQL; more bytes without a complete row are a violation. */
const MAX_ROW_BYTES = 67_108_864;

/** Rows of statements with small results, such as the columns of all tables. */
const MAX_RESULT_ROWS = 200_000;

/** Rows that wait for their reader; the server waits above this. */
const QUEUED_ROWS = 512;
const QUEUED_BYTES = 1_048_576;

/** Numbers of the protocol. */
const UNSIGNED_FLAG = 32;
const BINARY_CHARSET = 63;

/** The library keeps prepared statements; the server has a limit for all connections. */
const MAX_PREPARED_STATEMENTS = 32;

/** The parts of a connection that the library does not declare. */
interface ConnectionParts {
  readonly stream: Socket;
  packetParser: { execute(chunk: Uint8Array): void };
  readonly _handshakePacket: { readonly serverVersion?: string } | null;
}

export async function openMysqlSession(settings: MysqlSettings): Promise<MysqlSession> {
  const session = new MysqlSession(settings);
  try {
    await session.connect();
    return session;
  } catch (error) {
    session.abandon();
    throw error;
  }
}

export class MysqlSession implements PooledSession {
  readonly #settings: MysqlSettings;
  readonly #connection: Connection;
  readonly #parts: ConnectionParts;
  #cursor: StatementCursor | undefined;
  #receivedBytes = 0;
  #failure: unknown;

  constructor(settings: MysqlSettings) {
    this.#settings = settings;
    this.#connection = createConnection(createOptions(settings));
    this.#parts = this.#connection as unknown as ConnectionParts;
    this.#connection.on('error', (error) => this.#fail(error));
    const parser = this.#parts.packetParser;
    // The library calls the current method of this object for each chunk that the server sends.
    this.#parts.packetParser = { execute: (chunk) => this.#receive(chunk, () => parser.execute(chunk)) };
  }

  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  get flavour(): MysqlFlavour {
    return /mariadb/i.test(this.#parts._handshakePacket?.serverVersion ?? '') ? 'mariadb' : 'mysql';
  }

  async connect(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#connection.once('connect', () => resolve());
      this.#connection.once('error', reject);
    });
    const timeout =
      this.flavour === 'mariadb'
        ? `max_statement_time = ${STATEMENT_TIMEOUT_MS / 1000}`
        : `max_execution_time = ${STATEMENT_TIMEOUT_MS}`;
    await this.run(
      `SET SESSION sql_mode = '${SQL_MODE}', time_zone = '+00:00', sql_auto_is_null = 0,
        sql_select_limit = DEFAULT, autocommit = 1, max_sort_length = ${SORTED_BYTES},
        innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}, ${timeout}`,
    );
    await this.run('SET NAMES utf8mb4');
    // Views cannot change data.
    await this.run('SET SESSION TRANSACTION READ ONLY');
  }

  async query(text: string, values: readonly BoundValue[] = []): Promise<readonly SqlRow[]> {
    const cursor = this.#start(text, values);
    const rows: SqlRow[] = [];
    while (!cursor.isOver) {
      for (const row of await cursor.read(QUEUED_ROWS)) rows.push(row);
      if (rows.length > MAX_RESULT_ROWS) this.#fail(new ProtocolError('the database returned too many rows'));
    }
    return rows;
  }

  async readColumns(text: string): Promise<readonly ResultColumn[]> {
    const cursor = this.#start(text, []);
    while (!cursor.isOver) await cursor.read(QUEUED_ROWS);
    return cursor.columns.map(({ name, columnType, flags, characterSet, columnLength }) => ({
      name,
      type: columnType,
      isUnsigned: (flags & UNSIGNED_FLAG) !== 0,
      isBinary: characterSet === BINARY_CHARSET,
      lengthBytes: columnLength,
    }));
  }

  stream(text: string, values: readonly BoundValue[]): RowCursor {
    return this.#start(text, values);
  }

  async change(text: string, values: readonly BoundValue[] = []): Promise<ChangeResult> {
    const cursor = this.#start(text, values);
    while (!cursor.isOver) await cursor.read(QUEUED_ROWS);
    const { affectedRows = 0, insertId = 0 } = cursor.summary ?? {};
    const key = String(insertId);
    return { rows: affectedRows, generatedKey: key === '0' ? undefined : key };
  }

  run(statement: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure);
      this.#receivedBytes = 0;
      this.#connection.query({ sql: statement }, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  abort(): void {
    const isRunning = this.#cursor !== undefined && !this.#cursor.isOver && this.isUsable;
    this.abandon();
    if (isRunning) void killStatement(this.#settings, this.#connection.threadId);
  }

  /** Closes the socket without a farewell. */
  abandon(): void {
    this.#fail(Object.assign(new Error('The connection is closed.'), { code: 'PROTOCOL_CONNECTION_LOST' }));
  }

  async close(): Promise<void> {
    if (!this.isUsable) return;
    await new Promise<void>((resolve) => this.#connection.end(() => resolve()));
    this.abandon();
  }

  #start(text: string, values: readonly BoundValue[]): StatementCursor {
    if (this.#failure !== undefined) throw this.#failure;
    this.#receivedBytes = 0;
    const cursor = new StatementCursor(this.#connection, () => {
      this.#receivedBytes = 0;
    });
    this.#cursor = cursor;
    cursor.start(text, values.map(toWireValue));
    return cursor;
  }

  /** An exception of the parser would end the process, because the socket calls it. */
  #receive(chunk: Uint8Array, parse: () => void): void {
    if (this.#failure !== undefined) return;
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > MAX_ROW_BYTES + chunk.length) {
      this.#fail(new ProtocolError('the database sent a row that is too large'));
      return;
    }
    try {
      parse();
    } catch {
      this.#fail(new ProtocolError('the database sent an invalid message'));
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#cursor?.fail(error);
    this.#connection.destroy();
    this.#parts.stream.destroy();
  }
}

/** The parts of a column that the library does not declare in the same way. */
interface ColumnParts {
  readonly name: string;
  readonly columnType: number;
  readonly flags: number;
  readonly characterSet: number;
  readonly columnLength: number;
}

/** The result of a statement that returns no rows. */
interface StatementSummary {
  readonly affectedRows?: number;
  readonly insertId?: number | string;
}

class StatementCursor implements RowCursor {
  readonly #connection: Connection;
  readonly #noteRow: () => void;
  #rows: SqlRow[] = [];
  #bytes = 0;
  #hasEnded = false;
  #isPaused = false;
  #error: unknown;
  #wake: (() => void) | undefined;
  summary: StatementSummary | undefined;
  columns: readonly ColumnParts[] = [];

  constructor(connection: Connection, noteRow: () => void) {
    this.#connection = connection;
    this.#noteRow = noteRow;
  }

  get isOver(): boolean {
    return this.#hasEnded && this.#rows.length === 0 && this.#error === undefined;
  }

  start(sql: string, values: readonly (string | number | Buffer | null)[]): void {
    const command = this.#connection.execute({ sql, values: [...values], rowsAsArray: true });
    command.on('result', (result: unknown) => {
      if (Array.isArray(result)) this.#push(result);
      else this.summary = result as StatementSummary;
    });
    command.on('fields', (fields: unknown) => {
      if (Array.isArray(fields)) this.columns = fields as readonly ColumnParts[];
    });
    command.on('error', (error: unknown) => this.fail(error));
    command.on('end', () => {
      this.#hasEnded = true;
      this.#wake?.();
    });
  }

  async read(maxRows: number): Promise<readonly SqlRow[]> {
    for (;;) {
      if (this.#rows.length > 0 && (this.#rows.length >= maxRows || this.#hasEnded || this.#isPaused)) break;
      if (this.#error !== undefined) throw this.#error;
      if (this.#hasEnded) return [];
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const taken = this.#rows.splice(0, maxRows);
    this.#bytes = this.#rows.length === 0 ? 0 : this.#bytes;
    if (this.#isPaused && this.#rows.length === 0) {
      this.#isPaused = false;
      // In a later turn: the socket would otherwise deliver megabytes in this one.
      takeTurn(() => {
        if (!this.#isPaused && this.#error === undefined) this.#connection.resume();
      });
    }
    return taken;
  }

  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake?.();
  }

  #push(row: SqlRow): void {
    this.#noteRow();
    this.#rows.push(row);
    for (const value of row) this.#bytes += value instanceof Uint8Array || typeof value === 'string' ? value.length : 8;
    if (!this.#isPaused && (this.#rows.length >= QUEUED_ROWS || this.#bytes >= QUEUED_BYTES)) {
      this.#isPaused = true;
      this.#connection.pause();
    }
    this.#wake?.();
  }
}

/** Sets every field that the library would take from elsewhere. */
function createOptions(settings: MysqlSettings): ConnectionOptions {
  const ssl = createSslOptions(settings);
  return {
    host: settings.host,
    port: settings.port,
    database: settings.database,
    user: settings.user,
    password: settings.password,
    ...(ssl === undefined ? {} : { ssl }),
    connectTimeout: settings.connectTimeoutMs,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    timezone: 'Z',
    multipleStatements: false,
    maxPreparedStatements: MAX_PREPARED_STATEMENTS,
    enableKeepAlive: true,
    // Names of columns would become part of generated code.
    disableEval: true,
    flags: ['-LOCAL_FILES'],
    enableCleartextPlugin: false,
    trace: false,
  } as ConnectionOptions;
}

/** ALLOW and PREFER guarantee nothing, so they use an unencrypted connection. */
function createSslOptions({ sslMode }: MysqlSettings): ConnectionOptions['ssl'] {
  switch (sslMode) {
    case 'REQUIRED':
      return { rejectUnauthorized: false };
    case 'VERIFY_CA':
      return { rejectUnauthorized: true };
    case 'VERIFY_IDENTITY':
      return { rejectUnauthorized: true, verifyIdentity: true };
    default:
      return undefined;
  }
}

function toWireValue(value: BoundValue): string | number | Buffer | null {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return String(value);
}

/** Closing the connection would not stop the statement, because the server notices only when it sends data. */
async function killStatement(settings: MysqlSettings, threadId: number | undefined): Promise<void> {
  if (!Number.isSafeInteger(threadId)) return;
  try {
    const session = await openMysqlSession(settings);
    await session.run(`KILL ${threadId}`).catch(() => undefined);
    await session.close();
  } catch {
    // The time-out of the statement ends it later.
  }
}
