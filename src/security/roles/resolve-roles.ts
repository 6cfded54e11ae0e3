/** Resolves the roles of a user: by name, through groups, and from a directory. */

import { ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { roleAliases, roleKind } from './role.ts';

/** Lists the roles that the role service assigns to a user or a group, sorted. */
export async function listAssignedRoles(
  catalog: CatalogReader,
  to: 'user' | 'group',
  name: string,
): Promise<readonly string[]> {
  const roles = await catalog.findByKey(roleKind, to, name, Number.MAX_SAFE_INTEGER);
  return roles.map((role) => role.name).sort();
}

/** Returns every role of a logged-in user. */
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

/** Adds the second name of each role that has two. */
export function addRoleAliases(names: readonly string[]): ReadonlySet<string> {
  const roles = new Set(names);
  for (const [own, system] of roleAliases) {
    if (roles.has(own) || roles.has(system)) {
      roles.add(own).add(system);
    }
  }
  return roles;
}
