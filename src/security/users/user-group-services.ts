/** Manages user/group services. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Page } from '../../lib/text/page.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { checkName } from '../../records/names.ts';
import { type ClassPair, findClassPair, listExpectedNames } from '../core/class-names.ts';
import type { Security } from '../core/security.ts';
import { changeSecurity } from '../core/security-state.ts';
import { removeTokensOfDeleted } from '../token-records/follow-changes.ts';
import { groupKind } from './group.ts';
import { revokeRolesOfDeleted } from './revoke-roles-of-deleted.ts';
import { userKind } from './user.ts';
import { DEFAULT_SERVICE, type UserGroupService, userGroupServiceKind } from './user-group-service.ts';

export interface UserGroupServiceDraft {
  readonly name?: string | null;
  readonly className?: string | null;
  readonly configClassName?: string | null;
}

/** The supported service classes. The users are in the catalog, although the class name refers to XML files. */
export const serviceClasses: readonly ClassPair[] = [
  { className: 'security.xml.XMLUserGroupService', configClassName: 'security.xml.XMLUserGroupServiceConfig' },
];

const field = 'userGroupService.name';

export function listUserGroupServices(catalog: CatalogReader, page: Page = {}): Promise<readonly UserGroupService[]> {
  return catalog.list(userGroupServiceKind, null, page);
}

export async function findUserGroupService(
  catalog: CatalogReader,
  name: string = DEFAULT_SERVICE,
): Promise<UserGroupService> {
  const service = await catalog.find(userGroupServiceKind, null, name);
  if (service === undefined) {
    throw problem('user-group-service-unknown', { name });
  }
  return service;
}

export function userGroupServiceExists(catalog: CatalogReader, name: string): Promise<boolean> {
  return catalog.find(userGroupServiceKind, null, name).then((service) => service !== undefined);
}

export async function createUserGroupService(
  security: Security,
  principal: Principal,
  draft: UserGroupServiceDraft,
): Promise<UserGroupService> {
  const name = draft.name ?? '';
  checkName(name, { what: 'user/group service', field });
  const pair = findClassPair(serviceClasses, draft);
  if (pair === undefined) {
    throw createUnknownClassProblem(draft);
  }
  return changeSecurity(security.catalog, principal, `create user/group service ${name}`, async (transaction) => {
    if (await userGroupServiceExists(transaction, name)) {
      throw problem('user-group-service-exists', { name });
    }
    return transaction.insert(userGroupServiceKind, { parent: null, name, ...pair });
  });
}

/** Checks that a sent document equals the service: no field of a service can change. */
export async function confirmUserGroupService(
  security: Security,
  name: string,
  draft: UserGroupServiceDraft,
  precondition: Precondition,
): Promise<UserGroupService> {
  const service = await findUserGroupService(security.catalog, name);
  checkPrecondition(precondition, service.version);
  for (const member of ['name', 'className', 'configClassName'] as const) {
    const given = draft[member] ?? service[member];
    if (given !== service[member]) {
      const message = `is '${service[member]}' and cannot change to '${excerpt(given)}'`;
      const complaint = { field: `userGroupService.${member}`, message };
      throw problem('document-invalid', { complaints: [complaint], field: complaint.field });
    }
  }
  return service;
}

export async function deleteUserGroupService(
  security: Security,
  principal: Principal,
  name: string,
  precondition: Precondition,
): Promise<void> {
  await changeSecurity(security.catalog, principal, `delete user/group service ${name}`, async (transaction) => {
    const service = await findUserGroupService(transaction, name);
    checkPrecondition(precondition, service.version);
    if (service.name === DEFAULT_SERVICE) {
      throw problem('user-group-service-fixed', { name });
    }
    const users = await transaction.list(userKind, service.id);
    const groups = await transaction.list(groupKind, service.id);
    await transaction.removeDeep(service.id);
    await removeTokensOfDeleted(transaction, users);
    await revokeRolesOfDeleted(transaction, [
      ...users.map((user) => ({ kind: 'user' as const, name: user.name })),
      ...groups.map((group) => ({ kind: 'group' as const, name: group.name })),
    ]);
  });
}

function createUnknownClassProblem(draft: UserGroupServiceDraft) {
  const message = `'${excerpt(draft.className ?? '')}' is not supported. Use ${listExpectedNames(serviceClasses, 'className').join(' or ')}`;
  const complaint = { field: 'userGroupService.className', message };
  return problem('document-invalid', { complaints: [complaint], field: complaint.field });
}
