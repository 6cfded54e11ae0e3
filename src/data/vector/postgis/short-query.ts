/** A statement of which few rows are expected: all that is said to the database goes in one piece, and so does its answer. */
import type { Connection, Submittable } from 'pg';
import type { SqlParameter } from '../../filter/sql.ts';

/** Texts as the database writes them: which value they are is decided by the column. */
export type Row = readonly (string | null)[];

/** What was expected to be short and is longer than this is read in another way. */
const MAX_CHARACTERS = 4_194_304;

export interface ShortStatement {
  readonly text: string;
  readonly values: readonly SqlParameter[];
  /** The most that there can be. */
  readonly rows: number;
}

/** Its parts of what is said to the database; the types of the library take a number of rows for a text. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(statement: { readonly text: string }): void;
  bind(portal: { readonly values: readonly (string | Uint8Array)[] }): void;
  execute(portal: { readonly rows: number }): void;
  sync(): void;
}

/** To be given to `client.query`, which calls what is here; then `answer` is to be waited for. */
export class ShortQuery implements Submittable {
  readonly #statement: ShortStatement;
  readonly #answer = Promise.withResolvers<readonly Row[] | undefined>();
  #rows: Row[] = [];
  #characters = 0;

  constructor(statement: ShortStatement) {
    this.#statement = statement;
  }

  /** All rows; undefined if they are too long to be held. */
  get answer(): Promise<readonly Row[] | undefined> {
    return this.#answer.promise;
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    const { text, values, rows } = this.#statement;
    wire.stream.cork();
    try {
      wire.parse({ text });
      wire.bind({ values: values.map(sentValue) });
      // One more than there can be, so that the database says that these were all. With a number it starts no processes to
      // help it, which would take longer than the whole.
      wire.execute({ rows: rows + 1 });
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
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

/** As the database reads them, bytes as they are. */
function sentValue(value: SqlParameter): string | Uint8Array {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return typeof value === 'object' ? listText(value) : String(value);
}

function listText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
