/**
 * A statement whose rows come as they are made, however many: it is said to the database in one piece, and when nobody takes
 * rows the database waits. A cursor takes several turns to the database before its first row.
 */
import type { Connection, Submittable } from 'pg';
import { type Said, sayStatement } from './say-statement.ts';
import type { Row } from './short-query.ts';

/** So much is given at a time, and so much is held for whoever takes it before the database has to wait. */
const GIVEN_CHARACTERS = 65_536;
const MOST_CHARACTERS = 1_048_576;

/** More than any answer has. With a number the database starts no processes to help it, which take longer than most maps. */
const ALL_ROWS = 2_147_483_647;

/** To be given to `client.query`, which calls what is here. */
export class RowStream implements Submittable {
  readonly #statement: Omit<Said, 'rows'>;
  #connection: Connection | undefined;
  #rows: Row[] = [];
  #characters = 0;
  #isPaused = false;
  #isOver = false;
  #isAbandoned = false;
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(statement: Omit<Said, 'rows'>) {
    this.#statement = statement;
  }

  /** The next rows; undefined when there are none any more, and the connection is free again. */
  async next(): Promise<readonly Row[] | undefined> {
    while (this.#characters < GIVEN_CHARACTERS && !this.#isOver) {
      this.#resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error !== undefined) throw this.#error;
    if (this.#rows.length === 0) return undefined;
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    return rows;
  }

  /** Rows that still come are of no use: the connection is not to be used again. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#rows = [];
    this.#resume();
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    sayStatement(connection, { ...this.#statement, rows: ALL_ROWS });
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    if (this.#isAbandoned) return;
    // A row takes some room, also if there is nothing in it.
    this.#characters += fields.length;
    for (const text of fields) this.#characters += text?.length ?? 0;
    this.#rows.push(fields);
    if (this.#characters < GIVEN_CHARACTERS) return;
    this.#wake?.();
    if (this.#characters < MOST_CHARACTERS || this.#isPaused) return;
    this.#isPaused = true;
    this.#connection?.stream.pause();
  }

  handleReadyForQuery(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  /** Told that the connection is free again behind it, or never, if that is lost. */
  handleError(error: unknown): void {
    this.#error = error;
    this.#isOver = true;
    this.#wake?.();
  }

  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#connection?.stream.resume();
  }
}
