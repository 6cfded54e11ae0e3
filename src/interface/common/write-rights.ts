/** Who may write what lives in a workspace or in none: whoever administers it, and for global things everything. */
import type { Call } from '../../http/routes/route.ts';
import { isAdministrator, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Services } from './services.ts';

export interface WriteRights {
  /** Throws unless things of this workspace, or global ones (null), may be written. */
  check(workspaceName: string | null): void;
}

/** A family of such things: the collection of the global ones, and what is said to who may not write them. */
export interface GlobalFamily {
  readonly collection: string;
  readonly createProblem: () => Problem;
}

/** `name` is that of the thing in question, for REST rules that speak of it, and for messages. */
export async function loadWriteRights(
  { services, principal }: Pick<Call<Services>, 'services' | 'principal'>,
  { collection, createProblem: refusal }: GlobalFamily,
  name: string,
  method: 'POST' | 'PUT' | 'DELETE',
): Promise<WriteRights> {
  const path = ['rest', collection, ...(method === 'POST' ? [] : [name])];
  const [permissions, isAdmitted] = await Promise.all([
    services.access.getPermissions(principal),
    // A style can be moved out of its workspace at the address of that workspace: this is the door it would go through.
    services.access.decideCall(principal, { path, method }),
  ]);
  const mayWriteGlobal = isAdministrator(principal) || (isAdmitted === true && permissions.administersAll());
  return {
    check(workspaceName) {
      if (workspaceName === null) {
        if (!mayWriteGlobal) {
          throw refusal();
        }
      } else if (workspaceName !== 'default' && !permissions.administers(workspaceName)) {
        throw problem('role-missing', { role: ROLE_ADMINISTRATOR });
      }
    },
  };
}
