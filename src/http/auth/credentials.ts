/** Reads the credentials of a request: one Authorization header, or the query parameter `authkey`. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Credentials,
  type PasswordCredentials,
  TOKEN_PREFIX,
  type TokenCredentials,
} from '../../lib/identity/credentials.ts';
import { problem } from '../../lib/problems/problem.ts';

/** The connection and the headers of a request. */
export interface Credentialed {
  readonly socket: object;
  /** Only over HTTP/2. */
  readonly stream?: { readonly session?: object | undefined } | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, including repeated headers. Absent for inner operations. */
  readonly rawHeaders?: readonly string[];
}

/** `unknown`: the header has no scheme that the server supports. */
export type SentCredentials = Credentials | 'unknown' | undefined;

/** Throws if a request has credentials twice: it would be unclear whose permissions apply. */
export function readCredentials(request: Credentialed, key: string | undefined): SentCredentials {
  const header = request.headers.authorization;
  if (header === undefined) {
    return key === undefined ? undefined : getKeyCredentials(key);
  }
  if (key !== undefined || isRepeated(request.rawHeaders ?? [])) {
    throw problem('credentials-ambiguous', {});
  }
  // Node creates the socket of a request over HTTP/2 for each request anew.
  return getHeaderCredentials(request.stream?.session ?? request.socket, header);
}

/** Node keeps the first of repeated Authorization headers. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) count += 1;
  }
  return count > 1;
}

const AUTHORIZATION = 'authorization';

interface CachedCredentials {
  readonly header: string;
  readonly credentials: Credentials | 'unknown';
}

/** The last header of each connection: clients repeat the same header with every request, so it is parsed once. */
const cachedCredentials = new WeakMap<object, CachedCredentials>();

/** Returns the same object while a connection repeats the same header. */
function getHeaderCredentials(connection: object, header: string): Credentials | 'unknown' {
  const last = cachedCredentials.get(connection);
  if (last?.header === header) {
    return last.credentials;
  }
  const credentials = parseCredentials(header);
  cachedCredentials.set(connection, { header, credentials });
  return credentials;
}

function parseCredentials(header: string): Credentials | 'unknown' {
  const [, scheme = '', value = ''] = /^(\S+) +(.*)$/s.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case 'basic':
      return toTokenCredentials(parseBasicCredentials(value)) ?? 'unknown';
    case 'bearer': {
      const token = value.trim();
      return token.startsWith(TOKEN_PREFIX)
        ? { kind: 'token', secret: token, isInUrl: false }
        : { kind: 'bearer', token };
    }
    default:
      return 'unknown';
  }
}

/** Parses the value of a Basic header; undefined if it is invalid. */
export function parseBasicCredentials(value: string): PasswordCredentials | undefined {
  const bytes = Buffer.from(value.trim(), 'base64');
  // The challenge requests UTF-8, but some libraries always send Latin-1.
  const decoded = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const colon = decoded.indexOf(':');
  return colon < 0
    ? undefined
    : { kind: 'password', user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Tokens in Basic credentials never reach a provider, also if a client sends them as the user name. */
function toTokenCredentials(sent: PasswordCredentials | undefined): Credentials | undefined {
  if (sent?.user.startsWith(TOKEN_PREFIX)) return { kind: 'token', secret: sent.user, isInUrl: false };
  return sent?.password.startsWith(TOKEN_PREFIX)
    ? { kind: 'token', secret: sent.password, user: sent.user, isInUrl: false }
    : sent;
}

/** More clients than use keys at the same time. */
const MAX_KEYS = 1_000;

const keyCredentials = new Map<string, TokenCredentials>();

/** Returns the same object for the same key, so that it is checked once. */
function getKeyCredentials(key: string): TokenCredentials {
  const known = keyCredentials.get(key) ?? { kind: 'token', secret: key, isInUrl: true };
  keyCredentials.delete(key);
  keyCredentials.set(key, known);
  if (keyCredentials.size > MAX_KEYS) keyCredentials.delete(keyCredentials.keys().next().value ?? key);
  return known;
}

const KEY_PARAMETER = 'authkey';

export interface SplitQuery {
  readonly key: string | undefined;
  /** Whether the query has several keys, which is an error. */
  readonly isRepeated: boolean;
  /** The query without the key, so that nothing behind the authentication sees it. */
  readonly rest: string;
}

/** Takes the key out of a query. Its name is case-insensitive, and any letter can be percent-encoded. */
export function takeQueryKey(rawQuery: string): SplitQuery {
  if (rawQuery === '' || !/authkey|%/i.test(rawQuery)) {
    return { key: undefined, isRepeated: false, rest: rawQuery };
  }
  const keys: string[] = [];
  const others = rawQuery.split('&').filter((part) => {
    const [sent] = new URLSearchParams(part);
    const isKey = sent !== undefined && sent[0].toLowerCase() === KEY_PARAMETER;
    if (isKey) keys.push(sent[1]);
    return !isKey;
  });
  return { key: keys[0], isRepeated: keys.length > 1, rest: others.join('&') };
}
