/** A group of a user/group service; its users refer to it. */
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface Group extends RecordBase {
  readonly kind: 'group';
}

export const groupKind: RecordKind<Group> = { kind: 'group', keys: {}, secrets: {} };
