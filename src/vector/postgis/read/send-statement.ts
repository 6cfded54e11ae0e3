/** Sends a statement in one message: parse, bind and execute. */
import type { Connection } from 'pg';
import type { SqlParameter } from '../../../filter/sql/sql.ts';

export interface WireStatement {
  readonly text: string;
  readonly values: readonly SqlParameter[];
  /** The maximum number of rows. */
  readonly rows: number;
  /** The format of each result column; defaults to text. */
  readonly results?: readonly ResultFormat[];
}

/** The text or binary format of values. */
export type ResultFormat = 'text' | 'binary';

/** The protocol methods of the connection; the library types a row count as text. */
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

/** Converts to the wire format; bytes are unchanged. */
function toWireValue(value: SqlParameter): string | Uint8Array {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return typeof value === 'object' ? formatArray(value) : String(value);
}

function formatArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The library supports one format for all columns; this writes its bind message for an unnamed statement. */
function encodeBindMessage(values: readonly (string | Uint8Array)[], results: readonly ResultFormat[]): Uint8Array {
  const bodies = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  const sent = bodies.flatMap((body) => [encodeInt(body.length), body]);
  const content = Buffer.concat([
    // The portal and the statement are unnamed.
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
