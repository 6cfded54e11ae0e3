/**
 * Runs a statement on a view in a process of its own. The views of an uploaded file can compute for hours, and SQLite in
 * Node cannot be interrupted: a thread would never be free again, but a process is killed.
 */
import { fileURLToPath } from 'node:url';
import { deserialize } from 'node:v8';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createInterruption } from '../../lib/async/interruption.ts';
import { problem } from '../../lib/problems/problem.ts';
import { RETRY_AFTER_SECONDS } from '../../workers/fair-semaphore.ts';
import { createMessageReader } from '../../workers/messages.ts';
import { type ProcessMessage, SUCCESS, startProcess } from '../../workers/processes.ts';
import { deserializeProblem } from '../../workers/serialized-problem.ts';
import { LENGTH_BYTES, type ViewMessage, type ViewOrder, type ViewRow } from './view-messages.ts';

/** The time for one batch of rows, as for other work in threads. */
const MAX_BATCH_MS = 60_000;

/** The heap of a process: some batches of rows. Values are outside of it. */
const MAX_HEAP_MB = 128;

export interface ViewReading {
  readonly signal: AbortSignal;
  /** For tests. */
  readonly maxBatchMs?: number;
  readonly onStart?: (processId: number | undefined) => void;
}

/** The path is that of a file which the caller has opened. */
export async function* readView(
  order: ViewOrder,
  { signal, maxBatchMs = MAX_BATCH_MS, onStart }: ViewReading,
): AsyncGenerator<readonly ViewRow[]> {
  signal.throwIfAborted();
  const { port1: mine, port2: theirs } = new MessageChannel();
  const ended = createInterruption();
  const abort = () => ended.interrupt(signal.reason);
  signal.addEventListener('abort', abort);
  let timer: NodeJS.Timeout | undefined;
  try {
    const messages = readMessages(mine, onStart);
    // The program is in the same folder. Its extension differs after the build.
    const program = fileURLToPath(import.meta.url.replace(/read-view(\.\w+)$/, 'view-process$1'));
    startProcess({ program, line: JSON.stringify(order), maxHeapMb: MAX_HEAP_MB }, theirs);
    for (;;) {
      timer = setTimeout(() => ended.interrupt(createTimeout(maxBatchMs)), maxBatchMs);
      const { done, value } = await ended.guard(messages.next());
      clearTimeout(timer);
      if (done === true) return;
      if ('problem' in value) throw deserializeProblem(value.problem);
      if ('error' in value) throw Object.assign(new Error(value.error.message), value.error);
      yield value.rows;
      signal.throwIfAborted();
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    // Kills the process.
    mine.close();
  }
}

function createTimeout(milliseconds: number): Error {
  return problem('work-too-slow', { seconds: milliseconds / 1_000, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

async function* readMessages(
  port: MessagePort,
  onStart: ViewReading['onStart'],
): AsyncGenerator<ViewMessage, undefined> {
  const incoming = createMessageReader<ProcessMessage>(port);
  const pieces: Buffer[] = [];
  let available = 0;
  for (;;) {
    const message = await incoming.next();
    if ('ended' in message) {
      if (message.ended === SUCCESS) return undefined;
      throw new Error(`The process that reads a view has failed: ${message.ended}`);
    }
    if ('processId' in message) {
      onStart?.(message.processId);
      continue;
    }
    const { buffer, byteOffset, length: size } = message.piece;
    pieces.push(Buffer.from(buffer, byteOffset, size));
    available += size;
    for (let length = findLength(pieces, available); available >= length; length = findLength(pieces, available)) {
      const bytes = Buffer.concat(pieces);
      pieces.splice(0, pieces.length, bytes.subarray(length));
      available -= length;
      yield deserialize(bytes.subarray(LENGTH_BYTES, length)) as ViewMessage;
    }
    port.postMessage(size);
  }
}

/** Returns the length of the next message with its own length; infinite if that has not arrived. */
function findLength(pieces: Buffer[], available: number): number {
  if (available < LENGTH_BYTES) return Number.POSITIVE_INFINITY;
  if ((pieces[0]?.length ?? 0) < LENGTH_BYTES) pieces.splice(0, pieces.length, Buffer.concat(pieces));
  return LENGTH_BYTES + (pieces[0]?.readUInt32LE(0) ?? 0);
}
