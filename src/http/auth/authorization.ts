/** Principal and matched route -> yes or no. Only the route and its variables are looked at, never the text of the path. */
import { isAnonymous, type Principal } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Match, PathRoutes } from '../routes/router.ts';

/** Without a look at credentials. */
export const ANYONE = 'anyone';

/** Anyone as well, but whoever sends credentials has to be somebody: what they are shown depends on it. */
export const VISITOR = 'visitor';

/** A call that somebody wants to make. */
export interface AuthorizationRequest {
  readonly principal: Principal;
  /** The role the matched route asks for. */
  readonly role: string;
  readonly method: string;
  /** Put together only when a rule looks at it. The matched path below the context path: literal segments, `rest` among them, and variables with their values. */
  readonly getPath: () => readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

/** Asks whoever knows the rules: gives the reason why not, or undefined for yes. */
export type Authorize = (call: AuthorizationRequest) => Promise<Problem | undefined>;

/** The roles a method of a resource asks for; for a method it does not have, any of them will do. */
function listRequiredRoles<S>(resource: PathRoutes<S>, method: string): readonly string[] {
  const route = resource.methods.get(method === 'HEAD' ? 'GET' : method);
  return route === undefined ? [...new Set([...resource.methods.values()].map((each) => each.role))] : [route.role];
}

export function isPublic<S>(resource: PathRoutes<S>, method: string): boolean {
  return listRequiredRoles(resource, method).every((role) => role === ANYONE);
}

/**
 * Rejects with the refusal; whoever is anonymous is asked for credentials first, whatever the reason was. Undefined where
 * nobody has to be asked.
 */
export function authorize<S>(
  ask: Authorize,
  principal: Principal,
  match: Pick<Match<S>, 'resource' | 'params'>,
  method: string,
  restRoot: string,
): Promise<void> | undefined {
  const roles = listRequiredRoles(match.resource, method);
  const isOpen = roles.some((role) => role === ANYONE || role === VISITOR);
  return isOpen ? undefined : checkRoles(roles, ask, principal, match, method, restRoot);
}

async function checkRoles<S>(
  roles: readonly string[],
  ask: Authorize,
  principal: Principal,
  match: Pick<Match<S>, 'resource' | 'params'>,
  method: string,
  restRoot: string,
): Promise<void> {
  const { resource, params } = match;
  const createAuthorizationRequest = (role: string): AuthorizationRequest => ({
    principal,
    role,
    method,
    params,
    getPath: () => buildPathSegments(resource.pattern, params, restRoot),
  });
  let refusal: Problem | undefined;
  for (const role of roles) {
    refusal = await ask(createAuthorizationRequest(role));
    if (refusal === undefined) {
      return;
    }
  }
  if (refusal !== undefined) {
    throw isAnonymous(principal) ? problem('credentials-required', {}) : refusal;
  }
}

/** The one spelling of an address, however a client wrote it. */
function buildPathSegments(
  pattern: string,
  params: Readonly<Record<string, string>>,
  restRoot: string,
): readonly string[] {
  const context = restRoot.slice(0, restRoot.lastIndexOf('/'));
  const below = pattern === restRoot || pattern.startsWith(`${restRoot}/`) ? pattern.slice(context.length) : pattern;
  const segments = below.split('/').filter((segment) => segment !== '');
  return segments.flatMap((segment) => {
    // What takes all the rest of a path may be several segments of it.
    if (segment.startsWith('*')) {
      return (params[segment.slice(1)] ?? '').split('/');
    }
    return segment.startsWith(':') ? segment.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '') : segment;
  });
}
