/** Sends one HTTP request, over a connection of its own or of a pool. Redirects are not followed. */
import type { Agent, IncomingMessage } from 'node:http';
import type { OnReadOpts, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, type RequestBody } from './command.ts';

/** The timeout for establishing a connection. */
const CONNECT_MS = 10_000;

/** The bytes that are read from a connection at once. */
const READ_BYTES = 512 * 1024;

/** Host names of this machine, as the URL parser writes them. */
const loopbackHosts = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export interface OutgoingRequest {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly authorization?: string | undefined;
  readonly body?: RequestBody | undefined;
  /** Connections that are used again; without it, the request has a connection of its own. */
  readonly connections?: Agent;
  /** Aborts the request and its response. */
  readonly signal?: AbortSignal;
}

export interface Login {
  readonly user: string;
  readonly password: string;
}

export function formatBasicCredentials({ user, password }: Login): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Loads only the module that the protocol needs, for a quick start. */
async function loadProtocol(protocol: string) {
  return protocol === 'https:' ? import('node:https') : import('node:http');
}

/** Opens at most `max` connections, which stay open until the pool is destroyed. */
export async function createConnectionPool({ protocol }: URL, max: number): Promise<Agent> {
  const { Agent } = await loadProtocol(protocol);
  return new Agent({ keepAlive: true, maxSockets: max });
}

/** Throws a `CommandError` if the server cannot be reached. */
export async function sendRequest(target: URL, outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { method = 'GET', headers, authorization, body, signal, connections } = outgoing;
  const { request } = await loadProtocol(target.protocol);
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(target, {
      method,
      // Certificates rarely contain a loopback address. Without a password, no secret can reach another program.
      rejectUnauthorized: authorization !== undefined || !loopbackHosts.test(target.hostname),
      // By default a dedicated connection, so that none stays open when the command ends.
      agent: connections ?? false,
      ...(connections === undefined ? { onread: createReadBuffer() } : {}),
      ...(signal && { signal }),
      headers: {
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': body.type, 'content-length': countBytes(body) }),
      },
    });
    const connectTimer = setTimeout(() => sent.destroy(new Error('the connection timed out')), CONNECT_MS);
    sent.on('socket', (socket) => {
      const clearConnectTimeout = () => clearTimeout(connectTimer);
      if (socket.connecting) socket.once('connect', clearConnectTimeout);
      else clearConnectTimeout();
    });
    sent.on('response', resolve).on('error', (error) => {
      clearTimeout(connectTimer);
      reject(new CommandError(`Cannot connect to ${target.origin}: ${formatReason(error)}.`));
    });
    if (body === undefined || 'bytes' in body) sent.end(body?.bytes);
    // Its failure is that of the request, which has its own handler.
    else pipeline(Readable.from('stream' in body ? body.stream() : body.pieces()), sent).catch(() => undefined);
  });
}

/**
 * One buffer for everything that is read from a connection. Node.js otherwise allocates 64 KB for each read, which takes
 * half of the processor time of a download. The HTTP parser copies what it returns, so the buffer can be used again.
 */
function createReadBuffer(): OnReadOpts {
  return {
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    callback(this: Socket, bytes: number, buffer: Uint8Array) {
      this.emit('data', buffer.subarray(0, bytes));
      return true;
    },
  };
}

function countBytes(body: RequestBody): number {
  if ('bytes' in body) return body.bytes.length;
  if ('stream' in body) return body.length;
  let bytes = 0;
  for (const piece of body.pieces()) bytes += piece.length;
  return bytes;
}

/** Formats the first error if connecting to several addresses of one host failed. */
function formatReason(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code } = first as { code?: unknown };
  return reasonTexts[String(code)] ?? (first instanceof Error ? first.message : String(first));
}

const reasonTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name is unknown',
  EHOSTUNREACH: 'the host is unreachable',
};
