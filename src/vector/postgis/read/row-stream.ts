/**
 * Streams the rows of a statement with backpressure: it is sent in one message, and the database waits while no rows
 * are consumed. A cursor needs several round trips before its first row.
 */
import type { Connection, Submittable } from 'pg';
import { sendStatement, type WireStatement } from './send-statement.ts';
import { tapRows } from './tap-rows.ts';

/** More than any result. With a row limit the database starts no parallel workers, which take longer than most maps. */
const ALL_ROWS = 2_147_483_647;

/** The fields of a row; reused for the next row after the call. */
export interface RowFields {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** The start of each field in the bytes. */
  readonly starts: Int32Array;
  /** The length of each field; -1 for null. */
  readonly lengths: Int32Array;
}

/** Consumes rows. */
export interface RowConsumer {
  consume(row: RowFields): void;
  /** Whether the database should pause; some rows in transit are still delivered. */
  readonly isFull: boolean;
}

/** Pass it to `client.query`, which calls its methods. */
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

  /** Resolves when the consumer is full; with false when there are no more rows and the connection is free. */
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

  /** Discards further rows; the connection must not be reused. */
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

  /** Called when the connection is free again; never if it is lost. */
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
      // Stored, because the connection calls this method and no caller could catch the error.
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
