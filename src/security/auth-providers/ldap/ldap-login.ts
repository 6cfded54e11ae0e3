/** Verifies a user name and password against a directory, and returns the user's groups. */
import type { ProviderSettings } from '../model/auth-provider.ts';
import { listLdapGroups } from './ldap-groups.ts';
import { parseServerUrl } from './ldap-server.ts';
import { type Directories, DirectoryUnavailable, type LdapSession } from './ldap-session.ts';
import { appendBase, escapeDnValue, escapeFilterValue, fillTemplate } from './ldap-template.ts';

export interface LdapCredentials {
  readonly user: string;
  readonly password: string;
}

/** The settings of a provider with its bind password decrypted. */
export interface DecryptedSettings extends ProviderSettings {
  readonly password?: string;
}

/** Real names are shorter; longer ones would only put load on the directory. */
const MAX_USER_LENGTH = 256;

/**
 * Returns the names of the user's groups, or undefined if the directory rejects the credentials. Throws
 * `DirectoryUnavailable` if the directory does not respond.
 */
export async function authenticateWithDirectory(
  settings: DecryptedSettings,
  { user, password }: LdapCredentials,
  directories: Directories,
): Promise<readonly string[] | undefined> {
  const server = parseServerUrl(settings.serverURL ?? '');
  // Directories ignore spaces around a name, but to this server it would be another user. An empty password would
  // result in an anonymous bind.
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

/**
 * Connects to a directory and binds with the configured account, without credentials of a user. Returns whether the
 * directory accepts the account. Throws `DirectoryUnavailable` if the directory does not respond.
 */
export function testDirectory(settings: DecryptedSettings, directories: Directories): Promise<boolean> {
  const server = parseServerUrl(settings.serverURL ?? '');
  if (server === undefined) throw new DirectoryUnavailable('the provider has no serverURL');
  return directories.withSession(server, { startTls: settings.useTLS ?? false }, async (session) => {
    await session.ping();
    return settings.user ? session.bind(settings.user, settings.password ?? '') : true;
  });
}

/** Returns the DN of the user's entry after a successful bind. */
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
    // The format yields a login name such as `ann@acme.org` that the directory understands, or a complete DN.
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

/** Returns undefined for several entries, since the match is ambiguous. */
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
    throw new DirectoryUnavailable('it rejects the bind credentials');
  }
}
