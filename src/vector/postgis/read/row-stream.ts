/**
 * A statement whose rows come as they are made, however many: it is said to the database in one piece, and when nobody takes
 * rows the database waits. A cursor takes several turns to the database before its first row.
 */
import type { Connection, Submittable } from 'pg';
import { sendStatement, type WireStatement } from './send-statement.ts';
import { tapRows } from './tap-rows.ts';

/** More than any answer has. With a number the database starts no processes to help it, which take longer than most maps. */
const ALL_ROWS = 2_147_483_647;

/** The fields of a row as they came; all of it is the next row after the call. */
export interface RowFields {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** Where each begins in the bytes. */
  readonly starts: Int32Array;
  /** How many bytes each has; -1 for one without a value. */
  readonly lengths: Int32Array;
}

/** Who takes rows. */
export interface RowConsumer {
  consume(row: RowFields): void;
  /** Whether the database has to wait; some rows that are on their way are taken nevertheless. */
  readonly isFull: boolean;
}

/** To be given to `client.query`, which calls what is here. */
export class RowStream implements Submittable {
  readonly #statement: Omit<WireStatement, 'rows'>;
  readonly #taker: RowConsumer;
  #connection: Connection | undefined;
  #endTap: () => void = () => undefined;
  #fields = { starts: new Int32Array(), lengths: new Int32Array() };
  #isPaused = false;
  #isOver = false;
  #isAbandoned = false;
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(statement: Omit<WireStatement, 'rows'>, taker: RowConsumer) {
    this.#statement = statement;
    this.#taker = taker;
  }

  /** Resolves once the taker is full; with false when there are no more rows, and the connection is free again. */
  async fill(): Promise<boolean> {
    while (!this.#taker.isFull && !this.#isOver) {
      this.#resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error !== undefined) throw this.#error;
    return !this.#isOver;
  }

  /** Rows that still come are of no use: the connection is not to be used again. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#resume();
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    this.#endTap = tapRows(connection.stream, {
      onRow: (bytes, view, start) => this.#consumeRow(bytes, view, start),
      onPaused: () => this.#pauseIfFull(),
    });
    sendStatement(connection, { ...this.#statement, rows: ALL_ROWS });
  }

  handleReadyForQuery(): void {
    this.#end(undefined);
  }

  /** Told that the connection is free again behind it, or never, if that is lost. */
  handleError(error: unknown): void {
    this.#end(error);
  }

  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}

  #consumeRow(bytes: Buffer, view: DataView, start: number): void {
    if (this.#isAbandoned || this.#error !== undefined) return;
    const count = view.getUint16(start);
    if (this.#fields.starts.length !== count) {
      this.#fields = { starts: new Int32Array(count), lengths: new Int32Array(count) };
    }
    const { starts, lengths } = this.#fields;
    let at = start + 2;
    for (let field = 0; field < count; field += 1) {
      const length = view.getInt32(at);
      at += 4;
      starts[field] = at;
      lengths[field] = length;
      if (length > 0) at += length;
    }
    try {
      this.#taker.consume({ bytes, view, starts, lengths });
    } catch (error) {
      // Nobody above could catch it: this is called by the connection.
      this.#error = error;
      this.#isOver = true;
      this.#wake?.();
    }
  }

  #pauseIfFull(): void {
    if (!this.#taker.isFull || this.#isAbandoned || this.#isOver) return;
    this.#wake?.();
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#connection?.stream.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#connection?.stream.resume();
  }

  #end(error: unknown): void {
    this.#endTap();
    this.#error ??= error;
    this.#isOver = true;
    this.#wake?.();
  }
}
