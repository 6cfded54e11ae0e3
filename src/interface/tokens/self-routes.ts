/** The route that shows the signed-in user. */
import type { RouteTable } from '../../http/routes/route.ts';
import { isAdministrator, type Principal, ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { family, get, type Services } from '../common/services.ts';
import { type Self, selfDocument } from './representation.ts';

export function selfRoutes(): RouteTable<Services> {
  return family(
    'Signed-in user',
    {
      description: 'The user of the request, its roles and how it signed in.',
      formats: ['json', 'html'],
      formatGroup: 'additions',
    },
    [
      get(
        '/security/self',
        'Read who you are',
        { returns: selfDocument, role: ROLE_AUTHENTICATED, rejectsUnknownQuery: true },
        async ({ services, principal }) => ({ resource: await describePrincipal(services, principal) }),
      ),
    ],
  );
}

async function describePrincipal({ catalog, access }: Services, principal: Principal): Promise<Self> {
  const { name, roles, via = { method: 'basic' }, token, expiresAtMs } = principal;
  const { administers } = await access.getPermissions(principal);
  const workspaces = isAdministrator(principal)
    ? ['*']
    : (await catalog.listNames(workspaceKind, null)).filter(administers);
  return {
    name,
    roles: [...roles].toSorted(),
    isAdministrator: isAdministrator(principal),
    workspaces,
    via,
    token,
    expiresAtMs,
  };
}
