/** Manages roles. */

import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { compareCodePoints } from '../../lib/text/code-point-order.ts';
import { type Page, readFilteredPage, selectPage } from '../../lib/text/page.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { checkName } from '../../records/names.ts';
import { checkAccountName } from '../core/account-names.ts';
import { ADMINISTRATOR } from '../core/administrator.ts';
import type { Security } from '../core/security.ts';
import { changeSecurity } from '../core/security-state.ts';
import { listAssignedRoles } from './resolve-roles.ts';
import {
  computedRoles,
  DEFAULT_ROLE_SERVICE,
  permanentRoles,
  type Role,
  roleAliases,
  roleKind,
  systemRoles,
} from './role.ts';

/** A user or group that a role is granted to. */
export interface RoleHolder {
  readonly kind: 'user' | 'group';
  readonly name: string;
}

/** Checks the role service in a path; only one exists. */
export function checkRoleService(name: string | undefined): void {
  if (name !== undefined && name !== DEFAULT_ROLE_SERVICE) {
    throw problem('role-service-unknown', { name });
  }
}

export async function listRoleNames(
  catalog: CatalogReader,
  options: { readonly withSystemRoles: boolean },
  page: Page = {},
): Promise<readonly string[]> {
  const readRoleNames = (part: Page) => catalog.listNames(roleKind, null, part);
  return options.withSystemRoles
    ? selectPage([...(await readRoleNames(page)), ...computedRoles].toSorted(compareCodePoints), String, page)
    : readFilteredPage(page, readRoleNames, String, (name) => !systemRoles.includes(name));
}

/** Lists the roles granted to a user or group; the built-in administrator always has the administrator role. */
export async function listGrantedRoles(security: Security, holder: RoleHolder): Promise<readonly string[]> {
  const assigned = await listAssignedRoles(security.catalog, holder.kind, holder.name);
  const isAdministrator = security.builtinAdmin && holder.kind === 'user' && holder.name === ADMINISTRATOR;
  return isAdministrator ? [...new Set([roleAliases[0]?.[0] ?? '', ...assigned])].sort() : assigned;
}

export async function createRole(security: Security, principal: Principal, name: string): Promise<void> {
  checkName(name, { what: 'role', field: 'role', forbidden: [',', '*', ':', ';', '='] });
  await changeSecurity(security.catalog, principal, `create role ${name}`, async (transaction) => {
    if (computedRoles.includes(name) || (await transaction.find(roleKind, null, name)) !== undefined) {
      throw problem('role-exists', { name });
    }
    await transaction.insert(roleKind, { parent: null, name, users: [], groups: [] });
  });
}

export async function deleteRole(security: Security, principal: Principal, name: string): Promise<void> {
  if (computedRoles.includes(name) || permanentRoles.includes(name)) {
    throw problem('role-fixed', { name, what: 'deleted' });
  }
  await changeSecurity(security.catalog, principal, `delete role ${name}`, async (transaction) => {
    const role = await findRole(transaction, name);
    await transaction.removeDeep(role.id);
  });
}

/**
 * Grants a role; repeated grants have no effect. The holder may be unknown to this server: directories have users too.
 */
export async function grantRole(
  security: Security,
  principal: Principal,
  name: string,
  holder: RoleHolder,
): Promise<void> {
  checkAccountName(holder.name, holder.kind);
  const what = `grant role ${name} to ${holder.kind} ${holder.name}`;
  await changeHolders(security, principal, {
    name,
    what,
    kind: holder.kind,
    change: (holders) => (holders.includes(holder.name) ? holders : [...holders, holder.name]),
  });
}

export async function revokeRole(
  security: Security,
  principal: Principal,
  name: string,
  holder: RoleHolder,
): Promise<void> {
  const what = `revoke role ${name} from ${holder.kind} ${holder.name}`;
  await changeHolders(security, principal, {
    name,
    what,
    kind: holder.kind,
    change: (holders) => holders.filter((each) => each !== holder.name),
  });
}

interface HolderChange {
  readonly name: string;
  readonly what: string;
  readonly kind: RoleHolder['kind'];
  readonly change: (holders: readonly string[]) => readonly string[];
}

async function changeHolders(
  security: Security,
  principal: Principal,
  { name, what, kind, change }: HolderChange,
): Promise<void> {
  if (computedRoles.includes(name)) {
    throw problem('role-fixed', { name, what: 'granted or revoked, because the server computes its members' });
  }
  await changeSecurity(security.catalog, principal, what, async (transaction) => {
    const role = await findRole(transaction, name);
    await transaction.update(roleKind, updateHolders(role, kind, change));
  });
}

/** Revokes every role of a deleted user or group, so that a later one of the same name starts without roles. */
export async function revokeAllRoles(transaction: CatalogTransaction, holder: RoleHolder): Promise<void> {
  const roles = await transaction.findByKey(roleKind, holder.kind, holder.name, Number.MAX_SAFE_INTEGER);
  for (const role of roles) {
    const changed = updateHolders(role, holder.kind, (holders) => holders.filter((each) => each !== holder.name));
    await transaction.update(roleKind, changed);
  }
}

function updateHolders(
  role: Role,
  kind: RoleHolder['kind'],
  change: (holders: readonly string[]) => readonly string[],
): Role {
  return kind === 'user' ? { ...role, users: change(role.users) } : { ...role, groups: change(role.groups) };
}

export function roleExists(catalog: CatalogReader, name: string): Promise<boolean> {
  return catalog.find(roleKind, null, name).then((role) => role !== undefined);
}

async function findRole(catalog: CatalogReader, name: string): Promise<Role> {
  const role = await catalog.find(roleKind, null, name);
  if (role === undefined) {
    throw problem('role-unknown', { name });
  }
  return role;
}
