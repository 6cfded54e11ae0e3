/** The server over HTTP, with the credentials of the command. */
import type { IncomingMessage } from 'node:http';
import { CommandError, type Reply, type Request, ResponseError, type ServerClient } from './command.ts';

export interface Address {
  /** The REST root, without a slash at its end. */
  readonly url: URL;
  readonly user: string;
  readonly password: string;
}

/** Whoever does not take a connection by then is not there. */
const CONNECT_MS = 10_000;

export function createServerClient({ url, user, password }: Address): ServerClient {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return {
    async send(asked) {
      const target = buildTargetUrl(url, asked);
      const reply = await sendRequest(target, asked, authorization);
      const status = reply.statusCode ?? 0;
      if (status >= 300) throw await readResponseError(reply, status, url, user);
      return toReply(reply, status);
    },
  };
}

function buildTargetUrl(root: URL, { path, query = [] }: Request): URL {
  const target = new URL(`${root.href.replace(/\/$/, '')}${path}`);
  for (const [name, value] of query) {
    if (value !== undefined) target.searchParams.append(name, value);
  }
  return target;
}

async function sendRequest(target: URL, { method = 'GET', headers = {}, body }: Request, authorization: string) {
  // Loaded when it is needed: most servers are spoken to without TLS, or with it, and never both.
  const { request } = target.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(new CommandError(`No server answers at ${target.origin}: ${formatReason(error)}.`));
    const sent = request(target, {
      method,
      // A connection of its own: nothing is kept open when the command has ended.
      agent: false,
      headers: {
        // Errors are wanted with all that is known of them, whatever else is wanted.
        accept: 'application/json, application/problem+json;q=0.9',
        ...headers,
        authorization,
        ...(body === undefined ? {} : { 'content-type': body.type, 'content-length': body.bytes.length }),
      },
    });
    const patience = setTimeout(() => sent.destroy(new Error('it does not answer')), CONNECT_MS);
    sent.on('socket', (socket) => {
      const clearConnectTimeout = () => clearTimeout(patience);
      if (socket.connecting) socket.once('connect', clearConnectTimeout);
      else clearConnectTimeout();
    });
    sent.on('response', resolve).on('error', (error) => {
      clearTimeout(patience);
      fail(error);
    });
    sent.end(body?.bytes);
  });
}

function toReply(reply: IncomingMessage, status: number): Reply {
  return {
    status,
    header: (name) => {
      const value = reply.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    pieces: reply,
    text: () => readBodyText(reply),
  };
}

async function readBodyText(reply: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of reply) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function readResponseError(
  reply: IncomingMessage,
  status: number,
  url: URL,
  user: string,
): Promise<ResponseError> {
  const members = parseMembers(await readBodyText(reply));
  if (status === 401) {
    return new ResponseError(status, `The server at ${url.href} does not accept the password of '${user}'.`, members);
  }
  const said = members['detail'] ?? members['message'];
  const message = typeof said === 'string' ? said : `The server at ${url.href} has answered ${status}.`;
  return new ResponseError(status, message, members);
}

function parseMembers(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Of several addresses of one host each has its own reason; the first is as good as any. */
function formatReason(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code } = first as { code?: unknown };
  return reasonTexts[String(code)] ?? (first instanceof Error ? first.message : String(first));
}

const reasonTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  ENOTFOUND: 'nobody knows the host',
  EAI_AGAIN: 'nobody knows the host',
  EHOSTUNREACH: 'the host cannot be reached',
};
