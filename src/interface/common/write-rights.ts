/** Write permission for resources of a workspace (its administrators) and for global ones (full administrators). */
import type { Call } from '../../http/routes/route.ts';
import { isAdministrator, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { createGlobalChangeProblem } from '../../security/access-rules/token-scopes.ts';
import type { Services } from './services.ts';

export interface WriteRights {
  /** Throws unless resources of this workspace, or global ones (null), can be written. */
  check(workspaceName: string | null): void;
}

/** A resource family: the collection path of its global resources, and the message of a denial. */
export interface GlobalFamily {
  readonly collection: string;
  readonly createProblem: () => Problem;
}

/** `name` is the name of the resource, for REST rules that match it and for messages. */
export async function loadWriteRights(
  { services, principal }: Pick<Call<Services>, 'services' | 'principal'>,
  { collection, createProblem: refusal }: GlobalFamily,
  name: string,
  method: 'POST' | 'PUT' | 'DELETE',
): Promise<WriteRights> {
  const path = ['rest', collection, ...(method === 'POST' ? [] : [name])];
  const [permissions, isAdmitted] = await Promise.all([
    services.access.getPermissions(principal),
    // A style can be moved out of its workspace with a request to that workspace, so the target needs a check as
    // well.
    services.access.decideCall(principal, { path, method }),
  ]);
  const mayWriteGlobal = isAdministrator(principal) || (isAdmitted === true && permissions.administersAll());
  return {
    check(workspaceName) {
      if (workspaceName === null) {
        if (!mayWriteGlobal) {
          throw principal.token?.scopes.workspaces == null ? refusal() : createGlobalChangeProblem(principal.token);
        }
      } else if (workspaceName !== 'default' && !permissions.administers(workspaceName)) {
        throw problem('role-missing', { role: ROLE_ADMINISTRATOR });
      }
    },
  };
}
