/** Which roles somebody has: by name, through groups, and through what a directory says. */

import { ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { roleAliases, roleKind } from './role.ts';

/** The names of the roles that the role service gives to a user or a group, sorted. */
export async function listAssignedRoles(
  catalog: CatalogReader,
  to: 'user' | 'group',
  name: string,
): Promise<readonly string[]> {
  const roles = await catalog.findByKey(roleKind, to, name, Number.MAX_SAFE_INTEGER);
  return roles.map((role) => role.name).sort();
}

/** Every role of somebody who is logged in. */
export async function resolveRoles(
  catalog: CatalogReader,
  who: { readonly user: string; readonly groups: readonly string[] },
): Promise<ReadonlySet<string>> {
  const assigned = await Promise.all([
    listAssignedRoles(catalog, 'user', who.user),
    ...who.groups.map((group) => listAssignedRoles(catalog, 'group', group)),
  ]);
  return addRoleAliases([ROLE_AUTHENTICATED, ...assigned.flat()]);
}

/** The roles with the other names of those that have two, wherever they come from. */
export function addRoleAliases(names: readonly string[]): ReadonlySet<string> {
  const roles = new Set(names);
  for (const [own, system] of roleAliases) {
    if (roles.has(own) || roles.has(system)) {
      roles.add(own).add(system);
    }
  }
  return roles;
}
