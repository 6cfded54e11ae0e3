/** The roles that the server knows without an administrator, and the text of roles in rules. */

export const EVERYONE = '*';
export const ADMINISTRATOR = 'ROLE_ADMINISTRATOR';
/** The name of the same role in rules of older servers. */
export const ADMINISTRATOR_ALIAS = 'ADMIN';
export const SIGNED_IN = 'ROLE_AUTHENTICATED';
export const ANONYMOUS = 'ROLE_ANONYMOUS';

/** Not offered: other names, and a role that access to data does not depend on. */
const uncommon = [ADMINISTRATOR_ALIAS, 'GROUP_ADMIN', 'ROLE_GROUP_ADMIN'];
const computed = [ADMINISTRATOR, SIGNED_IN, ANONYMOUS];

export function isComputedRole(role: string): boolean {
  return computed.includes(role) || uncommon.includes(role);
}

export function parseRoles(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').filter((role) => role !== '');
}
