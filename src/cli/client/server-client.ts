/** An HTTP client of the server with the credentials of the command. */
import type { IncomingMessage } from 'node:http';
import { type Reply, type Request, ResponseError, type ServerClient } from './command.ts';
import { createConnectionPool, formatBasicCredentials, type Login, sendRequest } from './send-request.ts';

export interface Address {
  /** The REST root, without a trailing slash. */
  readonly url: URL;
  /** Without it, requests are anonymous. */
  readonly login?: Login;
}

export function createServerClient({ url, login }: Address): ServerClient {
  const authorization = login && formatBasicCredentials(login);
  return {
    openConnections: (max) => createConnectionPool(url, max),
    async send(request) {
      const target = buildTargetUrl(url, request);
      const { method = 'GET', body, connections } = request;
      const pool = connections === undefined ? {} : { connections };
      // Request errors as problem details, which carry all members.
      const headers = { accept: 'application/json, application/problem+json;q=0.9', ...request.headers };
      const reply = await sendRequest(target, { method, headers, body, authorization, ...pool });
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
  return new ResponseError(status, `${message}${adviseRestRoot(status, url)}`, members);
}

const EXAMPLE_URL = 'http://127.0.0.1:8080/geoserver/rest';

/** A forgotten `/rest` is the most frequent reason why a server knows none of the resources of the command line. */
function adviseRestRoot(status: number, { href, pathname }: URL): string {
  if (status !== 404 || pathname.endsWith('/rest')) return '';
  return ` The address '${href}' does not end with '/rest': set --url or GRATICULE_URL to a REST root, such as ${EXAMPLE_URL}.`;
}

function parseMembers(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
