/** A statement of which few rows are expected: all that is said to the database goes in one piece, and so does its answer. */
import type { Connection, Submittable } from 'pg';
import { sendStatement, type WireStatement } from './send-statement.ts';

/** Texts as the database writes them: which value they are is decided by the column. */
export type Row = readonly (string | null)[];

/** What was expected to be short and is longer than this is read in another way. */
const MAX_CHARACTERS = 4_194_304;

/** To be given to `client.query`, which calls what is here; then `answer` is to be waited for. */
export class ShortQuery implements Submittable {
  readonly #statement: WireStatement;
  readonly #answer = Promise.withResolvers<readonly Row[] | undefined>();
  #rows: Row[] = [];
  #characters = 0;

  constructor(statement: WireStatement) {
    this.#statement = statement;
  }

  /** All rows; undefined if they are too long to be held. */
  get result(): Promise<readonly Row[] | undefined> {
    return this.#answer.promise;
  }

  submit(connection: Connection): void {
    // One more than there can be, so that the database says that these were all. With a number it starts no processes to
    // help it, which would take longer than the whole.
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
