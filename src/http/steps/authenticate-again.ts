/** Authenticates the client of a transaction again, with the permissions and passwords after its previous operations. */
import { anonymous, type Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { AppContext } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import type { Session } from '../session/session.ts';

export function createPrincipalReader<S>(
  app: AppContext<S>,
  { services }: Session<S>,
  { context: { principal = anonymous, credentials } }: HttpRequest,
): () => Promise<Principal> {
  return async () => {
    if (credentials === undefined || credentials === 'unknown') {
      return principal;
    }
    const now = await app.authenticateAgain(services, principal, credentials);
    if (now === undefined) {
      throw problem('credentials-required', {});
    }
    return now;
  };
}
