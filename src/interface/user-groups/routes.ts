/** Routes for users and groups: the same operations for the default service and for a named one. */
import type { RouteTable } from '../../http/routes/route.ts';
import { selectPage } from '../../lib/text/page.ts';
import {
  createGroup,
  deleteGroup,
  groupExists,
  joinGroup,
  leaveGroup,
  listGroupNames,
  listGroupUsers,
  listUserGroups,
} from '../../security/users/groups.ts';
import { changeUser, createUser, deleteUser, findUser, listUsers, userExists } from '../../security/users/users.ts';
import { readServiceParam } from '../common/service-param.ts';
import { act, del, family, get, list, post, type Services } from '../common/services.ts';
import { groupList, userDocument, userList, userReader } from './representation.ts';

const ROOT = '/security/usergroup';

/** Paths have literal types; both forms have the same routes. */
type Root = typeof ROOT | `${typeof ROOT}/service/:service`;

const unknownUser = ['user-group-service-unknown', 'user-unknown'] as const;
const unknownGroup = ['user-group-service-unknown', 'group-unknown'] as const;

export function userGroupRoutes(): RouteTable<Services> {
  return family(
    'Users and groups',
    {
      description: 'Users who sign in with a password stored on this server, and their groups.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'accounts',
      exactNames: {
        user: ({ security }, { service, user = '' }) => userExists(security, service, user),
        group: ({ catalog }, { service, group = '' }) => groupExists(catalog, service, group),
      },
    },
    [...createUserGroupRows(ROOT), ...createUserGroupRows(`${ROOT}/service/:service`)],
  );
}

function createUserGroupRows(root: Root) {
  return [...createUserRows(root), ...createGroupRows(root), ...createMembershipRows(root)];
}

function createUserRows(root: Root) {
  const where = formatWhere(root);
  return [
    list(
      `${root}/users`,
      `List the users${where}`,
      { returns: userList, problems: ['user-group-service-unknown'] },
      async ({ services, params }, page) => ({
        entries: await listUsers(services.security, readServiceParam(params), page),
      }),
    ),

    post(
      `${root}/users`,
      `Create a user${where}`,
      {
        accepts: userReader,
        problems: ['user-group-service-unknown', 'name-illegal', 'user-exists', 'password-unacceptable'],
      },
      async ({ services, principal, params, body }) => {
        const service = readServiceParam(params);
        const { name } = await createUser(services.security, principal, service, body);
        return { location: [...getRootSegments(service), 'user', name], text: name };
      },
    ),

    get(
      `${root}/user/:user`,
      `Read a user${where}`,
      { returns: userDocument, versioned: true, problems: unknownUser },
      async ({ services, params }) => {
        const user = await findUser(services.security, readServiceParam(params), params.user);
        return { resource: user, version: user.version };
      },
    ),

    act(
      `${root}/user/:user`,
      `Change the password or the enabled state of a user${where}`,
      { accepts: userReader, problems: [...unknownUser, 'administrator-fixed', 'password-unacceptable'] },
      ({ services, principal, params, body }) =>
        changeUser(services.security, principal, { service: readServiceParam(params), name: params.user }, body),
    ),

    del(
      `${root}/user/:user`,
      `Delete a user${where}`,
      { problems: [...unknownUser, 'administrator-fixed'] },
      ({ services, principal, params, precondition }) =>
        deleteUser(
          services.security,
          principal,
          { service: readServiceParam(params), name: params.user },
          precondition,
        ),
    ),
  ];
}

function createGroupRows(root: Root) {
  const where = formatWhere(root);
  return [
    list(
      `${root}/groups`,
      `List the groups${where}`,
      { returns: groupList, problems: ['user-group-service-unknown'] },
      async ({ services, params }, page) => ({
        entries: await listGroupNames(services.catalog, readServiceParam(params), page),
      }),
    ),

    post(
      `${root}/group/:group`,
      `Create a group${where}`,
      { problems: ['user-group-service-unknown', 'name-illegal', 'group-exists'] },
      async ({ services, principal, params }) => {
        const service = readServiceParam(params);
        await createGroup(services.security, principal, service, params.group);
        return { location: [...getRootSegments(service), 'group', params.group, 'users'], text: params.group };
      },
    ),

    del(
      `${root}/group/:group`,
      `Delete a group${where}`,
      { problems: unknownGroup },
      ({ services, principal, params }) =>
        deleteGroup(services.security, principal, readServiceParam(params), params.group),
    ),
  ];
}

function createMembershipRows(root: Root) {
  const where = formatWhere(root);
  return [
    list(
      `${root}/group/:group/users`,
      `List the users of a group${where}`,
      { returns: userList, problems: unknownGroup },
      async ({ services, params }, page) => {
        const users = await listGroupUsers(services.catalog, readServiceParam(params), params.group);
        return { entries: selectPage(users, userList.getName, page) };
      },
    ),

    list(
      `${root}/user/:user/groups`,
      `List the groups of a user${where}`,
      { returns: groupList, problems: unknownUser },
      async ({ services, params }, page) => {
        const groups = await listUserGroups(services.security, readServiceParam(params), params.user);
        return { entries: selectPage(groups, groupList.getName, page) };
      },
    ),

    act(
      `${root}/user/:user/group/:group`,
      `Add a user${where} to a group`,
      { problems: [...unknownUser, 'group-unknown', 'administrator-fixed'] },
      ({ services, principal, params }) => joinGroup(services.security, principal, readServiceParam(params), params),
    ),

    del(
      `${root}/user/:user/group/:group`,
      `Remove a user${where} from a group`,
      { problems: [...unknownUser, 'group-unknown', 'administrator-fixed'] },
      ({ services, principal, params }) => leaveGroup(services.security, principal, readServiceParam(params), params),
    ),
  ];
}

/** Completes the summaries of the routes below a named service. */
function formatWhere(root: Root): string {
  return root === ROOT ? '' : ' of a service';
}

function getRootSegments(service: string | undefined): readonly string[] {
  return ['security', 'usergroup', ...(service === undefined ? [] : ['service', service])];
}
