/** Builds the principal of a token: the current permissions of its user, narrowed by its scopes. */
import { hash } from 'node:crypto';
import {
  isAdministrator,
  type Principal,
  type PrincipalToken,
  type TokenScopes,
} from '../../lib/identity/principal.ts';
import { revealSecret, type Secret, toSecret } from '../../lib/identity/secret.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { listActiveProviders } from '../auth-providers/auth-providers.ts';
import { getProviderMethod } from '../auth-providers/model/provider-classes.ts';
import { findAdministrator } from '../core/administrator.ts';
import { administratorPrincipal } from '../roles/administrator-principal.ts';
import { resolveRoles } from '../roles/resolve-roles.ts';
import { permanentRoles } from '../roles/role.ts';
import type { ApiToken, TokenAccount } from '../token-records/token.ts';
import { resolveGroupNames } from '../users/groups.ts';
import { userKind } from '../users/user.ts';
import { DEFAULT_SERVICE, userGroupServiceKind } from '../users/user-group-service.ts';

interface AccountReader {
  readonly catalog: CatalogReader;
  readonly builtinAdmin: boolean;
}

/** An account with its current permissions. */
export interface CurrentAccount {
  readonly principal: Principal;
  /** Undefined for accounts without a password on this server. */
  readonly passwordHash: Secret | null | undefined;
}

/** Returns the principal, or the reason why the token is invalid at present. */
export async function resolveTokenPrincipal(reader: AccountReader, token: ApiToken): Promise<Principal | string> {
  const current = await findCurrentAccount(reader, token.user, token.account);
  if (typeof current === 'string') {
    return current;
  }
  const { principal, passwordHash } = current;
  if (token.passwordDigest !== null && revealSecret(token.passwordDigest) !== digestPassword(passwordHash)) {
    return 'the password of its user was changed';
  }
  return narrowPrincipal(principal, { id: token.name, name: token.label, scopes: token.scopes }, token.expiresAtMs);
}

/** Identifies a password without revealing its hash. */
export function createPasswordDigest(passwordHash: Secret | null | undefined): Secret | null {
  return passwordHash == null ? null : toSecret(digestPassword(passwordHash));
}

function digestPassword(passwordHash: Secret | null | undefined): string {
  return passwordHash == null ? '' : hash('sha256', revealSecret(passwordHash), 'hex');
}

/** Returns the account as its user would sign in now, or the reason why the user cannot. */
export async function findCurrentAccount(
  reader: AccountReader,
  name: string,
  account: TokenAccount,
): Promise<CurrentAccount | string> {
  switch (account.kind) {
    case 'administrator':
      return findBuiltInAdministrator(reader);
    case 'user':
      return findLocalUser(reader.catalog, account.id);
    case 'directory': {
      const { providerId } = account;
      const isActive = (await listActiveProviders(reader.catalog)).some(({ id }) => id === providerId);
      const principal = {
        name,
        roles: new Set(account.roles),
        account: { kind: 'directory', providerId },
        claims: account.claims,
      } as const;
      return isActive ? { principal, passwordHash: undefined } : 'the authentication provider of its user is disabled';
    }
  }
}

async function findBuiltInAdministrator({ catalog, builtinAdmin }: AccountReader): Promise<CurrentAccount | string> {
  const administrator = builtinAdmin ? await findAdministrator(catalog) : undefined;
  return administrator === undefined
    ? 'the built-in administrator is disabled'
    : { principal: administratorPrincipal, passwordHash: administrator.passwordHash };
}

async function findLocalUser(catalog: CatalogReader, id: string): Promise<CurrentAccount | string> {
  const user = await catalog.get(userKind, id);
  if (user === undefined) {
    return 'its user does not exist';
  }
  if (!user.enabled) {
    return 'its user is disabled';
  }
  const service = user.parent === null ? undefined : await catalog.get(userGroupServiceKind, user.parent);
  const isActive = (await listActiveProviders(catalog)).some(
    ({ className, settings }) =>
      getProviderMethod(className) === 'password' &&
      (settings.userGroupServiceName || DEFAULT_SERVICE) === service?.name,
  );
  if (!isActive) {
    return 'the authentication provider of its user is disabled';
  }
  const roles = await resolveRoles(catalog, { user: user.name, groups: await resolveGroupNames(catalog, user) });
  return { principal: { name: user.name, roles, account: { kind: 'user', id } }, passwordHash: user.passwordHash };
}

/** Scopes never add permissions. */
function narrowPrincipal(
  principal: Principal,
  token: Omit<PrincipalToken, 'administersWorkspaces'>,
  expiresAtMs: number | null,
): Principal {
  const { admin, workspaces } = token.scopes;
  const administersWorkspaces = admin && workspaces !== null && isAdministrator(principal);
  return {
    ...principal,
    roles: admin && !administersWorkspaces ? principal.roles : removeAdministrativeRoles(principal.roles),
    via: { method: 'token', token: token.id },
    token: { ...token, administersWorkspaces },
    ...(expiresAtMs === null ? {} : { expiresAtMs }),
  };
}

export function hasAdministrativeRole({ roles }: Principal): boolean {
  return permanentRoles.some((role) => roles.has(role));
}

function removeAdministrativeRoles(roles: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...roles].filter((role) => !permanentRoles.includes(role)));
}

/** The scopes of a token without any: it can only read. */
export const defaultScopes: TokenScopes = { readOnly: true, admin: false, workspaces: null, services: null };
