/**
 * Decides whether a principal may call a matched route. Only the route and its variables count, not the text of the
 * path.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isAnonymous, type Principal } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Match, PathRoutes } from '../routes/router.ts';

/** Credentials are not checked. */
export const ANYONE = 'anyone';

/** Anyone as well, but credentials must be valid if sent, because the response depends on the principal. */
export const VISITOR = 'visitor';

/** A call to authorize. */
export interface AuthorizationRequest {
  readonly principal: Principal;
  /** The role that the matched route requires. */
  readonly role: string;
  readonly method: string;
  /**
   * Computed only if a rule needs it. The matched path below the context path: literal segments, including `rest`, and
   * the values of variables.
   */
  readonly getPath: () => readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

/** Evaluates the access rules: returns the reason for a rejection, or undefined if the call is permitted. */
export type Authorize = (call: AuthorizationRequest) => Promise<Problem | undefined>;

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
