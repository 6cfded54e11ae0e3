/** An HTTP client of the server with the credentials of the command. */
import type { IncomingMessage } from 'node:http';
import { CommandError, type Reply, type Request, ResponseError, type ServerClient } from './command.ts';

export interface Address {
  /** The REST root, without a trailing slash. */
  readonly url: URL;
  /** Without it, requests are anonymous. */
  readonly login?: { readonly user: string; readonly password: string };
}

/** The timeout for establishing a connection. */
const CONNECT_MS = 10_000;

/** Host names of this machine, as the URL parser writes them. */
const loopbackHosts = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function createServerClient({ url, login }: Address): ServerClient {
  const authorization = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
  return {
    async send(request) {
      const target = buildTargetUrl(url, request);
      const reply = await sendRequest(target, request, authorization);
      const status = reply.statusCode ?? 0;
      if (status >= 300) throw await readResponseError(reply, status, url, login?.user);
      return toReply(reply, status);
    },
  };
}

function buildTargetUrl(root: URL, { path, isBelowHost, query = [] }: Request): URL {
  const target = new URL(`${isBelowHost ? root.origin : root.href.replace(/\/$/, '')}${path}`);
  for (const [name, value] of query) {
    if (value !== undefined) target.searchParams.append(name, value);
  }
  return target;
}

async function sendRequest(target: URL, { method = 'GET', headers = {}, body }: Request, authorization?: string) {
  // Loads only the module that the protocol needs, for a quick start.
  const { request } = target.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(new CommandError(`Cannot connect to ${target.origin}: ${formatReason(error)}.`));
    const sent = request(target, {
      method,
      // Certificates rarely contain a loopback address. Without a password, no secret can reach another program.
      rejectUnauthorized: authorization !== undefined || !loopbackHosts.test(target.hostname),
      // A dedicated connection, so that none stays open when the command ends.
      agent: false,
      headers: {
        // Request errors as problem details, which carry all members.
        accept: 'application/json, application/problem+json;q=0.9',
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': body.type, 'content-length': body.bytes.length }),
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
  user: string | undefined,
): Promise<ResponseError> {
  const members = parseMembers(await readBodyText(reply));
  if (status === 401 && user !== undefined) {
    return new ResponseError(
      status,
      `Authentication failed for user '${user}' at ${url.href}. Check the user name and the password.`,
      members,
    );
  }
  const detail = members['detail'] ?? members['message'];
  const message = typeof detail === 'string' ? detail : `The server at ${url.href} returned status ${status}.`;
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
