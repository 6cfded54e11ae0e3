/** Authenticates requests by their credentials. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { anonymous, type Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Returns the principal of credentials, from a cache if possible; undefined if they are wrong. */
export type Authenticate = (
  credentials: Credentials,
  clientAddress: string,
) => Promise<Principal | undefined> | Principal | undefined;

export const challenge = 'Basic realm="Graticule", charset="UTF-8"';

/** The connection and the headers of a request. */
interface Credentialed {
  readonly socket: object;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Requests without credentials are anonymous; wrong credentials are rejected. Returns a cached principal without a
 * promise.
 */
export function authenticateRequest(
  authenticate: Authenticate,
  { socket, headers }: Credentialed,
  clientAddress: string,
): Principal | Promise<Principal> {
  if (headers.authorization === undefined) {
    return anonymous;
  }
  const credentials = readCredentials(socket, headers);
  const principal = credentials && authenticate(credentials, clientAddress);
  return principal instanceof Promise ? principal.then(requirePrincipal) : requirePrincipal(principal);
}

function requirePrincipal(principal: Principal | undefined): Principal {
  if (principal === undefined) {
    throw problem('credentials-required', {});
  }
  return principal;
}

interface CachedCredentials {
  readonly header: string;
  readonly credentials: Credentials | undefined;
}

/** The last header of each connection: clients repeat the same header with every request, so it is parsed once. */
const cachedCredentials = new WeakMap<object, CachedCredentials>();

/** Returns the same object while a connection repeats the same header. */
export function readCredentials(connection: object, headers: IncomingHttpHeaders): Credentials | undefined {
  const header = headers.authorization ?? '';
  const last = cachedCredentials.get(connection);
  if (last?.header === header) {
    return last.credentials;
  }
  const credentials = parseBasicCredentials(headers);
  cachedCredentials.set(connection, { header, credentials });
  return credentials;
}

/** Parses an HTTP Basic header; undefined if it is missing or invalid. */
export function parseBasicCredentials(headers: IncomingHttpHeaders): Credentials | undefined {
  const header = headers.authorization;
  if (header === undefined || header.slice(0, 6).toLowerCase() !== 'basic ') {
    return undefined;
  }
  const bytes = Buffer.from(header.slice(6).trim(), 'base64');
  // The challenge requests UTF-8, but some libraries always send Latin-1.
  const decoded = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
