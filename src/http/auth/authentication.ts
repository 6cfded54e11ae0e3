/** Credentials of a request -> the principal they belong to. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../lib/identity/principal.ts';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Asks whoever knows users, unless it is still known; undefined when nobody vouches for these credentials. */
export type Authenticate = (
  credentials: Credentials,
  clientAddress: string,
) => Promise<Principal | undefined> | Principal | undefined;

export const challenge = 'Basic realm="Graticule", charset="UTF-8"';

interface CachedCredentials {
  readonly header: string;
  readonly credentials: Credentials | undefined;
}

/** What each connection sent last: a client sends the same header with every request, and it is read once. */
const cachedCredentials = new WeakMap<object, CachedCredentials>();

/** The credentials of a request; the same object while a connection goes on sending the same header. */
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

/** The credentials of an HTTP Basic header; undefined when there are none that can be read. */
export function parseBasicCredentials(headers: IncomingHttpHeaders): Credentials | undefined {
  const header = headers.authorization;
  if (header === undefined || header.slice(0, 6).toLowerCase() !== 'basic ') {
    return undefined;
  }
  const bytes = Buffer.from(header.slice(6).trim(), 'base64');
  // The challenge asks for UTF-8, but some libraries send Latin-1 without looking.
  const decoded = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
