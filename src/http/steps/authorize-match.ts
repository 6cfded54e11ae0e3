import { authorize } from '../auth/authorization.ts';
import type { AppContext } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import type { Match } from '../routes/router.ts';

/** Checks the permissions of a request with invalid headers, so that callers without permission learn nothing else. */
export async function authorizeOnly<S>(options: AppContext<S>, match: Match<S>, request: HttpRequest): Promise<void> {
  const session = options.sessions.open('read');
  try {
    const settled =
      match.wholeName === undefined ? match : await resolveExactName(session.services, match, request.method);
    await authorizeMatch(options, session.services, settled, request);
  } finally {
    session.close();
  }
}

export function authorizeMatch<S>(
  options: AppContext<S>,
  services: S,
  match: Match<S>,
  { context: { principal }, method }: HttpRequest,
): Promise<void> | undefined {
  if (principal === undefined) {
    return undefined;
  }
  return authorize(options.authorize(services), principal, match, method, options.restRoot);
}

/** An exact resource name takes precedence over a format extension. */
export async function resolveExactName<S>(services: S, match: Match<S>, method: string): Promise<Match<S>> {
  const { resource, wholeName } = match;
  const route = resource.methods.get(method) ?? [...resource.methods.values()][0];
  if (wholeName !== undefined && (await route?.exactName?.(services, wholeName))) {
    return { resource, params: wholeName };
  }
  return match;
}
