/** A statement with few expected rows, sent in one message and answered at once. */
import type { Connection, Submittable } from 'pg';
import { sendStatement, type WireStatement } from './send-statement.ts';

/** Values stay text; the column determines their type. */
export type Row = readonly (string | null)[];

/** Longer results are read in another way. */
const MAX_CHARACTERS = 4_194_304;

/** Pass it to `client.query`, which calls its methods; then await `result`. */
export class ShortQuery implements Submittable {
  readonly #statement: WireStatement;
  readonly #answer = Promise.withResolvers<readonly Row[] | undefined>();
  #rows: Row[] = [];
  #characters = 0;

  constructor(statement: WireStatement) {
    this.#statement = statement;
  }

  /** Returns all rows, or undefined if they are too large for memory. */
  get result(): Promise<readonly Row[] | undefined> {
    return this.#answer.promise;
  }

  submit(connection: Connection): void {
    // One more than possible, so that the database reports the end. With a row limit it starts no parallel workers,
    // which would take longer than the query.
    sendStatement(connection, { ...this.#statement, rows: this.#statement.rows + 1 });
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    for (const text of fields) this.#characters += text?.length ?? 0;
    if (this.#characters > MAX_CHARACTERS) this.#rows = [];
    else this.#rows.push(fields);
  }

  handleReadyForQuery(): void {
    this.#answer.resolve(this.#characters > MAX_CHARACTERS ? undefined : this.#rows);
  }

  handleError(error: unknown): void {
    this.#answer.reject(error);
  }

  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
