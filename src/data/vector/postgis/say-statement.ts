/** Says a statement to the database in one piece: what it is, what is in it, and that its rows are wanted. */
import type { Connection } from 'pg';
import type { SqlParameter } from '../../filter/sql.ts';

export interface Said {
  readonly text: string;
  readonly values: readonly SqlParameter[];
  /** The most that are given. */
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

export function sayStatement(connection: Connection, { text, values, rows }: Said): void {
  const wire = connection as unknown as Wire;
  wire.stream.cork();
  try {
    wire.parse({ text });
    wire.bind({ values: values.map(sentValue) });
    wire.execute({ rows });
    wire.sync();
  } finally {
    wire.stream.uncork();
  }
}

/** As the database reads them, bytes as they are. */
function sentValue(value: SqlParameter): string | Uint8Array {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return typeof value === 'object' ? listText(value) : String(value);
}

function listText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
