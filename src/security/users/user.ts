/** A user of a user/group service. */

import type { Secret } from '../../lib/identity/secret.ts';
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { groupKind } from './group.ts';
import { userGroupServiceKind } from './user-group-service.ts';

export interface User extends RecordBase {
  readonly kind: 'user';
  readonly enabled: boolean;
  /** An argon2id hash, or the digest of another server; null for a user without a local password. */
  readonly passwordHash: Secret | null;
  /** The ids of the user's groups. */
  readonly groups: readonly string[];
}

export const userKind: LinkedKind<User> = createLinkedKind<User>(
  { kind: 'user', keys: {}, secrets: { passwordHash: true } },
  {
    livesIn: [userGroupServiceKind.kind],
    references: [
      {
        to: groupKind.kind,
        key: 'group',
        ids: ({ groups }) => groups,
        onDelete: async (_reader, user, goneId) => removeGroup(user, goneId),
      },
    ],
  },
);

export function removeGroup(user: User, groupId: string): User {
  return { ...user, groups: user.groups.filter((id) => id !== groupId) };
}
