/** Asks a directory whether a user and a password belong together, and which groups the user is in. */
import type { ProviderSettings } from '../model/auth-provider.ts';
import { listLdapGroups } from './ldap-groups.ts';
import { parseServerUrl } from './ldap-server.ts';
import { type Directories, DirectoryUnavailable, type LdapSession } from './ldap-session.ts';
import { appendBase, escapeDnValue, escapeFilterValue, fillTemplate } from './ldap-template.ts';

export interface LdapCredentials {
  readonly user: string;
  readonly password: string;
}

/** The settings of a provider with its bind password opened. */
export interface DecryptedSettings extends ProviderSettings {
  readonly password?: string;
}

/** Longer names are no names, and would only burden the directory. */
const MAX_USER_LENGTH = 256;

/**
 * The names of the user's groups; undefined when the directory does not vouch for them. Throws `DirectoryUnavailable`
 * when it cannot be asked.
 */
export async function authenticateWithDirectory(
  settings: DecryptedSettings,
  { user, password }: LdapCredentials,
  directories: Directories,
): Promise<readonly string[] | undefined> {
  const server = parseServerUrl(settings.serverURL ?? '');
  // Directories ignore spaces around a name; to us it would be another user. An empty password binds as nobody.
  const isUsable = user === user.trim() && user !== '' && user.length <= MAX_USER_LENGTH && !/\p{Cc}/u.test(user);
  if (server === undefined || !isUsable || password === '') {
    return undefined;
  }
  return directories.withSession(server, { startTls: settings.useTLS ?? false }, async (session) => {
    const dn = await bindAsUser(session, settings, server.base, { user, password });
    if (dn === undefined) {
      return undefined;
    }
    if (!(settings.bindBeforeGroupSearch ?? false) && settings.user) {
      await bindForSearch(session, settings);
    }
    return listLdapGroups(session, settings, server.base, { dn, name: user });
  });
}

/** The name of the user's entry, once the directory has taken the password for it. */
async function bindAsUser(
  session: LdapSession,
  settings: DecryptedSettings,
  base: string,
  { user, password }: LdapCredentials,
): Promise<string | undefined> {
  if (settings.userDnPattern) {
    const dn = appendBase(fillTemplate(settings.userDnPattern, [user, user], escapeDnValue), base);
    return (await session.bind(dn, password)) ? dn : undefined;
  }
  if (settings.userFormat) {
    // A login name such as `ann@acme.org` that the directory itself understands, or a whole name with the user in it.
    const isDn = settings.userFormat.includes('=');
    const login = fillTemplate(settings.userFormat, [user, user], isDn ? escapeDnValue : (value) => value);
    if (!(await session.bind(login, password))) {
      return undefined;
    }
    return settings.userFilter ? findSingleEntry(session, settings.userFilter, base, [login, user]) : login;
  }
  if (settings.userFilter) {
    if (settings.user) {
      await bindForSearch(session, settings);
    }
    const dn = await findSingleEntry(session, settings.userFilter, base, [user, user]);
    return dn !== undefined && (await session.bind(dn, password)) ? dn : undefined;
  }
  return undefined;
}

/** Two entries for one user prove nothing. */
async function findSingleEntry(
  session: LdapSession,
  filter: string,
  base: string,
  values: readonly [string, string],
): Promise<string | undefined> {
  const [entry, ...others] = await session.search(base, fillTemplate(filter, values, escapeFilterValue));
  return others.length === 0 ? entry?.dn : undefined;
}

async function bindForSearch(session: LdapSession, settings: DecryptedSettings): Promise<void> {
  if (!(await session.bind(settings.user ?? '', settings.password ?? ''))) {
    throw new DirectoryUnavailable('it refuses the user to search as');
  }
}
