/** Finds the groups of a user in a directory, including groups of groups, and maps them to roles. */
import { ROLE_ADMINISTRATOR, ROLE_GROUP_ADMIN } from '../../../lib/identity/principal.ts';
import { computedRoles } from '../../roles/role.ts';
import type { ProviderSettings } from '../model/auth-provider.ts';
import type { LdapSession } from './ldap-session.ts';
import { appendBase, escapeFilterValue, fillTemplate } from './ldap-template.ts';

const DEFAULT_FILTER = '(member={0})';
const DEFAULT_LEVELS = 10;
const DEFAULT_PREFIX = 'ROLE_';

/** Nested groups can form an endless hierarchy; no real user is in more groups than this. */
const MAX_GROUPS = 1_000;

interface Member {
  readonly dn: string;
  readonly name: string;
}

/** Returns the names of the groups, without duplicates, in the order in which they were found. */
export async function listLdapGroups(
  session: LdapSession,
  settings: ProviderSettings,
  base: string,
  member: Member,
): Promise<readonly string[]> {
  if (settings.groupSearchBase === undefined && settings.groupSearchFilter === undefined) {
    return [];
  }
  const searchBase = appendBase(settings.groupSearchBase ?? '', base);
  const found = new Map<string, Member>();

  async function addMemberGroups({ dn, name }: Member, filter: string): Promise<readonly Member[]> {
    const entries = await session.search(searchBase, fillTemplate(filter, [dn, name], escapeFilterValue));
    const fresh = entries
      .map((entry) => ({ dn: entry.dn, name: entry.cn[0] ?? '' }))
      .filter((group) => group.name !== '' && !found.has(group.dn.toLowerCase()));
    for (const group of fresh.slice(0, MAX_GROUPS - found.size)) {
      found.set(group.dn.toLowerCase(), group);
    }
    return fresh;
  }

  let level = await addMemberGroups(member, settings.groupSearchFilter || DEFAULT_FILTER);
  if (settings.useNestedParentGroups ?? false) {
    const filter = settings.nestedGroupSearchFilter || DEFAULT_FILTER;
    const levels = settings.maxGroupSearchLevel ?? DEFAULT_LEVELS;
    for (let depth = 1; depth < levels && level.length > 0 && found.size < MAX_GROUPS; depth += 1) {
      const above: Member[] = [];
      for (const group of level) {
        above.push(...(await addMemberGroups(group, filter)));
      }
      level = above;
    }
  }
  return [...new Set([...found.values()].map((group) => group.name))];
}

export function toRoles(groups: readonly string[], settings: ProviderSettings): readonly string[] {
  const prefix = settings.rolePrefix ?? DEFAULT_PREFIX;
  const formatRoleName = (name: string) => ((settings.convertToUpperCase ?? true) ? name.toUpperCase() : name);
  const isMember = (group: string | undefined) =>
    (group ?? '') !== '' && groups.some((each) => each.toLowerCase() === group?.toLowerCase());
  return [
    // A group named `anonymous` must not make its members anonymous.
    ...groups.map((name) => `${prefix}${formatRoleName(name)}`).filter((role) => !computedRoles.includes(role)),
    ...(isMember(settings.adminGroup) ? [ROLE_ADMINISTRATOR] : []),
    ...(isMember(settings.groupAdminGroup) ? [ROLE_GROUP_ADMIN] : []),
  ];
}
