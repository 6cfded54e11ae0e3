/** A role of the role service, and whom it is given to, by name: the same names may come from several places. */

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

/** The only role service there is. */
export const DEFAULT_ROLE_SERVICE = 'default';

/** The role service's own names for two of the system roles; whoever has the one has the other. */
export const roleAliases: readonly (readonly [own: string, system: string])[] = [
  ['ADMIN', ROLE_ADMINISTRATOR],
  ['GROUP_ADMIN', ROLE_GROUP_ADMIN],
];

/** Roles that nobody is given: the server alone knows who has them. */
export const computedRoles: readonly string[] = [ROLE_ANONYMOUS, ROLE_AUTHENTICATED];

/** Roles that are always there. */
export const permanentRoles: readonly string[] = roleAliases.flat();

/** What the server calls its own roles, as opposed to the role service. */
export const systemRoles: readonly string[] = [...computedRoles, ...roleAliases.map(([, system]) => system)];
