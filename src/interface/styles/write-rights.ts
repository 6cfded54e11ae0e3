/** Who may write which styles: those of a workspace whoever administers it, global ones whoever administers everything. */
import type { Call } from '../../http/route.ts';
import { isAdministrator, ROLE_ADMINISTRATOR } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Services } from '../services.ts';

export interface WriteRights {
  /** Throws unless styles of this workspace, or global ones (null), may be written. */
  check(workspaceName: string | null): void;
}

/** `name` is that of the style in question, for REST rules that speak of it, and for messages. */
export async function writeRights(
  { services, principal }: Pick<Call<Services>, 'services' | 'principal'>,
  name: string,
  method: 'POST' | 'PUT' | 'DELETE',
): Promise<WriteRights> {
  const path = ['rest', 'styles', ...(method === 'POST' ? [] : [name])];
  const [permissions, isAdmitted] = await Promise.all([
    services.access.permissionsOf(principal),
    // A style can be moved out of its workspace at the address of that workspace: this is the door it would go through.
    services.access.decideCall(principal, { path, method }),
  ]);
  const mayWriteGlobal = isAdministrator(principal) || (isAdmitted === true && permissions.administersAll());
  return {
    check(workspaceName) {
      if (workspaceName === null) {
        if (!mayWriteGlobal) {
          throw problem('style-global', {});
        }
      } else if (workspaceName !== 'default' && !permissions.administers(workspaceName)) {
        throw problem('role-missing', { role: ROLE_ADMINISTRATOR });
      }
    },
  };
}
