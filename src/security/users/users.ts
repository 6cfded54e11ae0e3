/** Manages users; the built-in administrator is listed among those of the default service. */

import type { Principal } from '../../lib/identity/principal.ts';
import { type Secret, toSecret } from '../../lib/identity/secret.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { compareCodePoints } from '../../lib/text/code-point-order.ts';
import { type Page, selectPage } from '../../lib/text/page.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { checkOwnName } from '../core/account-names.ts';
import {
  ADMINISTRATOR,
  type Administrator,
  administratorKind,
  findAdministrator,
  replacePassword,
} from '../core/administrator.ts';
import { isImportedDigest } from '../core/imported-digest.ts';
import { hashPassword, isPasswordHash } from '../core/passwords.ts';
import type { Security } from '../core/security.ts';
import { changeSecurity } from '../core/security-state.ts';
import { removeTokensOfDeleted } from '../token-records/follow-changes.ts';
import { checkPassword } from './password-policy.ts';
import { revokeRolesOfDeleted } from './revoke-roles-of-deleted.ts';
import { type User, userKind } from './user.ts';
import { DEFAULT_SERVICE } from './user-group-service.ts';
import { findUserGroupService, userGroupServiceExists } from './user-group-services.ts';

/** The user fields that a client can set. */
export interface UserDraft {
  readonly userName?: string | null;
  readonly password?: string | null;
  readonly enabled?: boolean | null;
}

/** An entry of a user listing. */
export type ListedUser = User | Administrator;

/** Undefined for the default service. */
type ServiceName = string | undefined;

/** The dependencies for finding a user; within a change the catalog is the transaction. */
type UserFinder = Pick<Security, 'builtinAdmin'> & { readonly catalog: CatalogReader };

export async function listUsers(
  security: UserFinder,
  service: ServiceName,
  page: Page = {},
): Promise<readonly ListedUser[]> {
  const { id } = await findUserGroupService(security.catalog, service);
  const users: readonly ListedUser[] = await security.catalog.list(userKind, id, page);
  const administrator = await findListedAdministrator(security, service);
  if (administrator === undefined) {
    return users;
  }
  const all = [...users, administrator].toSorted((one, other) => compareCodePoints(one.name, other.name));
  return selectPage(all, ({ name }) => name, page);
}

export async function findUser(security: UserFinder, service: ServiceName, name: string): Promise<ListedUser> {
  const { id } = await findUserGroupService(security.catalog, service);
  const administrator = name === ADMINISTRATOR ? await findListedAdministrator(security, service) : undefined;
  const user = administrator ?? (await security.catalog.find(userKind, id, name));
  if (user === undefined) {
    throw problem('user-unknown', { name });
  }
  return user;
}

export async function userExists(security: UserFinder, service: ServiceName, name: string): Promise<boolean> {
  if (service !== undefined && !(await userGroupServiceExists(security.catalog, service))) {
    return false;
  }
  const { id } = await findUserGroupService(security.catalog, service);
  return name === ADMINISTRATOR || (await security.catalog.find(userKind, id, name)) !== undefined;
}

export async function createUser(
  security: Security,
  principal: Principal,
  service: ServiceName,
  draft: UserDraft,
): Promise<User> {
  const name = draft.userName ?? '';
  checkOwnName(name, 'user', 'user.userName');
  if (name === ADMINISTRATOR && !security.builtinAdmin) {
    const reason = 'it is reserved for the built-in administrator, which is disabled';
    throw problem('name-illegal', { what: 'user', name, reason, field: 'user.userName' });
  }
  const passwordHash = await hashUserPassword(draft.password);
  return changeSecurity(security.catalog, principal, `create user ${name}`, async (transaction) => {
    const { id } = await findUserGroupService(transaction, service);
    if (name === ADMINISTRATOR || (await transaction.find(userKind, id, name)) !== undefined) {
      throw problem('user-exists', { name });
    }
    return transaction.insert(userKind, {
      parent: id,
      name,
      enabled: draft.enabled ?? true,
      passwordHash: passwordHash ?? null,
      groups: [],
    });
  });
}

export interface UserLocator {
  readonly service: ServiceName;
  readonly name: string;
}

/** Changes the fields that are present. Responses show the password as null, so null means that none was sent. */
export async function changeUser(
  security: Security,
  principal: Principal,
  { service, name }: UserLocator,
  draft: UserDraft,
): Promise<void> {
  if ((draft.userName ?? name) !== name) {
    const complaint = { field: 'user.userName', message: `the name of the user '${name}' cannot change` };
    throw problem('document-invalid', { complaints: [complaint], field: complaint.field });
  }
  // Report an unknown user before computing the expensive hash.
  const { kind, id } = await findUser(security, service, name);
  const own = principal.account;
  const isOwn = own?.kind === 'user' ? own.id === id : own?.kind === kind;
  if (principal.token !== undefined && isOwn && draft.password != null) {
    throw problem('token-not-allowed', { what: 'change the password of its user' });
  }
  const passwordHash = await hashUserPassword(draft.password);
  await changeSecurity(security.catalog, principal, `change user ${name}`, async (transaction) => {
    const current = await findUser({ ...security, catalog: transaction }, service, name);
    if (current.kind === 'administrator') {
      if (draft.enabled === false) {
        throw problem('administrator-fixed', {
          what: 'disabled by a request. Start the server with --builtin-admin off',
        });
      }
      if (passwordHash !== undefined) {
        await transaction.update(administratorKind, replacePassword(current, passwordHash));
      }
      return;
    }
    await transaction.update(userKind, {
      ...current,
      enabled: draft.enabled ?? current.enabled,
      passwordHash: passwordHash ?? current.passwordHash,
    });
  });
}

export async function deleteUser(
  security: Security,
  principal: Principal,
  { service, name }: UserLocator,
  precondition: Precondition,
): Promise<void> {
  await changeSecurity(security.catalog, principal, `delete user ${name}`, async (transaction) => {
    const user = await findUser({ ...security, catalog: transaction }, service, name);
    checkPrecondition(precondition, user.version);
    const { id } = requireRegularUser(user, 'deleted');
    await transaction.removeDeep(id);
    await removeTokensOfDeleted(transaction, [{ id, name }]);
    await revokeRolesOfDeleted(transaction, [{ kind: 'user', name }]);
  });
}

export function requireRegularUser(user: ListedUser, what: string): User {
  if (user.kind === 'administrator') {
    throw problem('administrator-fixed', { what });
  }
  return user;
}

function findListedAdministrator(security: UserFinder, service: ServiceName): Promise<Administrator | undefined> {
  const isListed = security.builtinAdmin && (service ?? DEFAULT_SERVICE) === DEFAULT_SERVICE;
  return isListed ? findAdministrator(security.catalog) : Promise.resolve(undefined);
}

async function hashUserPassword(password: string | null | undefined): Promise<Secret | undefined> {
  if (password === undefined || password === null) {
    return undefined;
  }
  // From the configuration of another server.
  if (isPasswordHash(password) || isImportedDigest(password)) return toSecret(password);
  checkPassword(password, 'user.password');
  return hashPassword(password);
}
