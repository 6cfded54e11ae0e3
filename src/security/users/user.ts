/** A user of a user/group service. */
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface User extends RecordBase {
  readonly kind: 'user';
  readonly enabled: boolean;
  /** Argon2id; null for a user who has no password here and so cannot log in with one. */
  readonly passwordHash: string | null;
  /** The ids of the groups the user is in. */
  readonly groups: readonly string[];
}

export const userKind: RecordKind<User> = {
  kind: 'user',
  keys: ({ groups }) => ({ group: groups }),
  secrets: ['passwordHash'],
};
