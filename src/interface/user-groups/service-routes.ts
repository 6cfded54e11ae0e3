/** Routes for user/group services. */

import type { RouteTable } from '../../http/routes/route.ts';
import {
  confirmUserGroupService,
  createUserGroupService,
  deleteUserGroupService,
  findUserGroupService,
  listUserGroupServices,
  userGroupServiceExists,
} from '../../security/users/user-group-services.ts';
import type { Dialect } from '../common/dialects.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { createServiceWriter, serviceListing, serviceReader } from './representation.ts';

export function userGroupServiceRoutes(dialect: Dialect): RouteTable<Services> {
  const one = createServiceWriter(dialect);
  return family(
    'User/group services',
    {
      description: "Named sets of users and groups for authentication providers. The service 'default' always exists.",
      formats: ['xml', 'json', 'html'],
      formatGroup: 'accounts',
      errorStyle: 'structured',
      exactNames: { service: ({ catalog }, { service = '' }) => userGroupServiceExists(catalog, service) },
    },
    [
      list(
        '/security/usergroupservices',
        'List the user/group services',
        { returns: serviceListing },
        async ({ services }, page) => ({ entries: await listUserGroupServices(services.catalog, page) }),
      ),

      post(
        '/security/usergroupservices',
        'Create a user/group service',
        { accepts: serviceReader, returns: one, problems: ['name-illegal', 'user-group-service-exists'] },
        async ({ services, principal, body }) => {
          const resource = await createUserGroupService(services.security, principal, body);
          return { location: ['security', 'usergroupservices', resource.name], resource };
        },
      ),

      get(
        '/security/usergroupservices/:service',
        'Read a user/group service',
        { returns: one, versioned: true, problems: ['user-group-service-unknown'] },
        async ({ services, params }) => {
          const resource = await findUserGroupService(services.catalog, params.service);
          return { resource, version: resource.version };
        },
      ),

      put(
        '/security/usergroupservices/:service',
        'Confirm a user/group service, which cannot change',
        { accepts: serviceReader, returns: one, problems: ['user-group-service-unknown'] },
        async ({ services, params, body, precondition }) => ({
          resource: await confirmUserGroupService(services.security, params.service, body, precondition),
        }),
      ),

      del(
        '/security/usergroupservices/:service',
        'Delete a user/group service with its users and groups',
        { problems: ['user-group-service-unknown', 'user-group-service-fixed'] },
        ({ services, principal, params, precondition }) =>
          deleteUserGroupService(services.security, principal, params.service, precondition),
      ),
    ],
  );
}
