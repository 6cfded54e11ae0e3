/** Builds the principal whose access is explained or previewed: a user of this server, or any user with some roles. */
import {
  anonymous,
  type Principal,
  ROLE_ADMINISTRATOR,
  ROLE_ANONYMOUS,
  ROLE_AUTHENTICATED,
} from '../../lib/identity/principal.ts';
import type { Security } from '../core/security.ts';
import { addRoleAliases, resolveRoles } from '../roles/resolve-roles.ts';
import { resolveGroupNames } from '../users/groups.ts';
import { findUser } from '../users/users.ts';

export interface AccessSubject {
  /** A user of the default user/group service; null for roles. */
  readonly user: string | null;
  readonly roles: readonly string[];
  readonly claims: ReadonlyMap<string, readonly string[]>;
}

export async function createSubject(security: Security, subject: AccessSubject): Promise<Principal> {
  const claims = Object.fromEntries(
    [...subject.claims].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
  if (subject.user !== null) {
    const user = await findUser(security, undefined, subject.user);
    if (user.kind === 'administrator') return { name: user.name, roles: addRoleAliases([ROLE_ADMINISTRATOR]), claims };
    const groups = await resolveGroupNames(security.catalog, user);
    return { name: user.name, roles: await resolveRoles(security.catalog, { user: user.name, groups }), claims };
  }
  const roles = addRoleAliases(subject.roles);
  return roles.has(ROLE_ANONYMOUS)
    ? { ...anonymous, roles, claims }
    : { name: '', roles: new Set([...roles, ROLE_AUTHENTICATED]), claims };
}
