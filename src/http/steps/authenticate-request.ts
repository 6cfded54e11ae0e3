/** Authenticates requests, and checks again whether the caller of a long response is still authorized. */

import { anonymous, type Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { readCredentials } from '../auth/authentication.ts';
import { authorize } from '../auth/authorization.ts';
import type { AppContext, AppOptions } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import type { Origin } from '../request/origin.ts';
import type { Match } from '../routes/router.ts';

/**
 * Requests without credentials are anonymous; wrong credentials are rejected. Returns a cached principal without a
 * promise.
 */
export function authenticateRequest<S>(
  options: AppOptions<S>,
  request: HttpRequest,
  origin: Origin,
): Principal | Promise<Principal> {
  if (request.raw.headers.authorization === undefined) {
    return anonymous;
  }
  const credentials = readCredentials(request.raw.socket, request.raw.headers);
  const principal = credentials && options.authenticate(credentials, origin.clientAddress);
  return principal instanceof Promise ? principal.then(requirePrincipal) : requirePrincipal(principal);
}

function requirePrincipal(principal: Principal | undefined): Principal {
  if (principal === undefined) {
    throw problem('credentials-required', {});
  }
  return principal;
}

/** Whether the same request would be permitted now. */
export async function isStillAuthorized<S>(
  options: AppContext<S>,
  request: HttpRequest,
  match: Match<S>,
  origin: Origin,
): Promise<boolean> {
  try {
    await options.sessions.refresh();
    const principal = await authenticateRequest(options, request, origin);
    const session = options.sessions.open('read');
    try {
      await authorize(options.authorize(session.services), principal, match, request.method, options.restRoot);
      return true;
    } finally {
      session.close();
    }
  } catch (error) {
    if (!(error instanceof Problem)) {
      request.log.error(
        { requestId: request.id, err: error },
        'the permissions of an event stream could not be checked',
      );
    }
    return false;
  }
}
