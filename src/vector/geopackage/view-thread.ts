/** The thread that runs the statement. It writes to the pipe itself, and waits while the reader is busy. */
import { writeSync } from 'node:fs';
import { serialize } from 'node:v8';
import { workerData } from 'node:worker_threads';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { serializeError } from '../../workers/serialized-problem.ts';
import { openForReading } from './open-file.ts';
import { BATCH_BYTES, BATCH_ROWS, measureRow } from './view-batches.ts';
import { LENGTH_BYTES, type ViewMessage, type ViewOrder, type ViewRow } from './view-messages.ts';

const STANDARD_OUTPUT = 1;

/** The pipe is full until the reader has read it. */
const FULL_WAIT_MS = 2;

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(STANDARD_OUTPUT, bytes, written);
    } catch (error) {
      if (findErrorCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_WAIT_MS);
    }
  }
}

function send(message: ViewMessage): void {
  const bytes = serialize(message);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(bytes.length);
  writeAll(length);
  writeAll(bytes);
}

function isRow(row: unknown): row is ViewRow {
  return Array.isArray(row);
}

function run({ path, statement }: ViewOrder): void {
  const database = openForReading(path);
  let rows: ViewRow[] = [];
  let bytes = 0;
  const prepared = database.prepare(statement, { readBigInts: true, returnArrays: true });
  for (const row of prepared.iterate() as Iterable<unknown>) {
    if (!isRow(row)) continue;
    rows.push(row);
    bytes += measureRow(row);
    if (rows.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    send({ rows });
    [rows, bytes] = [[], 0];
  }
  if (rows.length > 0) send({ rows });
  database.close();
}

function toMessage(error: unknown): ViewMessage {
  const problem = serializeError(error);
  if (problem !== undefined) return { problem };
  const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined;
  const code = findErrorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  return { error: { message, ...(errcode === undefined ? {} : { errcode }), ...(code === undefined ? {} : { code }) } };
}

try {
  run(workerData as ViewOrder);
} catch (error) {
  send(toMessage(error));
}
