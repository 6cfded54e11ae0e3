/** Asks one of our own user/group services whether a user and a password belong together. */

import type { Secret } from '../../lib/secret.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { verifyPassword } from '../passwords.ts';
import { groupNamesOf } from '../users/groups.ts';
import { type User, userKind } from '../users/user.ts';
import type { UserGroupService } from '../users/user-group-service.ts';

/** The user and the names of the user's groups; undefined when the service does not vouch for the credentials. */
export async function askService(
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
