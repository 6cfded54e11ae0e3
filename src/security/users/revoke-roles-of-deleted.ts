/** Roles are granted to names: when the last user or group of a name is deleted, its roles are revoked. */
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { type RoleHolder, revokeAllRoles } from '../roles/roles.ts';
import { groupKind } from './group.ts';
import { userKind } from './user.ts';
import { userGroupServiceKind } from './user-group-service.ts';

/**
 * Must be called after the records are deleted; a user or group of the same name in another service keeps the roles.
 */
export async function revokeRolesOfDeleted(
  transaction: CatalogTransaction,
  names: readonly RoleHolder[],
): Promise<void> {
  for (const holder of names) {
    if (!(await hasHolder(transaction, holder))) {
      await revokeAllRoles(transaction, holder);
    }
  }
}

async function hasHolder(catalog: CatalogReader, { kind, name }: RoleHolder): Promise<boolean> {
  for (const service of await catalog.list(userGroupServiceKind, null)) {
    const bearer =
      kind === 'user'
        ? await catalog.find(userKind, service.id, name)
        : await catalog.find(groupKind, service.id, name);
    if (bearer !== undefined) {
      return true;
    }
  }
  return false;
}
