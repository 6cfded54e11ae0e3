/** One heavy request with a time limit: its reply is read at full speed and discarded. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { authorization } from '../server-child.ts';

export interface LoadRequest {
  readonly method?: string;
  readonly url: string;
  readonly body?: string | Buffer;
  readonly type?: string;
  readonly accept?: string;
  /** Anonymous instead of the administrator. */
  readonly isAnonymous?: boolean;
  /** Decides when enough of the reply was read: an event stream does not end by itself. */
  readonly isEnough?: (piece: Buffer, bytes: number) => boolean;
  readonly timeoutMs?: number;
}

export interface LoadReply {
  /** 0 if no response arrived in time. */
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  readonly isCutOff: boolean;
  /** The beginning of the reply, to detect errors. */
  readonly start: string;
}

const TIMEOUT_MS = 60_000;
const START_BYTES = 300;

export function sendLoad(load: LoadRequest): Promise<LoadReply> {
  const { method = 'GET', url, body, type, accept, isAnonymous = false, isEnough, timeoutMs = TIMEOUT_MS } = load;
  const headers = {
    ...(isAnonymous ? {} : { authorization }),
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(accept === undefined ? {} : { accept }),
  };
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    let [status, bytes, start] = [0, 0, ''];
    let out: ClientRequest | undefined;
    const end = (isCutOff: boolean): void => {
      clearTimeout(timer);
      resolve({ status, bytes, ms: performance.now() - startedAt, isCutOff, start });
      if (isCutOff || isEnough !== undefined) out?.destroy();
    };
    const timer = setTimeout(() => end(true), timeoutMs);
    const read = (reply: IncomingMessage): void => {
      status = reply.statusCode ?? 0;
      reply.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (start.length < START_BYTES) start += piece.subarray(0, START_BYTES).toString('latin1');
        if (isEnough?.(piece, bytes) === true) end(false);
      });
      // A server that aborts a reply closes the connection without an end.
      reply.once('close', () => end(!reply.complete));
      reply.once('error', () => end(true));
    };
    out = request(url, { method, headers, agent: false }, read);
    out.once('error', (error) => {
      clearTimeout(timer);
      if (status === 0) reject(error);
    });
    out.end(body);
  });
}

/** A word for the report: the status, or the error code of services that report errors with the status 200. */
export function describeReply({ status, bytes, isCutOff, start, ms }: LoadReply): string {
  const code = /exceptionCode="(\w+)"|code="(\w+)"/.exec(start);
  const name = code === null ? '' : ` ${code[1] ?? code[2]}`;
  if (status === 0) return `no answer in ${(ms / 1_000).toFixed(0)} s`;
  return `${status}${name}, ${(bytes / 1_000_000).toFixed(1)} MB in ${(ms / 1_000).toFixed(1)} s${isCutOff ? ', cut off' : ''}`;
}
