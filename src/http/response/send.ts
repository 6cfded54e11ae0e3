/**
 * Sends responses, whole or in chunks. It bypasses Fastify's reply, which would cost as much as the rest of the
 * pipeline.
 */
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadableFile } from '../../lib/files/readable-file.ts';
import type { HttpResponse, HttpResponseBody } from '../context/exchange.ts';
import type { ListFrame } from '../serialization/list-frame.ts';
import type { HeaderList } from '../session/recorded-reply.ts';
import { runAtEndOfTurn } from './end-of-turn.ts';

export type { HeaderList } from '../session/recorded-reply.ts';

/** Without a body, no Content-Length is sent. */
export function sendReply(reply: HttpResponse, status: number, headers: HeaderList, body?: string | Buffer): void {
  const { raw } = reply;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body?.length;
  if (bytes !== undefined) {
    headers.push('content-length', String(bytes));
  }
  // Hijack afterwards: an invalid header must still become an error response.
  raw.writeHead(status, headers);
  reply.hijack();
  // ASCII is identical in Latin-1, which Node writes without encoding each character.
  const encoding = bytes === body?.length ? 'latin1' : 'utf8';
  if (body === undefined || body.length <= SOCKET_BUFFER_BYTES) {
    const whole = toSinglePiece(body);
    if (raw.socket instanceof Socket) {
      runAtEndOfTurn(() => raw.end(whole, encoding));
    } else {
      raw.end(whole, encoding);
    }
    return;
  }
  // Node treats the connection of an ended response as idle and closes it with the server, even if bytes are unsent.
  raw.write(body, encoding, () => {
    if (!raw.destroyed) {
      raw.end();
    }
  });
}

/** Node sends text together with the headers, but bytes separately: for small bodies that costs more than a copy. */
function toSinglePiece(body: string | Buffer | undefined): string | Buffer | undefined {
  return typeof body === 'object' && body.length <= ONE_PIECE_BYTES ? body.toString('latin1') : body;
}

/** Fits with its headers into the buffer in which Node concatenates text. */
const ONE_PIECE_BYTES = 8_192;

/** The size that the system buffers even if the client does not read. */
const SOCKET_BUFFER_BYTES = 16_384;

/** The size of a chunk of a list, serialized within a few milliseconds before other work runs. */
export const PIECE_CHARACTERS = 65_536;

/** Why a response broke off after its status was sent. */
export interface SendFailure {
  readonly reason: unknown;
}

/**
 * Sends a list while its items are produced, as fast as the client reads, and stops when the client disconnects. Throws
 * errors that happen before the first byte.
 */
export async function sendList<T>(
  reply: HttpResponse,
  status: number,
  headers: HeaderList,
  frame: ListFrame<T>,
  items: Iterable<T> | AsyncIterable<T>,
  timeoutMs: number,
): Promise<SendFailure | undefined> {
  const { raw } = reply;
  let text = '';
  /** Returns whether the chunk is large enough to send. */
  const add = (item: T): boolean => {
    text += `${text === '' && !raw.headersSent ? frame.before : frame.between}${frame.item(item)}`;
    return text.length >= PIECE_CHARACTERS;
  };
  /** Returns whether the client has disconnected. */
  const sendAdded = async (): Promise<boolean> => {
    await sendPiece(reply, status, headers, text, timeoutMs);
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

/**
 * Sends a part of a file, from `start` to before `end`, as fast as the client reads; the headers declare its length.
 */
export async function sendOpenFile(
  reply: HttpResponse,
  status: number,
  headers: HeaderList,
  file: Pick<ReadableFile, 'pieces'>,
  { start, end }: { readonly start: number; readonly end: number },
  timeoutMs: number,
): Promise<SendFailure | undefined> {
  const { raw } = reply;
  let left = end - start;
  if (left === 0 || reply.request.method === 'HEAD') {
    await sendPiece(reply, status, headers, '', timeoutMs);
    raw.end();
    return undefined;
  }
  try {
    for await (const piece of file.pieces(start, end)) {
      left -= piece.length;
      await sendPiece(reply, status, headers, piece, timeoutMs);
      if (raw.destroyed) {
        return undefined;
      }
    }
  } catch (error) {
    if (!raw.headersSent) {
      throw error;
    }
    return { reason: error };
  }
  if (left > 0) {
    return { reason: new Error(`The file became ${left} bytes shorter while it was sent`) };
  }
  raw.end();
  return undefined;
}

/** Resolves when the client has read most of it, needs no body or has disconnected. */
export async function sendPiece(
  reply: HttpResponse,
  status: number,
  headers: HeaderList,
  piece: string | Uint8Array,
  timeoutMs: number,
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

/**
 * Closes the connection of a client that reads nothing for the timeout. Node resets the timeout when bytes are read,
 * and replaces it once everything is sent.
 */
export function abortWhenStalled(raw: HttpResponseBody, timeoutMs: number): void {
  // The system buffers nearly all responses at once; those need no timeout.
  if (raw.socket !== null && raw.socket.writableLength > 0) {
    setSocketTimeout(raw, timeoutMs);
  }
}

/** Injected requests of tests have a stream instead of a socket. */
function setSocketTimeout({ socket }: HttpResponseBody, timeoutMs: number): void {
  if (socket instanceof Socket) {
    socket.setTimeout(timeoutMs);
  }
}
