/** Names of users, groups and roles that the translations of accounts and rules share. */

/** The roles that every server has. */
export const systemRoles: ReadonlySet<string> = new Set([
  'ADMIN',
  'GROUP_ADMIN',
  'ROLE_ADMINISTRATOR',
  'ROLE_GROUP_ADMIN',
  'ROLE_AUTHENTICATED',
  'ROLE_ANONYMOUS',
]);

/** Users that are not imported: one is built in, the other only exists in the old server. */
export const builtInUsers: ReadonlySet<string> = new Set(['admin', 'root']);

export class AccountNames {
  /** The names on the target, by the names of the source. */
  readonly roles = new Map<string, string>();
  /** The services that are part of the archive. */
  readonly services = new Set<string>(['default']);

  /** The role on the target; rules can name roles that no service has. */
  getRole(name: string): string {
    return this.roles.get(name) ?? name;
  }

  isKnownRole(name: string): boolean {
    return name === '*' || this.roles.has(name) || systemRoles.has(name);
  }
}
