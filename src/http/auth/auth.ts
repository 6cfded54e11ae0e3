/** Authenticates requests by their credentials, and decides whether a principal may call a matched route. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../../lib/identity/credentials.ts';
import { isAnonymous, type Principal } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Match, PathRoutes } from '../routes/router.ts';
import type { Authorize } from '../session/session.ts';
import type { SentCredentials } from './credentials.ts';

/** Where a request comes from. */
export interface Sender {
  readonly address: string;
  /** Whether the peer of the connection is a trusted proxy. */
  isTrustedProxy(): boolean;
  /** All values of a header, by its name in lower case. */
  listHeaders(name: string): readonly string[];
}

/**
 * Returns the principal of credentials, from a cache if possible; undefined if they are wrong. Without credentials, the
 * sender can be a proxy that has authenticated the user.
 */
export type Authenticate = (
  credentials: Credentials | undefined,
  sender: Sender,
) => Promise<Principal | undefined> | Principal | undefined;

/**
 * Requests without credentials are anonymous; wrong credentials are rejected. Returns a cached principal without a
 * promise.
 */
export function authenticateRequest(
  authenticate: Authenticate,
  sent: SentCredentials,
  sender: Sender,
): Principal | Promise<Principal> {
  if (sent === 'unknown') {
    throw problem('credentials-required', {});
  }
  const principal = authenticate(sent, sender);
  return principal instanceof Promise ? principal.then(requirePrincipal) : requirePrincipal(principal);
}

/** Bearer tokens and keys are not added by browsers, so that pages of other sites cannot abuse them. */
export function isAmbient(sent: SentCredentials, principal: Principal | undefined): boolean {
  // A user who was authenticated by a proxy has sent no credentials to this server.
  if (sent === undefined) return principal !== undefined && !isAnonymous(principal);
  return principal !== undefined && (sent === 'unknown' || sent.kind === 'password' || isBasicToken(sent));
}

function isBasicToken(sent: Credentials): boolean {
  return sent.kind === 'token' && sent.user !== undefined;
}

function requirePrincipal(principal: Principal | undefined): Principal {
  if (principal === undefined) {
    throw problem('credentials-required', {});
  }
  return principal;
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
  // Methods without a route are rejected later.
  const isWrite = !safeMethods.has(method) && (resource.methods.get(method)?.access ?? 'write') === 'write';
  for (const role of roles) {
    const getPath = () => buildPathSegments(resource, params, restRoot);
    refusal = await evaluate({ principal, role, method, isWrite, params, getPath });
    if (refusal === undefined) {
      return;
    }
  }
  if (refusal !== undefined) {
    throw isAnonymous(principal) ? problem('credentials-required', {}) : refusal;
  }
}

type Params = Readonly<Record<string, string>>;

/** A part of a pattern: a constant segment, or what builds segments from the variables of a request. */
type PatternPart = string | ((params: Params) => string | readonly string[]);

/** Patterns are split once for each resource: they are needed for nearly every request that has a token. */
const patternParts = new WeakMap<object, readonly PatternPart[]>();

/** Returns the canonical segments of an address, independent of its spelling in the request. */
function buildPathSegments<S>(resource: PathRoutes<S>, params: Params, restRoot: string): readonly string[] {
  let parts = patternParts.get(resource);
  if (parts === undefined) {
    parts = splitPattern(resource.pattern, restRoot);
    patternParts.set(resource, parts);
  }
  return parts.flatMap((part) => (typeof part === 'string' ? part : part(params)));
}

function splitPattern(pattern: string, restRoot: string): readonly PatternPart[] {
  const context = restRoot.slice(0, restRoot.lastIndexOf('/'));
  const below = pattern === restRoot || pattern.startsWith(`${restRoot}/`) ? pattern.slice(context.length) : pattern;
  const segments = below.split('/').filter((segment) => segment !== '');
  return segments.map((segment): PatternPart => {
    // A wildcard can span several segments.
    if (segment.startsWith('*')) return (params) => (params[segment.slice(1)] ?? '').split('/');
    if (!segment.startsWith(':')) return segment;
    const name = segment.slice(1);
    return /^\w+$/.test(name)
      ? (params) => params[name] ?? ''
      : (params) => segment.replace(/:(\w+)/g, (_, each: string) => params[each] ?? '');
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
