/** Says a statement to the database in one piece: what it is, what is in it, and that its rows are wanted. */
import type { Connection } from 'pg';
import type { SqlParameter } from '../../../filter/sql/sql.ts';

export interface WireStatement {
  readonly text: string;
  readonly values: readonly SqlParameter[];
  /** The most that are given. */
  readonly rows: number;
  /** How each column of the answer comes; as texts by default. */
  readonly results?: readonly ResultFormat[];
}

/** As the database writes values for people, or as bytes that have the same form everywhere. */
export type ResultFormat = 'text' | 'binary';

/** Its parts of what is said to the database; the types of the library take a number of rows for a text. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void; write(bytes: Uint8Array): void };
  parse(statement: { readonly text: string }): void;
  bind(portal: { readonly values: readonly (string | Uint8Array)[] }): void;
  execute(portal: { readonly rows: number }): void;
  sync(): void;
}

export function sendStatement(connection: Connection, { text, values, rows, results }: WireStatement): void {
  const wire = connection as unknown as Wire;
  wire.stream.cork();
  try {
    wire.parse({ text });
    const sent = values.map(toWireValue);
    if (results === undefined) wire.bind({ values: sent });
    else wire.stream.write(encodeBindMessage(sent, results));
    wire.execute({ rows });
    wire.sync();
  } finally {
    wire.stream.uncork();
  }
}

/** As the database reads them, bytes as they are. */
function toWireValue(value: SqlParameter): string | Uint8Array {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return typeof value === 'object' ? formatArray(value) : String(value);
}

function formatArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The library has one form for all columns: this is what it would say otherwise, for a statement without a name. */
function encodeBindMessage(values: readonly (string | Uint8Array)[], results: readonly ResultFormat[]): Uint8Array {
  const bodies = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  const sent = bodies.flatMap((body) => [encodeInt(body.length), body]);
  const content = Buffer.concat([
    // Neither what is bound nor the statement has a name.
    Buffer.alloc(2),
    encodeShorts([values.length, ...values.map((value) => (typeof value === 'string' ? 0 : 1)), values.length]),
    ...sent,
    encodeShorts([results.length, ...results.map((format) => (format === 'text' ? 0 : 1))]),
  ]);
  return Buffer.concat([Buffer.from('B'), encodeInt(content.length + 4), content]);
}

function encodeShorts(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2);
  for (const [index, each] of numbers.entries()) bytes.writeUInt16BE(each, index * 2);
  return bytes;
}

function encodeInt(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}
