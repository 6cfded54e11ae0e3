/**
 * A role of the role service, and the users and groups it is granted to, by name: a name can occur in several services.
 */

import {
  ROLE_ADMINISTRATOR,
  ROLE_ANONYMOUS,
  ROLE_AUTHENTICATED,
  ROLE_GROUP_ADMIN,
} from '../../lib/identity/principal.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface Role extends RecordBase {
  readonly kind: 'role';
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

export const roleKind: RecordKind<Role> = {
  kind: 'role',
  keys: { user: ({ users }) => users, group: ({ groups }) => groups },
  secrets: {},
};

/** The only role service. */
export const DEFAULT_ROLE_SERVICE = 'default';

/** The names that the role service uses for two system roles; a user who has one has the other. */
export const roleAliases: readonly (readonly [own: string, system: string])[] = [
  ['ADMIN', ROLE_ADMINISTRATOR],
  ['GROUP_ADMIN', ROLE_GROUP_ADMIN],
];

/** Roles that cannot be granted: the server computes them. */
export const computedRoles: readonly string[] = [ROLE_ANONYMOUS, ROLE_AUTHENTICATED];

/** Roles that cannot be deleted. */
export const permanentRoles: readonly string[] = roleAliases.flat();

/** The server's own names for roles, as opposed to those of the role service. */
export const systemRoles: readonly string[] = [...computedRoles, ...roleAliases.map(([, system]) => system)];
