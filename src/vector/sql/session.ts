/** What the shared parts of SQL drivers need of a database connection. */
import type { SqlParameter } from '../../filter/sql/sql.ts';

/** A value as the client library of a database returns it. Integers of 64 bits and decimals are texts. */
export type RawValue = string | number | Uint8Array | null;

export type SqlRow = readonly RawValue[];

export type BoundValue = SqlParameter | null;

export interface RowCursor {
  /** Returns at least one row if any are left, at most so many, and empty lists at the end. */
  read(maxRows: number): Promise<readonly SqlRow[]>;
  /** Whether all rows were read, so that the session is free for the next statement. */
  readonly isOver: boolean;
}

export interface ChangeResult {
  /** The number of rows that match. */
  readonly rows: number;
  /** The generated key of the only new row; undefined if no key was generated. */
  readonly generatedKey: string | undefined;
}

/** A column of a result, as the protocol describes it. */
export interface ResultColumn {
  readonly name: string;
  /** The number of its type in the protocol. */
  readonly type: number;
  readonly isUnsigned: boolean;
  /** Whether its characters are bytes. */
  readonly isBinary: boolean;
  readonly lengthBytes: number;
}

/** One connection, which runs one statement at a time. All values are bound. */
export interface SqlSession {
  /** Returns the rows of a statement with a small result. */
  query(text: string, values?: readonly BoundValue[]): Promise<readonly SqlRow[]>;
  /** Returns the columns of a query with an empty result. */
  readColumns(text: string): Promise<readonly ResultColumn[]>;
  /** Streams the rows of a statement; the database waits while none are read. */
  stream(text: string, values: readonly BoundValue[]): RowCursor;
  change(text: string, values?: readonly BoundValue[]): Promise<ChangeResult>;
  /** Runs a statement without values and result, such as the begin of a transaction. */
  run(statement: string): Promise<void>;
}

/** A session whose connection a pool opens and closes. */
export interface PooledSession extends SqlSession {
  /** False after a failure of the connection. */
  readonly isUsable: boolean;
  /** Closes the connection immediately and ends its statement in the database. */
  abort(): void;
  close(): Promise<void>;
}
