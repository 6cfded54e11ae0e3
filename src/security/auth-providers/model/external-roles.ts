/** Maps what an identity provider or a proxy states about a user to roles and a valid user name. */
import { ROLE_AUTHENTICATED } from '../../../lib/identity/principal.ts';
import type { CatalogReader } from '../../../records/catalog.ts';
import { resolveRoles } from '../../roles/resolve-roles.ts';
import { computedRoles, permanentRoles, roleAliases } from '../../roles/role.ts';
import type { ProviderSettings } from './auth-provider.ts';

export type RoleSettings = Pick<ProviderSettings, 'roleMapping' | 'unmappedRoles' | 'defaultRoles' | 'useLocalRoles'>;

/** Rules compare all roles of a user in every request. */
const MAX_ROLES = 500;
/** Longer names come from programs, not from administrators. */
const MAX_ROLE_LENGTH = 256;
/** Names appear in the history and in logs. */
const MAX_USER_NAME_LENGTH = 256;

export function isUserName(name: unknown): name is string {
  return typeof name === 'string' && name.length >= 1 && name.length <= MAX_USER_NAME_LENGTH && !/\p{Cc}/u.test(name);
}

/** Returns whether there are few enough roles of a valid length. */
export function areRoles(roles: readonly string[]): boolean {
  return roles.length <= MAX_ROLES && roles.every((role) => role.length <= MAX_ROLE_LENGTH);
}

/** Only the mapping assigns administrator roles: a name that an outsider chooses never does. */
export async function resolveExternalRoles(
  catalog: CatalogReader,
  { roleMapping = {}, unmappedRoles, defaultRoles = [], useLocalRoles }: RoleSettings,
  user: string,
  stated: readonly string[],
): Promise<ReadonlySet<string>> {
  const mapped = stated.flatMap((value) => (Object.hasOwn(roleMapping, value) ? (roleMapping[value] ?? []) : []));
  const kept =
    unmappedRoles === 'keep'
      ? stated.filter((value) => value !== '' && !Object.hasOwn(roleMapping, value) && !isReservedRole(value))
      : [];
  const namesake = useLocalRoles === true ? [...(await resolveRoles(catalog, { user, groups: [] }))] : [];
  const local = namesake.filter((role) => !isAdministratorRole(role));
  const roles = new Set([ROLE_AUTHENTICATED, ...mapped, ...kept, ...defaultRoles, ...local]);
  for (const [own, system] of roleAliases) {
    if (roles.has(own) || roles.has(system)) roles.add(own).add(system);
  }
  return roles;
}

function isReservedRole(role: string): boolean {
  return isAdministratorRole(role) || computedRoles.includes(role);
}

export function isAdministratorRole(role: string): boolean {
  return permanentRoles.includes(role);
}
