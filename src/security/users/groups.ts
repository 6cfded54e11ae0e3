/** Manages groups and their members. */

import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { createReferences, toAnyLinkedKind } from '../../records/references.ts';
import { checkOwnName } from '../core/account-names.ts';
import type { Security } from '../core/security.ts';
import { changeSecurity } from '../core/security-state.ts';
import { type Group, groupKind } from './group.ts';
import { revokeRolesOfDeleted } from './revoke-roles-of-deleted.ts';
import { removeGroup, type User, userKind } from './user.ts';
import { findUserGroupService, userGroupServiceExists } from './user-group-services.ts';
import { findUser, requireRegularUser } from './users.ts';

/** Deleting a group removes its users from it. */
const references = createReferences([toAnyLinkedKind(userKind)], []);

/** Undefined for the default service. */
type ServiceName = string | undefined;

export async function listGroupNames(
  catalog: CatalogReader,
  service: ServiceName,
  page: Page = {},
): Promise<readonly string[]> {
  const { id } = await findUserGroupService(catalog, service);
  return catalog.listNames(groupKind, id, page);
}

export async function groupExists(catalog: CatalogReader, service: ServiceName, name: string): Promise<boolean> {
  if (service !== undefined && !(await userGroupServiceExists(catalog, service))) {
    return false;
  }
  const { id } = await findUserGroupService(catalog, service);
  return (await catalog.find(groupKind, id, name)) !== undefined;
}

export async function createGroup(
  security: Security,
  principal: Principal,
  service: ServiceName,
  name: string,
): Promise<void> {
  checkOwnName(name, 'group', 'group');
  await changeSecurity(security.catalog, principal, `create group ${name}`, async (transaction) => {
    const { id } = await findUserGroupService(transaction, service);
    if ((await transaction.find(groupKind, id, name)) !== undefined) {
      throw problem('group-exists', { name });
    }
    await transaction.insert(groupKind, { parent: id, name });
  });
}

export async function deleteGroup(
  security: Security,
  principal: Principal,
  service: ServiceName,
  name: string,
): Promise<void> {
  await changeSecurity(security.catalog, principal, `delete group ${name}`, async (transaction) => {
    const group = await findGroup(transaction, service, name);
    await references.remove(transaction, group);
    await revokeRolesOfDeleted(transaction, [{ kind: 'group', name }]);
  });
}

/** Lists the users of a group by name. */
export async function listGroupUsers(
  catalog: CatalogReader,
  service: ServiceName,
  name: string,
): Promise<readonly User[]> {
  const group = await findGroup(catalog, service, name);
  const users = await catalog.findByKey(userKind, 'group', group.id, Number.MAX_SAFE_INTEGER);
  return users.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Lists the names of a user's groups, sorted. */
export async function listUserGroups(
  security: Security,
  service: ServiceName,
  userName: string,
): Promise<readonly string[]> {
  const user = await findUser(security, service, userName);
  return user.kind === 'user' ? resolveGroupNames(security.catalog, user) : [];
}

export async function resolveGroupNames(catalog: CatalogReader, user: User): Promise<readonly string[]> {
  const groups = await Promise.all(user.groups.map((id) => catalog.get(groupKind, id)));
  return groups.flatMap((group) => group?.name ?? []).sort();
}

/** Adds a user to a group; repeated calls have no effect but a warning. */
export async function joinGroup(
  security: Security,
  principal: Principal,
  service: ServiceName,
  names: { readonly user: string; readonly group: string },
): Promise<{ readonly warnings: readonly string[] }> {
  const what = `add user ${names.user} to group ${names.group}`;
  let warnings: readonly string[] = [];
  await changeMembership(security, principal, service, {
    names,
    what,
    change: (user, group) => {
      const isMember = user.groups.includes(group.id);
      warnings = isMember ? [`The user '${names.user}' is already in the group '${names.group}'.`] : [];
      return isMember ? user : { ...user, groups: [...user.groups, group.id] };
    },
  });
  return { warnings };
}

export async function leaveGroup(
  security: Security,
  principal: Principal,
  service: ServiceName,
  names: { readonly user: string; readonly group: string },
): Promise<void> {
  const what = `remove user ${names.user} from group ${names.group}`;
  await changeMembership(security, principal, service, {
    names,
    what,
    change: (user, group) => removeGroup(user, group.id),
  });
}

interface MembershipChange {
  readonly names: { readonly user: string; readonly group: string };
  readonly what: string;
  readonly change: (user: User, group: Group) => User;
}

function changeMembership(
  security: Security,
  principal: Principal,
  service: ServiceName,
  { names, what, change }: MembershipChange,
): Promise<void> {
  return changeSecurity(security.catalog, principal, what, async (transaction) => {
    const user = await findUser({ ...security, catalog: transaction }, service, names.user);
    const group = await findGroup(transaction, service, names.group);
    await transaction.update(userKind, change(requireRegularUser(user, 'added to groups'), group));
  });
}

async function findGroup(catalog: CatalogReader, service: ServiceName, name: string): Promise<Group> {
  const { id } = await findUserGroupService(catalog, service);
  const group = await catalog.find(groupKind, id, name);
  if (group === undefined) {
    throw problem('group-unknown', { name });
  }
  return group;
}
