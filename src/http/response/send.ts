/** Sends responses in pieces, as fast as the client reads. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpResponse, HttpResponseBody } from '../context/exchange.ts';
import type { ListFrame } from '../serialization/list-frame.ts';
import type { HeaderList } from '../session/recorded-reply.ts';
import { abortWhenStalled, sendReply, setSocketTimeout } from './reply.ts';

/** The size of a chunk of a list, serialized within a few milliseconds before other work runs. */
export const PIECE_CHARACTERS = 65_536;

/** Why a response broke off after its status was sent. */
export interface SendFailure {
  readonly reason: unknown;
}

/** The head of a response that is sent in chunks. */
export interface StreamHead {
  readonly reply: HttpResponse;
  readonly status: number;
  readonly headers: HeaderList;
  /** How long the client can stall. */
  readonly timeoutMs: number;
}

/**
 * Sends a list while its items are produced, as fast as the client reads, and stops when the client disconnects. Throws
 * errors that happen before the first byte.
 */
export async function sendList<T>(
  head: StreamHead,
  frame: ListFrame<T>,
  items: Iterable<T> | AsyncIterable<T>,
): Promise<SendFailure | undefined> {
  const { reply, status, headers } = head;
  const { raw } = reply;
  let text = '';
  /** Returns whether the chunk is large enough to send. */
  const add = (item: T): boolean => {
    text += `${text === '' && !raw.headersSent ? frame.before : frame.between}${frame.item(item)}`;
    return text.length >= PIECE_CHARACTERS;
  };
  /** Returns whether the client has disconnected. */
  const sendAdded = async (): Promise<boolean> => {
    await sendPiece(head, text);
    text = '';
    return raw.destroyed || raw.writableEnded;
  };
  try {
    // Do not await synchronous items: awaiting takes longer than serializing them.
    if (Symbol.iterator in items) {
      for (const item of items) {
        if (add(item) && (await sendAdded())) {
          return undefined;
        }
      }
    } else {
      for await (const item of items) {
        if (add(item) && (await sendAdded())) {
          return undefined;
        }
      }
    }
  } catch (error) {
    if (!raw.headersSent) {
      throw error;
    }
    return { reason: error };
  }
  if (!raw.headersSent) {
    // The list fits into one chunk.
    sendReply(reply, status, headers, text === '' ? frame.empty : `${text}${frame.after}`);
  } else if (!raw.destroyed) {
    raw.end(`${text}${frame.after}`);
  }
  return undefined;
}

/** Resolves when the client has read most of it, needs no body or has disconnected. */
export async function sendPiece(
  { reply, status, headers, timeoutMs }: StreamHead,
  piece: string | Uint8Array,
): Promise<void> {
  const { raw } = reply;
  if (raw.destroyed) {
    return;
  }
  if (!raw.headersSent) {
    raw.writeHead(status, headers);
    reply.hijack();
  }
  if (reply.request.method === 'HEAD') {
    raw.end();
  } else if (!raw.write(piece) && !raw.destroyed) {
    await waitForDrain(raw, timeoutMs);
  }
  await nextTurn();
}

function waitForDrain(raw: HttpResponseBody, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const resume = () => {
      raw.off('drain', resume).off('close', resume);
      // Producing the next chunk can take longer than the send timeout.
      setSocketTimeout(raw, 0);
      resolve();
    };
    raw.on('drain', resume).on('close', resume);
    abortWhenStalled(raw, timeoutMs);
  });
}
