/** Verifies credentials: against the built-in administrator first, then against the active providers in their order. */
import type { Principal } from '../lib/identity/principal.ts';
import { revealSecret, type Secret } from '../lib/identity/secret.ts';
import type { CatalogReader } from '../records/catalog.ts';
import { listActiveProviders, openBindPassword } from './auth-providers/auth-providers.ts';
import { toRoles } from './auth-providers/ldap/ldap-groups.ts';
import { authenticateWithDirectory, testDirectory } from './auth-providers/ldap/ldap-login.ts';
import { type Directories, DirectoryUnavailable } from './auth-providers/ldap/ldap-session.ts';
import type { AuthProvider } from './auth-providers/model/auth-provider.ts';
import { getProviderMethod } from './auth-providers/model/provider-classes.ts';
import { normalizeAccountName } from './core/account-names.ts';
import { ADMINISTRATOR, findAdministrator } from './core/administrator.ts';
import { isImportedDigest } from './core/imported-digest.ts';
import { verifyPassword } from './core/passwords.ts';
import type { Security } from './core/security.ts';
import { createWarnOnce, type WarnOnce } from './core/warn-once.ts';
import { administratorPrincipal } from './roles/administrator-principal.ts';
import { addRoleAliases, resolveRoles } from './roles/resolve-roles.ts';
import { resolveGroupNames } from './users/groups.ts';
import { type User, userKind } from './users/user.ts';
import { DEFAULT_SERVICE, type UserGroupService, userGroupServiceKind } from './users/user-group-service.ts';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface AuthenticatedPrincipal {
  readonly principal: Principal;
  /** Whether only records of this server were used: a directory can change without notice. */
  readonly isOurs: boolean;
}

/**
 * `refused`: a provider rejects the credentials, or no provider knows the user. `unanswered`: no provider knows the
 * user, and at least one provider did not respond.
 */
export type AuthenticationResult = AuthenticatedPrincipal | 'refused' | 'unanswered';

export type Authenticate = (credentials: Credentials) => Promise<AuthenticationResult>;

/** The result of one provider; `unknown`: it has no such user. */
type ProviderResult = AuthenticationResult | 'unknown';

export interface AuthenticateOptions {
  readonly directories: Directories;
  /** A hash that matches no password, verified for unknown users so that their requests take as long as others. */
  readonly decoyHash: Secret;
}

type AuthenticationContext = Security & AuthenticateOptions & { readonly warnOnce: WarnOnce };

export function createAuthenticate(security: Security, options: AuthenticateOptions): Authenticate {
  const asking: AuthenticationContext = { ...security, ...options, warnOnce: createWarnOnce(security.warn) };
  return async (credentials) => {
    const answers = new Set<ProviderResult>();
    if (security.builtinAdmin && credentials.user === ADMINISTRATOR) {
      if (await isAdministratorLogin(asking, credentials)) {
        return { principal: administratorPrincipal, isOurs: true };
      }
      answers.add('refused');
    }
    const providers = (await listActiveProviders(security.catalog)).filter(checksPasswords);
    for (const provider of providers) {
      const answer = await authenticateWithProvider(asking, provider, credentials);
      if (typeof answer === 'object') {
        return answer;
      }
      answers.add(answer);
    }
    if (providers.length === 0) {
      // Without this, the response time would reveal that the server has no providers.
      await verifyPassword(options.decoyHash, credentials.password);
    }
    // A wrong password for a local account counts as a failure even while a directory does not respond.
    return answers.has('unanswered') && !answers.has('refused') ? 'unanswered' : 'refused';
  };
}

/** Verifies credentials with one provider, stored or not. */
export function createProviderCheck(security: Security, options: AuthenticateOptions) {
  const asking: AuthenticationContext = { ...security, ...options, warnOnce: createWarnOnce(security.warn) };
  return (provider: AuthProvider, credentials: Credentials) => authenticateWithProvider(asking, provider, credentials);
}

/** The result of a connection to a directory without credentials of a user. */
export type DirectoryTestResult =
  | { readonly isReached: true; readonly accepts: boolean }
  | { readonly isReached: false; readonly reason: string };

/** Connects to the directory of a provider, stored or not, with the account that the provider has for searches. */
export function createDirectoryTest(security: Security, { directories }: Pick<AuthenticateOptions, 'directories'>) {
  return async ({ settings, sealedPassword }: AuthProvider): Promise<DirectoryTestResult> => {
    const password = sealedPassword === null ? undefined : openBindPassword(security, sealedPassword);
    try {
      const opened = { ...settings, ...(password === undefined ? {} : { password }) };
      return { isReached: true, accepts: await testDirectory(opened, directories) };
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable)) throw error;
      return { isReached: false, reason: error.message };
    }
  };
}

function checksPasswords({ className }: AuthProvider): boolean {
  const method = getProviderMethod(className);
  return method === 'password' || method === 'ldap';
}

async function isAdministratorLogin(asking: AuthenticationContext, credentials: Credentials): Promise<boolean> {
  const administrator = await findAdministrator(asking.catalog);
  return verifyPassword(administrator?.passwordHash ?? asking.decoyHash, credentials.password);
}

function authenticateWithProvider(
  asking: AuthenticationContext,
  provider: AuthProvider,
  credentials: Credentials,
): Promise<ProviderResult> {
  switch (getProviderMethod(provider.className)) {
    case 'password':
      return authenticateWithPassword(asking, provider, credentials);
    case 'ldap':
      return authenticateWithLdap(asking, provider, credentials);
    case 'oidc':
    case 'header':
      return Promise.resolve('unknown');
  }
}

async function authenticateWithPassword(
  asking: AuthenticationContext,
  provider: AuthProvider,
  credentials: Credentials,
): Promise<ProviderResult> {
  const service = await findProviderService(
    asking,
    provider,
    provider.settings.userGroupServiceName || DEFAULT_SERVICE,
  );
  if (service === undefined) {
    return 'unknown';
  }
  const found = await authenticateWithService(asking, service, credentials);
  if (typeof found === 'string') {
    return found;
  }
  const { user, groups } = found;
  const roles = await resolveRoles(asking.catalog, { user: user.name, groups });
  const account = { kind: 'user', id: user.id } as const;
  return { principal: { name: user.name, roles, account, via: { method: 'basic' } }, isOurs: true };
}

async function authenticateWithLdap(
  asking: AuthenticationContext,
  provider: AuthProvider,
  credentials: Credentials,
): Promise<ProviderResult> {
  const { settings, sealedPassword } = provider;
  const password = sealedPassword === null ? undefined : openBindPassword(asking, sealedPassword);
  const subject = `directory ${provider.id} ${provider.version}`;
  if (sealedPassword !== null && password === undefined) {
    asking.warnOnce.warn(subject, 'the bind password of a directory cannot be decrypted; set it again', {
      provider: provider.name,
    });
    return 'unanswered';
  }
  let groups: readonly string[] | undefined;
  try {
    groups = await authenticateWithDirectory(
      { ...settings, ...(password === undefined ? {} : { password }) },
      credentials,
      asking.directories,
    );
  } catch (error) {
    if (!(error instanceof DirectoryUnavailable)) {
      throw error;
    }
    asking.warnOnce.warn(subject, 'a directory could not be queried; trying the next provider', {
      provider: provider.name,
      server: settings.serverURL,
      reason: error.message,
    });
    return 'unanswered';
  }
  asking.warnOnce.clear(subject);
  if (groups === undefined) {
    return 'refused';
  }
  const { user } = credentials;
  const local = await findLocalGroups(asking, provider, user);
  if (local === 'disabled') {
    return 'refused';
  }
  const assigned = await resolveRoles(asking.catalog, { user, groups: [...groups, ...local] });
  const roles = addRoleAliases([...assigned, ...toRoles(groups, settings)]);
  const account = { kind: 'directory', providerId: provider.id } as const;
  const via = { method: 'ldap', provider: provider.name } as const;
  return { principal: { name: user, roles, account, via }, isOurs: false };
}

/** Returns the local groups of a user whose password is in a directory, if the provider names a service. */
async function findLocalGroups(
  asking: AuthenticationContext,
  provider: AuthProvider,
  userName: string,
): Promise<readonly string[] | 'disabled'> {
  const name = provider.settings.userGroupServiceName;
  const service = name ? await findProviderService(asking, provider, name) : undefined;
  if (service === undefined) {
    return [];
  }
  const user = await asking.catalog.find(userKind, service.id, userName);
  if (user !== undefined) {
    return user.enabled ? resolveGroupNames(asking.catalog, user) : 'disabled';
  }
  // A disabled user must not log in with another spelling of the name.
  const folded = normalizeAccountName(userName);
  const isBarred = (await asking.catalog.list(userKind, service.id)).some(
    (each) => !each.enabled && normalizeAccountName(each.name) === folded,
  );
  return isBarred ? 'disabled' : [];
}

/** Returns the user/group service that a provider names; logs one warning if it does not exist. */
async function findProviderService(
  asking: { readonly catalog: CatalogReader; readonly warnOnce: WarnOnce },
  provider: AuthProvider,
  name: string,
): Promise<UserGroupService | undefined> {
  const service = await asking.catalog.find(userGroupServiceKind, null, name);
  const subject = `service of ${provider.id}`;
  if (service === undefined) {
    asking.warnOnce.warn(subject, 'an authentication provider uses a user/group service that does not exist', {
      provider: provider.name,
      service: name,
    });
  } else {
    asking.warnOnce.clear(subject);
  }
  return service;
}

async function verifyUserPassword(
  { decoyHash, importedDigests }: AuthenticationContext,
  user: User | undefined,
  password: string,
): Promise<boolean> {
  const stored = user?.passwordHash ?? decoyHash;
  return user !== undefined && isImportedDigest(revealSecret(stored))
    ? ((await importedDigests?.verify(user.id, stored, password)) ?? false)
    : verifyPassword(stored, password);
}

/** Verifies a user with a local service: returns the user and the names of the groups, or the reason for refusal. */
async function authenticateWithService(
  asking: AuthenticationContext,
  service: UserGroupService,
  credentials: { readonly user: string; readonly password: string },
): Promise<{ readonly user: User; readonly groups: readonly string[] } | 'refused' | 'unknown'> {
  const { catalog } = asking;
  const user = await catalog.find(userKind, service.id, credentials.user);
  // Unknown users, users without a password and disabled users take as long as the others.
  const isRight = await verifyUserPassword(asking, user, credentials.password);
  // A user without a local password is authenticated by a directory, so this service does not know the password.
  if (user === undefined || user.passwordHash === null) {
    return 'unknown';
  }
  if (!user.enabled || !isRight) {
    return 'refused';
  }
  return { user, groups: await resolveGroupNames(catalog, user) };
}
