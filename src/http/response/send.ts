/** Puts a reply on its connection, whole or piece by piece; past Fastify's own way from headers to bytes, which costs as much as all of ours. */
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadableFile } from '../../lib/files/readable-file.ts';
import type { HttpResponse, HttpResponseBody } from '../context/exchange.ts';
import type { ListFrame } from '../serialization/list-frame.ts';
import type { HeaderList } from '../session/recorded-reply.ts';
import { runAtEndOfTurn } from './end-of-turn.ts';

export type { HeaderList } from '../session/recorded-reply.ts';

/** Without a body there is no Content-Length either. */
export function sendReply(reply: HttpResponse, status: number, headers: HeaderList, body?: string | Buffer): void {
  const { raw } = reply;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body?.length;
  if (bytes !== undefined) {
    headers.push('content-length', String(bytes));
  }
  // Fastify is told afterwards: what is wrong with a header must still become an error reply.
  raw.writeHead(status, headers);
  reply.hijack();
  // ASCII is the same in Latin-1, which Node writes without looking at each character.
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
  // Once a reply has ended, Node counts its connection as idle and cuts it off with the server, sent or not.
  raw.write(body, encoding, () => {
    if (!raw.destroyed) {
      raw.end();
    }
  });
}

/** Node hands text to the system together with the headers, and bytes beside them: of few bytes that takes longer than a copy. */
function toSinglePiece(body: string | Buffer | undefined): string | Buffer | undefined {
  return typeof body === 'object' && body.length <= ONE_PIECE_BYTES ? body.toString('latin1') : body;
}

/** With its headers it has room where Node puts text together. */
const ONE_PIECE_BYTES = 8_192;

/** What the system takes at once from a reply, whether or not the client reads. */
const SOCKET_BUFFER_BYTES = 16_384;

/** How much of a list goes out at a time, before others get their turn: printed within a few milliseconds. */
export const PIECE_CHARACTERS = 65_536;

/** Why a reply ends in the middle, when its status and some of it are sent already. */
export interface SendFailure {
  readonly reason: unknown;
}

/**
 * Sends a list while its items are made or read, as fast as the client takes it, and stops when the client goes. What
 * fails before anything is sent is thrown.
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
  /** Whether there is enough to be sent. */
  const add = (item: T): boolean => {
    text += `${text === '' && !raw.headersSent ? frame.before : frame.between}${frame.item(item)}`;
    return text.length >= PIECE_CHARACTERS;
  };
  /** Whether the client wants no more. */
  const sendAdded = async (): Promise<boolean> => {
    await sendPiece(reply, status, headers, text, timeoutMs);
    text = '';
    return raw.destroyed || raw.writableEnded;
  };
  try {
    // Items that are there are not waited for: that would take longer than printing them.
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
    // It was not so long after all.
    sendReply(reply, status, headers, text === '' ? frame.empty : `${text}${frame.after}`);
  } else if (!raw.destroyed) {
    raw.end(`${text}${frame.after}`);
  }
  return undefined;
}

/** Sends a part of a file, from `start` to before `end`, as fast as the client takes it; the headers tell its length. */
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
    return { reason: new Error(`A file became ${left} bytes shorter while it was sent`) };
  }
  raw.end();
  return undefined;
}

/** Resolved when the client has taken most of it, wants no body at all, or is gone. */
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
    const go = () => {
      raw.off('drain', go).off('close', go);
      // What comes next may take longer to be read than a client may stand still.
      setSocketTimeout(raw, 0);
      resolve();
    };
    raw.on('drain', go).on('close', go);
    abortWhenStalled(raw, timeoutMs);
  });
}

/**
 * Ends the connection of a client that takes nothing of its reply for so long. Node watches how much it takes, and sets
 * another timeout, or none, once all is sent.
 */
export function abortWhenStalled(raw: HttpResponseBody, timeoutMs: number): void {
  // Hardly any reply is waited for: the system takes it at once, and sends it when it can.
  if (raw.socket !== null && raw.socket.writableLength > 0) {
    setSocketTimeout(raw, timeoutMs);
  }
}

/** Requests that come without a network, as in tests, have a stream in the place of a socket. */
function setSocketTimeout({ socket }: HttpResponseBody, timeoutMs: number): void {
  if (socket instanceof Socket) {
    socket.setTimeout(timeoutMs);
  }
}
