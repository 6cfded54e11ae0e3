/** Authenticates requests by their credentials, and decides whether a principal may call a matched route. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { anonymous, isAnonymous, type Principal } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Match, PathRoutes } from '../routes/router.ts';
import type { Authorize } from '../session/session.ts';

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

/** Credentials are not checked. */
export const ANYONE = 'anyone';

/** Anyone as well, but credentials must be valid if sent, because the response depends on the principal. */
export const VISITOR = 'visitor';

/** Returns the roles for a method of a resource. For an unsupported method, any role of the resource suffices. */
function listRequiredRoles<S>(resource: PathRoutes<S>, method: string): readonly string[] {
  const route = resource.methods.get(method === 'HEAD' ? 'GET' : method);
  return route === undefined ? [...new Set([...resource.methods.values()].map((each) => each.role))] : [route.role];
}

export function isPublic<S>(resource: PathRoutes<S>, method: string): boolean {
  return listRequiredRoles(resource, method).every((role) => role === ANYONE);
}

/** A matched request. */
export interface MatchedCall<S> {
  readonly principal: Principal;
  readonly match: Pick<Match<S>, 'resource' | 'params'>;
  readonly method: string;
  readonly restRoot: string;
}

/**
 * Throws the rejection; anonymous callers always get a request for credentials instead. Returns undefined for public
 * routes, without a promise.
 */
export function authorize<S>(evaluate: Authorize, call: MatchedCall<S>): Promise<void> | undefined {
  const roles = listRequiredRoles(call.match.resource, call.method);
  const isOpen = roles.some((role) => role === ANYONE || role === VISITOR);
  return isOpen ? undefined : checkRoles(roles, evaluate, call);
}

async function checkRoles<S>(
  roles: readonly string[],
  evaluate: Authorize,
  { principal, match, method, restRoot }: MatchedCall<S>,
): Promise<void> {
  const { resource, params } = match;
  let refusal: Problem | undefined;
  for (const role of roles) {
    const getPath = () => buildPathSegments(resource.pattern, params, restRoot);
    refusal = await evaluate({ principal, role, method, params, getPath });
    if (refusal === undefined) {
      return;
    }
  }
  if (refusal !== undefined) {
    throw isAnonymous(principal) ? problem('credentials-required', {}) : refusal;
  }
}

/** Returns the canonical segments of an address, independent of its spelling in the request. */
function buildPathSegments(
  pattern: string,
  params: Readonly<Record<string, string>>,
  restRoot: string,
): readonly string[] {
  const context = restRoot.slice(0, restRoot.lastIndexOf('/'));
  const below = pattern === restRoot || pattern.startsWith(`${restRoot}/`) ? pattern.slice(context.length) : pattern;
  const segments = below.split('/').filter((segment) => segment !== '');
  return segments.flatMap((segment) => {
    // A wildcard can span several segments.
    if (segment.startsWith('*')) {
      return (params[segment.slice(1)] ?? '').split('/');
    }
    return segment.startsWith(':') ? segment.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '') : segment;
  });
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects changes that a page of another site sends through an authenticated browser (CSRF). Programs send neither
 * header and pass; browsers always send one of them with a change.
 */
export function checkCrossSite(method: string, headers: IncomingHttpHeaders, baseUrl: string): void {
  if (safeMethods.has(method)) {
    return;
  }
  const origin = headers.origin;
  const site = headers['sec-fetch-site'];
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const foreignOrigin = origin !== undefined && origin !== new URL(baseUrl).origin;
  if (foreignSite || foreignOrigin) {
    throw problem('cross-site', { origin: origin ?? String(site) });
  }
}
