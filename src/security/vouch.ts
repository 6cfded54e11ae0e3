/** Who vouches for credentials: the built-in administrator first, then the active providers in their order. */
import { type Principal, ROLE_AUTHENTICATED } from '../lib/principal.ts';
import type { Secret } from '../lib/secret.ts';
import type { CatalogReader } from '../records/catalog.ts';
import { ADMINISTRATOR, findAdministrator } from './administrator.ts';
import type { AuthProvider } from './auth-providers/auth-provider.ts';
import { activeProviders, opened } from './auth-providers/auth-providers.ts';
import { rolesOfGroups } from './auth-providers/ldap/ldap-groups.ts';
import { askDirectory } from './auth-providers/ldap/ldap-login.ts';
import { DirectoryUnavailable, type LdapOptions } from './auth-providers/ldap/ldap-session.ts';
import { methodOf } from './auth-providers/provider-classes.ts';
import { verifyPassword } from './passwords.ts';
import { roleAliases } from './roles/role.ts';
import { rolesOf } from './roles/roles-of.ts';
import type { Security } from './security.ts';
import { groupNamesOf } from './users/groups.ts';
import { type User, userKind } from './users/user.ts';
import { DEFAULT_SERVICE, type UserGroupService, userGroupServiceKind } from './users/user-group-service.ts';
import { createWarnOnce, type WarnOnce } from './warn-once.ts';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface Vouched {
  readonly principal: Principal;
  /** Whether our own records alone decided: what a directory says can change without our knowing. */
  readonly isOurs: boolean;
}

/** Undefined when nobody vouches. */
export type Vouch = (credentials: Credentials) => Promise<Vouched | undefined>;

export interface VouchOptions {
  readonly ldap: LdapOptions;
  /** A hash of a password nobody has, verified for unknown users so that they take as long as known ones. */
  readonly decoyHash: Secret;
}

const administratorPrincipal: Principal = {
  name: ADMINISTRATOR,
  roles: new Set([ROLE_AUTHENTICATED, ...roleAliases.flat()]),
  account: { kind: 'administrator' },
};

type Asking = Security & VouchOptions & { readonly warnOnce: WarnOnce };

export function createVouch(security: Security, options: VouchOptions): Vouch {
  const asking: Asking = { ...security, ...options, warnOnce: createWarnOnce(security.warn) };
  return async (credentials) => {
    if (security.builtinAdmin && credentials.user === ADMINISTRATOR && (await isAdministrator(asking, credentials))) {
      return { principal: administratorPrincipal, isOurs: true };
    }
    const providers = await activeProviders(security.catalog);
    for (const provider of providers) {
      const vouched = await askProvider(asking, provider, credentials);
      if (vouched !== undefined) {
        return vouched;
      }
    }
    if (providers.length === 0) {
      // A server without providers must not tell by its speed that it has none.
      await verifyPassword(options.decoyHash, credentials.password);
    }
    return undefined;
  };
}

async function isAdministrator(asking: Asking, credentials: Credentials): Promise<boolean> {
  const administrator = await findAdministrator(asking.catalog);
  return verifyPassword(administrator?.passwordHash ?? asking.decoyHash, credentials.password);
}

function askProvider(asking: Asking, provider: AuthProvider, credentials: Credentials): Promise<Vouched | undefined> {
  switch (methodOf(provider.className)) {
    case 'password':
      return askPasswordProvider(asking, provider, credentials);
    case 'ldap':
      return askLdapProvider(asking, provider, credentials);
  }
}

async function askPasswordProvider(
  asking: Asking,
  provider: AuthProvider,
  credentials: Credentials,
): Promise<Vouched | undefined> {
  const service = await serviceOf(asking, provider, provider.settings.userGroupServiceName || DEFAULT_SERVICE);
  if (service === undefined) {
    return undefined;
  }
  const found = await askService(asking.catalog, service, credentials, asking.decoyHash);
  if (found === undefined) {
    return undefined;
  }
  const { user, groups } = found;
  const roles = await rolesOf(asking.catalog, { user: user.name, groups });
  return { principal: { name: user.name, roles, account: { kind: 'user', id: user.id } }, isOurs: true };
}

async function askLdapProvider(
  asking: Asking,
  provider: AuthProvider,
  credentials: Credentials,
): Promise<Vouched | undefined> {
  const { settings, sealedPassword } = provider;
  const password = sealedPassword === null ? undefined : opened(asking, sealedPassword);
  const subject = `directory ${provider.id} ${provider.version}`;
  if (sealedPassword !== null && password === undefined) {
    asking.warnOnce.trouble(subject, 'the password to search a directory with cannot be opened; set it again', {
      provider: provider.name,
    });
    return undefined;
  }
  let groups: readonly string[] | undefined;
  try {
    groups = await askDirectory(
      { ...settings, ...(password === undefined ? {} : { password }) },
      credentials,
      asking.ldap,
    );
  } catch (error) {
    if (!(error instanceof DirectoryUnavailable)) {
      throw error;
    }
    asking.warnOnce.trouble(subject, 'a directory could not be asked; the next provider is', {
      provider: provider.name,
      server: settings.serverURL,
      reason: error.message,
    });
    return undefined;
  }
  asking.warnOnce.over(subject);
  if (groups === undefined) {
    return undefined;
  }
  const { user } = credentials;
  const local = await localMembership(asking, provider, user);
  if (local === 'disabled') {
    return undefined;
  }
  const assigned = await rolesOf(asking.catalog, { user, groups: [...groups, ...local] });
  const roles = new Set([...assigned, ...rolesOfGroups(groups, settings)]);
  return { principal: { name: user, roles, account: { kind: 'directory', provider: provider.name } }, isOurs: false };
}

/** What our own service says of a user whose password is kept in a directory, where the provider names a service. */
async function localMembership(
  asking: Asking,
  provider: AuthProvider,
  userName: string,
): Promise<readonly string[] | 'disabled'> {
  const name = provider.settings.userGroupServiceName;
  const service = name ? await serviceOf(asking, provider, name) : undefined;
  if (service === undefined) {
    return [];
  }
  const user = await asking.catalog.find(userKind, service.id, userName);
  if (user !== undefined) {
    return user.enabled ? groupNamesOf(asking.catalog, user) : 'disabled';
  }
  const isBarred = (await asking.catalog.list(userKind, service.id)).some(
    (each) => !each.enabled && isSameToDirectories(each.name, userName),
  );
  return isBarred ? 'disabled' : [];
}

/** Directories take `ANN` for `ann`: whoever is disabled must not get in by another spelling of the name. */
function isSameToDirectories(one: string, other: string): boolean {
  return asDirectoriesRead(one) === asDirectoriesRead(other);
}

function asDirectoriesRead(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .toLowerCase();
}

/** The user/group service a provider names; whoever names one that is not there is told so once. */
async function serviceOf(
  asking: { readonly catalog: CatalogReader; readonly warnOnce: WarnOnce },
  provider: AuthProvider,
  name: string,
): Promise<UserGroupService | undefined> {
  const service = await asking.catalog.find(userGroupServiceKind, null, name);
  const subject = `service of ${provider.id}`;
  if (service === undefined) {
    asking.warnOnce.trouble(subject, 'an authentication provider asks a user/group service that does not exist', {
      provider: provider.name,
      service: name,
    });
  } else {
    asking.warnOnce.over(subject);
  }
  return service;
}

/** Asks one of our own services: the user and the names of the user's groups; undefined when it does not vouch for them. */
async function askService(
  catalog: CatalogReader,
  service: UserGroupService,
  credentials: { readonly user: string; readonly password: string },
  decoyHash: Secret,
): Promise<{ readonly user: User; readonly groups: readonly string[] } | undefined> {
  const user = await catalog.find(userKind, service.id, credentials.user);
  // Unknown users, those without a password and disabled ones take as long as the others.
  const isRight = await verifyPassword(user?.passwordHash ?? decoyHash, credentials.password);
  if (user === undefined || user.passwordHash === null || !user.enabled || !isRight) {
    return undefined;
  }
  return { user, groups: await groupNamesOf(catalog, user) };
}
