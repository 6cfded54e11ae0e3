/** Routes for roles: the same operations with and without the name of the single role service. */

import { createNameListWriter } from '../../http/documents/name-list.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { selectPage } from '../../lib/text/page.ts';
import {
  checkRoleService,
  createRole,
  deleteRole,
  grantRole,
  listGrantedRoles,
  listRoleNames,
  revokeRole,
  roleExists,
} from '../../security/roles/roles.ts';
import type { Dialect } from '../common/dialects.ts';
import { readServiceParam } from '../common/service-param.ts';
import { act, del, family, list, post, type Services } from '../common/services.ts';

const ROOT = '/security/roles';

/** Paths have literal types; both forms have the same routes. */
type Root = typeof ROOT | `${typeof ROOT}/service/:service`;

const roleList = createNameListWriter('roles', 'role', 'Roles');

export function roleRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Roles',
    {
      description: 'Roles, and the users and groups that they are granted to.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'accounts',
      exactNames: { role: ({ catalog }, { role = '' }) => roleExists(catalog, role) },
    },
    [...createRoleRoutes(ROOT, dialect), ...createRoleRoutes(`${ROOT}/service/:service`, dialect)],
  );
}

function createRoleRoutes(root: Root, dialect: Dialect) {
  const where = root === ROOT ? '' : ' of a service';
  const checkService = (params: unknown) => checkRoleService(readServiceParam(params));

  return [
    list(
      root,
      `List the roles${where}`,
      { returns: roleList, problems: ['role-service-unknown'] },
      async ({ services, params }, page) => {
        checkService(params);
        const options = { withSystemRoles: dialect.listsSystemRoles };
        return { entries: await listRoleNames(services.catalog, options, page) };
      },
    ),

    post(
      `${root}/role/:role`,
      `Create a role${where}`,
      { problems: ['role-service-unknown', 'name-illegal', 'role-exists'] },
      async ({ services, principal, params }) => {
        checkService(params);
        await createRole(services.security, principal, params.role);
        return { location: ['security', 'roles', 'role', params.role], text: params.role };
      },
    ),

    del(
      `${root}/role/:role`,
      `Delete a role${where}`,
      { problems: ['role-service-unknown', 'role-unknown', 'role-fixed'] },
      async ({ services, principal, params }) => {
        checkService(params);
        await deleteRole(services.security, principal, params.role);
      },
    ),

    ...(['user', 'group'] as const).flatMap((kind) => {
      const problems = ['role-service-unknown', 'role-unknown', 'role-fixed'] as const;
      const readHolder = (params: { readonly holder: string }) => ({ kind, name: params.holder });
      return [
        list(
          `${root}/${kind}/:holder`,
          `List the roles of a ${kind}${where}`,
          { returns: roleList, problems: ['role-service-unknown'] },
          async ({ services, params }, page) => {
            checkService(params);
            const roles = await listGrantedRoles(services.security, readHolder(params));
            return { entries: selectPage(roles, roleList.getName, page) };
          },
        ),

        act(
          `${root}/role/:role/${kind}/:holder`,
          `Grant a role${where} to a ${kind}`,
          { problems: [...problems, 'name-illegal'] },
          async ({ services, principal, params }) => {
            checkService(params);
            await grantRole(services.security, principal, params.role, readHolder(params));
          },
        ),

        del(
          `${root}/role/:role/${kind}/:holder`,
          `Revoke a role${where} from a ${kind}`,
          { problems },
          async ({ services, principal, params }) => {
            checkService(params);
            await revokeRole(services.security, principal, params.role, readHolder(params));
          },
        ),
      ];
    }),
  ];
}
